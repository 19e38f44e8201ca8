# make demo   audit the example file in a fresh environment
# make test   run the tests on the newest libraries
# make help   everything else

PYTHON ?= python3
VENV ?= .venv
FLOOR ?= .venv-floor
BIN = $(VENV)/bin
PYTEST_WORKERS ?= 2
FUZZ_SECONDS ?= 60

# Real data sets for the tests, where the folder is there.
ifneq ($(wildcard ../shared/data),)
export HARDY_DATA ?= $(abspath ../shared/data)
endif

# uv when there is one, else venv and pip. A group needs pip 25.1 or newer.
ifneq ($(shell command -v uv 2>/dev/null),)
create = uv venv --quiet --clear --python $(PYTHON) $(1)
install = uv pip install --quiet --python $(1)/bin/python
else
create = $(PYTHON) -m venv --clear $(1) && $(1)/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
install = $(1)/bin/python -m pip install --quiet
endif

# The build's clock, so that the same commit gives the same bytes.
export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 1577836800)

.PHONY: help demo test test-floor fuzz properties faults mutants trust coverage lint audit-deps format docs wheel detection bench bench-full clean

help:
	@sed -n 's/^# //p;s/^\([a-z-]*\):.*## /\1: /p' Makefile

$(VENV)/.core: pyproject.toml
	@echo "Making the environment $(VENV) ..."
	@$(call create,$(VENV))
	@$(call install,$(VENV)) --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.core
	@echo "Installing what the tests need ..."
	@$(call install,$(VENV)) --editable . --group dev
	@touch $@

$(VENV)/.docs: $(VENV)/.dev
	@$(call install,$(VENV)) --editable '.[docs]'
	@touch $@

$(VENV)/.bench: $(VENV)/.dev
	@$(call install,$(VENV)) --editable '.[bench]'
	@touch $@

$(VENV)/.release: $(VENV)/.dev
	@$(call install,$(VENV)) --editable . --group release
	@touch $@

$(FLOOR)/.dev: pyproject.toml
	@echo "Making the environment $(FLOOR) with the oldest supported versions ..."
	@$(call create,$(FLOOR))
	@$(call install,$(FLOOR)) --editable . --group test --group floor
	@touch $@

demo: $(VENV)/.core ## audit the example file, print where the report is and what was found
	@$(BIN)/python examples/demo.py

test: $(VENV)/.dev ## run the tests on the newest libraries
	$(BIN)/python -m pytest -q -n $(PYTEST_WORKERS)

test-floor: $(FLOOR)/.dev ## run the tests on the oldest supported libraries
	$(FLOOR)/bin/python -m pytest -q -n $(PYTEST_WORKERS) -o addopts="--import-mode=importlib --strict-markers" tests

fuzz: $(VENV)/.dev ## change files for FUZZ_SECONDS (60) for each reader, guided where atheris is installed
	$(BIN)/python tests/fuzz/run.py $(FUZZ_SECONDS)

properties: $(VENV)/.dev ## try what must hold of all estimators, measures and audits on 100 tables each
	HARDY_EXAMPLES=100 $(BIN)/python -m pytest -q -n $(PYTEST_WORKERS) tests/contract/test_any_table.py tests/contract/test_invariance.py tests/hardness/test_measures.py tests/audit/test_properties.py

faults: $(VENV)/.dev ## kill, interrupt and starve commands many times, and let eight clients decide 8,000 times
	HARDY_KILLS=40 HARDY_DECISIONS=1000 $(BIN)/python -m pytest -q tests/faults tests/review/test_load.py

mutants: $(VENV)/.release ## put 300 small faults into hardness, stats and weighting, and count what the tests notice
	$(BIN)/python benchmarks/mutants.py --sample 300 --seed 1

trust: $(VENV)/.dev ## fuzz, kill and load, and write the page of what was tried
	$(BIN)/python benchmarks/trust.py

coverage: $(VENV)/.release ## run the tests, and show which lines none of them runs
	$(BIN)/python benchmarks/covered.py --workers $(PYTEST_WORKERS)

lint: $(VENV)/.dev ## format, lint, types, import order, security
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/bandit --quiet --recursive --configfile pyproject.toml src

audit-deps: $(VENV)/.release ## look for known holes in all that is installed; needs a network
	$(BIN)/pip-audit --local --skip-editable

format: $(VENV)/.dev ## let ruff format and mend what it can
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(VENV)/.docs ## build the documentation into docs/_build/html
	$(BIN)/python -m sphinx -W --keep-going -b html docs docs/_build/html

wheel: $(VENV)/.release ## build the release into dist/, twice, and see that the bytes are the same
	rm -rf dist build/again
	$(BIN)/python -m build --no-isolation --outdir dist
	$(BIN)/python -m build --no-isolation --outdir build/again
	diff --recursive dist build/again

detection: $(VENV)/.bench ## the figures of how well wrong labels are found; hours where none are stored
	$(BIN)/python benchmarks/detection.py
	$(BIN)/python benchmarks/precision.py --fit
	$(BIN)/python benchmarks/precision.py
	$(BIN)/python benchmarks/medical_cause.py
	$(BIN)/python benchmarks/annotators.py
	$(BIN)/python benchmarks/findings.py

bench: $(VENV)/.bench ## a quick version of the table of speed, printed
	$(BIN)/python benchmarks/speed.py --quick

bench-full: $(VENV)/.bench ## all benchmarks; the results and their pages are written anew
	$(BIN)/python benchmarks/bagged_perceptrons.py
	$(BIN)/python benchmarks/speed.py
	$(BIN)/python benchmarks/profiles.py
	$(BIN)/python benchmarks/large_files.py --write
	$(BIN)/python benchmarks/family.py --checks
	$(BIN)/python benchmarks/dask_cluster.py
	$(MAKE) detection

clean: ## remove environments and builds
	rm -rf $(VENV) $(FLOOR) docs/_build docs/auto_examples build dist
