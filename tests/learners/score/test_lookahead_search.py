"""Lookahead search: each step by brute force, published steps, parity, Chow-Liu trees, knowledge."""

import itertools
import math
from collections import Counter

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2, multivariate_normal

import structlearn as sl
from structlearn.learners.score.chow_liu import ChowLiu
from structlearn.learners.score.cliques.entropies import Entropies
from structlearn.learners.score.lookahead_search import LookaheadSearch
from structlearn.statistics import from_dataset
from tests.data_files import data_file
from tests.oracles.decomposable import lost_without
from tests.oracles.reference_data import T1, XOR

pytestmark = pytest.mark.kernels


def random_table(seed, n_columns=5, n_rows=120):
    """Binary columns, each the parity of some before it, with noise."""
    rng = np.random.default_rng(seed)
    columns = []
    for j in range(n_columns):
        parents = [columns[k] for k in range(j) if rng.random() < 0.6]
        noise = (rng.random(n_rows) < (0.15 if parents else 0.5)).astype(int)
        columns.append((sum(parents) + noise) % 2)
    return sl.Dataset({f"v{j}": column for j, column in enumerate(columns)})


def random_normals(seed, n_columns=5, n_rows=200):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n_rows, n_columns)) @ (
        np.eye(n_columns) + 0.4 * rng.normal(size=(n_columns,) * 2)
    )
    return sl.Dataset({f"v{j}": rows[:, j] for j in range(n_columns)})


def entropy(data, names):
    """The entropy of some columns in bits, by its definition."""
    rows = Counter(zip(*(data.column(name).codes.tolist() for name in names), strict=True))
    return -math.fsum(n / data.n_rows * math.log2(n / data.n_rows) for n in rows.values())


def network_entropy(data, links):
    """The entropy of a decomposable network in bits: cliques less separators, by any DAG on its links."""
    dag = sl.Graph(data.names, undirected=links).to_dag()
    return math.fsum(
        entropy(data, [node, *dag.parents(node)]) - entropy(data, dag.parents(node)) for node in data.names
    )


def possible_steps(names, links, n_links, max_clique):
    """Every set of absent links within one clique of the decomposable graph that they lead to."""
    absent = [pair for pair in itertools.combinations(names, 2) if pair not in links]
    for added in itertools.combinations(absent, n_links):
        graph = nx.Graph([*links, *added])
        graph.add_nodes_from(names)
        ends = {name for pair in added for name in pair}
        cliques = list(nx.find_cliques(graph))
        if (
            nx.is_chordal(graph)
            and max(map(len, cliques)) <= max_clique
            and any(ends <= set(c) for c in cliques)
        ):
            yield added


def links_of(words):
    return [tuple(link.split(" — ")) for link in words.split(", ")]


@pytest.mark.parametrize("max_clique", [3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_every_step_is_the_best_of_all_that_are_possible(seed, max_clique):
    data = random_table(seed)
    threshold = 0.02
    learner = LookaheadSearch(max_clique=max_clique, threshold=threshold).fit(data)
    steps = [links_of(words) for words in learner.trace_["links"]]

    links, before = [], network_entropy(data, [])
    for n_links in range(1, math.comb(max_clique, 2) + 1):
        while True:
            gains = {
                added: before - network_entropy(data, [*links, *added])
                for added in possible_steps(data.names, links, n_links, max_clique)
            }
            most = max(gains.values(), default=0.0)
            if most <= threshold:
                break
            taken = tuple(steps.pop(0))
            assert taken == min(added for added, gain in gains.items() if gain > most - 1e-9)
            links += taken
            before -= most
    assert steps == []
    assert learner.entropy_ == pytest.approx(network_entropy(data, links), abs=1e-9)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), max_clique=st.integers(2, 4), n_columns=st.integers(2, 8))
def test_every_graph_on_the_way_is_decomposable_and_the_entropy_falls(seed, max_clique, n_columns):
    data = random_table(seed, n_columns=n_columns, n_rows=60)
    learner = LookaheadSearch(max_clique=max_clique, threshold=0.01).fit(data)
    entropies = [network_entropy(data, [])]
    graph = nx.Graph()
    graph.add_nodes_from(data.names)

    for words, after in zip(learner.trace_["links"], learner.trace_["entropy"], strict=True):
        graph.add_edges_from(links_of(words))
        assert nx.is_chordal(graph)
        assert max(map(len, nx.find_cliques(graph))) <= max_clique
        assert after < entropies[-1] - 0.01
        entropies.append(after)
    assert learner.graph_ == sl.Graph(data.names, undirected=graph.edges)
    assert learner.entropy_ == pytest.approx(entropies[-1], abs=1e-9)


def test_three_links_at_once_find_an_exclusive_or_that_one_and_two_do_not():
    # From docs/references/search.md#lookahead: the entropy of the three columns is 3 bits, and 2 with all
    # links.
    for max_links, links, bits in ((1, 0, 3.0), (2, 0, 3.0), (3, 3, 2.0)):
        learner = LookaheadSearch(max_links=max_links).fit(XOR)
        assert len(learner.graph_.edges) == links
        assert learner.entropy_ == pytest.approx(bits, abs=1e-12)
    np.testing.assert_allclose(learner.trace_["gain"], [1.0], atol=1e-12)


def test_a_noisy_exclusive_or_among_other_columns_is_found_and_nothing_else():
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 2, (12, 4000))
    rows[5] = rows[2] ^ rows[9] ^ (rng.random(4000) < 0.02)
    data = {f"c{j:02}": row for j, row in enumerate(rows)}

    assert len(sl.HillClimbing(tabu=0, check_parity=0).fit(data).graph_.edges) == 0
    assert LookaheadSearch().fit(data).graph_.undirected == (("c02", "c05"), ("c02", "c09"), ("c05", "c09"))


def test_the_parity_of_four_takes_cliques_of_four_and_six_links():
    rng = np.random.default_rng(1)
    a, b, c = rng.integers(0, 2, (3, 1000))
    data = {"a": a, "b": b, "c": c, "d": a ^ b ^ c, "e": rng.integers(0, 2, 1000)}

    assert len(LookaheadSearch(max_clique=3).fit(data).graph_.edges) == 0
    assert len(LookaheadSearch(max_clique=4, max_links=5).fit(data).graph_.edges) == 0
    found = LookaheadSearch(max_clique=4).fit(data)
    assert found.graph_ == sl.Graph("abcde", undirected=itertools.combinations("abcd", 2))
    assert found.trace_["n_links"].tolist() == [6]


def test_published_steps_on_coronary_heart_disease():
    # From docs/references/search.md#lookahead: bits, cliques of at most 4 nodes, two links, threshold
    # 0.004.
    steps = [
        ("M. Work — P. Work", 0.21004),
        ("M. Work — Proteins", 0.01943),
        ("M. Work — Smoking", 0.01668),
        ("Proteins — Smoking", 0.01721),
        ("P. Work — Smoking", 0.01371),
        ("P. Work — Proteins", 0.00986),
        ("Pressure — Proteins", 0.00502),
        ("Pressure — Smoking", 0.00648),
        ("M. Work — Pressure", 0.01376),
        ("Family — M. Work", 0.00475),
        ("Family — P. Work, Family — Smoking", 0.00683),
    ]
    learner = LookaheadSearch(max_clique=4, max_links=2, threshold=0.004).fit(
        data_file("tables/coronary.csv")
    )

    assert learner.trace_["links"].tolist() == [words for words, _ in steps]
    np.testing.assert_allclose(learner.trace_["gain"], [gain for _, gain in steps], atol=5e-6)
    assert learner.entropy_ == pytest.approx(5.192439, abs=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_cliques_of_two_are_the_chow_liu_edges_above_the_threshold(seed):
    data = random_table(seed, n_columns=7, n_rows=80)
    tree = ChowLiu().fit(data)
    bits = {edge: known.score_gain / data.n_rows / math.log(2) for edge, known in tree.evidence_.items()}
    threshold = float(np.median(list(bits.values())))

    learner = LookaheadSearch(max_clique=2, max_links=1, threshold=threshold).fit(data)

    kept = [edge for edge, gain in bits.items() if gain > threshold + 1e-9]
    assert learner.graph_ == sl.Graph(data.names, undirected=kept)


def test_ties_go_to_the_first_names():
    # Two pairs with the same table, each independent of the other.
    pair = [(0, 0)] * 3 + [(1, 1)] * 3 + [(0, 1), (1, 0)]
    rows = [(a, b, c, d) for a, d in pair for b, c in pair]
    data = sl.Dataset(
        dict(zip("abcd", np.array(rows).T, strict=True)), kinds=dict.fromkeys("abcd", "discrete")
    )

    learner = LookaheadSearch(threshold=0.01).fit(data)

    assert learner.trace_["links"].tolist() == ["a — d", "b — c"]


def test_without_a_threshold_the_complete_graph_has_the_entropy_of_the_data():
    learner = LookaheadSearch(threshold=0.0).fit(T1)

    assert len(learner.graph_.edges) == 3
    assert learner.entropy_ == pytest.approx(entropy(T1, T1.names), abs=1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_the_two_thresholds_by_parameters_are_those_of_bic_and_of_the_g_test(seed):
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 3, 200)
    b = np.where(rng.random(200) < 0.15, a, rng.integers(0, 4, 200))
    data = sl.Dataset({"a": a, "b": b})
    gain = sum(entropy(data, [name]) for name in "ab") - entropy(data, "ab")
    g2 = 2 * data.n_rows * math.log(2) * gain
    n_free = 6

    by_bic = LookaheadSearch(threshold="bic").fit(data).graph_
    by_test = LookaheadSearch(threshold="chi2", alpha=0.2).fit(data).graph_

    assert len(by_bic.edges) == (g2 > n_free * math.log(data.n_rows))
    assert len(by_test.edges) == (chi2.sf(g2, n_free) < 0.2)


@pytest.mark.parametrize(("n_more", "n_edges"), [(4, 0), (6, 0), (8, 3), (12, 3)])
def test_three_links_are_priced_by_all_the_parameters_that_they_add(n_more, n_edges):
    # c is a + b more often than not, and each two columns are exactly independent.
    cells = [(a, b, c) for a in range(3) for b in range(3) for c in range(3)]
    rows = [row for row in cells for _ in range(1 + n_more * (sum(row) % 3 == 0))]
    data = sl.Dataset(dict(zip("abc", np.array(rows).T, strict=True)), kinds=dict.fromkeys("abc", "discrete"))
    gain = 3 * math.log2(3) - entropy(data, "abc")
    n_free = 26 - 3 * 2

    learner = LookaheadSearch().fit(data)

    is_worth_it = len(rows) * math.log(2) * gain > 0.5 * n_free * math.log(len(rows))
    assert len(learner.graph_.edges) == 3 * is_worth_it == n_edges


@pytest.mark.parametrize("make", [random_table, random_normals])
def test_the_score_is_the_likelihood_of_its_dag_and_evidence_what_it_loses(make):
    data = make(0, n_columns=6)
    learner = LookaheadSearch(max_clique=4).fit(data)

    assert learner.score_ == pytest.approx(sl.score(learner.graph_.to_dag(), data, "loglik"), abs=1e-7)
    assert len(learner.graph_.edges) > 3
    for edge in learner.graph_.edges:
        lost, _ = lost_without(edge.source, edge.target, learner.graph_, data)
        assert edge.weight == pytest.approx(lost, abs=1e-7)


def test_single_links_never_score_less_than_before_them_by_bic():
    data = random_normals(3, n_columns=7)
    learner = LookaheadSearch(max_clique=3).fit(data)
    links, before = [], sl.score(sl.Graph(data.names), data, "bic")

    for words in learner.trace_["links"]:
        links += links_of(words)
        score = sl.score(sl.Graph(data.names, undirected=links).to_dag(), data, "bic")
        assert score > before
        before = score


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_entropies_are_what_they_say_in_any_order_and_asked_again(seed):
    rng = np.random.default_rng(seed)
    data = sl.Dataset(
        {f"c{j}": rng.integers(0, j + 2, 40) for j in range(5)}, kinds={f"c{j}": "discrete" for j in range(5)}
    )
    entropies = Entropies(from_dataset(data), 3)
    sets = np.array(
        [
            rng.permutation([*rng.choice(5, size, replace=False), *[-1] * (3 - size)])
            for size in (1, 2, 3, 0, 2)
        ]
    )

    for _ in range(2):
        for found, columns in zip(entropies.of(sets), sets.tolist(), strict=True):
            names = [f"c{j}" for j in columns if j >= 0]
            assert found == pytest.approx(entropy(data, names) if names else 0.0, abs=1e-12)


def test_entropies_of_normal_columns_are_those_of_their_distribution():
    data = random_normals(2)
    covariance = np.cov(np.column_stack([column.values for column in data.columns]).T, bias=True)
    entropies = Entropies(from_dataset(data), 3)

    for columns in itertools.combinations(range(5), 3):
        nats = multivariate_normal(cov=covariance[np.ix_(columns, columns)]).entropy()
        assert entropies.of(np.array([columns]))[0] == pytest.approx(nats / math.log(2), abs=1e-10)


def test_a_large_batch_of_tables_in_pieces_is_the_same(monkeypatch):
    data = random_table(0, n_columns=7)
    whole = LookaheadSearch(max_clique=4).fit(data)
    monkeypatch.setattr("structlearn.learners.score.cliques.entropies.CELLS_AT_ONCE", 40)
    monkeypatch.setattr("structlearn.learners.score.cliques.link_sets.SETS_AT_ONCE", 10)

    pieces = LookaheadSearch(max_clique=4).fit(data)

    assert pieces.graph_ == whole.graph_
    assert pieces.trace_["links"].tolist() == whole.trace_["links"].tolist()


def test_forbidden_links_are_left_out_of_every_step():
    knowledge = sl.Knowledge(forbidden=[("A", "C"), ("C", "A")])

    assert len(LookaheadSearch(knowledge=knowledge).fit(XOR).graph_.edges) == 0
    graph = LookaheadSearch(knowledge=knowledge, threshold=0.0).fit(T1).graph_
    assert graph.undirected == (("A", "B"), ("B", "C"))


def test_the_search_goes_on_from_the_initial_graph():
    data = random_table(3, n_columns=6)
    best = LookaheadSearch(max_clique=4).fit(data)
    one_less = sl.Graph(data.names, undirected=links_of(best.trace_["links"][0]))

    again = LookaheadSearch(max_clique=4, initial=best.graph_).fit(data)
    onward = LookaheadSearch(max_clique=4, initial=one_less).fit(data)

    assert again.graph_ == best.graph_
    assert len(again.trace_["gain"]) == 0
    assert onward.graph_ == best.graph_
    assert onward.trace_["links"].tolist() == best.trace_["links"].tolist()[1:]


@pytest.mark.parametrize(
    ("initial", "message"),
    [
        (sl.Graph("ab", undirected=[("a", "b")]), "over the columns"),
        (sl.Graph("ABC", directed=[("A", "B")]), "undirected graph"),
        (sl.Graph("ABC", undirected=[("A", "B"), ("A", "C"), ("B", "C")]), "more than max_clique=2"),
        (sl.Graph("ABC", undirected=[("A", "C")]), "knowledge forbids its edge A — C"),
    ],
)
def test_an_initial_graph_that_does_not_fit_is_refused(initial, message):
    knowledge = sl.Knowledge(forbidden=[("A", "C"), ("C", "A")])

    with pytest.raises(sl.OptionError, match=message):
        LookaheadSearch(max_clique=2, initial=initial, knowledge=knowledge).fit(XOR)


def test_an_initial_graph_with_a_chordless_cycle_is_refused():
    data = random_table(0, n_columns=4)
    square = sl.Graph(data.names, undirected=itertools.pairwise([*data.names, data.names[0]]))

    with pytest.raises(sl.OptionError, match="no chord"):
        LookaheadSearch(initial=square).fit(data)


def test_cliques_beyond_any_search_are_refused():
    with pytest.raises(sl.OptionError, match="too many sets"):
        LookaheadSearch(max_clique=40).fit(XOR)


def test_with_few_rows_for_its_columns_a_link_costs_the_logarithm_of_the_columns_more():
    noise = np.random.default_rng(0).normal(size=(20, 30))
    plain, extended, usual = (
        LookaheadSearch(max_clique=2, threshold=threshold).fit(noise) for threshold in ("bic", "ebic", None)
    )

    nats = lambda learner: min(known.score_gain for known in learner.evidence_.values())  # noqa: E731, two uses
    assert usual.graph_ == extended.graph_ != plain.graph_
    assert "With 30 columns for 20 rows links cost what the extended BIC takes" in usual.status_
    assert extended.status_ == plain.status_ == "The method ran to its end."
    assert nats(plain) < 0.5 * np.log(20) + np.log(30) < nats(extended)
    table = noise[:, :2]  # ten rows for each column
    assert LookaheadSearch().fit(table).graph_ == LookaheadSearch(threshold="bic").fit(table).graph_
