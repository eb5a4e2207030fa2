# Two commands matter on a fresh machine: `make run` and `make test`. Both need Python >= 3.11 and nothing else.
# PYTHON=/path/to/python3.12 chooses the Python that .venv is made from; VENV=folder puts it elsewhere.

SHELL := /bin/sh
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PYTHON ?=
FIND_PYTHON = for python in "$(PYTHON)" python3 python3.13 python3.12 python3.11 python3.14 python; do \
	if [ -n "$$python" ] && "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; \
	then found=$$python; break; fi; done

.DEFAULT_GOAL := help
.PHONY: help run test check bench eval lock clean

help: ## Say what each target does
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 16

$(STAMP): pyproject.toml requirements.lock
	@found=; $(FIND_PYTHON); \
	if [ -z "$$found" ]; then \
		echo "Bilayer needs Python 3.11 or newer, and none was found (python3: $$(python3 -V 2>&1 || true))." >&2; \
		echo "Install one, or name it: make run PYTHON=/path/to/python3.12" >&2; exit 1; fi; \
	if [ -x $(BIN)/python ] && ! $(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
		rm -rf $(VENV); fi; \
	if [ ! -x $(BIN)/pip ]; then \
		"$$found" -m venv $(VENV) || { \
		echo "$$found cannot make a virtual environment. On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }; fi
	@echo "Installing the locked packages into $(VENV) ..."
	@$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation --no-index -e .
	@touch $@

run: $(STAMP) ## Start everything: Redis, front, workers, scheduler (Ctrl-C ends it)
	@exec $(BIN)/bilayer up

# A process for each core, four at most. Files stay whole, since their tests share what they start, and in their order:
# by the number of their tests, the long ones of the whole stack would come last.
test: ARGS ?= -n auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder
test: $(STAMP) ## Run the whole test suite; it starts the Redis it needs (ARGS="-x tests/stm": otherwise)
	@$(BIN)/python -m pytest $(ARGS)

check: $(STAMP) ## Lint, format, types, import contracts, size and purity budgets
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache
	@$(BIN)/python -m pytest -q tests/test_architecture.py

bench: $(STAMP) ## Print what turns, prompts and long conversations cost (ARGS="--quick --only scale --data FOLDER")
	@$(BIN)/python -m tests.bench $(ARGS)

eval: $(STAMP) ## Measure recall and the task dialogues, write docs/evaluation.md (ARGS="--data FOLDER --against FILE")
	@$(BIN)/python -m tests.evals --page docs/evaluation.md --json build/evaluation.json $(ARGS)

lock: $(STAMP) ## Write requirements.lock anew from pyproject.toml
	@$(BIN)/python -m venv build/lock && build/lock/bin/pip install -q --disable-pip-version-check uv
	@build/lock/bin/uv pip compile --quiet --universal --python-version 3.11 --all-extras --generate-hashes \
		--no-emit-index-url --no-header $(ARGS) --output-file requirements.lock pyproject.toml

clean: ## Remove what was built and installed here; the data folder stays
	@rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	@find api workers shared tests -name __pycache__ -type d -prune -exec rm -rf {} +
