"""Check the graph of an exact search, and its bound up to 20 columns: python check_best_dag.py CERTIFICATE.

It is about the families in the file. That these are those of the table is for check_families.py.
"""

import json
import math
import sys
from pathlib import Path

import numpy as np

TOLERANCE = 1e-6  # of scores, in natural logarithms
MOST_COLUMNS = 20  # 160 MiB for the best parents of each within all sets of them


def insist(holds: object, otherwise: str) -> None:
    """End with a reason where something does not hold."""
    if not holds:
        sys.exit(otherwise)


def best_total() -> float:
    """The score of the best DAG, by the sets of columns in bits: in each set one column is last."""
    sets = np.arange(1 << len(names))
    total = np.where(sets == 0, 0.0, -math.inf)
    best = np.full((len(names), len(sets)), -math.inf)  # of each column, with parents within a set
    for v, name in enumerate(names):
        for parents, score in families[name].items():
            best[v, sum(1 << names.index(u) for u in parents)] = score
        for u in range(len(names)):
            without, with_it = best[v].reshape(-1, 2, 1 << u).swapaxes(0, 1)
            np.maximum(with_it, without, out=with_it)
    for size in range(len(names)):
        of_size = sets[np.bitwise_count(sets) == size]
        for v in range(len(names)):
            before = of_size[of_size >> v & 1 == 0]
            after = before | 1 << v
            total[after] = np.maximum(total[after], total[before] + best[v, before])
    return float(total[-1])


known = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
insist(known["kind"] == "best-dag", "This script is for exact searches.")
names, graph, bound = known["table"]["columns"], known["graph"], known["bound"]
families = {v: {frozenset(of): score for score, of in listed} for v, listed in known["families"].items()}
insist(sorted(graph) == sorted(families) == sorted(names), "These are other columns.")
insist(all(frozenset(graph[v]) in families[v] for v in names), "The graph has a family that is not listed.")
total = sum(families[v][frozenset(graph[v])] for v in names)
left = {*names}
while roots := {v for v in left if left.isdisjoint(graph[v])}:
    left -= roots
insist(not left, "The graph has a cycle.")
insist(abs(total - known["total"]) <= TOLERANCE, "The graph does not score what is written.")
insist(total - TOLERANCE <= bound < math.inf, "The bound is below what the graph scores, or no number.")
if len(names) > MOST_COLUMNS:
    sys.exit(f"The graph scores {total:.4f}. Of the bound: check_cuts.py.")
insist(best_total() <= bound + TOLERANCE, "Another DAG scores more than the bound.")
sys.stdout.write(f"The graph scores {total:.4f}, and no DAG of the listed families more than {bound:.4f}.\n")
