PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
SAMPLE ?= sample_logs/incidents/fibre-bend/input
PYTEST := $(BIN)/python -m pytest
WORKERS ?= auto

.PHONY: help demo test check lint types imports rules bench docs lock clean

help:
	@echo "make demo    diagnose a sample incident (SAMPLE=$(SAMPLE))"
	@echo "make test    the whole suite in random order, then the quick tests under another time zone"
	@echo "make check   ruff, mypy, import contracts, rules"
	@echo "make bench   speed against ripgrep, memory, start-up"
	@echo "make docs    generated pages under docs/"
	@echo "make lock    resolve and pin constraints.txt again"

$(READY): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

demo: $(READY)
	$(BIN)/fabtriage diagnose $(SAMPLE) || test $$? -eq 1

test: $(READY)
	$(PYTEST) -n $(WORKERS)
	TZ=America/New_York $(PYTEST) -n $(WORKERS) -m "not slow"

check: lint types imports rules

lint: $(READY)
	$(BIN)/ruff check .

types: $(READY)
	$(BIN)/mypy

imports: $(READY)
	$(BIN)/lint-imports --no-logo

rules: $(READY)
	$(BIN)/fabtriage rules check

bench: $(READY)
	$(BIN)/python -m tests.bench

docs: $(READY)
	$(BIN)/python scripts/docs.py

lock: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check pip-tools
	$(BIN)/python scripts/lock.py

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
