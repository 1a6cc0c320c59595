"""Chains with very many parent sets: the clock is looked at between the steps to a single record."""

import pytest

from structlearn.learners.order.chains import recording
from structlearn.learners.order.order_mcmc import OrderMCMC
from structlearn.run import Run
from tests.learners.order.test_order_mcmc import T1_OVER_ORDERS, largest_error
from tests.oracles.reference_data import T1


class Walker:
    """A chain that counts its steps."""

    n_rows = 10**9

    def __init__(self):
        self.calls, self.log_weights = [], []

    def walked(self, n_steps):
        self.calls.append(n_steps)
        return self

    def after(self, n_records, thin):
        self.calls.append(n_records * thin)
        self.log_weights += [0.0] * n_records
        return self

    run = after

    def forget(self):
        self.log_weights.clear()


def test_a_record_that_takes_long_is_reached_in_strides():
    walker = Walker()
    with Run("a test") as run:
        recording.Recording([walker], run, thin=7, n_jobs=1).make(3, 1)

    assert (sum(walker.calls), max(walker.calls), len(walker.log_weights)) == (3 * 7, 1, 2)


def test_time_that_is_up_ends_a_chain_within_a_record(monkeypatch):
    walker = Walker()
    with Run("a test") as run:
        monkeypatch.setattr(run, "must_stop", lambda: len(walker.calls) >= 3)
        recording.Recording([walker], run, thin=1000, n_jobs=1).make(5, 1)

    assert walker.calls == [1, 1, 1, 0]  # the order that it has come to is recorded
    assert len(walker.log_weights) == 1


@pytest.mark.compiled
def test_strides_lead_to_the_exact_probabilities_too(monkeypatch):
    monkeypatch.setattr(recording, "ROWS_PER_CALL", 1.0)
    monkeypatch.setattr(recording, "STEP_ROWS_PER_CALL", 1.0)
    found = OrderMCMC(score="bdeu", max_parents=2, steps=30_000).fit(T1)

    assert largest_error(found.probabilities_, T1_OVER_ORDERS) < 0.01
