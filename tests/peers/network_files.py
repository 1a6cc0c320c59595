"""Networks that go to another library and come back as files."""

import numpy as np

from structlearn.formats import ENDINGS, load
from structlearn.models import TableCPD
from tests.oracles import models as oracle

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


def a_peer_reads_our_file(peer, model, path):
    """`peer` has read, write and network; `path` says the format."""
    model = model.numbered() if path.suffix == ".uai" else model
    path.write_text(ENDINGS[path.suffix].write(model))

    same(model, peer.network(peer.read(path)))


def we_read_the_file_of_a_peer(peer, model, path):
    """As above, the other way round."""
    ours = path.with_name("ours.bif")
    ours.write_text(ENDINGS[".bif"].write(model))
    theirs = peer.read(ours)
    peer.write(theirs, path)

    same(peer.network(theirs).numbered() if path.suffix == ".uai" else model, load(path))
