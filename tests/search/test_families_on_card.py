"""Which families a graphics card scores, and which the processor keeps whatever the device."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.gpu import card, families
from structlearn.search import families_on_card
from structlearn.search.parent_sets import ParentSets
from tests.search.dependent_tables import random_table
from tests.search.spaces import space_of


class AskedFor(Exception):  # noqa: N818, no error but an answer
    """The card was asked for."""


@pytest.fixture(autouse=True)
def asked(monkeypatch):
    """Whoever looks at the card is told so; no number of sets is too small for it."""

    def free_bytes():
        raise AskedFor

    monkeypatch.setattr(card, "free_bytes", free_bytes)
    monkeypatch.setattr(families, "FEWEST_SETS", 0)


def many_levels(n_levels):
    rng = np.random.default_rng(0)
    codes = np.concatenate([np.arange(n_levels), rng.integers(0, n_levels, 100)])
    columns = {f"v{j}": [f"s{code}" for code in rng.permutation(codes)] for j in range(4)}
    return sl.Dataset(columns)


@pytest.mark.parametrize("score", ["bic", "aic", "bdeu"])
@pytest.mark.parametrize("max_parents", [1, 2, 3])
def test_small_families_of_discrete_columns_are_for_the_card(score, max_parents):
    space = space_of(random_table(0), score, max_parents=max_parents, device="cuda")
    with pytest.raises(AskedFor):
        families_on_card.families_on_card(space, 5)


def test_sixteen_levels_are_for_the_card_and_seventeen_are_not():
    with pytest.raises(AskedFor):
        ParentSets(space_of(many_levels(16), max_parents=2, device="cuda")).of(0)
    ParentSets(space_of(many_levels(17), max_parents=2, device="cuda")).of(0)


@pytest.mark.parametrize(
    "options",
    [
        {"device": "cpu"},
        {"max_parents": 4},
        {"max_parents": 0},
        {"score": "k2"},
        {"knowledge": sl.Knowledge(required=[("v0", "v1")])},
        {"candidates": {f"v{j}": ["v0"] for j in range(1, 5)}},
    ],
    ids=lambda options: next(iter(options)),
)
def test_other_families_are_scored_as_without_a_card(options):
    table = random_table(1)
    there = ParentSets(space_of(table, **({"max_parents": 3, "device": "cuda"} | options)))
    here = ParentSets(space_of(table, **({"max_parents": 3} | options | {"device": "cpu"})))

    for child in range(5):
        np.testing.assert_array_equal(there.of(child).members, here.of(child).members)
        np.testing.assert_array_equal(there.of(child).scores, here.of(child).scores)


def test_continuous_columns_and_weighted_rows_stay_on_the_processor():
    rng = np.random.default_rng(2)
    continuous = sl.Dataset(rng.normal(size=(50, 5)))
    assert ParentSets(space_of(continuous, max_parents=3, device="cuda")).on_card is None
    codes = {f"v{j}": rng.choice(["a", "b"], 60) for j in range(5)}
    weighted = sl.Dataset(codes, weights=rng.uniform(1.0, 2.0, 60))
    assert ParentSets(space_of(weighted, max_parents=3, device="cuda")).on_card is None


def test_few_sets_are_sooner_scored_by_the_processor(monkeypatch):
    monkeypatch.setattr(families, "FEWEST_SETS", 1 + 5 + 10 + 10 + 5 + 1)
    space = space_of(random_table(3), max_parents=3, device="cuda")
    assert ParentSets(space).on_card is None
    monkeypatch.setattr(families, "FEWEST_SETS", 1 + 5 + 10 + 10 + 5)
    assert ParentSets(space, set_size=1).on_card is None  # of pairs there are fewer still
    with pytest.raises(AskedFor):
        ParentSets(space).of(0)


def test_named_candidates_are_scored_one_by_one():
    space = space_of(random_table(4), max_parents=3, device="cuda")
    assert ParentSets(space, candidates=2).on_card is None
