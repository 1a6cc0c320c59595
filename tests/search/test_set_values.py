"""When families are scored by values of sets, and that these are the scores of families."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.run import never
from structlearn.search import set_values
from structlearn.search.set_values import SetValues
from tests.oracles import scores as oracle
from tests.search.spaces import space_of
from tests.statistics.test_counting import dataset_of

LEVELS = [2, 3, 2, 4, 1, 2]


@pytest.fixture
def codes():
    return np.random.default_rng(0).integers(0, LEVELS, (70, 6))


def test_sets_are_used_from_the_fewest_families_on(codes, monkeypatch):
    space = space_of(dataset_of(codes, LEVELS), max_parents=2)

    # Six children with none, one or two of five others: 6 · (1 + 5 + 10), above 1 + 6 + 15 + 20 sets.
    for fewest, is_used in [(96, True), (97, False)]:
        monkeypatch.setattr(set_values, "FEWEST_FAMILIES", fewest)
        assert (SetValues.of(space, 5) is not None) == is_used
    monkeypatch.setattr(set_values, "FEWEST_FAMILIES", 36)
    assert SetValues.of(space, 1) is not None  # 6 · (1 + 5)
    monkeypatch.setattr(set_values, "FEWEST_FAMILIES", 37)
    assert SetValues.of(space, 1) is None


def test_sets_are_not_used_where_they_are_more_than_families(codes, monkeypatch):
    monkeypatch.setattr(set_values, "FEWEST_FAMILIES", 0)
    names = [f"c{j}" for j in range(6)]
    data = sl.Dataset(dict(zip(names, codes.T, strict=True)), kinds=dict.fromkeys(names, "discrete"))

    def values(*tiers):
        return SetValues.of(space_of(data, knowledge=sl.Knowledge(tiers=tiers), max_parents=5), 5)

    # Of 64 sets; tiers of one leave 1 + 2 + 4 + 8 + 16 + 32 families, of three 3 · 4 + 3 · 32.
    assert values(*[[name] for name in names]) is None
    assert values(names[:3], names[3:]) is not None


@pytest.mark.parametrize("child", range(6))
@pytest.mark.parametrize("score", ["bic", "bdeu"])
def test_every_family_has_the_score_of_its_counts(child, score, codes, monkeypatch):
    monkeypatch.setattr(set_values, "FEWEST_FAMILIES", 0)
    space = space_of(dataset_of(codes, LEVELS), score)
    values = SetValues.of(space, 6)
    free = np.array([node for node in range(6) if node != child])

    for positions in ([[0, 1], [1, 4], [3, 4]], [[0], [4]], [[0, 1, 2, 3, 4]]):
        found = values.score(child, free, np.array(positions), never)
        wanted = [ORACLES[score](codes, LEVELS, child, free[row].tolist()) for row in positions]
        assert found == pytest.approx(wanted, rel=1e-10)


ORACLES = {
    "bic": oracle.bic,
    "bdeu": lambda codes, levels, child, parents: oracle.bdeu_by_urn(codes, levels, child, parents, 1.0),
}


def test_when_time_is_up_there_are_no_scores(codes, monkeypatch):
    monkeypatch.setattr(set_values, "FEWEST_FAMILIES", 0)
    values = SetValues.of(space_of(dataset_of(codes, LEVELS)), 6)

    assert values.score(0, np.array([1, 2]), np.array([[0, 1]]), lambda: True) is None
    assert len(values.score(0, np.array([1, 2]), np.array([[0, 1]]), never)) == 1
