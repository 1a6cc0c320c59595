"""Scores that are differences of sums over the cells of sets of columns."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.scores import AIC, BIC, K2, BDeu, GaussianBIC, LogLikelihood
from structlearn.scores.protocol import SetScore
from structlearn.search.kernels.parent_sets import differences_of_sets
from structlearn.statistics import from_dataset
from structlearn.statistics.kernels.small_sets import sums_over_cells
from tests.oracles import contingency
from tests.oracles import scores as oracle
from tests.statistics.test_counting import coded_tables, dataset_of

ORACLES = {
    LogLikelihood(): lambda codes, _, child, parents: oracle.log_likelihood(codes, child, parents),
    BIC(): oracle.bic,
    AIC(): lambda codes, levels, child, parents: (
        oracle.log_likelihood(codes, child, parents)
        - math.prod(levels[p] for p in parents) * (levels[child] - 1)
    ),
}


def value_of(terms, codes, levels, columns):
    """The sum over the cells of a set that are not empty."""
    of = terms.cells.of(float(math.prod(levels[c] for c in columns)))
    return sum(of[n] for n in contingency.counts(codes, columns).values())


@pytest.mark.parametrize("score", ORACLES, ids=repr)
@settings(deadline=None)
@given(coded=coded_tables(), data=st.data())
def test_a_family_is_the_set_with_the_child_less_that_without_it_less_the_price(score, coded, data):
    codes, levels = coded
    child, *parents = data.draw(st.permutations(range(4)))[: data.draw(st.integers(2, 4))]
    terms = score.set_terms(from_dataset(dataset_of(codes, levels)))

    found = value_of(terms, codes, levels, [*parents, child]) - value_of(terms, codes, levels, parents)
    found -= terms.price * math.prod(levels[p] for p in parents) * (levels[child] - 1)

    assert found == pytest.approx(ORACLES[score](codes, levels, child, parents), rel=1e-12, abs=1e-9)


@settings(deadline=None)
@given(coded=coded_tables(), ess=st.floats(0.1, 20.0))
def test_the_evidence_of_bdeu_is_that_of_two_sets(coded, ess):
    codes, levels = coded
    statistics = from_dataset(dataset_of(codes, levels))
    terms = BDeu(ess).set_terms(statistics)

    for child, parent in itertools.permutations(range(3), 2):
        found = value_of(terms, codes, levels, [parent, child]) - value_of(terms, codes, levels, [parent])
        expected = BDeu(ess).local(statistics, np.array([[child, parent]]))[0]
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-9)


def test_an_empty_cell_adds_nothing():
    statistics = from_dataset(dataset_of([(0, 1, 0, 1), (1, 1, 0, 0)], [2, 2, 2, 2]))

    for score in (BIC(), AIC(), LogLikelihood(), BDeu(3.0)):
        assert score.set_terms(statistics).cells.of(4.0)[0] == 0.0


def test_scores_of_other_columns_or_without_such_sums_say_so():
    statistics = from_dataset(dataset_of([(0, 1, 0, 1)], [2, 2, 2, 2]))

    assert GaussianBIC().set_terms(statistics) is None
    assert not isinstance(K2(), SetScore)


def test_the_terms_of_each_table_are_those_of_its_kind():
    counts, starts, n_cells = np.array([0, 2, 1, 1, 1], np.int32), np.array([0, 2]), np.array([2, 3])
    terms, sums = np.array([[0.0, 1.0, 5.0], [0.0, 7.0, 9.0]]), np.empty(2)

    sums_over_cells(counts, starts, n_cells, terms, np.array([0, 1], dtype=np.int32), sums)

    assert sums.tolist() == [5.0, 21.0]


def test_values_are_looked_up_by_the_ranks_of_both_sets():
    binomials = np.array([[math.comb(n, k) for k in range(5)] for n in range(5)])
    sets = {k: sorted(itertools.combinations(range(5), k), key=lambda s: s[::-1]) for k in (2, 3)}
    larger, smaller = (np.array([float("".join(map(str, s))) for s in sets[k]]) for k in (3, 2))
    free, positions, out = np.array([0, 1, 4]), np.array([[0, 1], [0, 2], [1, 2]]), np.empty(3)

    how = np.array([2, 3, 9, 4, 5]), 0.5, binomials, larger, smaller
    differences_of_sets(3, free, positions, *how, out)

    # Child 3, which has three free parameters in each state, with {0, 1}, {0, 4} and {1, 4}.
    expected = [13.0 - 1.0 - 0.5 * 3 * 6, 34.0 - 4.0 - 0.5 * 3 * 10, 134.0 - 14.0 - 0.5 * 3 * 15]
    assert out.tolist() == expected
