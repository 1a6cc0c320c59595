"""PC: the true CPDAG from an oracle, published graphs from data, knowledge, conflicts."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.base import clone

import structlearn as sl
from structlearn.independence import G2, Answers
from structlearn.run import Run, Status
from tests.data_files import data_file, network_names, true_graph
from tests.strategies import dags


@pytest.mark.parametrize("seed", range(200))
def test_an_oracle_gives_the_true_cpdag_of_a_random_dag(seed):
    truth = sl.random_dag(4 + seed % 9, expected_degree=1 + seed % 4, random_state=seed)

    assert sl.PC().fit(sl.Oracle(truth)).graph_ == truth.to_cpdag()


@settings(deadline=None)
@given(dags(min_nodes=1))
def test_an_oracle_gives_the_true_cpdag_of_any_small_dag(truth):
    assert sl.PC().fit(sl.Oracle(truth)).graph_ == truth.to_cpdag()


@pytest.mark.parametrize("network", network_names(most_nodes=99))
def test_an_oracle_gives_the_true_cpdag_of_a_known_network(network):
    truth = true_graph(network)

    assert sl.PC().fit(sl.Oracle(truth)).graph_ == truth.to_cpdag()


# From docs/references/constraint.md#pc; that of gaussian.test is the CPDAG of the generating network.
@pytest.mark.parametrize(
    ("table", "alpha", "directed", "undirected"),
    [
        ("learning.test.csv", 0.05, "A→D C→D B→E F→E", "A—B"),
        ("learning.test.csv", 0.01, "A→D C→D B→E F→E", "A—B"),
        ("gaussian.test.csv", 0.05, "A→C B→C A→F D→F E→F G→F", "B—D"),
    ],
)
def test_published_graphs_are_learned(table, alpha, directed, undirected):
    graph = sl.PC(alpha=alpha).fit(data_file(f"tables/{table}")).graph_

    assert {f"{a}→{b}" for a, b in graph.directed} == set(directed.split())
    assert {f"{a}—{b}" for a, b in graph.undirected} == set(undirected.split())


def test_separating_sets_separate_and_surviving_edges_carry_their_largest_p_value():
    truth = sl.random_dag(8, expected_degree=2.5, random_state=1)
    learner = sl.PC().fit(sl.Oracle(truth))

    skeleton = truth.skeleton()
    pairs = {(a, b) for i, a in enumerate(sorted(truth.nodes)) for b in sorted(truth.nodes)[i + 1 :]}
    joined = {tuple(sorted(pair)) for pair in skeleton.undirected}
    assert set(learner.separating_sets_) == pairs - joined
    for (a, b), why in learner.separating_sets_.items():
        assert truth.d_separated(a, b, given=why.given)
        assert learner.separating_sets_[b, a] == why
        assert why.p_value == 1.0
    assert all(edge.p_value == 0.0 for edge in learner.graph_.edges)
    with pytest.raises(KeyError):
        learner.separating_sets_[next(iter(joined))]


def test_the_trace_adds_up():
    learner = sl.PC().fit(sl.example("asia").sample(2000, random_state=0))
    trace = learner.trace_

    assert trace["tests"].sum() <= learner.n_tests_
    assert trace["tests"][0] == 28
    assert (trace["edges"] == 28 - np.cumsum(trace["removed"])).all()
    assert trace["edges"][-1] == len(learner.graph_.edges)


@pytest.mark.parametrize("edges", [[], [("a", "b")]], ids=["independent", "dependent"])
def test_the_trace_of_a_pair_that_may_not_be_joined_has_its_one_test_and_nothing_removed(edges):
    apart = sl.Knowledge(forbidden=[("a", "b"), ("b", "a")])

    learner = sl.PC(knowledge=apart).fit(sl.Oracle(sl.Graph("ab", directed=edges)))

    trace = {name: column.tolist() for name, column in learner.trace_.items()}
    assert trace == {"conditions": [0], "tests": [1], "removed": [0], "edges": [0]}
    assert learner.n_tests_ == 1
    assert learner.graph_ == sl.Graph("ab")


class NotReliable:
    """Says of every pair that rows are too few, with the same p-value."""

    def __init__(self, p_value):
        self._p_value = p_value

    def many(self, _, questions):
        p_value = np.full(len(questions), self._p_value)
        return Answers(p_value, p_value, p_value, reliable=np.zeros(len(questions), dtype=bool))


@pytest.mark.parametrize(("p_value", "n_edges"), [(0.04, 3), (0.06, 0)])
def test_an_answer_that_is_not_reliable_decides_by_its_p_value(p_value, n_edges):
    rows = np.random.default_rng(0).normal(size=(30, 3))

    assert len(sl.PC(test=NotReliable(p_value)).fit(rows).graph_.edges) == n_edges


@pytest.mark.parametrize("sizes", [(300, 3, 2), (40, 40, 40)])
def test_independent_columns_of_many_levels_stay_apart(sizes):
    rng = np.random.default_rng(0)
    columns = {f"c{i}": rng.integers(0, size, 2000).astype(str) for i, size in enumerate(sizes)}

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sl.DataWarning)
        assert sl.PC(alpha=0.01).fit(columns).graph_.edges == ()


def test_conditioning_can_be_limited():
    truth = sl.Graph("abcd", directed=[("a", "b"), ("b", "d"), ("a", "c"), ("c", "d")])

    learner = sl.PC(max_conditioning=1).fit(sl.Oracle(truth))

    assert learner.graph_.edge("a", "d") is not None  # only {b, c} separates them
    assert learner.trace_["conditions"].tolist() == [0, 1]


def test_required_edges_stay_and_direct_others():
    chain = sl.Graph("abc", directed=[("a", "b"), ("b", "c")])

    free = sl.PC().fit(sl.Oracle(chain)).graph_
    told = sl.PC(knowledge=sl.Knowledge(required=[("a", "b")])).fit(sl.Oracle(chain)).graph_

    assert free.undirected == (("a", "b"), ("b", "c"))
    assert told == chain


def test_a_forbidden_direction_directs_the_other_way():
    chain = sl.Graph("abc", directed=[("a", "b"), ("b", "c")])
    knowledge = sl.Knowledge(tiers=[["c"], ["a", "b"]])

    assert sl.PC(knowledge=knowledge).fit(sl.Oracle(chain)).graph_ == sl.Graph(
        "abc", directed=[("c", "b"), ("b", "a")]
    )


def test_a_forbidden_pair_has_no_edge_and_still_a_separating_set_where_there_is_one():
    collider = sl.Graph("abc", directed=[("a", "b"), ("c", "b")])
    knowledge = sl.Knowledge(forbidden=[("a", "c"), ("c", "a")])

    learner = sl.PC(knowledge=knowledge).fit(sl.Oracle(collider))

    assert learner.graph_ == collider
    assert learner.separating_sets_["a", "c"].given == ()


def test_a_collider_against_the_knowledge_is_reported_and_left_out():
    collider = sl.Graph("abc", directed=[("a", "b"), ("c", "b")])
    knowledge = sl.Knowledge(required=[("b", "a")])

    learner = sl.PC(knowledge=knowledge).fit(sl.Oracle(collider))

    assert learner.conflicts_ == ("a → b ← c",)
    assert knowledge.violations(learner.graph_) == []


def test_a_test_of_the_wrong_kind_is_refused_with_the_right_one():
    with pytest.raises(sl.DataError, match=r"FisherZ\(\) takes continuous columns.*test='g2'"):
        sl.PC(test="fisher-z").fit({"a": ["x", "y", "x"], "b": ["u", "u", "v"]})


def test_a_test_of_ones_own_is_a_class_with_one_method():
    class AlwaysDependent:
        def many(self, _statistics, questions):
            from structlearn.independence import Answers

            nothing = np.zeros(len(questions))
            return Answers(nothing, nothing, nothing)

    data = {"a": [0, 1, 1, 0], "b": [0, 1, 1, 1]}
    graph = sl.PC(test=AlwaysDependent(), max_conditioning=0).fit(data).graph_

    assert graph.undirected == (("a", "b"),)


@pytest.mark.parametrize("named", [True, False], ids=["named separators", "every subset"])
@pytest.mark.parametrize(
    "options",
    [
        {"stable": False},
        {"collider_rule": "conservative"},
        {"collider_rule": "majority"},
        {"collider_rule": "max-p"},
    ],
    ids=lambda options: "-".join(map(str, options.values())),
)
@pytest.mark.parametrize("seed", range(12))
def test_every_variant_gives_the_true_cpdag_with_an_oracle(options, seed, named, monkeypatch):
    if not named:
        monkeypatch.delattr("structlearn.independence.separation_oracle.SeparationOracle.separators")
    truth = sl.random_dag(4 + seed % 6, expected_degree=1 + seed % 3, random_state=seed)

    assert sl.PC(**options).fit(sl.Oracle(truth)).graph_ == truth.to_cpdag()


@pytest.mark.parametrize("rule", ["conservative", "majority", "max-p"])
def test_rules_over_all_separating_sets_do_not_depend_on_the_names(rule):
    data = sl.Dataset(data_file("tables/asia.csv"))
    columns = data.to_dict()
    expected = sl.PC(collider_rule=rule).fit(data).graph_
    rng = np.random.default_rng(0)
    for _ in range(5):
        new = dict(zip(rng.permutation(data.names).tolist(), data.names, strict=True))
        renamed = sl.PC(collider_rule=rule).fit({new[name]: columns[name] for name in columns}).graph_
        back = {there: here for here, there in new.items()}
        restored = sl.Graph(
            data.names,
            directed=[(back[a], back[b]) for a, b in renamed.directed],
            undirected=[(back[a], back[b]) for a, b in renamed.undirected],
        )
        assert restored == expected


def test_a_split_vote_stays_undirected_and_directs_nothing():
    class Split:
        """a ⊥ c given nothing and given b: nobody can say whether b is a collider."""

        def many(self, _statistics, questions):
            from structlearn.independence import Answers

            p = np.array([1.0 if {x, y} == {0, 2} else 0.0 for x, y, *_ in questions.tolist()])
            return Answers(p, p, p)

    data = {"a": [0, 1, 1, 0], "b": [0, 1, 0, 0], "c": [0, 1, 0, 1]}
    first, split = (sl.PC(test=Split(), collider_rule=r).fit(data).graph_ for r in ("first", "conservative"))

    assert first.directed == (("a", "b"), ("c", "b"))
    assert split.undirected == (("a", "b"), ("b", "c"))


@pytest.mark.parametrize("test", ["distance-correlation", "projection-correlation"])
def test_a_test_without_conditions_directs_colliders_where_none_are_asked_for(test):
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 120))
    table = {"a": a, "b": b, "c": a**2 + b**2 + 0.3 * rng.normal(size=120)}
    found = sl.PC(test=test, max_conditioning=0).fit(table)

    assert set(found.graph_.directed) == {("a", "c"), ("b", "c")}
    with pytest.raises(sl.DataError, match="without conditions"):
        sl.PC(test=test).fit(table)


def test_an_edge_that_what_is_known_gives_no_direction_is_reported_and_certified_as_left_out():
    rng = np.random.default_rng(0)
    shared = rng.normal(size=300)
    data = {name: shared + rng.normal(size=300) for name in "abc"}
    knowledge = sl.Knowledge(required=[("c", "b"), ("b", "a")], forbidden=[("c", "a")])

    learner = sl.PC(knowledge=knowledge).fit(data)

    assert learner.graph_ == sl.Graph("abc", directed=[("c", "b"), ("b", "a")])
    assert learner.conflicts_ == ("a → c",)
    assert learner.certificate().check(data).holds


class Patient:
    """G² for so many questions, after which time is up."""

    def __init__(self, n_questions):
        self.n_left = n_questions

    def many(self, statistics, questions):
        self.n_left -= len(questions)
        return G2().many(statistics, questions)

    def is_over(self, run):
        if self.n_left <= 0:
            run.status = Status.OUT_OF_TIME
        return self.n_left <= 0


LIMITED = {
    "pc": sl.PC(),
    "pc in turn": sl.PC(stable=False),
    "sgs": sl.SGS(),
    "sgs given the rest": sl.SGS(undirected=True, separators="rest"),
    "fci": sl.FCI(),
    "rfci": sl.RFCI(),
    "fci in tiers": sl.FCI(selection=False, knowledge=sl.Knowledge(tiers=[["c", "d"], ["a", "b"]])),
}


@pytest.mark.parametrize("name", LIMITED)
@pytest.mark.parametrize("n_questions", [0, 4])
def test_pairs_that_nobody_had_time_to_test_have_no_edges_and_this_is_said(name, n_questions, monkeypatch):
    data = dict(zip("abcde", np.random.default_rng(0).integers(0, 3, size=(5, 300)), strict=True))
    test = Patient(n_questions)
    for at_once in ("FIRST_BATCH", "FEWEST_AT_ONCE", "BATCH_ROWS"):
        monkeypatch.setattr(f"structlearn.independence.asking.{at_once}", 1)
    monkeypatch.setattr(Run, "must_stop", lambda run: test.is_over(run))

    learner = clone(LIMITED[name]).set_params(test=test).fit(data)

    assert f"There was time to test {n_questions} of 10 pairs" in learner.status_
    assert len(learner.graph_.edges) == n_questions - len(learner.separating_sets_)


def test_a_required_arrow_stays_and_directs_nothing_where_time_is_up():
    data = dict(zip("abcde", np.random.default_rng(0).integers(0, 3, size=(5, 300)), strict=True))
    known = sl.Knowledge(required=[("a", "b"), ("b", "c")])

    learner = sl.PC(time_limit=1e-9, knowledge=known).fit(data)

    assert learner.graph_ == sl.Graph("abcde", directed=["ab", "bc"])
    assert "pairs" not in sl.PC().fit(data).status_
    verdict = learner.certificate().check(data)
    assert verdict.holds
    assert "8 neither, for want of time" in str(verdict)
