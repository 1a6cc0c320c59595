"""What a call cannot take is refused in the library's own words, wherever it is given."""

import pytest

import structlearn as sl
from structlearn.formats import load, save
from structlearn.graphs.power_law import fit_power_law
from structlearn.graphs.topology import topology
from structlearn.models import DependencyModel

ASIA = sl.example("asia")
CLASS = ASIA.graph.to_cpdag()
ROWS = ASIA.sample(20, random_state=0)
OPEN = sl.random_model(ASIA.graph, random_state=0)
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
