"""What a call cannot take is refused in the library's own words, wherever it is given."""

import inspect

import numpy as np
import pytest

import structlearn as sl
from structlearn.formats import load, save
from structlearn.graphs.power_law import fit_power_law
from structlearn.graphs.topology import topology
from structlearn.models import DependencyModel

ASIA = sl.example("asia")
CLASS = ASIA.graph.to_cpdag()
ROWS = ASIA.sample(20, random_state=0)
OPEN_ROWS = ROWS.select(["asia", "tub", "smoke", "lung"])
OPEN = sl.BayesianNetwork(ASIA.graph.subgraph(OPEN_ROWS.names)).fit(OPEN_ROWS, smoothing=1.0)
PAIR = sl.Graph("ab", undirected=["ab"])

SEEDED = {
    "sample of a network": lambda seed: ASIA.sample(2, random_state=seed),
    "sample of a precision": lambda seed: sl.GaussianGraphicalModel(PAIR, [[2, 1], [1, 2]]).sample(
        2, random_state=seed
    ),
    "sample of spins": lambda seed: sl.IsingModel(PAIR, {"a": 0.1, "b": 0.2}, {("a", "b"): 0.3}).sample(
        2, random_state=seed
    ),
    "sample of conditionals": lambda seed: DependencyModel(OPEN.graph, OPEN.cpds).sample(
        2, random_state=seed
    ),
    "sample of experiments": lambda seed: sl.sample(ASIA, [2], random_state=seed),
    "impute": lambda seed: ASIA.impute(ROWS, how="drawn", random_state=seed),
    "query": lambda seed: ASIA.query("lung", method="gibbs", random_state=seed),
    "members": lambda seed: CLASS.sample_members(2, random_state=seed),
    "random_dag": lambda seed: sl.random_dag(3, random_state=seed),
    "random_undirected": lambda seed: sl.random_undirected(3, random_state=seed),
    "random_model": lambda seed: sl.random_model(ASIA.graph, random_state=seed),
    "power law": lambda seed: fit_power_law([1, 1, 1, 2, 2, 3, 4, 6] * 2, k_min=1, random_state=seed),
    "topology": lambda seed: topology(ASIA.graph, random_state=seed),
    "cross_validate": lambda seed: sl.cross_validate(sl.HillClimbing(), ROWS, cv=2, random_state=seed),
    "latent_classes": lambda seed: sl.latent_classes(ROWS, 2, random_state=seed),
    "a learner": lambda seed: sl.HillClimbing(random_state=seed).fit(ROWS),
}


@pytest.mark.parametrize("seed", [-1, "x", 1.5], ids=str)
@pytest.mark.parametrize("draw", SEEDED.values(), ids=SEEDED.keys())
def test_a_seed_is_a_whole_number(draw, seed):
    with pytest.raises(sl.OptionError, match=r"random_state=.*a whole number, at least 0"):
        draw(seed)


@pytest.mark.parametrize("truth", [ASIA, None, "asia"], ids=["model", "nothing", "text"])
def test_a_graph_is_compared_with_a_graph(truth):
    hint = "; give its .graph" if truth is ASIA else ""
    for compare in (ASIA.graph.compare, ASIA.graph.compare_ranking):
        with pytest.raises(
            sl.DataError, match=rf"the truth is a Graph, not a {type(truth).__name__}{hint}\.$"
        ):
            compare(truth)


@pytest.mark.parametrize(
    "ask",
    [
        lambda graph: graph.d_separated("lung", 3),
        lambda graph: graph.d_separated("lung", "tub", given=None),
        lambda graph: graph.adjustment_sets("lung", 3),
        lambda graph: graph.subgraph(3),
        lambda graph: graph.to_mag(3),
    ],
)
def test_what_is_no_name_is_no_node(ask):
    with pytest.raises(sl.DataError, match=r"The graph has no node (3|None); its nodes are 'asia'"):
        ask(ASIA.graph)


@pytest.mark.parametrize("n", [2.5, -1, "x"], ids=str)
def test_a_number_of_members_is_whole(n):
    with pytest.raises(sl.OptionError, match=r"sample_members\(n=.*a whole number, at least 0"):
        CLASS.sample_members(n)


@pytest.mark.parametrize(
    "use", [ASIA.graph.plot, ASIA.graph.save, ASIA.save, load, ROWS.save, lambda path: save(PAIR, path)]
)
def test_a_path_is_text_or_a_path(use):
    with pytest.raises(sl.DataError, match="The path of a file is text or a Path, not 3"):
        use(3)


NUMBERS = sl.Dataset({name: np.random.default_rng(i).normal(size=40) for i, name in enumerate("abcd")})
SPINS, COURSE = {"a": [0, 1], "b": [1, 0]}, {"a": [0, 1, 0, 1, 1, 0] * 8, "b": [0, 1, 1, 1, 0, 0, 1, 1] * 6}
DYNAMIC = sl.DynamicNetwork().fit(COURSE)
# Two names each, rows, and what is seen of the second.
ASKED = {
    "graph": (ASIA.graph, ("lung", "tub"), ROWS, {}),
    "network of tables": (ASIA, ("lung", "tub"), ROWS, {"tub": "no"}),
    "linear network": (
        sl.BayesianNetwork(sl.Graph("abcd", directed=["ab"])).fit(NUMBERS),
        "ab",
        NUMBERS,
        {"b": 1.0},
    ),
    "precision": (sl.GaussianGraphicalModel(PAIR, [[2, 1], [1, 2]]), "ab", NUMBERS, {"b": 1.0}),
    "spins": (sl.IsingModel(PAIR, {"a": 0.1, "b": 0.2}, {("a", "b"): 0.3}), "ab", SPINS, {"b": 1}),
    "factors": (sl.MarkovNetwork(PAIR, [sl.Factor("ab", [[3, 1], [1, 2]])]), "ab", SPINS, {"b": 1}),
    "conditionals": (DependencyModel(OPEN.graph, OPEN.cpds), ("lung", "tub"), OPEN_ROWS, {"tub": "no"}),
    "modules": (sl.ModuleNetwork(n_modules=2, random_state=0).fit(NUMBERS).model_, "ab", NUMBERS, {}),
    "dynamic model": (DYNAMIC.model(COURSE), "ab", COURSE, {"a": [0, 1]}),
    "dynamic network": (DYNAMIC, "ab", COURSE, {}),
}
NOT_ASKED = {"save", "prepared", "with_record", "from_dict", "set_params", "no_option", "lacking"}
WRONG = [3, -1, 2.5, None, "nowhere", object(), [3], {3: 4}, ["nowhere"], [[3]], {"lung": [1]}, b"x"]


def calls(model, names, rows, seen):
    """Each public method with the arguments that it needs, where these are of a kind that all have."""
    right = dict.fromkeys(("x", "a", "node", "source"), names[0])
    right |= dict.fromkeys(("y", "b", "target"), names[1])
    right |= dict.fromkeys(("names", "given", "latent"), names[:1]) | {"nodes": list(names)}
    right |= dict.fromkeys(("n", "n_steps", "n_slices"), 3) | dict.fromkeys(("data", "X"), rows)
    right |= dict.fromkeys(("evidence", "actions", "row"), seen) | {"truth": ASIA.graph, "edges": []}
    for name, method in inspect.getmembers(model, inspect.ismethod):
        if name.startswith("_") or name in NOT_ASKED:
            continue
        options = inspect.signature(method).parameters.values()
        options = [each for each in options if each.kind not in {each.VAR_KEYWORD, each.VAR_POSITIONAL}]
        needed = [each.name for each in options if each.default is each.empty]
        for option in options:
            others = [each for each in needed if each != option.name]
            if option.name != "path" and right.keys() >= set(others):
                yield method, {each: right[each] for each in others}, option.name


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED.keys())
def test_any_wrong_argument_is_refused_in_words_or_taken(asked):
    found = list(calls(*asked))
    assert found
    for method, others, name in found:
        for wrong in WRONG:
            try:
                method(**others, **{name: wrong})
            except (sl.DataError, sl.OptionError):
                continue
            except Exception as error:  # noqa: BLE001, what it is, is told
                pytest.fail(f"{method.__name__}({name}={wrong!r}): {error!r}")


@pytest.mark.parametrize("wrong", [3, None, [3], {3: 4}], ids=str)
@pytest.mark.parametrize("name", ["nodes", "directed", "undirected", "edges", "kind", "facts"])
def test_a_graph_is_made_of_what_it_may_be_made_of(name, wrong):
    if wrong is None and name in {"kind", "facts"}:
        return
    with pytest.raises(sl.DataError):
        sl.Graph(**{"nodes": "ab", name: wrong})


def test_one_name_is_a_name_and_not_its_letters():
    dag = sl.Graph(["lung", "tub"], directed=[("lung", "tub")])

    assert dag.to_cpdag(targets="lung") == dag.to_cpdag(targets=["lung"]) == dag
    with pytest.raises(sl.DataError, match="each of the 2 nodes is needed once, not 3"):
        dag.reordered(3)
    with pytest.raises(sl.DataError, match="each of the 2 nodes is needed once, not 'tub', 'tub'"):
        dag.reordered(["tub", "tub"])
    with pytest.raises(sl.OptionError, match="predict: 3 is in no module"):
        ASKED["modules"][0].predict(NUMBERS, names=3)


@pytest.mark.parametrize("values", [PAIR, "ab", [1, 2, "x"], [[1, 2], [3]]], ids=str)
def test_a_power_law_is_fitted_to_numbers(values):
    with pytest.raises(sl.DataError, match=r"values are numbers; of a graph give topology\(graph\)\.degrees"):
        fit_power_law(values)


@pytest.mark.parametrize("source", [ASIA.graph, sl.Oracle(ASIA.graph), sl.Dataset(ROWS)], ids=repr)
def test_an_order_comes_before_what_is_asked(source):
    with pytest.raises(sl.OptionError, match="the order of the nodes comes first"):
        sl.minimal_imap(source, list(ASIA.graph.nodes))
