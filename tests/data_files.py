"""Public tables, networks and published numbers: tests/data/SOURCES.md says where they are from."""

import csv
import json
from pathlib import Path

import structlearn as sl

HOME = Path(__file__).parent / "data"


def data_file(name):
    """The path of a file in tests/data."""
    path = HOME / name
    assert path.exists(), f"{name} is not in tests/data"
    return path


def network_index():
    """A row for each network: its file, its kind and how large it is."""
    with data_file("networks/INDEX.csv").open(newline="") as lines:
        return list(csv.DictReader(lines))


def network_names(most_nodes):
    """The networks with at most this many nodes."""
    return [row["name"] for row in network_index() if int(row["nodes"]) <= most_nodes]


def true_graph(network):
    """The graph of a network."""
    with data_file(f"networks/arcs/{network}.csv").open(newline="") as lines:
        arcs = [(row["from"], row["to"]) for row in csv.DictReader(lines)]
    return sl.Graph(sorted({node for arc in arcs for node in arc}), directed=arcs)


def published_optima():
    """Networks that GOBNILP proved to be optimal: table, score, limit of parents and optimum."""
    return json.loads(data_file("reference/optimal_scores.json").read_text())["entries"]


def published_optimum(table, score):
    """The largest of the optima that GOBNILP proved for a table and a kind of score."""
    return max(
        entry["optimal_score"]
        for entry in published_optima()
        if entry["data"] == table and entry["score"].startswith(score)
    )
