"""The public networks and tables beside the repository, where they are there."""

import csv
from pathlib import Path

import pytest

SHARED = Path(__file__).parents[2] / "shared" / "data"


def shared_file(name):
    """The path of a shared file; the test is skipped where it is absent."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"needs {name} in a shared data folder beside the repository")
    return path


def network_names(most_nodes):
    """The shared networks with at most this many nodes; none where the folder is absent."""
    index = SHARED / "networks" / "INDEX.csv"
    if not index.exists():
        return []
    with index.open(newline="") as lines:
        return [row["name"] for row in csv.DictReader(lines) if int(row["nodes"]) <= most_nodes]


def true_graph(network):
    """The graph of a shared network."""
    import structlearn as sl

    with shared_file(f"networks/arcs/{network}.csv").open(newline="") as lines:
        arcs = [(row["from"], row["to"]) for row in csv.DictReader(lines)]
    nodes = sorted({node for arc in arcs for node in arc})
    return sl.Graph(nodes, directed=arcs)
