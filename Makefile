# Two commands for everybody: `make play` and `make test`. The rest is for those who work on it.
PYTHON ?= python3
PORT ?= 8765
JOBS ?= 2
VENV := .venv
BIN := $(VENV)/bin
SOURCES := $(shell find src -name "*.py" -o -name "*.toml") $(shell find web/src web/messages web/public web/scripts -type f -not -path "*/paraglide/*" 2>/dev/null) \
	$(shell find docs -type f -not -name "*.pyc") web/index.html web/package-lock.json pyproject.toml hatch_build.py constraints.txt
# Python compiles what it loads: of all that is installed, that is a small part.
INSTALL = $(BIN)/pip install --quiet --disable-pip-version-check --no-compile --constraint constraints.txt

.PHONY: play test docs bench agree long bare image screens golden format clean

play: $(VENV)/.installed
	@$(BIN)/projectl serve --open --port $(PORT)

# SHORT=1: of each file of tests the first one. JOBS=1: one file after the other.
test: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(if $(SHORT),PROJECTL_SHORT=1 )$(BIN)/pytest --numprocesses $(JOBS) --dist loadfile --no-loadscope-reorder

# The documentation as a site, in build/docs: as a server shows it at /docs. First what the program says of itself.
docs: $(VENV)/.docs
	$(BIN)/python -m tests.commands_page
	$(BIN)/python -m sphinx --fail-on-warning --quiet -d build/doctrees docs build/docs
	@echo build/docs/index.html

bench: $(VENV)/.bench
	$(BIN)/python benchmarks/engine.py
	$(BIN)/python benchmarks/batch.py
	$(BIN)/python -m benchmarks.envs --sizes

# Compiled and interpreted engine on 10,000 random games, decision by decision.
agree: $(VENV)/.dev
	$(BIN)/python -m tests.agree 10000

# The server killed 200 times under load, the power cut 100 times, 100,000 steps of lost, doubled and late messages, each
# long command ended a hundred times by Ctrl-C (an hour or more).
long: $(VENV)/.dev
	PROJECTL_LONG=1 $(BIN)/pytest tests/server/test_kill.py tests/server/test_power_cut.py tests/server/test_chaos.py tests/server/test_attacks_limits.py tests/test_interrupts.py

# Both commands on a fresh Debian (SUITE=forky: another one) with nothing but Python, git and make; as root, with
# mmdebstrap.
bare:
	@$(PYTHON) -m tests.bare $(SUITE)

# The steps of the server's image, and its server, on such a Debian: as far as that goes without a container engine.
image:
	@$(PYTHON) -m tests.image $(SUITE)

# Pictures of every screen, desktop and phone, and of the rules' examples into docs/img. Look at them before you commit.
screens: $(VENV)/.dev
	$(BIN)/python -m tests.web.screens
	$(BIN)/python -m tests.web.rule_pictures

# Write the golden games anew. Look at what changed before you commit it.
golden: $(VENV)/.dev
	$(BIN)/python -m tests.golden

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

OLD = "Project L needs Python 3.11 or newer, and $(PYTHON) is %d.%d: name another, as in `make play PYTHON=python3.12`"

$(VENV)/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit($(OLD) % sys.version_info[:2] if sys.version_info < (3, 11) else 0)'
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

$(VENV)/.docs: $(VENV)/.installed
	$(INSTALL) "$$(ls build/wheel/*.whl)[docs]"
	@touch $@

$(VENV)/.bench: $(VENV)/.installed
	$(INSTALL) "$$(ls build/wheel/*.whl)[bench]"
	@touch $@

clean:
	rm -rf $(VENV) build dist
