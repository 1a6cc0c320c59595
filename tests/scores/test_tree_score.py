"""The scores of families whose distribution is a tree."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.errors import OptionError
from structlearn.scores import AIC, BDJ, BIC, K2, MDL, BDe, BDeu, LogLikelihood, TreeScore
from structlearn.scores.tree import UNTESTED
from structlearn.statistics import from_dataset
from tests.oracles import tree_growth as oracle
from tests.scores.test_tree_growth import WORKED_ROWS
from tests.statistics.test_counting import coded_tables, dataset_of

pytestmark = pytest.mark.kernels

SCORES = [BIC(), AIC(), MDL(), BDeu(), BDeu(10.0), K2(), BDJ(), LogLikelihood()]


@pytest.fixture(scope="module")
def worked():
    return from_dataset(dataset_of(WORKED_ROWS, [2, 2, 2]))


def xor_table(n=400):
    """c is a xor b in nine rows of ten; every joint state of the parents occurs."""
    rng = np.random.default_rng(5)
    a, b, noise = rng.integers(0, 2, n), rng.integers(0, 2, n), rng.random(n) < 0.1
    return from_dataset(dataset_of(np.column_stack([a, b, a ^ b ^ noise]), [2, 2, 2]))


@pytest.mark.parametrize(
    ("score", "lookahead", "expected"),
    [
        (BDeu(), False, -57.016378),
        (BDeu(), True, -54.996977),
        (K2(), True, -52.592910),
        # The length of the parent set is ln 3 for their number and ln C(3, 2) for which they are.
        (MDL(), True, -83.975463 * math.log(2) - 2 * math.log(3)),
    ],
)
def test_the_worked_example_comes_out(worked, score, lookahead, expected):
    found = TreeScore(score, lookahead=lookahead).local(worked, np.array([[2, 0, 1], [2, 1, 0]]))

    assert found == pytest.approx([expected, expected], abs=1e-5)


@pytest.mark.parametrize("score", SCORES, ids=repr)
def test_a_complete_tree_scores_as_the_table_does(score):
    statistics, family = xor_table(), np.array([[2, 0, 1]])

    code = 0.0
    if isinstance(score, MDL):  # four leaves and three tests, the first of two parents
        code = math.log(2) * (4 + 3) + math.log(2)
    assert TreeScore(score).local(statistics, family) == pytest.approx(score.local(statistics, family) - code)


@pytest.mark.parametrize("score", SCORES, ids=repr)
def test_a_column_without_parents_scores_as_its_table_does(score):
    statistics, families = xor_table(), np.array([[0], [1], [2]])

    code = math.log(2) if isinstance(score, MDL) else 0.0
    assert TreeScore(score).local(statistics, families) == pytest.approx(
        score.local(statistics, families) - code
    )


@settings(deadline=None, max_examples=40)
@given(coded=coded_tables(), data=st.data())
def test_families_score_by_definition_in_any_order_of_parents(coded, data):
    codes, levels = coded
    columns = data.draw(st.permutations(range(len(levels))))[: data.draw(st.integers(1, 4))]
    child, parents = columns[0], sorted(columns[1:])
    statistics = from_dataset(dataset_of(codes, levels))
    worth = oracle.bic(len(codes), levels[child])
    rule = oracle.Rule(worth, tuple(levels[p] for p in parents), lookahead=True)
    rows = [(*(int(row[p]) for p in parents), int(row[child])) for row in codes]

    tree, expected = oracle.grow(oracle.root(rows, rule), rule)

    expected -= UNTESTED * (len(parents) - len(set(asked_for(tree))))
    assert TreeScore().local(statistics, np.array([columns])) == pytest.approx([expected], abs=1e-7)


def asked_for(tree):
    if isinstance(tree, dict):
        return []
    parent, _, branches = tree
    return [parent, *(found for branch in branches for found in asked_for(branch))]


@pytest.mark.parametrize("score", SCORES, ids=repr)
def test_a_family_loses_no_more_than_a_hair_for_each_parent_that_does_not_help(score):
    rng = np.random.default_rng(8)
    statistics = from_dataset(dataset_of(rng.integers(0, 3, (60, 5)), [3] * 5))
    tree = TreeScore(score)
    prior = (lambda k: score.graph_length(statistics, k)) if isinstance(score, MDL) else (lambda _: 0.0)
    alone = tree.local(statistics, np.array([[0]]))[0] + prior(0)

    for k in range(1, 5):
        with_parents = tree.local(statistics, np.array([[0, *range(1, k + 1)]]))[0] + prior(k)
        assert with_parents >= alone - 4 * UNTESTED


def test_wide_families_grow_from_rows_to_the_same_trees():
    rng = np.random.default_rng(2)
    codes = rng.integers(0, 6, (300, 9))
    codes[:, 0] = np.where(codes[:, 3] < 3, codes[:, 5] // 2, codes[:, 0] // 2)
    statistics = from_dataset(dataset_of(codes, [3, *[6] * 8]))
    wide, narrow = np.array([[0, 8, 1, 2, 3, 4, 5, 6, 7]]), np.array([[0, 3, 5]])
    score = TreeScore(splits="one-value", max_depth=2)

    # The other parents are noise: with them or without, the tree of two tests is the same.
    assert score.local(statistics, wide) == pytest.approx(score.local(statistics, narrow) - 6 * UNTESTED)


def test_weights_count_as_rows_do():
    doubled = np.vstack([WORKED_ROWS, WORKED_ROWS[:30]])
    weights = np.where(np.arange(len(WORKED_ROWS)) < 30, 2.0, 1.0)
    weighted = from_dataset(dataset_of(WORKED_ROWS, [2, 2, 2], weights))
    family = np.array([[2, 0, 1]])

    expected = TreeScore().local(from_dataset(dataset_of(doubled, [2, 2, 2])), family)
    assert TreeScore().local(weighted, family) == pytest.approx(expected)


def test_threads_change_nothing(monkeypatch):
    monkeypatch.setattr("structlearn.statistics.blocks.COST_OF_A_THREAD", 0.0)
    rng = np.random.default_rng(3)
    table = dataset_of(rng.integers(0, 4, (300, 8)), [4] * 8)
    families = np.array([[0, i, j, k] for i in range(1, 8) for j in range(1, i) for k in range(1, j)])

    alone, shared = (TreeScore().local(from_dataset(table, n_jobs=jobs), families) for jobs in (1, 2))

    assert alone.tolist() == shared.tolist()


def test_scores_without_leaves_are_refused():
    with pytest.raises(OptionError, match="A tree cannot grow by BDe"):
        TreeScore(BDe())
    with pytest.raises(OptionError, match="kappa"):
        TreeScore(kappa=0.0)
