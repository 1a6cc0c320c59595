"""Chow and Liu: the best of all trees, published trees, roots, knowledge about directions."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.score.chow_liu import ChowLiu
from structlearn.learners.score.trees.spanning import rooted
from tests.data_files import data_file
from tests.oracles import trees
from tests.oracles.reference_data import T1


def random_table(seed, n_columns=5, n_rows=150):
    """Discrete columns that depend on those before them."""
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, 2, n_rows)]
    for j in range(1, n_columns):
        noise = rng.integers(0, 2 + j % 2, n_rows)
        columns.append(np.where(rng.random(n_rows) < 0.5, columns[rng.integers(j)], noise))
    return sl.Dataset({f"v{j}": column for j, column in enumerate(columns)})


def edges_of(learner):
    return {frozenset((e.source, e.target)): e.weight for e in learner.graph_.edges}


@pytest.mark.parametrize("score", ["loglik", "bic"])
@pytest.mark.parametrize("seed", range(4))
def test_no_other_tree_scores_more(seed, score):
    data = random_table(seed)
    learner = ChowLiu(score=score).fit(data)
    best = max(
        sl.score(sl.Graph(data.names, directed=rooted_names(data.names, edges)), data, score)
        for edges in trees.forests(5)
    )

    assert learner.score_ == pytest.approx(best, abs=1e-8)
    assert learner.score_ == pytest.approx(sl.score(learner.graph_, data, score), abs=1e-8)


def rooted_names(names, edges):
    return [(names[u], names[v]) for u, v in rooted(len(names), edges, range(len(names)))]


def test_the_tree_of_a_small_table_has_the_information_worked_out_by_hand():
    weights = edges_of(ChowLiu().fit(T1))

    assert weights == {
        frozenset("AB"): pytest.approx(20 * 0.132505, abs=2e-5),
        frozenset("BC"): pytest.approx(20 * 0.082283, abs=2e-5),
    }


# From docs/references/search.md#chow-liu: mutual informations in nats and the log-likelihoods of the trees.
PUBLISHED = {
    "learning.test.csv": (-24799.022769, "AB 0.234183 AD 0.229022 BE 0.126589 EF 0.090566 CD 0.005984"),
    "asia.csv": (
        -11285.576389,
        "BD 0.237324 LE 0.217819 EX 0.186478 SB 0.090266 SL 0.024991 TE 0.023419 AT 0.000362",
    ),
}


@pytest.mark.parametrize("table", PUBLISHED)
def test_published_trees_are_found(table):
    log_likelihood, words = PUBLISHED[table]
    pairs, information = words.split()[::2], words.split()[1::2]

    learner = ChowLiu().fit(data_file(f"tables/{table}"))

    assert learner.score_ == pytest.approx(log_likelihood, abs=1e-6)
    assert edges_of(learner) == {
        frozenset(pair): pytest.approx(5000 * float(nats), abs=3e-3)
        for pair, nats in zip(pairs, information, strict=True)
    }


def test_a_penalty_drops_the_one_edge_of_asia_not_worth_it():
    path = data_file("tables/asia.csv")
    tree, forest = ChowLiu().fit(path), ChowLiu(score="bic").fit(path)

    assert set(edges_of(tree)) - set(edges_of(forest)) == {frozenset("AT")}
    assert set(edges_of(forest)) < set(edges_of(tree))


def test_continuous_columns_have_the_information_of_their_correlation():
    rng = np.random.default_rng(0)
    a = rng.normal(size=200)
    b = a + rng.normal(size=200)
    data = {"a": a, "b": b, "c": b - 2 * rng.normal(size=200)}

    weights = edges_of(ChowLiu().fit(data))

    for pair in ("ab", "bc"):
        rho = np.corrcoef(data[pair[0]], data[pair[1]])[0, 1]
        assert weights[frozenset(pair)] == pytest.approx(-100 * np.log(1 - rho**2))
    assert len(weights) == 2


def test_every_root_gives_the_same_score_and_leads_all_arrows_away():
    data = random_table(1)
    first = ChowLiu().fit(data)

    for root in data.names:
        learner = ChowLiu(root=root).fit(data)
        assert learner.score_ == pytest.approx(first.score_, abs=1e-8)
        assert learner.graph_.to_cpdag() == first.graph_.to_cpdag()
        assert learner.graph_.parents(root) == ()
        assert set(learner.graph_.descendants(root)) == set(data.names) - {root}


@pytest.mark.parametrize("seed", range(4))
def test_knowledge_about_directions_gives_the_best_tree_that_honours_it(seed):
    data = random_table(seed, n_columns=4)
    knowledge = sl.Knowledge(required=[("v3", "v0")], tiers=[["v2", "v3"], ["v1"]])
    graphs = (
        sl.Graph(data.names, directed=[(f"v{u}", f"v{v}") for v, u in enumerate(parents) if u is not None])
        for parents in trees.branchings(4)
    )
    best = max(sl.score(graph, data, "loglik") for graph in graphs if not knowledge.violations(graph))

    learner = ChowLiu(knowledge=knowledge).fit(data)

    assert knowledge.violations(learner.graph_) == []
    assert learner.score_ == pytest.approx(best, abs=1e-8)


def test_what_no_tree_can_have_is_refused():
    two = sl.Knowledge(required=[("A", "C"), ("B", "C")])

    with pytest.raises(sl.OptionError, match=r"A → C and B → C are required, .* no node has two parents"):
        ChowLiu(knowledge=two).fit(T1)
    with pytest.raises(sl.OptionError, match=r"root='B'\): an arrow into it is required"):
        ChowLiu(root="B", knowledge=sl.Knowledge(required=[("A", "B")])).fit(T1)
    with pytest.raises(sl.OptionError, match=r"root='Z'\): there is no such column"):
        ChowLiu(root="Z").fit(T1)


def test_the_trace_adds_up_to_the_score():
    data = random_table(2)
    learner = ChowLiu(score="bic").fit(data)
    empty = sl.score(sl.Graph(data.names), data, "bic")

    assert (np.diff(learner.trace_["gain"]) <= 0).all()
    assert learner.trace_["score"] == pytest.approx(empty + np.cumsum(learner.trace_["gain"]))
    assert learner.trace_["score"][-1] == pytest.approx(learner.score_)
