"""Shuffled columns have the values of a table, nothing to do with each other, and no other dependence."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.search.shuffled_columns import shuffled
from structlearn.statistics import opened, statistics_of

N = 40


def table_of(seed=0):
    """Columns of both kinds, of which each two determine each other."""
    cause = np.random.default_rng(seed).normal(size=N)
    return {
        "a": cause,
        "b": np.exp(cause),
        "c": np.where(cause > 0.5, "high", "low"),
        "d": np.digitize(cause, [-0.5, 0.3]).astype(str),
    }


def statistics_of_table(table, **options):
    return statistics_of(opened(table, **options), list(table), owner="test")


def drawn(table, seed=0, **options):
    return shuffled(statistics_of_table(table, **options), np.random.default_rng(seed))


def standardised(values):
    """In order, with the longer tail above."""
    values = np.sort((values - np.mean(values)) / np.std(values))
    return values if (values**3).sum() >= 0 else -values[::-1]


def test_values_are_those_of_the_columns():
    table = table_of()

    found = drawn(table)

    by_name = {table_name: found.names.index(str(j)) for j, table_name in enumerate(table)}
    for name in "ab":
        values = found.rows([by_name[name]]).values[:, 0]
        assert np.sort(values) == pytest.approx(standardised(table[name]))
    for name in "cd":
        counts = np.unique(table[name], return_counts=True)[1]
        assert sorted(found.counts([by_name[name]])) == sorted(counts)


def test_columns_have_nothing_to_do_with_each_other():
    statistics = statistics_of_table({name: table_of()[name] for name in "ab"})
    correlations = []
    for seed in range(200):
        values = shuffled(statistics, np.random.default_rng(seed)).rows([0, 1]).values
        correlations.append(np.corrcoef(values.T)[0, 1])

    # Of shuffled columns a correlation has mean 0 and variance 1 / (n - 1), whatever their values (Pitman).
    assert abs(np.mean(correlations)) < 4 / np.sqrt(200 * (N - 1))
    assert np.var(correlations) == pytest.approx(1 / (N - 1), rel=0.4)


@settings(max_examples=20, deadline=None)
@given(st.permutations(range(4)), st.integers(0, 100), st.sampled_from([-3.0, 0.25, 1e6]))
def test_only_what_values_there_are_matters(columns, seed, unit):
    table, rows = table_of(), np.random.default_rng(seed).permutation(N)
    other = {name: values[rows] for name, values in table.items()}
    other["a"] = unit * other["a"] + 7.0
    other["c"] = np.where(other["c"] == "low", "z", "a")
    names = [list(table)[j] for j in columns]

    first, second = drawn(table), drawn({name: other[name] for name in names})

    assert first.rows(range(4)).values == pytest.approx(second.rows(range(4)).values)


def test_weights_are_repeated_rows():
    table, weights = table_of(), np.random.default_rng(1).integers(0, 4, N)
    repeated = {name: np.repeat(values, weights) for name, values in table.items()}

    weighted, plain = drawn(table, weights=weights), drawn(repeated)

    assert weighted.rows(range(4)).values == pytest.approx(plain.rows(range(4)).values)
