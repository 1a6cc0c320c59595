"""Parts of a table in a list, worked on one after the other: a cluster without workers."""

import pickle

from structlearn.statistics.engines.partitions.travelling import Told


class PartsHere:
    """Frames, of which work and answers travel as bytes, as they would on a cluster."""

    title = "Parts"

    def __init__(self, tables):
        self.tables = list(tables)
        self.pieces = []

    def ask_tables(self, work, join):
        return self._told([(table, number) for number, table in enumerate(self.tables)], work, join)

    def keep(self, pack):
        self.pieces = [Told.by(_sent(pack), table, number).answer for number, table in enumerate(self.tables)]

    def ask_pieces(self, work, join):
        return self._told([(piece,) for piece in self.pieces], work, join)

    def _told(self, each, work, join):
        told = [_sent(Told.by(_sent(work), *about)) for about in each]
        while len(told) > 1:
            told = [Told.joined(_sent(join), told[:2]), *told[2:]]
        return told[0]


def _sent(something):
    return pickle.loads(pickle.dumps(something))  # noqa: S301, made here
