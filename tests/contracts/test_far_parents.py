"""Where the numbers of a parent are counted from, and in what unit, changes nothing that a fit says."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.models.cpds import CPDS

N_ROWS = 80
KINDS = sorted(form for form in CPDS if form not in {"table", "noisy-or", "formula", "point"})
PLACES = {"far": (1.0, 2.0**60), "small": (2.0**-80, 0.0), "large": (2.0**80, 0.0)}


def table(kind):
    rng = np.random.default_rng(1)
    number = rng.integers(0, 10**9, N_ROWS) * 1024.0  # exact beside 2^60
    group = rng.choice(["g", "h"], N_ROWS)
    value = number / 1e12 + 0.5 * (group == "h") + 0.3 * rng.normal(size=N_ROWS)
    child = value if CPDS[kind].kind == "continuous" else np.where(value > value.mean(), "on", "off")
    return {"number": number, "group": group, "child": child}


@pytest.mark.parametrize("place", PLACES, ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_a_fit_is_the_same_wherever_a_parent_is_counted_from(kind, place):
    plain, (unit, origin) = table(kind), PLACES[place]
    moved = {**plain, "number": plain["number"] * unit + origin}
    parents = ["number"] if kind == "linear-gaussian" else ["number", "group"]
    graph = sl.Graph(plain, directed=[(parent, "child") for parent in parents])

    expected, found = (sl.BayesianNetwork(graph, {"child": kind}).fit(rows) for rows in (plain, moved))

    shift = N_ROWS * np.log(unit)
    assert found.log_likelihood(moved) + shift == pytest.approx(expected.log_likelihood(plain), abs=1e-3)
