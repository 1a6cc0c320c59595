"""Every learner of continuous columns comes to its end where columns nearly repeat each other, and to one.

There the scores of families have few right digits. Gains that are added on a lap through equivalent
graphs then make more than nothing, and a search that believed them would go round for ever.
"""

import numpy as np
import pytest
from sklearn.base import clone

import structlearn as sl
from tests.contracts.conftest import take

NOISES = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)
SIZES = (3, 4, 5, 6)
# Those that take seconds on six columns, by what they do and not by mistake: fewer tables.
DEAR = ("exact-posterior", "feature-vector-machine", "genetic-search", "order-mcmc", "simulated-annealing")


def near_duplicates(seed, noise, n_columns, n_rows=2000):
    """A cause u, an effect w, and of the others each nearly the same as one before it."""
    rng = np.random.default_rng(seed)
    columns = {"u": rng.normal(size=n_rows)}
    columns["w"] = columns["u"] + rng.normal(size=n_rows)
    for name, source in zip("vxyz"[: n_columns - 2], "uwvu", strict=False):
        columns[name] = columns[source] + noise * rng.normal(size=n_rows)
    return columns


def ends(learner, table):
    """Fit, and say whether the method ran to its end; columns too near to tell apart are refused."""
    if "time_limit" in learner.get_params():
        # A hundred times what is needed, even if others use the machine: the test fails, and ends.
        learner.set_params(time_limit=300.0)
    try:
        learner.fit(table)
    except sl.DataError as error:
        return "the same but for scale" in str(error) or "linear combination" in str(error)
    return learner.status_ == "The method ran to its end."


@take("continuous")
@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
def test_near_duplicates_end(method, learner):
    assert ends(learner, near_duplicates(6, 1e-2, 3))
    for seed, noise in enumerate(() if method.name in DEAR else NOISES[1:]):
        assert ends(learner, near_duplicates(seed, noise, SIZES[seed]))


@take("continuous")
@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
@pytest.mark.methods_that(lambda method: method.rows == "samples")
@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (2, 3))])
def test_the_order_of_rows_turns_no_arc(learner, seed):
    """Scores of equivalent graphs differ by rounding, which was that of sums in the order of the rows."""
    table = near_duplicates(seed, NOISES[1 + seed // 2], 4, n_rows=100)
    order = np.random.default_rng(seed).permutation(100)
    turned = {name: rows[order] for name, rows in table.items()}

    assert clone(learner).fit(turned).graph_ == clone(learner).fit(table).graph_


@pytest.mark.slow
@take("continuous")
@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
@pytest.mark.parametrize("n_columns", SIZES)
@pytest.mark.parametrize("noise", NOISES)
def test_every_near_duplicate_ends(method, learner, noise, n_columns):
    for seed in range(2 if method.name in DEAR else 40):
        assert ends(learner, near_duplicates(seed, noise, n_columns))
