"""The bnlearn tables that docs/references gives numbers for."""

import csv
import gzip
import io

import numpy as np

import structlearn as sl
from tests.data_files import data_file


def bnlearn_table(name, *, kind="discrete", n_rows=None, in_order_of_file=False):
    """A published table; with numbered names, ties are decided in the order of the file."""
    path = data_file(f"tables/{name}")
    packed = path.read_bytes()
    text = (gzip.decompress(packed) if path.suffix == ".gz" else packed).decode()
    names, *rows = csv.reader(io.StringIO(text))
    columns = zip(*rows[:n_rows], strict=True)
    table = {
        f"{i:02}{column}" if in_order_of_file else column: np.array(values, dtype=float)
        if kind == "continuous"
        else list(values)
        for i, (column, values) in enumerate(zip(names, columns, strict=True))
    }
    return sl.Dataset(table, kinds=dict.fromkeys(table, kind))
