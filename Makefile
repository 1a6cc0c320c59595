# Every target sets up what it needs; `make` alone lists them.
PYTHON ?= python3
BIN := .venv/bin
CALLS := $(CURDIR)/.venv/kernel-calls
KERNELS := tests/contracts/test_every_kernel.py
export STRUCTLEARN_KERNEL_CALLS = $(CALLS)
unexport PYTHONDONTWRITEBYTECODE  # what one run of tests has prepared, the next one reads
.PHONY: help demo check test interpreted bench docs clean

help:
	@echo "make demo    learn a network from a bundled data set and look at it"
	@echo "make test    lint, type-check and run the whole suite"
	@echo "make check   lint and type-check only"
	@echo "make bench   compare with other libraries (installs them)"
	@echo "make docs    write the generated pages of docs/"

demo: .venv/installed
	$(BIN)/structlearn demo

check: .venv/tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Types are checked beside the first tests. Those of kernels run first without the compiler, where an index
# out of range raises. What they call kernels with is kept, and every kernel is called with it again,
# interpreted and compiled; so those tests need no second run, and the rest finds the machine code on disk.
# Matrices in tests are small: threads of OpenBLAS would wait for each other, and take the cores meanwhile.
test: export OPENBLAS_NUM_THREADS = 1
test: .venv/tested
	$(MAKE) --jobs=2 check interpreted
	$(BIN)/python -m pytest -n 2 --dist worksteal $(KERNELS)
	$(BIN)/python -m pytest -n 3 --dist loadfile -m "not slow and (compiled or not kernels)" --ignore $(KERNELS)

interpreted: .venv/tested
	rm -rf $(CALLS) && mkdir -p $(CALLS)
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n 2 --dist loadfile -m "kernels and not slow" -p tests.contracts.kernel_calls $$(grep -rl --include="test_*.py" kernels tests)

bench: .venv/benched
	$(BIN)/python -m benchmarks search pc undirected exact hybrid confidence
	$(BIN)/python -m benchmarks.models

docs: .venv/installed
	$(BIN)/python -m tools.write_docs

clean:
	rm -rf .venv

# A stamp per set of extras: nothing is installed again until pyproject.toml changes.
.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/installed: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

# Spark comes without a wheel: to pack its 450 MB into one takes as long as all the rest, and goes on beside it.
.venv/tested: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check "pyspark>=4.0" & spark=$$!; \
	$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check --editable ".[test]" && wait $$spark
	touch $@ .venv/installed

.venv/benched: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[bench]"
	touch $@ .venv/installed
