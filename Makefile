# Every target sets up what it needs; `make` alone lists them.
PYTHON ?= python3
BIN := .venv/bin
# Once more without the compiler: an index out of range raises there.
KERNEL_TESTS := tests/graphs tests/statistics tests/independence tests/scores tests/search/test_moves.py \
  tests/learners/order/growing/test_grown_order.py tests/numerics/test_descent.py \
  tests/numerics/test_logistic_descent.py tests/numerics/test_group_descent.py tests/models \
  tests/inference/test_inference_kernels.py tests/inference/test_gibbs_kernels.py tests/inference/test_discrete_queries.py

.PHONY: help demo check test bench docs clean

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

test: check
	$(BIN)/python -m pytest -n 2 --dist loadfile
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n 2 --dist loadfile $(KERNEL_TESTS)

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

.venv/tested: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[test]"
	touch $@ .venv/installed

.venv/benched: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[bench]"
	touch $@ .venv/installed
