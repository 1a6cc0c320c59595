"""Check a certificate of a lasso, with numpy only: python check_sparse_precision.py CERTIFICATE TABLE.csv."""

import csv
import json
import sys
from pathlib import Path

import numpy as np

TOLERANCE = 1e-8  # of covariances with variance 1, and of objectives for each column
sys.excepthook = lambda _, error, __: sys.stderr.write(f"This cannot be checked: {error!r}.\n")


def insist(holds: object, otherwise: str) -> None:
    """End with a reason where something does not hold."""
    if not holds:
        sys.exit(otherwise)


def symmetric(entries: list[list[float]], rest: float) -> np.ndarray:
    """A matrix of the entries [row, column, value] on and below its diagonal; null is beyond all bounds."""
    found = np.full((len(names), len(names)), rest)
    places = {(i, j) for i, j, _ in entries if 0 <= j <= i}
    insist(len(places) == len(entries), "An entry of a matrix is there twice, or not below its diagonal.")
    for i, j, entry in entries:
        found[i, j] = found[j, i] = np.finfo(float).max if entry is None else entry
    return found


known = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
insist(known["kind"] == "sparse-precision", "This script is for graphical lassos.")
rows = list(csv.DictReader(Path(sys.argv[2]).read_text(encoding="utf-8").splitlines()))
names = known["table"]["columns"]
insist(len(rows) == known["table"]["rows"] and {*names} <= {*rows[0]}, "The table is another one.")
covariance = np.cov([[float(row[v]) for row in rows] for v in names], bias=True).reshape(len(names), -1)
covariance += np.diag(np.diag(covariance) <= 0.0)  # the variance of a constant column is taken for 1
scale = np.sqrt(np.outer(np.diag(covariance), np.diag(covariance)))
if known["standardise"]:
    covariance, scale = covariance / scale, 1.0
penalties, precision = symmetric(known["penalties"], known["penalty"]), symmetric(known["precision"], 0.0)
dual = symmetric([[i, j, each] for i, row in enumerate(known["dual"]) for j, each in enumerate(row)], 0.0)
insist(np.linalg.eigvalsh([precision, dual]).min() > 0.0, "The matrix or its dual point is not definite.")
insist(np.all(abs(dual - covariance) <= penalties + TOLERANCE * scale), "The dual point exceeds a penalty.")
primal = np.sum(covariance * precision + penalties * np.abs(precision)) - np.linalg.slogdet(precision)[1]
bound = np.linalg.slogdet(dual)[1] + len(names)
rounding = TOLERANCE * len(names) * max(1.0, abs(known["primal objective"]))
insist(abs(primal - known["primal objective"]) <= rounding, "The objective is not what is written.")
insist(abs(bound - known["dual objective"]) <= rounding, "The bound is not what is written.")
insist(primal - bound <= known["gap"] + rounding, "The gap is larger than what is written.")
sys.stdout.write(f"The objective is {primal:.8f}, and that of no matrix is below {bound:.8f}.\n")
