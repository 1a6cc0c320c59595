"""One test in one call."""

import numpy as np
import pytest
from scipy import special, stats

import structlearn as sl
from structlearn.independence.single_test import test_independence as ask
from tests.oracles import independence as oracle
from tests.oracles.reference_data import T1, T3


def test_the_answer_is_that_of_the_usual_test():
    found = ask(T1, "A", "C", "B")

    # From docs/references/independence.md#contingency-tables; G² has about the moments of its strata there.
    assert (found.statistic, found.dof) == pytest.approx((0.469762, 2), abs=1e-6)
    strata = [([8, 2], [7, 3]), ([3, 7], [3, 7])]  # of A and C, where B is 0 and where it is 1
    mean, variance = np.sum([oracle.ratio_moments_of_tables(*margins) for margins in strata], axis=0)
    wanted = special.gammaincc(mean**2 / variance, found.statistic * mean / variance)
    assert found.p_value == pytest.approx(wanted, abs=0.01)
    assert found.reliable
    assert found.given == ("B",)
    assert found.independent()
    assert not found.independent(alpha=0.95)
    assert found.log_p == pytest.approx(np.log(found.p_value))


def test_tests_without_degrees_of_freedom_have_none():
    found = ask(T3, "x", "y", ["z"])

    assert found.dof is None
    # From docs/references/independence.md#partial-correlations.
    assert found.statistic == pytest.approx(3.3200766, rel=1e-6)


def test_only_the_columns_asked_about_count():
    data = {"a": [0.5, 1.5, 2.0, 3.5, 1.0], "b": [1.0, 2.5, 2.0, 4.0, 0.5], "c": [np.nan] * 4 + [1.0]}

    found = ask(data, "a", "b", test="t")

    assert found.p_value == pytest.approx(stats.pearsonr(data["a"], data["b"]).pvalue)
    with pytest.raises(sl.DataError, match="test_independence needs complete data"):
        ask(data, "a", "c")


@pytest.mark.parametrize("missing", ["drop", "testwise"])
def test_rows_with_gaps_can_be_left_out(missing):
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 20))
    holes = np.where(np.arange(20) % 5 == 0, np.nan, a)

    found = ask({"a": holes, "b": b}, "a", "b", missing=missing)

    kept = ~np.isnan(holes)
    assert found.p_value == pytest.approx(ask({"a": a[kept], "b": b[kept]}, "a", "b").p_value)


def test_x_and_y_change_places_freely_even_under_permutation():
    assert ask(T1, "A", "B", test="permutation").p_value == ask(T1, "B", "A", test="permutation").p_value


def test_a_column_cannot_be_asked_about_twice_and_must_be_there():
    with pytest.raises(sl.OptionError, match="'A' appears twice"):
        ask(T1, "A", "B", given=["A"])
    with pytest.raises(sl.OptionError, match="'B' appears twice"):
        ask(T1, "B", "B")
    with pytest.raises(sl.DataError, match="no column 'D'"):
        ask(T1, "A", "D")
