"""Evidence under priors of very many or few rows: products of fractions, and one logarithm at the end."""

import math
from fractions import Fraction

import numpy as np
import pytest

import structlearn as sl
from structlearn.errors import DataError, OptionError
from structlearn.scores import BDe, BDeu, BDs, JointTable, TreeScore
from structlearn.scores.all_families import all_family_scores
from structlearn.scores.dirichlet import log_rise
from structlearn.scores.kernels.leaves import evidence
from structlearn.scores.kernels.rising import MANY, rise_from_many
from structlearn.scores.protocol import SetTerms
from structlearn.statistics import from_dataset
from structlearn.statistics.set_sums import CellTerms

SIZES = [1e-100, 1e-10, 0.3, 50.0, 9e3, 2e4, 1e6, 1e9, 1e12, 1e15, 1e18, 1e30, 1e100]
CODES = np.random.default_rng(0).integers(0, [2, 3, 2], size=(150, 3))
TABLE = sl.Dataset(
    {name: CODES[:, j] for j, name in enumerate("abc")}, kinds=dict.fromkeys("abc", "discrete")
)


def logarithm(product):
    """That of a fraction of any size."""
    bits = product.numerator.bit_length() - product.denominator.bit_length()
    return bits * math.log(2.0) + math.log(product / Fraction(2) ** bits)


def rising(start, n):
    """start (start + 1) … (start + n - 1), which is Γ(start + n) / Γ(start)."""
    return math.prod((start + k for k in range(n)), start=Fraction(1))


def of_family(child, parents, ess):
    """The evidence of a family as its definition has it."""
    counts = np.zeros([[2, 3, 2][j] for j in (*parents, child)], dtype=int)
    np.add.at(counts, tuple(CODES[:, (*parents, child)].T), 1)
    rows, cell = counts.reshape(-1, counts.shape[-1]).tolist(), Fraction(ess) / counts.size
    product = Fraction(1)
    for row in rows:
        product *= math.prod(rising(cell, n) for n in row) / rising(cell * len(row), sum(row))
    return logarithm(product)


@pytest.mark.parametrize("ess", SIZES)
def test_every_way_to_the_evidence_has_all_digits(ess):
    statistics, prior = from_dataset(TABLE), JointTable("abc", np.full((2, 3, 2), 1 / 12))
    expected = of_family(1, [0, 2], ess)
    families = np.array([[1, 0, 2]])

    assert BDeu(ess).local(statistics, families)[0] == pytest.approx(expected, rel=1e-12, abs=1e-10)
    assert BDe(prior, ess).local(statistics, families)[0] == pytest.approx(expected, rel=1e-12, abs=1e-10)
    by_sets = all_family_scores(BDeu(ess), statistics)
    assert by_sets[1, 0b101] == pytest.approx(expected, rel=1e-12, abs=1e-10)
    assert BDs(ess).local(statistics, families)[0] == pytest.approx(expected, rel=1e-12, abs=1e-10)
    tree = TreeScore(BDeu(ess)).local(statistics, np.array([[1]]))[0]
    assert tree == pytest.approx(of_family(1, [], ess), rel=1e-12, abs=1e-10)


@pytest.mark.parametrize("start", [MANY, 3e4, 1e7, 1e16, 1e100])
@pytest.mark.parametrize("n", [1, 2, 30, 400])
def test_the_rise_from_many_is_the_logarithm_of_a_product(start, n):
    expected = logarithm(rising(Fraction(start), n))

    assert rise_from_many(start, float(n)) == pytest.approx(expected, rel=1e-14, abs=1e-13)
    assert log_rise(np.array([start, 2.0]), np.array([n, 3])) == pytest.approx([expected, math.log(24.0)])


@pytest.mark.parametrize("cell", [0.25, 5e3, MANY, 1e14])
def test_the_evidence_of_a_leaf_has_all_digits(cell):
    product = math.prod(rising(Fraction(cell), n) for n in (7, 0, 40)) / rising(3 * Fraction(cell), 47)

    assert evidence(np.array([7.0, 0.0, 40.0]), cell) == pytest.approx(logarithm(product), abs=1e-10)


@pytest.mark.parametrize("score", [BDeu, BDs, lambda ess: BDe(None, ess)])
@pytest.mark.parametrize("ess", [math.inf, 1e-309, 5e-324, 0.0, -1.0, math.nan, 1e101])
def test_priors_of_no_size_are_refused_when_the_score_is_made(score, ess):
    with pytest.raises(OptionError, match="rows the prior is worth, a number from 1e-100 to 1e"):
        score(ess)


@pytest.mark.parametrize("learner", [sl.HillClimbing, sl.BOSS])
@pytest.mark.parametrize("ess", [1e-100, 1e15, 1e100])
def test_a_search_ends_with_any_prior(learner, ess):
    found = learner(score=BDeu(ess)).fit(TABLE)

    parents = {node: [TABLE.names.index(each) for each in found.graph_.parents(node)] for node in "abc"}
    total = sum(of_family("abc".index(node), sorted(above), ess) for node, above in parents.items())
    assert found.score_ == pytest.approx(total)


class OfNoNumbers(BDeu):
    """A score whose values of sets are no numbers."""

    def set_terms(self, statistics):
        def at(counts, n_cells):
            return np.where(counts > 60, np.nan, -1.0) + 0.0 * n_cells

        return SetTerms(CellTerms(at, int(statistics.size), depends_on_cells=True), 0.0)


def test_values_of_sets_that_are_no_numbers_are_refused_by_name():
    with pytest.raises(DataError, match=r"The score OfNoNumbers.* of 'a' is nan"):
        all_family_scores(OfNoNumbers(), from_dataset(TABLE))
