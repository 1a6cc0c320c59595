"""Hill-climbing: published optima, local maximality, knowledge, tabu, restarts, traces."""

import itertools
import math

import numpy as np
import pytest

import structlearn as sl
from structlearn.scores import BIC, FamilyScores, score_for
from structlearn.statistics import from_dataset
from tests.data_files import data_file
from tests.oracles import climbing
from tests.oracles import scores as oracle
from tests.oracles.reference_data import T1


def random_table(seed, n_columns=5, n_rows=200):
    """Discrete columns that depend on each other along a random order."""
    rng = np.random.default_rng(seed)
    columns = []
    for j in range(n_columns):
        parents = [columns[k] for k in range(j) if rng.random() < 0.5]
        shift = sum(parents) if parents else np.zeros(n_rows, dtype=int)
        noise = rng.integers(0, 3, n_rows) * (rng.random(n_rows) < 0.6)
        columns.append((shift + noise) % 3)
    return sl.Dataset({f"v{j}": column for j, column in enumerate(columns)})


def neighbours(graph):
    """Every graph one legal move away, by brute force."""
    arcs = set(graph.directed)
    for u, v in itertools.permutations(graph.nodes, 2):
        changed = [arcs ^ {(u, v)}] if (v, u) not in arcs else [arcs ^ {(u, v), (v, u)}]
        for candidate in changed:
            other = sl.Graph(graph.nodes, directed=candidate)
            if other.is_dag:
                yield other


# From docs/references/search.md#hill-climbing: those of learning.test and gaussian.test are published
# (bnlearn, GOBNILP); asia's are the best of all DAGs.
@pytest.mark.parametrize(
    ("table", "score", "published"),
    [
        ("learning.test.csv", "bic", -24006.734232),
        ("learning.test.csv", "bdeu", -24028.094778),
        ("gaussian.test.csv", "bic", -53221.345687),
        ("gaussian.test.csv", "bge", -53258.941618),
        ("asia.csv", "bic", -11107.293309),
        ("asia.csv", "bdeu", -11095.788513),
    ],
)
def test_published_optima_are_found(table, score, published):
    learner = sl.HillClimbing(score=score).fit(data_file(f"tables/{table}"))

    assert learner.score_ == pytest.approx(published, abs=1e-5)
    assert learner.status_ == "The method ran to its end."


def test_the_way_to_the_published_optimum_is_the_published_one():
    learner = sl.HillClimbing(tabu=0).fit(data_file("tables/learning.test.csv"))
    trace = learner.trace_

    assert set(trace["move"]) == {"add"}
    ends = zip(trace["source"], trace["target"], strict=True)
    # From docs/references/search.md#hill-climbing.
    assert ["".join(pair) for pair in ends] == ["AB", "AD", "CD", "BE", "FE"]
    assert trace["gain"].tolist() == pytest.approx(
        [1153.8796, 1128.0770, 823.7605, 615.9117, 549.2300], abs=1e-4
    )


# From docs/references/search.md#hill-climbing and #tabu-lists: where a plain climb ends, and where it ends
# with 100 tabu graphs. Ties go by the order of the columns there, so they get names of that order.
@pytest.mark.parametrize(
    ("table", "plain", "tabu"),
    [
        ("coronary.csv", -6721.010834, -6718.542882),
        pytest.param("alarm.csv.gz", -220761.687713, -220727.331509, marks=pytest.mark.slow),
    ],
)
def test_local_optima_are_those_of_the_references(table, plain, tabu):
    columns = sl.Dataset(data_file(f"tables/{table}")).to_dict().values()
    data = sl.Dataset({f"c{j:02}": column for j, column in enumerate(columns)})

    assert sl.HillClimbing(tabu=0).fit(data).score_ == pytest.approx(plain, abs=1e-5)
    assert sl.HillClimbing(tabu=100, shakes=0).fit(data).score_ == pytest.approx(tabu, abs=1e-5)


def mixed_table(seed):
    """Discrete columns, and continuous ones that depend on them."""
    rng = np.random.default_rng(seed)
    columns = {f"v{j}": rng.integers(0, 2, 120) for j in range(3)}
    for j in range(3, 6):
        columns[f"v{j}"] = columns[f"v{j - 3}"] * 1.5 + rng.normal(size=120)
    return sl.Dataset(columns)


def gaussian_table(seed):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(150, 6)) @ (np.eye(6) + np.triu(rng.normal(size=(6, 6)), 1))
    return sl.Dataset({f"v{j}": column for j, column in enumerate(values.T)})


@pytest.mark.parametrize("options", [{"tabu": 0}, {"tabu": 5, "patience": 6}, {"tabu": 3, "max_parents": 2}])
@pytest.mark.parametrize(
    ("table", "score"),
    [
        (random_table, "bic"),
        (random_table, "aic"),
        (random_table, "mdl"),
        (random_table, "loglik"),
        (random_table, "k2"),
        (gaussian_table, "bic"),
        (mixed_table, "bic"),
    ],
)
def test_every_move_is_that_of_a_search_that_scores_all_neighbours(table, score, options):
    for seed in range(3):
        data = table(seed)
        knowledge = sl.Knowledge(required=[("v2", "v1")], forbidden=[("v0", "v1")])
        limits = {"required": {(2, 1)}, "forbidden": {(0, 1)}}
        families = FamilyScores(score_for("a test", score, from_dataset(data)), from_dataset(data))

        trace = sl.HillClimbing(score=score, knowledge=knowledge, shakes=0, **options).fit(data).trace_

        expected = climbing.climb(families.local, len(data.names), **limits, **options)
        assert [("add", "remove", "reverse")[kind] for _, (kind, _, _) in expected] == trace["move"].tolist()
        assert [f"v{u}" for _, (_, u, _) in expected] == trace["source"].tolist()
        assert [f"v{v}" for _, (_, _, v) in expected] == trace["target"].tolist()
        assert trace["gain"].tolist() == pytest.approx([gain for gain, _ in expected], abs=1e-7)


def test_the_search_goes_on_from_the_graph_it_is_given():
    data = random_table(0)
    initial = sl.Graph(data.names, directed=[("v4", "v0"), ("v3", "v1"), ("v4", "v3")])
    learner = sl.HillClimbing(initial=initial, tabu=0).fit(data)
    trace = learner.trace_

    first = sl.score(initial, data, "bic") + trace["gain"][0]
    assert trace["score"][0] == pytest.approx(first, abs=1e-8)
    arcs = {(4, 0), (3, 1), (4, 3)}
    families = FamilyScores(BIC(), from_dataset(data))
    expected = climbing.climb(families.local, 5, arcs=arcs)
    assert [f"v{v}" for _, (_, _, v) in expected] == trace["target"].tolist()
    for other in neighbours(learner.graph_):
        assert sl.score(other, data, "bic") <= learner.score_ + 1e-8


def test_the_best_graph_is_where_a_search_from_it_ends():
    data = random_table(1)
    found = sl.HillClimbing().fit(data)
    again = sl.HillClimbing(initial=found.graph_).fit(data)

    assert again.graph_ == found.graph_
    assert again.score_ == pytest.approx(found.score_, abs=1e-9)


def test_a_start_that_is_no_dag_over_the_columns_is_refused():
    data = random_table(0)

    with pytest.raises(sl.OptionError, match=r"HillClimbing\(initial=…\): initial is a DAG over the columns"):
        sl.HillClimbing(initial=sl.Graph(["v0", "v1"])).fit(data)
    with pytest.raises(sl.OptionError, match="knowledge or candidates rule out its arc v0 → v1"):
        sl.HillClimbing(
            initial=sl.Graph(data.names, directed=[("v0", "v1")]),
            knowledge=sl.Knowledge(forbidden=[("v0", "v1")]),
        ).fit(data)


def test_a_tree_of_counts_gives_the_same_graph():
    data = random_table(2)
    runs = [sl.HillClimbing(statistics=how, shakes=0).fit(data) for how in ("memory", "adtree")]

    assert runs[0].graph_ == runs[1].graph_
    assert runs[0].trace_["gain"].tolist() == pytest.approx(runs[1].trace_["gain"].tolist())


@pytest.mark.parametrize("seed", range(8))
def test_no_single_move_improves_the_result_of_plain_climbing(seed):
    data = random_table(seed)
    learner = sl.HillClimbing(tabu=0).fit(data)

    assert learner.score_ == pytest.approx(sl.score(learner.graph_, data, "bic"), abs=1e-8)
    assert learner.graph_.is_dag
    for other in neighbours(learner.graph_):
        assert sl.score(other, data, "bic") <= learner.score_ + 1e-8


def test_the_trace_tells_the_way_to_the_result():
    data = random_table(0)
    learner = sl.HillClimbing(tabu=0).fit(data)
    trace = learner.trace_

    assert (np.diff(trace["score"]) > 0).all()
    assert trace["score"][-1] == pytest.approx(learner.score_)
    arcs = set()
    for move, u, v in zip(trace["move"], trace["source"], trace["target"], strict=True):
        arcs ^= {(u, v), (v, u)} if move == "reverse" else {(u, v)}
    assert sl.Graph(data.names, directed=arcs) == learner.graph_


def test_evidence_is_what_the_score_loses_without_the_arc():
    data = random_table(1)
    learner = sl.HillClimbing().fit(data)

    assert set(learner.evidence_) == set(learner.graph_.directed)
    for edge in learner.graph_.edges:
        rest = [arc for arc in learner.graph_.directed if arc != (edge.source, edge.target)]
        without = sl.score(sl.Graph(data.names, directed=rest), data, "bic")
        assert edge.weight == pytest.approx(learner.score_ - without, abs=1e-8)


@pytest.mark.parametrize("seed", range(10))
def test_a_tabu_list_and_restarts_never_end_lower(seed):
    data = random_table(seed, n_columns=6)
    plain, tabu, both = (
        sl.HillClimbing(tabu=length, restarts=restarts, random_state=seed).fit(data).score_
        for length, restarts in ((0, 0), (10, 0), (10, 3))
    )

    assert plain <= tabu + 1e-9
    assert tabu <= both + 1e-9


def test_many_restarts_reach_the_best_of_all_dags():
    reached = 0
    for seed in range(20):
        data = random_table(seed, n_columns=4, n_rows=100)
        families = FamilyScores(BIC(), from_dataset(data))
        best = max(families.total(parents) for parents in oracle.all_parent_choices(4))
        found = sl.HillClimbing(restarts=10, perturb=4, random_state=0).fit(data).score_
        assert found <= best + 1e-8
        reached += math.isclose(found, best, abs_tol=1e-8)

    assert reached >= 19


def test_knowledge_and_the_limit_on_parents_are_kept():
    data = random_table(2, n_columns=6)
    knowledge = sl.Knowledge(
        required=[("v5", "v0")], forbidden=[("v0", "v1"), ("v1", "v0")], tiers=[["v5", "v4"], ["v0", "v1"]]
    )
    learner = sl.HillClimbing(knowledge=knowledge, max_parents=2, restarts=5, random_state=0).fit(data)

    assert knowledge.violations(learner.graph_) == []
    assert learner.graph_.edge("v5", "v0") is not None
    assert max(len(learner.graph_.parents(v)) for v in data.names) <= 2


def test_the_same_seed_gives_the_same_graph():
    data = random_table(3, n_columns=6)
    runs = [sl.HillClimbing(restarts=5, random_state=4).fit(data) for _ in range(2)]

    assert runs[0].graph_ == runs[1].graph_
    assert runs[0].trace_["gain"].tolist() == runs[1].trace_["gain"].tolist()


def test_a_score_of_ones_own_is_a_class_with_one_method():
    class FewestParents:
        def local(self, _statistics, families):
            return np.full(len(families), -float(families.shape[1]))

    learner = sl.HillClimbing(score=FewestParents()).fit(T1)

    assert learner.graph_.edges == ()
    assert learner.score_ == -3.0


def test_a_score_that_does_not_fit_the_columns_is_refused():
    rng = np.random.default_rng(0)
    continuous = {"a": rng.normal(size=20), "b": rng.normal(size=20)}

    with pytest.raises(sl.DataError, match="'bdeu' has no form for continuous columns; use 'bic'"):
        sl.HillClimbing(score="bdeu").fit(continuous)
    with pytest.raises(sl.DataError, match="no form for columns of two kinds"):
        sl.HillClimbing(score="bdeu").fit(continuous | {"c": ["x", "y"] * 10})
