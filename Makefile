# make certify   a first certificate: the embedded sandbox, the whole suite, a report
# make test      lint, types and all tests
# make docs      the parts of docs/ that the code itself can say
# Both set themselves up: Python 3.11 or newer is all they need.

PYTHON ?= python3
BIN := .venv/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable

.PHONY: certify test lint types unit conformance faults faults-collateral faults-evidence proxy-agreement docs clean

certify: .venv/installed
	$(BIN)/airworthy certify service

test: lint types unit conformance faults

lint: .venv/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/installed-dev
	$(BIN)/mypy

unit: .venv/installed-dev
	$(BIN)/python -m pytest -q -n 2 tests/unit tests/integration

conformance: .venv/installed-dev
	$(BIN)/python -m pytest -q

faults: .venv/installed-dev
	$(BIN)/python -m pytest -q -n 2 tests/faults

faults-collateral: .venv/installed-dev
	PYTHONPATH=tests $(BIN)/python -m faults.collateral

faults-evidence: .venv/installed-dev
	PYTHONPATH=tests $(BIN)/python -m integration.evidence.fidelity

proxy-agreement: .venv/installed-dev
	PYTHONPATH=tests $(BIN)/python -m integration.proxy.agreement

docs: .venv/installed-dev
	$(BIN)/python docs/generate.py

clean:
	rm -rf .venv build dist

.venv/installed: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(None if v >= (3, 11) else "Python 3.11 or newer is needed; $(PYTHON) is %d.%d. Name another: make PYTHON=python3.12" % v[:2])'
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "Installing into .venv (once) ..."
	@$(INSTALL) .
	@touch $@

.venv/installed-dev: .venv/installed
	@$(INSTALL) ".[dev]"
	@touch $@
