"""A small file of any format takes little time and memory, whatever it claims to stand for."""

import gzip
import json
import subprocess
import sys
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from structlearn.errors import DataError
from structlearn.formats import ENDINGS, files, load
from structlearn.graphs import Graph
from structlearn.models.gaussian_graphical_model import GaussianGraphicalModel

LARGEST = 400_000  # bytes of a file that is called small
SCORES = ".jkl"
PLAIN = [ending for ending in ENDINGS if not ending.endswith(".gz")]


def numbered(letter, n):
    return [f"{letter}{i}" for i in range(n)]


PARENTS, CHILDREN = numbered("p", 22), numbered("c", 40)
GROUPS = ["{" + " ".join(numbered(f"g{i}x", 100)) + "}" for i in range(99)]
FACT = json.dumps({"known": list(range(5000))}).replace('"', '\\"')


def bif_of_defaults():
    nodes = [f"variable {name} {{ type discrete [ 2 ] {{ a, b }}; }}" for name in (*PARENTS, *CHILDREN)]
    roots = [f"probability ( {name} ) {{ table 1, 0; }}" for name in PARENTS]
    rest = [f"probability ( {name} | {', '.join(PARENTS)} ) {{ default 0.5, 0.5; }}" for name in CHILDREN]
    return "\n".join([*nodes, *roots, *rest])


def bif_of_many_states():
    nodes = [
        f"variable {name} {{ type discrete [ 5000 ] {{ {', '.join(numbered('s', 5000))} }}; }}"
        for name in "abc"
    ]
    row = ", ".join(["1", *["0"] * 4999])
    first = f"probability ( a ) {{ table {row}; }}"
    rest = [f"probability ( {child} | a ) {{ default {row}; }}" for child in "bc"]
    return "\n".join([*nodes, first, *rest])


def net_without_data():
    nodes = [f"node {name} {{ states = (a b); }}" for name in (*PARENTS, *CHILDREN)]
    roots = [f"potential ({name}) {{ }}" for name in PARENTS]
    return "\n".join(
        [*nodes, *roots, *(f"potential ({name} | {' '.join(PARENTS)}) {{ }}" for name in CHILDREN)]
    )


def xdsl_of_results():
    states = "".join(f'<state id="s{i}"/>' for i in range(1000))
    root = f'<cpt id="r">{states}<probabilities>1 {"0 " * 999}</probabilities></cpt>'
    results = f"<parents>r</parents><resultingstates>{'s0 ' * 1000}</resultingstates>"
    rest = [f'<deterministic id="c{i}">{states}{results}</deterministic>' for i in range(18)]
    return f"<smile><nodes>{root}{''.join(rest)}</nodes></smile>"


def xmlbif_of_single_states():
    nodes = numbered("n", 150)
    variables = [f"<VARIABLE><NAME>{n}</NAME><OUTCOME>a</OUTCOME></VARIABLE>" for n in nodes]
    tables = [
        f"<FOR>{n}</FOR>{''.join(f'<GIVEN>{m}</GIVEN>' for m in nodes[max(0, i - 63) : i])}<TABLE>1</TABLE>"
        for i, n in enumerate(nodes)
    ]
    definitions = [f"<DEFINITION>{table}</DEFINITION>" for table in tables]
    return f"<BIF><NETWORK>{''.join([*variables, *definitions])}</NETWORK></BIF>"


def graphml_of_nothing():
    return f"<graphml><graph>{'<a/>' * 90_000}</graph></graphml>"


def entities(root):
    return "<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;'>]>" + f"<{root}>&b;</{root}>"


def our_json(kind, nodes, *, edges=(), of_graph=None, **more):
    listed = [{"source": a, "target": b, "kind": sort} for a, b, sort in edges]
    graph = {"nodes": nodes, "edges": listed, **(of_graph or {})}
    return json.dumps({"format": "structlearn", "version": 1, "kind": kind, "graph": graph, **more})


def gaussian(n, *, is_whole):
    known = dict.fromkeys(numbered("n", n), 1) if is_whole else {}
    parameters = {"mean": known, "diagonal": known, "edges": []}
    return our_json("gaussian-graphical-model", numbered("n", n), parameters=parameters)


def mixed_graph(kind, sort, pairs):
    edges = [(f"n{i}", f"n{j}", sort) for i, j in pairs]
    return our_json("graph", numbered("n", 3000), edges=edges, of_graph={"kind": kind})


def deep_formula(depth=400):
    formula = 0.5
    for _ in range(depth):
        formula = {"choice": [formula, 0.1, 0.2]}
    return our_json(
        "bayesian-network", ["a"], cpds={"a": {"form": "formula", "labels": [0, 1], "formula": formula}}
    )


def one_large_family(n=3000):
    first = [f"n0 {n}", f"-1 {n - 1} {' '.join(numbered('n', n)[1:])}"]
    first += [f"-2 1 n{i}" for i in range(1, n)]
    return "\n".join([str(n), *first, *(f"n{i} 1\n-1 0" for i in range(1, n))])


PATH, CLIQUE = list(pairwise(range(3000))), list(combinations(range(60), 2))
HOSTILE = {
    ".bif": [bif_of_defaults, bif_of_many_states],
    ".net": [net_without_data],
    ".xdsl": [xdsl_of_results, lambda: entities("smile")],
    ".xmlbif": [xmlbif_of_single_states, lambda: entities("BIF")],
    ".xml": [xmlbif_of_single_states],
    ".graphml": [graphml_of_nothing, lambda: entities("graphml")],
    ".uai": [
        lambda: f"MARKOV 4000 {'4000 ' * 4000} 0",
        lambda: f"MARKOV 2000 {'2 ' * 2000} 1 2000 {' '.join(map(str, range(2000)))} 4 1 1 1 1",
        lambda: f"BAYES 999999999 {'2 ' * 2000}",
    ],
    ".dot": [
        lambda: f"digraph {{ {' -> '.join(GROUPS)} }}",
        lambda: f"digraph {{ {' -> '.join(GROUPS[:1] * 99)} }}",
        lambda: f'graph {{ {" ".join(GROUPS)} {{ {" ".join(GROUPS)} }} [facts="{FACT}"] }}',
        lambda: f"graph {{ {'{' * 60} {' '.join(numbered('n', 3000))} {'}' * 60} }}",
    ],
    ".json": [
        lambda: gaussian(30_000, is_whole=False),
        lambda: gaussian(10_000, is_whole=True),
        lambda: gaussian(2000, is_whole=True),
        lambda: mixed_graph("MAG", "bidirected", PATH),
        lambda: mixed_graph("CPDAG", "undirected", PATH),
        lambda: mixed_graph("PAG", "nondirected", CLIQUE),
        lambda: our_json("graph", {"a": "x" * 300_000}),
        lambda: our_json("graph", ["a"], of_graph={"facts": {"a": {"b": "9" * 300_000}}, "kind": "x" * 9999}),
        deep_formula,
        lambda: "[" * 300_000,
        lambda: "9" * 300_000,
    ],
    ".csv": [
        lambda: "from,to\n" + "".join(f"n{i},n{i + 1}\n" for i in range(20_000)),
        lambda: "from,to" + ",x" * 100_000,
        lambda: "from,to\n" + '"' * 300_000,
        lambda: "a,b\n" + "x,y\n" * 50_000,
    ],
    ".tsv": [lambda: "from\tto\n" + "n\t\n" * 50_000],
    ".txt": [
        lambda: "/knowledge\naddtemporal\n1* " + " ".join(numbered("n", 40_000)),
        lambda: "/knowledge\nrequiredirect\n" + "".join(f"n{i} n{i + 1}\n" for i in range(20_000)),
        lambda: "Graph Nodes:\na;b\n\nGraph Edges:\n1. a" + " -->" * 80_000,
        lambda: "Graph Nodes:\na;b\n\nGraph Edges:\n1. a --> c" + " b" * 150_000,
        lambda: f"Graph Nodes:\n{';'.join(numbered('n', 50_000))}\n\nGraph Edges:\n",
    ],
    ".knowledge": [
        lambda: "tier: " + "," * 300_000,
        lambda: "tier: " + " " * 300_000 + '"',
        lambda: "forbid: " + "a -- " * 60_000,
        lambda: "".join(f"require: n{i} -> n{i + 1}\n" for i in range(12_000)),
        lambda: "".join(f"require: n{i} -> n{(i + 1) % 12_000}\n" for i in range(12_000)),
    ],
    SCORES: [one_large_family, lambda: "9" * 5000],
}

LIMITED = """
import os, resource, sys
from structlearn.errors import DataError
from structlearn.formats import load
from structlearn.formats.local_scores import load_local_scores
import scipy.sparse.csgraph, structlearn.models.markov_network, structlearn.models.gaussian_graphical_model

for path in sys.argv[1:]:
    child = os.fork()
    if child == 0:
        used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + 2**30,) * 2)
        resource.setrlimit(resource.RLIMIT_CPU, (5, 5))
        try:
            (load_local_scores if path.endswith(".jkl") else load)(path)
            said = "read"
        except DataError as error:
            said = "refused" if len(str(error)) < 1000 else "refused at great length"
        print(said, path, flush=True)
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        print("ended", path, flush=True)
"""
"""Each file gets 1 GiB of memory and 5 seconds of work; what takes more ends its process."""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs limits as Linux has them")
def test_a_small_file_takes_little_time_and_memory(tmp_path):
    paths = []
    for ending, makers in HOSTILE.items():
        for i, make in enumerate(makers):
            paths.append(tmp_path / f"{i}{ending}")
            paths[-1].write_text(make())
    assert max(path.stat().st_size for path in paths) < LARGEST

    done = subprocess.run(
        [sys.executable, "-c", LIMITED, *map(str, paths)], capture_output=True, text=True, check=True
    )

    found = [line.partition(" ") for line in done.stdout.splitlines()]
    assert [path for _, _, path in found] == [str(path) for path in paths]
    assert {path: said for said, _, path in found if said not in {"read", "refused"}} == {}, done.stderr


def test_every_format_has_hostile_files():
    assert set(HOSTILE) == {*PLAIN, SCORES}


@pytest.mark.parametrize("ending", PLAIN)
def test_a_zipped_file_that_grows_a_thousandfold_is_refused(tmp_path, ending):
    path = tmp_path / f"net{ending}.gz"
    path.write_bytes(ZEROS)

    with pytest.raises(DataError, match=r"unzips to more than 16,777,216 bytes; unzip it first\."):
        load(path)


ZEROS = gzip.compress(bytes(files.SMALL_UNZIPPED + 1), mtime=0)


def test_the_tables_of_a_file_together_stand_for_no_more_cells_than_one_may(tmp_path):
    path = tmp_path / "net.bif"
    path.write_text(bif_of_defaults())

    with pytest.raises(
        DataError, match=r"line \d+: up to the table of 'c2' the file stands for 25,165,824 cells"
    ):
        load(path)


def test_a_model_too_large_for_a_file_is_refused_before_it_is_written():
    model = GaussianGraphicalModel(Graph(numbered("n", 8193)))

    with pytest.raises(DataError, match=r"at most 8,192 nodes, and this one has 8,193"):
        model.to_dict()
