"""Columns that were changed and still follow their parents: contexts act on them."""

from itertools import permutations, product
from math import comb

import numpy as np
import pytest

import structlearn as sl
from structlearn.scores import (
    BDe,
    BDeu,
    GaussianBIC,
    JointTable,
    NearGraph,
    Shifted,
    ShortCode,
    WithStructurePrior,
)

WAS_CHANGED = np.arange(400) >= 200
BY_CONTEXT = [sl.BOSS, sl.HillClimbing, sl.ExactSearch, sl.PC, sl.SGS, sl.FCI, sl.RFCI]


def shifted_together(seed=0):
    """Rows of a → b ← c; a and c are shifted in the same rows, and look as if one caused the other."""
    a, b, c = np.random.default_rng(seed).normal(size=(3, 400))
    a, c = a + 2.0 * WAS_CHANGED, c + 2.0 * WAS_CHANGED
    return {"a": a, "b": a + c + b, "c": c}


def by_hand(learner, data):
    """What is learnt from a table with the context and what is known of it."""
    known = {
        "required": [("context", "a"), ("context", "c")],
        "forbidden": [(name, "context") for name in "abc"],
    }
    if "score" in learner.options:
        known["forbidden"].append(("context", "b"))
    table = data | {"context": np.where(WAS_CHANGED, "changed", "as it was")}
    learner.set_params(knowledge=sl.Knowledge(**known))
    return learner.fit(table).graph_.subgraph(list("abc"))


@pytest.mark.parametrize("method", BY_CONTEXT)
def test_a_context_by_hand_says_the_same(method):
    data = shifted_together()
    together = {"a": WAS_CHANGED, "c": WAS_CHANGED}
    soft = method(targets=together, interventions="soft").fit(data)

    assert soft.graph_ == by_hand(method(), data)
    assert soft.graph_.nodes == tuple("abc")
    assert soft.graph_.skeleton() == sl.Graph("abc", undirected=["ab", "bc"])
    assert method().fit(data).graph_.edge("a", "c") is not None  # who does not know is misled


def moved_collider(seed=0):
    """Rows of a → b → c ← a, in some of which b was moved after all, and these rows."""
    a, of_b, of_c = np.random.default_rng(seed).normal(size=(3, 300))
    b = a + 0.5 * of_b
    moved = range(200, 300)
    return {"a": a, "b": b + 3.0 * np.isin(np.arange(300), moved), "c": a + b + 0.5 * of_c}, {"b": moved}


def best_by_hand(data, rows, max_parents, score="bic", order=None):
    """The score of the best DAG of a, b and c with a context of b, among all of them, or along an order."""
    table = data | {"k": np.isin(np.arange(300), rows["b"]).astype(str)}
    pairs = [("ab", "ba", None), ("ac", "ca", None), ("bc", "cb", None)]
    if order:
        pairs = [(order[i] + order[j], None) for i, j in ((0, 1), (0, 2), (1, 2))]
    graphs = [sl.Graph("abck", directed=["kb", *filter(None, arcs)]) for arcs in product(*pairs)]
    allowed = [
        graph
        for graph in graphs
        if graph.is_dag and all(len(set(graph.parents(node)) - {"k"}) <= max_parents for node in "abc")
    ]
    return max(sl.score(graph, table, score=score) for graph in allowed)


@pytest.mark.parametrize("max_parents", [0, 1, 2])
@pytest.mark.parametrize("method", [sl.ExactSearch, sl.BOSS])
def test_the_most_parents_are_those_of_the_columns_beside_a_context(method, max_parents):
    data, moved = moved_collider()
    options = {"prove": True} if method is sl.BOSS else {}
    found = method(score="bic", max_parents=max_parents, targets=moved, interventions="soft", **options).fit(
        data
    )

    assert found.score_ == pytest.approx(best_by_hand(data, moved, max_parents))
    few = {0: " with at most 0 parents a node", 1: " with at most 1 parent a node", 2: ""}[max_parents]
    assert found.proof_ == f"Proven optimal: no DAG{few} scores more."


@pytest.mark.parametrize("score", ["loglik", "bic"])
def test_a_column_of_a_tree_has_a_parent_beside_its_context(score):
    data, moved = moved_collider()
    found = sl.ChowLiu(score=score, targets=moved, interventions="soft").fit(data)

    assert found.score_ == pytest.approx(best_by_hand(data, moved, 1, score))
    assert len(found.graph_.edges) == 2
    assert found.trace_["score"][-1] == pytest.approx(found.score_)
    informed = sl.ChowLiu(
        score=score, targets=moved, interventions="soft", knowledge=sl.Knowledge(required=[("a", "b")])
    )
    assert ("a", "b") in informed.fit(data).graph_.directed


@pytest.mark.parametrize("method", [sl.OrderSearch, sl.OrderMCMC, sl.SparseCandidate])
def test_a_context_is_no_candidate_of_so_many(method):
    data, moved = moved_collider()
    found = method(score="bic", candidates=1, targets=moved, interventions="soft").fit(data)

    assert found.score_ == pytest.approx(best_by_hand(data, moved, 1))


@pytest.mark.parametrize("method", [sl.K2, sl.GeneticSearch])
def test_an_order_is_that_of_the_columns(method):
    data, moved = moved_collider()
    options = {"score": "bic", "targets": moved, "interventions": "soft"}
    found = method(order=["c", "a", "b"], **options).fit(data)

    assert found.score_ == pytest.approx(best_by_hand(data, moved, 2, order="cab"))
    assert getattr(found, "order_", ("c", "a", "b")) == ("c", "a", "b")
    with pytest.raises(sl.OptionError, match=r"names every column once: a, b, c\.$"):
        method(order=["a", "b"], **options).fit(data)


def test_a_tree_may_have_its_root_where_a_context_acts():
    data, moved = moved_collider()
    found = sl.ChowLiu(score="bic", root="b", targets=moved, interventions="soft").fit(data)

    assert found.graph_.parents("b") == ()
    assert len(found.graph_.edges) == 2


@pytest.mark.parametrize("method", [sl.BOSS, sl.PC])
def test_states_work_as_measurements_do(method):
    rng = np.random.default_rng(1)
    a = rng.integers(0, 2, 2000)
    was_changed = np.arange(2000) >= 1000
    b = np.where(rng.random(2000) < np.where(was_changed, 0.05, 0.3), 1 - a, a)
    found = method(targets={"b": was_changed}, interventions="soft").fit({"b": b, "a": a}).graph_

    assert found.directed == (("a", "b"),)


def test_a_family_has_parameters_of_its_own_in_each_set_of_targets():
    rng = np.random.default_rng(2)
    a, noise, c = rng.normal(size=(3, 300))
    cells = np.array([None] * 100 + ["b"] * 100 + ["b, c"] * 100, dtype=object)
    slopes = np.repeat([1.0, -1.0, 0.5], 100)
    data = {"a": a, "b": slopes * a + noise, "c": c}
    learner = sl.ExactSearch(targets=cells, interventions="soft").fit(data)

    expected = 0.0
    for rows in np.split(np.arange(300), 3):
        x, y = a[rows], data["b"][rows]
        left = y - np.polyval(np.polyfit(x, y, 1), x)
        expected += 50.0 * np.log(y.var() / left.var()) - 0.5 * np.log(300)
    assert learner.graph_.directed == (("a", "b"),)
    assert learner.evidence_["a", "b"].score_gain == pytest.approx(expected)


def test_what_was_shifted_is_not_taken_for_set():
    """Most rows are changed: were b set in them, a could follow it only if b acted on a."""
    right = {"perfect": 0, "soft": 0}
    for seed in range(20):
        dose, noise = np.random.default_rng(seed).normal(size=(2, 200))
        was_shifted = np.arange(200) >= 20
        data = {"a": dose, "b": dose + np.where(was_shifted, 3.0, 0.0) + noise}
        for kind in right:
            learner = sl.BOSS(targets={"b": was_shifted}, interventions=kind)
            right[kind] += learner.fit(data).graph_.directed == (("a", "b"),)

    assert right["perfect"] <= 10
    assert right["soft"] >= 18


def test_separating_sets_are_of_the_columns_of_the_table():
    found = sl.PC(targets={"a": WAS_CHANGED, "c": WAS_CHANGED}, interventions="soft").fit(shifted_together())

    assert found.separating_sets_.keys() == {("a", "c")}
    assert found.separating_sets_["a", "c"].given == ("context of a, c",)


@pytest.mark.filterwarnings("ignore:.*fewer than 10 rows per level")
@pytest.mark.parametrize("method", [sl.BOSS, sl.PC, sl.FCI])
def test_odd_targets(method):
    data = shifted_together()
    plain = method().fit(data).graph_
    for nothing_told in ({}, {"b": range(400)}, {"a": range(0)}):
        assert method(targets=nothing_told, interventions="soft").fit(data).graph_ == plain
    one_row = method(targets={"b": [7]}, interventions="soft").fit(data).graph_
    assert one_row.nodes == tuple("abc")


def test_what_cannot_be_is_refused_in_words():
    data = shifted_together()
    with pytest.raises(sl.DataError, match="has a column 'context of b' already"):
        sl.BOSS(targets={"b": [1, 2]}, interventions="soft").fit(data | {"context of b": data["a"]})
    with pytest.raises(sl.OptionError, match='interventions="soft"'):
        sl.FCI(targets={"b": [1, 2]}).fit(data)
    with pytest.raises(sl.OptionError, match="the loss is that of all rows"):
        sl.NOTEARS(targets={"b": [1, 2]}, interventions="soft").fit(data)
    with pytest.raises(sl.DataError, match="context of b"):
        sl.GreedyEquivalence(targets={"b": WAS_CHANGED}, interventions="soft").fit(data)


@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
def test_rows_with_gaps_and_resamples_of_rows_keep_their_context():
    data = shifted_together()
    cells = np.where(WAS_CHANGED, "a, c", "")
    holes = {name: column.copy() for name, column in data.items()}
    holes["b"][[3, 300]] = np.nan
    whole = ~np.isnan(holes["b"])
    learner = sl.BOSS(targets="set", interventions="soft", missing="drop")
    expected = learner.fit({name: column[whole] for name, column in (data | {"set": cells}).items()}).score_

    assert learner.fit(holes | {"set": cells}).score_ == expected
    assert learner.experiments_ == {(): 199, ("a", "c"): 199}
    inner = sl.HillClimbing(targets="set", interventions="soft")
    drawn = sl.EdgeConfidence(inner, n_resamples=5, random_state=0).fit(data | {"set": cells})
    assert drawn.graph_ == sl.Graph("abc", directed=["ab", "cb"])


def moved_apart(seed=0):
    """A few rows of a → b → c, in which b and c were moved in turn, and the rows of each."""
    a, b, c = np.random.default_rng(seed).normal(size=(3, 60))
    rows = {"b": np.arange(60) >= 30, "c": np.arange(60) % 3 == 0}
    b = 0.4 * a + b + 2.0 * rows["b"]
    return {"a": a, "b": b, "c": 0.4 * b + c - rows["c"]}, rows


def posterior_by_hand(data, rows, price):
    """The probability of each arc of a, b and c over all DAGs beside what was moved, and the log total.

    A DAG weighs its score with the contexts of b and of c, less a price.
    """
    both = rows["b"] + 2 * rows["c"]
    table = data | {"of b": np.where(rows["b"], both, 0).astype(str)}
    table["of c"] = np.where(rows["c"], both, 0).astype(str)
    choices = product(("ab", "ba", None), ("ac", "ca", None), ("bc", "cb", None))
    dags = [sl.Graph("abc", directed=list(filter(None, arcs))) for arcs in choices]
    dags = [dag for dag in dags if dag.is_dag]
    acts = [("of b", "b"), ("of c", "c")]
    logs = np.array(
        [
            sl.score(sl.Graph([*"abc", "of b", "of c"], directed=[*dag.directed, *acts]), table, "bic")
            - price(dag)
            for dag in dags
        ]
    )
    shares = np.exp(logs - logs.max())
    arcs = {
        pair: shares[[pair in dag.directed for dag in dags]].sum() / shares.sum()
        for pair in permutations("abc", 2)
    }
    return arcs, logs.max() + np.log(shares.sum())


def n_orders(dag):
    """In how many orders of the columns the parents come first."""
    return sum(
        all(order.index(source) < order.index(target) for source, target in dag.directed)
        for order in permutations("abc")
    )


@pytest.mark.parametrize("prior", ["sets", "sizes"])
def test_posterior_probabilities_are_of_the_orders_of_the_columns(prior):
    data, rows = moved_apart()
    found = sl.ExactPosterior(score="bic", prior=prior, targets=rows, interventions="soft").fit(data)

    def price(dag):
        alike = sum(np.log(comb(2, len(dag.parents(node)))) for node in "abc") if prior == "sizes" else 0.0
        return alike - np.log(n_orders(dag))

    arcs, log_total = posterior_by_hand(data, rows, price)
    assert found.probabilities_ == pytest.approx(arcs)
    assert found.log_total_ == pytest.approx(log_total)
    for node in "abc":
        for parent in set("abc") - {node}:
            with_it = sum(
                share for found_set, share in found.parent_sets_[node].items() if parent in found_set
            )
            assert with_it == pytest.approx(arcs[parent, node], abs=0.005)


@pytest.mark.parametrize("uniform_over", ["orders", "graphs"])
def test_orders_are_drawn_of_the_columns(uniform_over):
    data, rows = moved_apart()
    start = sl.Graph("abc", directed=["cb", "ba"])
    learner = sl.OrderMCMC(score="bic", targets=rows, interventions="soft", initial=start)
    found = learner.set_params(uniform_over=uniform_over, max_parents=None).fit(data)

    arcs, _ = posterior_by_hand(
        data, rows, (lambda dag: -np.log(n_orders(dag))) if uniform_over == "orders" else lambda _: 0.0
    )
    assert found.probabilities_ == pytest.approx(arcs, abs=0.03)
    assert found.samples_[0].nodes == ("a", "b", "c")
    assert found.samples_.arc_probabilities() == pytest.approx(arcs, abs=0.05)
    assert found.score_ <= found.trace_["score"].max()


@pytest.mark.parametrize("method", [sl.BOSS, sl.ExactSearch])
def test_scores_and_hidden_sets_are_of_the_columns(method):
    """A slope that turns with the context is no set of columns that depend on each other."""
    a, noise, c = np.random.default_rng(0).normal(size=(3, 300))
    moved = np.arange(300) % 2 == 0
    data = {"a": a, "b": np.where(moved, a, -a) + noise, "c": c}
    found = method(score="bic", targets={"b": moved}, interventions="soft").fit(data)

    assert found.graph_.directed == (("a", "b"),)
    if method is sl.BOSS:
        assert found.parity_.found == ()
        assert found.parity_.n_sets == 1
        return
    again = sl.ExactSearch().fit_scores(found.local_scores_)
    assert again.graph_.directed == found.graph_.directed
    sizes = np.array([150, 150])
    of_context = (sizes * np.log(sizes / 300)).sum() - 0.5 * np.log(300)
    assert again.score_ == pytest.approx(found.score_ - of_context)


ROWS = np.arange(300)
DAYS = np.repeat(np.random.default_rng(3).random(30) < 0.5, 10)  # ten rows a day
CHANGED = {
    "days": {"b": DAYS},
    "one after the other": {"b": ROWS // 100 == 1, "c": ROWS >= 200},
    "one or the other": {"b": ROWS % 7 < 3, "c": ROWS % 7 >= 3},
}


@pytest.mark.parametrize("kind", ["measurements", "states"])
@pytest.mark.parametrize("rows", CHANGED.values(), ids=CHANGED.keys())
@pytest.mark.parametrize("method", [sl.BOSS, sl.PC])
def test_how_rows_with_changes_are_laid_out_is_no_sign_of_order(method, rows, kind, recwarn):
    a, b, c = np.random.default_rng(5).integers(0, 3, size=(3, 300))
    if kind == "measurements":
        a, b, c = np.random.default_rng(5).normal(size=(3, 300))
    data = {"a": a, "b": a + b + 3 * rows["b"], "c": c}
    method(targets=rows, interventions="soft").fit(data)

    assert [str(each.message) for each in recwarn] == []


def test_rows_that_follow_each_other_are_warned_of_beside_changes():
    steps = np.random.default_rng(6).normal(size=(3, 300))
    data = dict(zip("abc", np.cumsum(steps, axis=1), strict=True))
    with pytest.warns(sl.DataWarning, match="rows look as if they followed each other") as warned:
        sl.BOSS(targets={"b": DAYS}, interventions="soft").fit(data)
    assert not any("context" in str(each.message) for each in warned)


def states_in_contexts(seed=0):
    """Rows of states a → b, and c; b and c were changed in some, and a table that has this as columns."""
    rng = np.random.default_rng(seed)
    rows = {"b": np.arange(90) % 3 == 0, "c": np.arange(90) % 5 == 0}
    a, c = rng.integers(0, 2, size=(2, 90))
    b = np.where(rng.random(90) < np.where(rows["b"], 0.6, 0.2), 1 - a, a)
    both = rows["b"] + 2 * rows["c"]
    by_hand = {
        f"of {name}": np.unique(np.where(rows[name], both, 0), return_inverse=True)[1] for name in "bc"
    }
    return {"a": a, "b": b, "c": c}, rows, by_hand


def dag_by_hand(graph):
    return sl.Graph([*"abc", "of b", "of c"], directed=[*graph.directed, ("of b", "b"), ("of c", "c")])


@pytest.mark.parametrize("method", [sl.ExactSearch, sl.BOSS, sl.HillClimbing, sl.OrderMCMC])
def test_a_prior_of_the_structure_is_of_the_columns(method):
    data, rows, by_hand = states_in_contexts()
    expected = sl.Graph("abc", directed=["ba", "cb"])
    for prior in (NearGraph(expected, kappa=0.01), ShortCode(), ShortCode(tight=True)):
        score = WithStructurePrior(BDeu(), prior)
        found = method(score=score, targets=rows, interventions="soft").fit(data)

        beside = sl.score(dag_by_hand(found.graph_), data | by_hand, BDeu())
        assert found.score_ == pytest.approx(beside + sl.score(found.graph_, data, prior))


@pytest.mark.parametrize("method", [sl.ExactSearch, sl.BOSS, sl.HillClimbing, sl.GreedyEquivalence])
def test_a_prior_network_is_of_the_columns_and_all_contexts_are_alike_in_it(method):
    data, rows, by_hand = states_in_contexts()
    shares = np.random.default_rng(1).dirichlet(np.ones(8)).reshape(2, 2, 2)
    found = method(score=BDe(JointTable(tuple("abc"), shares), ess=5.0), targets=rows, interventions="soft")
    found.fit(data)

    whole = np.broadcast_to(shares[..., None, None] / 9.0, (2, 2, 2, 3, 3))
    prior = JointTable(("a", "b", "c", "of b", "of c"), whole)
    dag = dag_by_hand(found.graph_.to_dag())
    assert found.score_ == pytest.approx(sl.score(dag, data | by_hand, BDe(prior, ess=5.0)))

    alike = BDe(JointTable(tuple("abc"), np.full((2, 2, 2), 0.125)))
    of_bdeu = method(score=BDeu(), targets=rows, interventions="soft").fit(data).score_
    assert found.set_params(score=alike).fit(data).score_ == pytest.approx(of_bdeu)


@pytest.mark.parametrize(
    "wrapped", [lambda score: score, lambda score: WithStructurePrior(score, ShortCode())]
)
def test_a_score_that_says_so_itself_needs_no_context(wrapped):
    data, rows = moved_apart()
    score = wrapped(Shifted(GaussianBIC()))
    found = sl.GreedyEquivalence(score=score, targets=rows, interventions="soft").fit(data)

    assert found.score_ == pytest.approx(sl.score(found.graph_.to_dag(), data, score, targets=rows))
    assert found.graph_ == sl.GreedyEquivalence(score=score, targets=rows).fit(data).graph_
