"""Check a certificate of an exact search, with numpy only: python check_best_dag.py CERTIFICATE TABLE.csv."""

import csv
import json
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np


def bic(codes: dict[str, Any], levels: dict[str, int], child: str, parents: list[str]) -> float:
    """The log-likelihood of a discrete column given others, less log(rows) / 2 for each free parameter."""
    cells = np.zeros(len(codes[child]), dtype=np.int64)
    for parent in parents:
        cells = np.unique(cells * levels[parent] + codes[parent], return_inverse=True)[1]
    counts = np.zeros((cells.max() + 1, levels[child]))
    np.add.at(counts, (cells, codes[child]), 1.0)
    shares = counts / counts.sum(axis=1, keepdims=True)
    n_free = (levels[child] - 1) * math.prod(levels[parent] for parent in parents)
    is_there = counts > 0
    return float(np.sum(counts[is_there] * np.log(shares[is_there]))) - math.log(len(cells)) / 2 * n_free


def best_total(names: list[str], families: dict[str, Any]) -> float:
    """The score of the best DAG: of any set of columns one is last, with parents among the others."""
    sets = np.arange(1 << len(names))
    best = np.full((len(names), len(sets)), -np.inf)
    for v, name in enumerate(names):
        for score, parents in families[name]:
            best[v, sum(1 << names.index(parent) for parent in parents)] = score
        for i in range(len(names)):
            halves = best[v].reshape(-1, 2, 1 << i)
            halves[:, 1] = np.maximum(halves[:, 1], halves[:, 0])
    total = np.where(sets == 0, 0.0, -np.inf)
    for size in range(len(names)):
        for v in range(len(names)):
            before = sets[(np.bitwise_count(sets) == size) & (sets >> v & 1 == 0)]
            total[before | 1 << v] = np.maximum(total[before | 1 << v], total[before] + best[v, before])
    return float(total[-1])


known = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
names, families, left = known["table"]["columns"], known["families"], dict(known["graph"])
if known["kind"] != "best-dag" or known["score"] != "BIC()" or len(names) > 22:
    sys.exit("This script is for exact searches by BIC() over at most 22 discrete columns.")
rows = list(csv.DictReader(Path(sys.argv[2]).read_text(encoding="utf-8").splitlines()))
codes = {v: np.unique([row[v] for row in rows], return_inverse=True)[1] for v in names}
levels = dict(zip(names, known["table"]["levels"], strict=True))
for v in names:
    if any(abs(bic(codes, levels, v, parents) - score) > 1e-6 for score, parents in families[v]):
        sys.exit(f"A family of {v} does not score what is written.")
total = sum(bic(codes, levels, v, parents) for v, parents in left.items())
while childless := [v for v in left if not any(v in parents for parents in left.values())]:
    del left[childless[0]]
if left or abs(total - known["total"]) > 1e-6:
    sys.exit("The graph has a cycle, or does not score what is written.")
if best_total(names, families) > known["bound"] + 1e-6:
    sys.exit("A DAG of the listed families scores more than the bound.")
sys.stdout.write(
    f"The graph scores {total:.4f}, and no DAG of the families more than {known['bound']:.4f}.\n"
)
