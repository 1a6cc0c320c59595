"""pgmpy and pyAgrum read the files that we write, and we read theirs, as the same network.

Left out, because they contradict the definition of the format: UAI tables of pgmpy 1.1, which list the
child slowest though the file names it last; tables of several parents in UAI and XDSL files of pyAgrum
3.3, which list the first parent fastest.
"""

import numpy as np
import pytest

from structlearn.formats import ENDINGS, load
from structlearn.models import TableCPD
from tests.oracles import models as oracle

pytestmark = [pytest.mark.peer, pytest.mark.filterwarnings("ignore")]

PGMPY_NAMES = {".bif": "BIF", ".xmlbif": "XMLBIF", ".net": "NET", ".xdsl": "XDSL"}
PYAGRUM_ENDINGS = {".xmlbif": ".bifxml"}
SINGLE_PRECISION = 1e-6  # pyAgrum keeps some formats in it


def chain(seed):
    """A network in which no node has more than one parent."""
    rng = np.random.default_rng(seed)
    levels = [2, 3, 4, 2]
    cpds = {"x0": TableCPD(rng.dirichlet(np.ones(2)), labels=["s0", "s1"])}
    for j in (1, 2, 3):
        table = rng.dirichlet(np.ones(levels[j]), size=levels[j - 1])
        labels = [f"s{k}" for k in range(levels[j])]
        cpds[f"x{j}"] = TableCPD(table, labels=labels, parents=[f"x{j - 1}"])
    return oracle.network(cpds)


def same(one, other):
    """Whether two networks are equal up to the order of parents, the type of labels and rounding."""
    assert one.graph == other.graph
    for node, cpd in one.cpds.items():
        theirs = other.cpds[node]
        assert list(map(str, cpd.labels)) == list(map(str, theirs.labels))
        order = [theirs.parents.index(parent) for parent in cpd.parents]
        table = np.transpose(theirs.probabilities, [*order, len(order)])
        assert np.abs(cpd.probabilities - table).max() < SINGLE_PRECISION


class Pgmpy:
    """How pgmpy reads and writes."""

    def __init__(self):
        self.formats = pytest.importorskip("pgmpy.readwrite", reason="needs the `bench` extra")

    def read(self, path):
        return getattr(self.formats, f"{PGMPY_NAMES[path.suffix]}Reader")(str(path)).get_model()

    def write(self, model, path):
        writer = getattr(self.formats, f"{PGMPY_NAMES[path.suffix]}Writer")(model)
        older = f"write_{path.suffix[1:]}"
        getattr(writer, older if hasattr(writer, older) else "write")(str(path))

    def network(self, model):
        cpds = {}
        for node in sorted(model.nodes()):
            cpd = model.get_cpds(node)
            table = np.moveaxis(np.asarray(cpd.values), 0, -1)
            labels = [str(state) for state in cpd.state_names[node]]
            cpds[node] = TableCPD(table, labels=labels, parents=cpd.variables[1:])
        return oracle.network(cpds)


class PyAgrum:
    """How pyAgrum reads and writes."""

    def __init__(self):
        self.gum = pytest.importorskip("pyagrum", reason="needs the `bench` extra")

    def read(self, path):
        own = path.with_suffix(PYAGRUM_ENDINGS.get(path.suffix, path.suffix))
        own.write_bytes(path.read_bytes())
        return self.gum.loadBN(str(own))

    def write(self, model, path):
        own = path.with_suffix(PYAGRUM_ENDINGS.get(path.suffix, path.suffix))
        self.gum.saveBN(model, str(own))
        path.write_bytes(own.read_bytes())

    def network(self, model):
        cpds = {}
        for node in sorted(model.names()):
            table = model.cpt(node)
            labels = model.variable(node).labels()
            cpds[node] = TableCPD(table.toarray(), labels=labels, parents=[*table.names][:0:-1])
        return oracle.network(cpds)


CASES = [
    *[(Pgmpy, ending, make) for ending in PGMPY_NAMES for make in (oracle.random_tables, chain)],
    *[(PyAgrum, ending, oracle.random_tables) for ending in (".bif", ".xmlbif", ".net")],
    *[(PyAgrum, ending, chain) for ending in (".bif", ".xmlbif", ".net", ".xdsl", ".uai")],
]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("library", "ending", "make"), CASES)
def test_a_peer_reads_our_file(tmp_path, library, ending, make, seed):
    peer, model = library(), make(seed)
    model = model.numbered() if ending == ".uai" else model
    path = tmp_path / f"ours{ending}"
    path.write_text(ENDINGS[ending].write(model))

    same(model, peer.network(peer.read(path)))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("library", "ending", "make"), CASES)
def test_we_read_the_file_of_a_peer(tmp_path, library, ending, make, seed):
    peer, model = library(), make(seed)
    (tmp_path / "ours.bif").write_text(ENDINGS[".bif"].write(model))
    theirs = peer.read(tmp_path / "ours.bif")
    peer.write(theirs, tmp_path / f"theirs{ending}")

    found = load(tmp_path / f"theirs{ending}")

    same(peer.network(theirs).numbered() if ending == ".uai" else model, found)
