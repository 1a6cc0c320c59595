"""pyAgrum reads the files that we write, and we read its, as the same network.

Left out, because they contradict the definition of the format: tables of several parents in UAI and XDSL
files of pyAgrum 3.3, which list the first parent fastest.
"""

import pytest

from structlearn.models import TableCPD
from tests.oracles import models as oracle
from tests.peers.library import library
from tests.peers.network_files import a_peer_reads_our_file, chain, we_read_the_file_of_a_peer

gum = library("pyagrum")
pytestmark = [pytest.mark.peer, pytest.mark.filterwarnings("ignore")]
PYAGRUM_ENDINGS = {".xmlbif": ".bifxml"}


class PyAgrum:
    """How pyAgrum reads and writes."""

    def read(self, path):
        own = path.with_suffix(PYAGRUM_ENDINGS.get(path.suffix, path.suffix))
        own.write_bytes(path.read_bytes())
        return gum.loadBN(str(own))

    def write(self, model, path):
        own = path.with_suffix(PYAGRUM_ENDINGS.get(path.suffix, path.suffix))
        gum.saveBN(model, str(own))
        path.write_bytes(own.read_bytes())

    def network(self, model):
        cpds = {}
        for node in sorted(model.names()):
            table = model.cpt(node)
            labels = model.variable(node).labels()
            cpds[node] = TableCPD(table.toarray(), labels=labels, parents=[*table.names][:0:-1])
        return oracle.network(cpds)


CASES = [
    *[(ending, oracle.random_tables) for ending in (".bif", ".xmlbif", ".net")],
    *[(ending, chain) for ending in (".bif", ".xmlbif", ".net", ".xdsl", ".uai")],
]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("ending", "make"), CASES)
def test_it_reads_our_file(tmp_path, ending, make, seed):
    a_peer_reads_our_file(PyAgrum(), make(seed), tmp_path / f"ours{ending}")


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("ending", "make"), CASES)
def test_we_read_its_file(tmp_path, ending, make, seed):
    we_read_the_file_of_a_peer(PyAgrum(), make(seed), tmp_path / f"theirs{ending}")
