# Two commands for everybody: `make play` and `make test`. The rest is for those who work on it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := $(shell find src -name "*.py" -o -name "*.toml") $(shell find web/src web/messages web/public web/scripts -type f -not -path "*/paraglide/*" 2>/dev/null) \
	web/index.html web/package-lock.json pyproject.toml hatch_build.py constraints.txt
INSTALL = $(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: play test bench agree golden format clean

play: $(VENV)/.installed
	@$(BIN)/projectl serve --open

test: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest

bench: $(VENV)/.bench
	$(BIN)/python benchmarks/engine.py

# Compiled and interpreted engine on 10,000 random games, decision by decision.
agree: $(VENV)/.dev
	$(BIN)/python -m tests.agree 10000

# Write the golden games anew. Look at what changed before you commit it.
golden: $(VENV)/.dev
	$(BIN)/python -m tests.golden

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(VENV)/bin/pip:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(SOURCES) | $(VENV)/bin/pip
	@rm -rf build/wheel
	$(BIN)/pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir build/wheel .
	$(INSTALL) build/wheel/*.whl
	$(INSTALL) --force-reinstall --no-deps build/wheel/*.whl
	@touch $@

$(VENV)/.dev: $(VENV)/.installed
	$(INSTALL) "$$(ls build/wheel/*.whl)[dev]"
	@touch $@

$(VENV)/.bench: $(VENV)/.installed
	$(INSTALL) "$$(ls build/wheel/*.whl)[bench]"
	@touch $@

clean:
	rm -rf $(VENV) build dist
