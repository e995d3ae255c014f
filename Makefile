# Two commands for everybody: `make play` and `make test`. The rest is for those who work on it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := $(shell find src -name "*.py" -o -name "*.toml") $(shell find web/src web/messages web/public web/scripts -type f -not -path "*/paraglide/*" 2>/dev/null) \
	web/index.html web/package-lock.json pyproject.toml hatch_build.py constraints.txt
INSTALL = $(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: play test bench agree long screens golden format clean

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

# The server killed 200 times under load, and 100,000 steps of lost, doubled and late messages.
long: $(VENV)/.dev
	PROJECTL_LONG=1 $(BIN)/pytest tests/server/test_kill.py tests/server/test_chaos.py

# Pictures of every screen, desktop and phone, into docs/img. Look at them before you commit.
screens: $(VENV)/.dev
	$(BIN)/python -m tests.web.screens

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
