"""The tables of a network, for the formats that hold nothing else."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Label
from structlearn.errors import DataError
from structlearn.formats.content import Content
from structlearn.graphs import Graph
from structlearn.models import CPD, BayesianNetwork, TableCPD
from structlearn.models.cpds.table import refuse_large_table

Rows = NDArray[np.float64]

# Published networks have rows rounded to a few digits; what is further off is a mistake.
LARGEST_SUM_ERROR = 1e-3
IGNORED_SUM_ERROR = 1e-9
# A few lines can stand for any number of rows; so many cells, those of all tables of a file, take a second.
UNLISTED_LIMIT = 2**24


def tables_of(thing: Content, form: str) -> dict[str, TableCPD]:
    """Give the table of every node, or say why the format `form` cannot hold this thing."""
    if isinstance(thing, Graph):
        raise DataError(
            f"{form} holds a network with its tables, not a bare graph: fit BayesianNetwork(graph) first, or "
            "save the graph as .json."
        )
    if not isinstance(thing, BayesianNetwork):
        raise DataError(f"{form} holds Bayesian networks, not a {type(thing).__name__}; save it as .json.")
    return {node: _table(node, cpd, form) for node, cpd in thing.cpds.items()}


def label_texts(node: str, labels: Sequence[Label], form: str) -> list[str]:
    """Give the states of a node as text, and refuse two that read the same."""
    texts = [str(label) for label in labels]
    if len(set(texts)) == len(texts):
        return texts
    raise DataError(f"{form} holds states as text, and two states of {node!r} read the same; rename one.")


def normalised(rows: Rows) -> Rows:
    """Divide each row by its sum where that is visibly not 1."""
    totals = rows.sum(axis=1)
    divisors = np.where(np.abs(totals - 1) <= IGNORED_SUM_ERROR, 1.0, totals)
    return rows / divisors[:, np.newaxis]


def first_wrong(rows: Rows) -> tuple[int, str] | None:
    """The number of the first row that is no distribution, and what is wrong with it."""
    with np.errstate(all="ignore"):
        totals = rows.sum(axis=1)
        # Written so that NaN fails too.
        is_right = (rows >= 0).all(axis=1) & (np.abs(totals - 1) <= LARGEST_SUM_ERROR)
    if is_right.all():
        return None
    row = int(is_right.argmin())
    return row, (
        f"the probabilities of a row must be from 0 to 1 and sum to 1; these sum to {totals[row]:g}."
    )


class Shorthand:
    """Counts the cells for which a file stands without listing them, and refuses too many."""

    def __init__(self) -> None:
        self._n_cells = 0

    def add(self, child: str, shape: Sequence[int]) -> None:
        """Count those of a table, before it is made."""
        refuse_large_table(child, shape)
        self._n_cells += math.prod(shape)
        if self._n_cells > UNLISTED_LIMIT:
            raise DataError(
                f"up to the table of {child!r} the file stands for {self._n_cells:,} cells that it does not "
                f"list; at most {UNLISTED_LIMIT:,} are made."
            )


def _table(node: str, cpd: CPD, form: str) -> TableCPD:
    if isinstance(cpd, TableCPD):
        return cpd
    table = cpd.as_table()
    if table is None:
        raise DataError(f"{form} holds tables only, and {node!r} has a {type(cpd).__name__}; save as .json.")
    return TableCPD(table, labels=cpd.labels, parents=cpd.parents)
