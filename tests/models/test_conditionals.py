"""A node given its parents in many rows: as the distribution says, whichever way it is looked up."""

import numpy as np
import pytest

from structlearn.models import SigmoidCPD, SoftmaxCPD, Split, TableCPD, TreeCPD
from structlearn.models.conditionals import conditionals_of

COIN = TableCPD([0.25, 0.75], labels=["no", "yes"])


def network(cpd):
    return conditionals_of({"a": COIN, "b": TableCPD([0.2, 0.3, 0.5], labels=list("pqr")), "y": cpd})["y"]


CASES = {
    "table": TableCPD(
        np.random.default_rng(0).dirichlet(np.ones(3), size=(2, 3)), labels=list("uvw"), parents=["a", "b"]
    ),
    "tree": TreeCPD(
        Split("b", [[0.5, 0.3, 0.2], Split("a", [[0.1, 0.1, 0.8], [0.6, 0.2, 0.2]])], at="q"),
        labels=list("uvw"),
        parents={"a": ["no", "yes"], "b": ["p", "q", "r"]},
    ),
    "softmax": SoftmaxCPD(
        [0, 0.5, -0.2], {"a": [[0, 1.0, 0.3]], "b": [[0, -1.0, 0], [0, 0.4, 0.9]]}, labels=list("uvw")
    ),
}
STATE = {"a": np.array([0, 1, 1, 0]), "b": np.array([2, 0, 1, 1])}


@pytest.mark.parametrize("cpd", CASES.values(), ids=CASES.keys())
def test_shares_are_those_of_the_distribution(cpd):
    here = network(cpd)
    parents = [STATE[parent] for parent in cpd.parents]

    shares = here.shares(STATE, 4)

    expected = [np.exp(cpd.log_probability(np.full(4, k), parents)) for k in range(3)]
    np.testing.assert_allclose(shares, np.array(expected).T)
    assert here.is_discrete
    assert here.table is not None


@pytest.mark.parametrize("cpd", CASES.values(), ids=CASES.keys())
def test_draws_have_these_shares(cpd):
    here, n = network(cpd), 30_000
    state = {name: np.repeat(codes[1], n) for name, codes in STATE.items()}

    drawn = here.draw(state, n, np.random.default_rng(0))

    shares = here.shares(STATE, 4)[1]
    found = np.bincount(drawn, minlength=3) / n
    assert (np.abs(found - shares) < 4 * np.sqrt(shares * (1 - shares) / n)).all()


def test_a_large_table_is_not_made():
    names = [f"p{k}" for k in range(17)]
    wide = SigmoidCPD(0.1, dict.fromkeys(names, 0.2), labels=[0, 1])
    roots = {name: TableCPD([0.5, 0.5], labels=[0, 1]) for name in names}
    here = conditionals_of({**roots, "y": wide})["y"]
    state = {name: np.array([0, 1]) for name in names}

    assert here.table is None
    np.testing.assert_allclose(here.shares(state, 2)[:, 1], 1 / (1 + np.exp(-np.array([0.1, 3.5]))))
    assert set(here.draw(state, 2, np.random.default_rng(0)).tolist()) <= {0, 1}


def test_a_state_of_no_probability_is_never_drawn():
    rng = np.random.default_rng(0)
    never = conditionals_of({"y": TableCPD([0.1, 0.2, 0.7, 0.0], labels=list("stuv"))})["y"]

    assert never.draw({}, 100_000, rng).max() == 2
