"""pgmpy reads the files that we write, and we read its, as the same network.

Left out, because they contradict the definition of the format: UAI tables of pgmpy 1.1, which list the child
slowest though the file names it last.
"""

import numpy as np
import pytest

from structlearn.models import TableCPD
from tests.oracles import models as oracle
from tests.peers.library import library
from tests.peers.network_files import a_peer_reads_our_file, chain, we_read_the_file_of_a_peer

formats = library("pgmpy.readwrite")
pytestmark = [pytest.mark.peer, pytest.mark.filterwarnings("ignore")]
NAMES = {".bif": "BIF", ".xmlbif": "XMLBIF", ".net": "NET", ".xdsl": "XDSL"}


class Pgmpy:
    """How pgmpy reads and writes."""

    def read(self, path):
        return getattr(formats, f"{NAMES[path.suffix]}Reader")(str(path)).get_model()

    def write(self, model, path):
        writer = getattr(formats, f"{NAMES[path.suffix]}Writer")(model)
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


CASES = [(ending, make) for ending in NAMES for make in (oracle.random_tables, chain)]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("ending", "make"), CASES)
def test_it_reads_our_file(tmp_path, ending, make, seed):
    a_peer_reads_our_file(Pgmpy(), make(seed), tmp_path / f"ours{ending}")


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("ending", "make"), CASES)
def test_we_read_its_file(tmp_path, ending, make, seed):
    we_read_the_file_of_a_peer(Pgmpy(), make(seed), tmp_path / f"theirs{ending}")
