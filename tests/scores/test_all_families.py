"""All families of a few columns, scored from one table: as they are one by one, or not at all."""

from itertools import combinations

import numpy as np
import pytest

import structlearn as sl
from structlearn.scores import AIC, BIC, BDeu, BDs, BGe, ConditionalGaussianBIC, Extended, LogLikelihood
from structlearn.scores.all_families import all_family_scores, toggled
from structlearn.statistics import from_dataset


class Slow:
    """A score that does not say of itself that it is quick."""

    def local(self, statistics, families):  # noqa: ARG002, nobody asks it
        raise AssertionError


class Answering:
    """Statistics of rows that are elsewhere: they answer questions, and show no weights."""

    def __init__(self, statistics):
        self._asked = statistics

    def __getattr__(self, name):
        if name == "weights":
            raise AttributeError(name)
        return getattr(self._asked, name)


def random_statistics(levels, n_rows=50):
    rng = np.random.default_rng(0)
    columns = {f"v{j}": rng.permutation(np.arange(n_rows) % n) for j, n in enumerate(levels)}
    return from_dataset(sl.Dataset(columns, kinds=dict.fromkeys(columns, "discrete")))


@pytest.mark.parametrize("score", [BIC(), AIC(), LogLikelihood(), BDeu(ess=3.0), BDs(), Extended(BIC())])
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
        (BIC(), (2,) * 13, 50),  # too many columns
        (BDs(), (2,) * 9, 50),
        (BIC(), (90, 90, 90), 200),  # or cells
        (BIC(), (2, 2), 20_001),  # or rows
        (Slow(), (2, 2), 50),
    ],
)
def test_where_that_takes_long_or_does_not_add_up_there_are_none(score, levels, n_rows):
    assert all_family_scores(score, random_statistics(levels, n_rows)) is None


@pytest.mark.parametrize(
    ("kind", "score"), [("weighted", BIC()), ("mixed", ConditionalGaussianBIC()), ("measured", BGe())]
)
def test_of_weighted_mixed_and_measured_columns_families_are_scored_one_by_one(kind, score):
    rng = np.random.default_rng(0)
    numbers = {"a": rng.normal(size=40), "b": rng.normal(size=40), "c": rng.normal(size=40)}
    states = {name: np.where(column > 0.0, "x", "y") for name, column in numbers.items()}
    tables = {
        "weighted": sl.Dataset(states, weights=rng.integers(1, 4, 40) / 2),
        "mixed": sl.Dataset({**numbers, "b": states["b"]}),
        "measured": sl.Dataset(numbers),
    }
    statistics = from_dataset(tables[kind])

    found = all_family_scores(score, statistics)

    for family in ([0], [1], [1, 0], [2, 1], [2, 0, 1], [1, 0, 2]):
        alone = score.local(statistics, np.array([family]))[0]
        assert found[family[0], sum(1 << parent for parent in family[1:])] == alone
    assert np.isneginf(found).any() == (kind == "mixed")  # of states, numbers are no parents


def test_a_column_is_put_into_a_set_or_taken_out():
    assert toggled(2).tolist() == [[1, 2], [0, 3], [3, 0], [2, 1]]


def test_a_whole_weight_is_so_many_rows():
    rng = np.random.default_rng(0)
    rows = {name: rng.integers(0, 2, 30).astype(str) for name in "abc"}
    weights = rng.integers(0, 4, 30)
    repeated = {name: np.repeat(column, weights) for name, column in rows.items()}

    found, expected = (
        all_family_scores(BDeu(), from_dataset(data))
        for data in (sl.Dataset(rows, weights=weights), sl.Dataset(repeated))
    )

    np.testing.assert_allclose(found, expected, atol=1e-9)


def test_fractions_of_rows_are_seen_where_only_counts_tell_of_them():
    rng = np.random.default_rng(0)
    states = {name: rng.integers(0, 2, 40).astype(str) for name in "abc"}
    here = from_dataset(sl.Dataset(states, weights=rng.integers(1, 4, 40) / 2))
    elsewhere = Answering(here)

    np.testing.assert_array_equal(all_family_scores(BIC(), elsewhere), all_family_scores(BIC(), here))
