"""All families of a few columns, scored from one table: as they are one by one, or not at all."""

from itertools import combinations

import numpy as np
import pytest

import structlearn as sl
from structlearn.scores import AIC, BIC, BDeu, LogLikelihood
from structlearn.scores.all_families import all_family_scores, toggled
from structlearn.statistics import from_dataset


def random_statistics(levels, n_rows=50):
    rng = np.random.default_rng(0)
    columns = {f"v{j}": rng.permutation(np.arange(n_rows) % n) for j, n in enumerate(levels)}
    return from_dataset(sl.Dataset(columns, kinds=dict.fromkeys(columns, "discrete")))


@pytest.mark.parametrize("score", [BIC(), AIC(), LogLikelihood()])
@pytest.mark.parametrize("levels", [(2, 3), (3, 2, 4, 2), (2, 2, 2, 3, 2, 2)])
def test_every_family_has_the_score_that_it_has_alone(score, levels):
    statistics = random_statistics(levels)
    found, n_families = all_family_scores(score, statistics), 0
    for child in range(len(levels)):
        others = [node for node in range(len(levels)) if node != child]
        for parents in (each for size in range(len(levels)) for each in combinations(others, size)):
            alone = score.local(statistics, np.array([[child, *parents]]))
            n_families += 1

            assert found[child, sum(1 << parent for parent in parents)] == pytest.approx(alone[0], abs=1e-9)
    assert n_families == len(levels) << (len(levels) - 1)


@pytest.mark.parametrize(
    ("score", "levels", "n_rows"),
    [
        (BIC(), (2,) * 9, 50),  # too many columns
        (BIC(), (30, 30, 30), 50),  # or cells
        (BIC(), (2, 2), 20_001),  # or rows
        (BDeu(), (2, 2), 50),  # what a cell adds depends on how many there are
    ],
)
def test_where_that_takes_long_or_does_not_add_up_there_are_none(score, levels, n_rows):
    assert all_family_scores(score, random_statistics(levels, n_rows)) is None


def test_weighted_rows_and_measurements_have_none():
    columns = {"a": np.array(["x", "y"] * 20), "b": np.array(["x", "y", "y", "x"] * 10)}
    weighted = sl.Dataset(columns, weights=np.full(40, 0.5))
    measured = sl.Dataset({**columns, "c": np.linspace(0.0, 1.0, 40)})

    assert all_family_scores(BIC(), from_dataset(sl.Dataset(columns))) is not None
    assert all_family_scores(BIC(), from_dataset(weighted)) is None
    assert all_family_scores(BIC(), from_dataset(measured)) is None


def test_a_column_is_put_into_a_set_or_taken_out():
    assert toggled(2).tolist() == [[1, 2], [0, 3], [3, 0], [2, 1]]
