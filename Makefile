# make certify   run the suite against the embedded sandbox and write a report
# make demo      certify a careful demo partner, and refuse a careless one
# make test      lint, types and tests; make exhaustive adds the long ones, make test-spark those of Apache Spark
# make docs      update the generated parts of docs/
# Each target creates .venv first. The only requirement is Python 3.11 or newer.

PYTHON ?= python3
BIN := .venv/bin
SPARK_BIN := .venv-spark/bin
CHECKS := lint types unit conformance
# One process more than continuous integration has cores, because a fifth of the time they wait for others and timeouts.
TESTS := -n 3 --dist worksteal tests/unit tests/integration tests/faults

# The tests start hundreds of processes; without bytecode, each of them would compile the package again.
unexport PYTHONDONTWRITEBYTECODE

INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint $$($(BIN)/python -m airworthy.constraints) --editable

# Prints the folder of the installed packages.
PACKAGES := import sysconfig; print(sysconfig.get_path("purelib"))

.PHONY: certify demo test test-spark exhaustive all-tests ci $(CHECKS) samples pictures findings mutants requirement-set rule-review faults-collateral faults-evidence proxy-agreement advisories docs openapi-lint clean

certify: .venv/installed
	$(BIN)/airworthy certify service

demo: .venv/installed
	$(BIN)/python examples/demo.py

# Runs every check even after one failed, and names the failed ones at the end.
test: .venv/installed-dev
	@failed=; \
	for check in $(CHECKS); do $(MAKE) --no-print-directory $$check || failed="$$failed $$check"; done; \
	test -z "$$failed" || { echo "make test: failed:$$failed" >&2; exit 1; }

lint: .venv/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/installed-dev
	$(BIN)/mypy

# The tests of the package, and one fault for each rule.
unit: .venv/installed-dev
	$(BIN)/python -m pytest -q -m "not exhaustive" $(TESTS)

conformance: .venv/installed-dev
	$(BIN)/python -m pytest -q -n 2

# The dialects, the other faults, hostile input, whole programs and full runs.
exhaustive: .venv/installed-dev
	$(BIN)/python -m pytest -q -m exhaustive $(TESTS)

# Those of unit and exhaustive, collected once.
all-tests: .venv/installed-dev
	$(BIN)/python -m pytest -q $(CASES) $(TESTS)

# All checks but conformance, whose run other tests make, too, and without further cases, because it may take 30 minutes
# on a slow machine. Two at a time, because the tests wait for processes and timeouts. Names the failed ones at the end.
ci: CASES := -m "not further"
ci:
	@$(MAKE) --no-print-directory --jobs=2 --keep-going --output-sync 'CASES=$(CASES)' all-tests test-spark lint types

# Needs Java 17 or newer. The 700 MB of the extra are in an environment of their own.
test-spark: .venv-spark/installed
	$(SPARK_BIN)/python -m pytest -q $(CASES) tests/spark

faults-collateral: .venv/installed-dev
	PYTHONPATH=tests $(BIN)/python -m faults.collateral

faults-evidence: .venv/installed-dev
	PYTHONPATH=tests $(BIN)/python -m integration.evidence.fidelity

proxy-agreement: .venv/installed-dev
	PYTHONPATH=tests $(BIN)/python -m integration.proxy.agreement

# Needs a network; where it cannot reach the database of advisories, it says so and succeeds.
advisories: .venv/installed-dev
	$(BIN)/python constraints/advisories.py

docs: .venv/installed-dev
	$(BIN)/python docs/generate.py

# Needs Node.js and a network. redocly.yaml names the rules.
openapi-lint: .venv/installed-dev
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && \
	for version in v4 v3 v2 payment; do $(BIN)/airworthy openapi $$version > $$folder/$$version.json || exit 1; done && \
	npx --yes @redocly/cli@2.77.0 lint --config redocly.yaml $$folder/*.json

# Needs the documents, which are not part of the project: make rule-review DOCUMENTS=folder > review.html
rule-review: .venv/installed-dev
	@$(BIN)/python docs/rule_review.py $(DOCUMENTS)

requirement-set: .venv/installed-dev
	$(BIN)/python -m airworthy.requirements

samples: .venv/installed-dev
	PYTHONPATH=tests $(BIN)/python -m integration.report.samples

# Accepts what the contract finds in mutations. CONTRIBUTING.md says how to review it.
findings: .venv/installed-dev
	$(BIN)/python -m pytest -q tests/unit/contract/test_mutations.py --update-findings

mutants: .venv/installed-dev
	@$(INSTALL) ".[dev,mutants]"
	PYTHONPATH=tests $(BIN)/python -m mutants

pictures: samples
	PYTHONPATH=tests $(BIN)/python -m integration.report.pictures

clean:
	rm -rf .venv .venv-spark build dist

.venv/installed: pyproject.toml $(wildcard constraints/*.txt)
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(None if v >= (3, 11) else "Airworthy requires Python 3.11 or newer; $(PYTHON) is %d.%d. Select another one: make PYTHON=python3.12" % v[:2])'
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "Installing into .venv ..."
	@$(INSTALL) .
	@touch $@

.venv/installed-dev: .venv/installed
	@$(INSTALL) ".[dev,pdf]"
	@touch $@

# It imports what .venv has, so that only Spark has to be installed.
.venv-spark/installed: .venv/installed-dev
	@test -x $(SPARK_BIN)/python || $(PYTHON) -m venv .venv-spark
	@echo "Installing into .venv-spark ..."
	@$(BIN)/python -c '$(PACKAGES)' > $$($(SPARK_BIN)/python -c '$(PACKAGES)')/development.pth
	@$(subst $(BIN)/python -m pip,$(SPARK_BIN)/python -m pip,$(INSTALL)) ".[spark]"
	@touch $@
