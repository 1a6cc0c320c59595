"""Which score a search takes for tables, and which for the trees in their place."""

import pytest

import structlearn as sl
from structlearn.scores import BDe, BDeu, GaussianBIC, JointTable, TreeScore
from structlearn.scores.tree_form import score_of_form
from structlearn.statistics import from_dataset
from tests.oracles.reference_data import T1, T3

DISCRETE, CONTINUOUS = from_dataset(T1), from_dataset(T3)


def test_a_table_keeps_the_score_and_a_tree_is_grown_by_it():
    assert score_of_form("", BDeu(3.0), "table", DISCRETE) == BDeu(3.0)
    assert score_of_form("", BDeu(3.0), "tree", DISCRETE) == TreeScore(BDeu(3.0))


def test_a_score_of_trees_is_one_already():
    score = TreeScore(BDeu(), max_depth=2)

    assert score_of_form("", score, "tree", DISCRETE) is score


def test_continuous_columns_have_tables_of_no_kind_and_no_trees():
    assert score_of_form("", "bic", "table", CONTINUOUS) == GaussianBIC()
    with pytest.raises(sl.DataError, match=r'Search.cpd="tree".*continuous'):
        score_of_form("Search", "bic", "tree", CONTINUOUS)


def test_a_score_that_does_not_add_up_over_leaves_is_refused():
    prior = JointTable(("A",), [0.5, 0.5])

    with pytest.raises(sl.OptionError, match="cannot grow by the score BDe"):
        score_of_form("Search", BDe(prior), "tree", DISCRETE)
