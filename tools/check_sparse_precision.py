"""Check a certificate of a lasso, with numpy only: python check_sparse_precision.py CERTIFICATE TABLE.csv."""

import csv
import json
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np

TOLERANCE = 1e-8  # of covariances with variance 1, and of objectives for each column


def insist(holds: object, otherwise: str) -> None:
    """End with a reason where something does not hold."""
    if not holds:
        sys.exit(otherwise)


def symmetric(entries: list[Any], rest: float) -> Any:
    """A matrix of the entries [row, column, value] on and below its diagonal; null is infinite."""
    found = np.full((len(names), len(names)), rest)
    places = {(i, j) for i, j, _ in entries if 0 <= j <= i}
    insist(len(places) == len(entries), "An entry of a matrix is there twice, or not below its diagonal.")
    for i, j, entry in entries:
        found[i, j] = found[j, i] = math.inf if entry is None else entry
    return found


known = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
rows = list(csv.DictReader(Path(sys.argv[2]).read_text(encoding="utf-8").splitlines()))
names = known["table"]["columns"]
insist(known["kind"] == "sparse-precision", "This script is for graphical lassos.")
insist(len(rows) == known["table"]["rows"] and {*names} <= {*rows[0]}, "The table is another one.")
covariance = np.cov([[float(row[v]) for row in rows] for v in names], bias=True).reshape(len(names), -1)
covariance += np.diag(np.diag(covariance) <= 0.0)  # the variance of a constant column is taken for 1
scale = np.sqrt(np.outer(np.diag(covariance), np.diag(covariance)))
if known["standardise"]:
    covariance, scale = covariance / scale, np.ones_like(scale)
penalties, precision = symmetric(known["penalties"], known["penalty"]), symmetric(known["precision"], 0.0)
dual = symmetric([[i, j, each] for i, row in enumerate(known["dual"]) for j, each in enumerate(row)], 0.0)
for name, matrix in {"precision matrix": precision, "dual point": dual}.items():
    is_definite = np.isfinite(matrix).all() and np.linalg.eigvalsh(matrix)[0] > 0.0
    insist(is_definite, f"The {name} is not definite.")
is_inside = np.abs(dual - covariance) <= penalties + TOLERANCE * scale
insist(is_inside.all(), "The dual point is not within the penalties of the covariances.")
paid = np.sum(np.abs(precision) * penalties, where=precision != 0.0)
primal = np.sum(covariance * precision) + paid - np.linalg.slogdet(precision)[1]
bound = np.linalg.slogdet(dual)[1] + len(names)
rounding = TOLERANCE * len(names) * max(1.0, abs(known["primal objective"]))
insist(abs(primal - known["primal objective"]) <= rounding, "The objective is not what is written.")
insist(abs(bound - known["dual objective"]) <= rounding, "The bound is not what is written.")
insist(primal - bound <= known["gap"] + rounding, "The gap is larger than what is written.")
sys.stdout.write(f"The objective is {primal:.8f}, and that of no matrix is below {bound:.8f}.\n")
