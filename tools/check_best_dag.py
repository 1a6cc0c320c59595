"""Check the DAG of an exact search, and its bound up to 20 columns: python check_best_dag.py CERTIFICATE."""

import json
import sys
from pathlib import Path

import numpy as np

TOLERANCE = 1e-6  # of scores, in natural logarithms
MOST_COLUMNS = 20  # 160 MiB for the best parents of each within all sets of them
sys.excepthook = lambda _, error, __: sys.stderr.write(f"This cannot be checked: {error!r}.\n")


def insist(holds: object, otherwise: str) -> None:
    """End with a reason where something does not hold."""
    if not holds:
        sys.exit(otherwise)


known = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
insist(known["kind"] == "best-dag", "This script is for exact searches.")
names, graph, bound = known["table"]["columns"], known["graph"], known["bound"]
families = {v: {frozenset(of): score for score, of in each} for v, each in known["families"].items()}
insist(sorted(graph) == sorted(families) == sorted(names), "These are other columns.")
insist(all(frozenset(graph[v]) in families[v] for v in names), "The graph has a family that is not listed.")
total = sum(families[v][frozenset(graph[v])] for v in names)
left = {*names}
while roots := {v for v in left if left.isdisjoint(graph[v])}:
    left -= roots
insist(not left, "The graph has a cycle.")
insist(abs(total - known["total"]) <= TOLERANCE, "The graph does not score what is written.")
insist(total - TOLERANCE <= bound < np.inf, "The bound is below what the graph scores, or no number.")
if len(names) > MOST_COLUMNS:
    sys.exit(f"The graph scores {total:.4f}. Of the bound: check_cuts.py.")
# The place of a set of columns has a bit for each, so that sets without a column and with it are halves.
best = np.full((len(names), 1 << len(names)), -np.inf)  # of each column, with parents within a set
for v, name in enumerate(names):
    for parents, score in families[name].items():
        best[v, sum(1 << names.index(u) for u in parents)] = score
    for u in range(len(names)):
        halves = best[v].reshape(-1, 2, 1 << u)
        np.maximum(halves[:, 0], halves[:, 1], out=halves[:, 1])
reached = np.append(0.0, np.full((1 << len(names)) - 1, -np.inf))  # by the best DAG of a set
for _ in names:  # one column of a set is last, after the others
    for v in range(len(names)):
        halves, scores = reached.reshape(-1, 2, 1 << v), best[v].reshape(-1, 2, 1 << v)
        np.maximum(halves[:, 0] + scores[:, 0], halves[:, 1], out=halves[:, 1])
insist(reached[-1] <= bound + TOLERANCE, "Another DAG scores more than the bound.")
sys.stdout.write(f"The graph scores {total:.4f}, and no DAG of the listed families more than {bound:.4f}.\n")
