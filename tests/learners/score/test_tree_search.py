"""Searches whose families have trees for distributions find parents that matter only in some contexts."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.errors import DataError, OptionError
from structlearn.scores import BIC, FamilyScores, TreeScore
from structlearn.scores.tree_growth import TREE_SCORES
from structlearn.statistics import from_dataset
from tests.oracles.scores import all_parent_choices

ORDER = ["switch", "a", "b", "c", "y"]
LEARNERS = [
    sl.HillClimbing(score="bic"),
    sl.BOSS(score="bic"),
    sl.OrderSearch(score="bic"),
    sl.K2(score="bic", order=ORDER),
]


def switched(n, seed):
    """y listens to a in one state of the switch, to b in another, and to nobody in the other two."""
    rng = np.random.default_rng(seed)
    switch, *others = rng.integers(0, 4, n), *(rng.integers(0, 3, n) for _ in range(3))
    loud_a, loud_b = np.array([0.1, 0.5, 0.9])[others[0]], np.array([0.9, 0.5, 0.1])[others[1]]
    share = np.select([switch == 0, switch == 1], [loud_a, loud_b], 0.5)
    columns = [switch, *others, (rng.random(n) < share).astype(int)]
    return sl.Dataset(dict(zip(ORDER, columns, strict=True)), kinds=dict.fromkeys(ORDER, "discrete"))


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: type(learner).__name__)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_trees_find_the_parents_of_some_contexts_that_tables_miss(learner, seed):
    data = switched(500, seed)

    by_tables = learner.set_params(cpd="table").fit(data).graph_
    by_trees = learner.set_params(cpd="tree").fit(data).graph_

    # The table of y with its three parents has 36 joint states, the tree 8 leaves.
    assert set(by_trees.directed) == {("switch", "y"), ("a", "y"), ("b", "y")}
    assert set(by_tables.parents("y")) != {"switch", "a", "b"}


@pytest.mark.parametrize("score", ["bic", "mdl", "bdeu", "k2"])
def test_a_fitted_tree_is_that_of_the_search(score):
    data = switched(500, 0)
    found = sl.HillClimbing(score=score, cpd="tree").fit(data)

    cpd = sl.BayesianNetwork(found.graph_, {"y": "tree"}).fit(data).cpds["y"]

    assert cpd.is_independent_of("b", {"switch": 0})
    assert cpd.is_independent_of("a", {"switch": 1})
    assert not cpd.is_independent_of("a", {"switch": 0})
    assert found.score_ == pytest.approx(sl.score(found.graph_, data, tree_score(score)))


def tree_score(name):
    return TreeScore(TREE_SCORES[name]())


@pytest.mark.parametrize("seed", [3, 4])
def test_an_exhaustive_look_at_all_dags_finds_nothing_better(seed):
    rng = np.random.default_rng(seed)
    a, b, c = (rng.integers(0, 2, 80) for _ in range(3))
    d = np.where(a == 1, b, c) ^ (rng.random(80) < 0.1)
    data = sl.Dataset({"a": a, "b": b, "c": c, "d": d.astype(int)}, kinds=dict.fromkeys("abcd", "discrete"))
    families = FamilyScores(TreeScore(BIC()), from_dataset(data))

    best = max(families.total(parents) for parents in all_parent_choices(4))

    assert sl.OrderSearch(cpd="tree").fit(data).score_ == pytest.approx(best)
    assert sl.BOSS(cpd="tree").fit(data).score_ == pytest.approx(best)
    assert sl.HillClimbing(cpd="tree").fit(data).score_ <= best + 1e-9


def test_no_arc_stays_whose_parent_the_tree_does_not_ask_for():
    rng = np.random.default_rng(5)
    data = sl.Dataset({f"x{j}": rng.integers(0, 3, 60) for j in range(6)})

    for learner in (sl.HillClimbing(cpd="tree", restarts=3, random_state=0), sl.BOSS(cpd="tree")):
        graph = learner.fit(data).graph_
        model = sl.BayesianNetwork(graph, dict.fromkeys(graph.nodes, "tree")).fit(data)
        assert all(set(cpd.tested_parents) == set(cpd.parents) for cpd in model.cpds.values())


def test_learn_takes_the_option_and_other_methods_refuse_it():
    data = switched(300, 0)

    assert ("b", "y") in sl.learn(data, method="hill-climbing", cpd="tree").directed
    with pytest.raises(OptionError, match="cpd"):
        sl.learn(data, method="pc", cpd="tree")
    with pytest.raises(OptionError, match="one of 'table', 'tree'"):
        sl.HillClimbing(cpd="forest").fit(data)


def test_a_tree_score_may_be_given_with_its_options():
    data = switched(500, 1)

    by_score = sl.HillClimbing(score=TreeScore(BIC())).fit(data)
    by_option = sl.HillClimbing(score="bic", cpd="tree").fit(data)
    flat = sl.HillClimbing(score=TreeScore(BIC(), max_depth=0), cpd="tree").fit(data)

    assert by_score.graph_ == by_option.graph_
    assert not flat.graph_.edges


def test_columns_and_scores_that_trees_cannot_take_are_refused():
    rng = np.random.default_rng(0)
    mixed = sl.Dataset({"u": rng.normal(size=50), "d": rng.integers(0, 2, 50)})

    with pytest.raises(DataError, match=r'BOSS\(cpd="tree"\).*\'u\' is continuous'):
        sl.BOSS(cpd="tree").fit(mixed)
    with pytest.raises(OptionError, match=r'K2\(cpd="tree"\).*bde'):
        sl.K2(score="bde", cpd="tree").fit(switched(50, 0))
