"""Every search takes candidate parents that somebody else chose, and keeps to them."""

from functools import cache
from itertools import combinations, permutations

import numpy as np
import pytest

import structlearn as sl
from structlearn.graphs.links import Links
from structlearn.learners.catalog import CATALOG
from structlearn.learners.order.exact_search import ExactSearch
from structlearn.learners.score.classes.admission import Admission
from structlearn.learners.score.classes.pattern import Pattern
from structlearn.search.candidates import candidate_matrix
from structlearn.search.limits import Limits
from tests.oracles import best_dag, dag_masks
from tests.oracles import graphs as graph_oracle
from tests.search.spaces import space_of

NAMES = ("asia", "bronc", "dysp", "either", "lung", "smoke", "tub", "xray")
NONE_AT_ALL = sl.Graph(NAMES)
# Not the network that the rows are drawn from: either → xray and either → dysp are missing.
BY_NAME = {"lung": ["either", "smoke"], "smoke": ["bronc"], "dysp": ["bronc", "tub"], "xray": ["lung", "tub"]}
BY_EDGE = sl.Graph(
    NAMES,
    directed=[("tub", "xray"), ("lung", "xray"), ("bronc", "smoke")],
    undirected=[("bronc", "dysp"), ("either", "lung"), ("asia", "smoke")],
)
ALL_BY_NAME = {name: [other for other in NAMES if other != name] for name in NAMES}
ALL_BY_EDGE = sl.Graph(NAMES, undirected=combinations(NAMES, 2))


def takes_candidates(learner):
    rule = learner.options.get("candidates")
    return rule is not None and rule.accepts(NONE_AT_ALL)


SEARCHES = {name: method.load() for name, method in CATALOG.items() if takes_candidates(method.load())}


@pytest.fixture(params=SEARCHES.values(), ids=SEARCHES.keys())
def search(request):
    """Every learner whose candidates may be a graph; a new one joins these tests by its rule."""
    return request.param


@cache
def asia():
    return sl.example("asia").sample(500, random_state=0)


@cache
def found_among_all(search):
    return search(candidates=None).fit(asia()).graph_


@cache
def chosen_by(method):
    return sl.learn(asia(), method=method)


def allowed_arcs(candidates):
    """The arcs (parent, child) that candidates allow."""
    if isinstance(candidates, sl.Graph):
        return {ends for edge in candidates.edges for ends in permutations((edge.source, edge.target))}
    return {(parent, child) for child, parents in candidates.items() for parent in parents}


def possible_arcs(graph):
    """The arrows of a graph, and its lines in both directions."""
    return set(graph.directed) | {ends for line in graph.undirected for ends in permutations(line)}


def test_all_searches_that_score_dags_take_part():
    assert set(SEARCHES) >= {
        "best-first",
        "boss",
        "exact-search",
        "genetic-order-search",
        "genetic-search",
        "greedy-equivalence",
        "hill-climbing",
        "k2",
        "optimal-reinsertion",
        "order-mcmc",
        "order-search",
        "simulated-annealing",
    }


@pytest.mark.parametrize("candidates", [BY_NAME, BY_EDGE], ids=["mapping", "graph"])
def test_every_arc_lies_among_the_candidates(search, candidates):
    found = search(candidates=candidates).fit(asia()).graph_

    assert found.edges
    assert possible_arcs(found) <= allowed_arcs(candidates)
    assert not possible_arcs(found_among_all(search)) <= allowed_arcs(candidates)


@pytest.mark.parametrize("nobody", [{}, {"lung": []}, NONE_AT_ALL], ids=["empty", "mapping", "graph"])
def test_who_has_no_candidates_has_no_parents(search, nobody):
    assert not search(candidates=nobody).fit(asia()).graph_.edges


@pytest.mark.parametrize("everybody", [ALL_BY_NAME, ALL_BY_EDGE], ids=["mapping", "graph"])
def test_candidates_of_all_columns_change_nothing(search, everybody):
    assert search(candidates=everybody).fit(asia()).graph_ == found_among_all(search)


@pytest.mark.parametrize("everybody", [ALL_BY_NAME, ALL_BY_EDGE], ids=["mapping", "graph"])
def test_candidates_of_all_columns_are_no_limit(everybody):
    assert not space_of(asia(), candidates=everybody).limits.closed.any()


def test_required_arcs_need_no_candidates(search):
    knowledge = sl.Knowledge(required=[("asia", "xray")])

    found = search(candidates={}, knowledge=knowledge).fit(asia()).graph_

    assert possible_arcs(found) == {("asia", "xray")}


@pytest.mark.parametrize(
    "strangers",
    [
        {"nobody": ["lung"]},
        {"lung": ["nobody"]},
        sl.Graph(["lung", "nobody"], undirected=[("lung", "nobody")]),
    ],
    ids=["child", "parent", "graph"],
)
def test_candidates_that_are_no_columns_are_refused(search, strangers):
    with pytest.raises(sl.OptionError, match=rf"{search.__name__}\(candidates=.*no column 'nobody'"):
        search(candidates=strangers).fit(asia())


def test_candidates_of_another_type_are_refused(search):
    with pytest.raises(sl.OptionError, match="candidates"):
        search(candidates=["lung", "smoke"]).fit(asia())


@pytest.mark.parametrize("method", ["mmpc", "l1mb", "chow-liu"])
def test_what_another_method_has_chosen_feeds_every_search(search, method):
    chosen = chosen_by(method)

    found = search(candidates=chosen).fit(asia()).graph_

    assert found.edges
    assert possible_arcs(found) <= allowed_arcs(chosen)


@pytest.mark.parametrize("solver", ["dp", "ilp"])
@pytest.mark.parametrize("seed", range(10))
def test_no_dag_within_the_candidates_is_better(solver, seed):
    if solver == "ilp":
        pytest.importorskip("highspy", reason="needs the `exact` extra")
    data = dependent_columns(seed)
    names, is_candidate = sorted(data.names), np.random.default_rng(seed).random((4, 4)) < 0.5
    candidates = {names[v]: [names[u] for u in range(4) if is_candidate[v, u]] for v in range(4)}
    families = best_dag.bic_of_families(data)
    table = dag_masks.family_table(
        lambda child, parents: families[child, parents],
        4,
        may_be=lambda child, parents: is_candidate[child, list(parents)].all(),
    )

    found = ExactSearch(solver=solver, candidates=candidates).fit(data)

    assert found.score_ == pytest.approx(dag_masks.best_score(table), abs=1e-9)
    assert found.gap_ == 0.0
    assert found.proof_ == "Proven optimal: no DAG within the candidates scores more."
    everything = ExactSearch().fit(data).local_scores_
    again = ExactSearch(solver=solver, candidates=candidates).fit_scores(everything)
    assert again.score_ == pytest.approx(found.score_, abs=1e-9)


def dependent_columns(seed, n_rows=80):
    """Four discrete columns, each with a part of the one before."""
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, 2, n_rows)]
    for _ in range(3):
        columns.append((columns[-1] + rng.integers(0, 3, n_rows) * (rng.random(n_rows) < 0.5)) % 3)
    return sl.Dataset(dict(zip("dbac", columns, strict=True)))


def test_few_candidates_leave_an_exact_search_of_many_columns_its_large_parent_sets():
    rng = np.random.default_rng(0)
    columns = rng.integers(0, 2, (20, 2000))
    columns[0] = columns[1:6].sum(axis=0) >= 3
    data = {f"v{j:02}": column for j, column in enumerate(columns)}
    parents = [f"v{j:02}" for j in range(1, 6)]

    assert len(ExactSearch(solver="dp").fit(data).graph_.parents("v00")) == 4
    found = ExactSearch(solver="dp", candidates={"v00": parents}).fit(data)
    assert sorted(found.graph_.parents("v00")) == parents


@pytest.mark.parametrize("seed", range(20))
def test_a_class_is_visited_exactly_if_one_of_its_dags_lies_within_the_candidates(seed):
    names = ("a", "b", "c", "d")
    is_candidate = np.random.default_rng(seed).random((4, 4)) < 0.7
    candidates = {names[v]: [names[u] for u in range(4) if is_candidate[v, u]] for v in range(4)}
    everything = Limits.of(names, sl.Knowledge())
    admission = Admission(everything.among(candidate_matrix("test", names, candidates)))

    for members in graph_oracle.equivalence_classes(4):
        pattern = Pattern.of(Links(4, arrows=sorted(members[0])))
        has_one_within = any(all(is_candidate[v, u] for u, v in dag) for dag in members)
        assert admission.admits(pattern) == has_one_within


@pytest.mark.parametrize("search", [ExactSearch, sl.HillClimbing, sl.GreedyEquivalence])
def test_a_start_outside_the_candidates_is_refused(search):
    start = sl.Graph(NAMES, directed=[("smoke", "lung")])

    with pytest.raises(sl.OptionError, match=r"initial.*candidates"):
        search(initial=start, candidates={"lung": ["either"]}).fit(asia())
