"""Check the bound of a certificate of an exact search, with numpy only: python check_cuts.py CERTIFICATE.

It is about the families in the file. That these are those of the table is for check_best_dag.py.

The rank of some columns is the number of classes of a cut that they meet, at most the rank of the cut.
Along a DAG it grows from 0 to that of all columns, and a column adds no more to it than to the rank of
its parents. So a DAG pays the price of a cut as often as that rank, and gets it back for each family that
raises the rank of its parents.
"""

import json
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np

TOLERANCE = 1e-6  # of scores, in natural logarithms
ROUNDING = 1e-15  # of sums of prices, for each column


def insist(holds: object, otherwise: str) -> None:
    """End with a reason where something does not hold."""
    if not holds:
        sys.exit(otherwise)


known = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
names = known["table"]["columns"]
cuts = known["cuts"] or {"classes": [], "ranks": []}
listed = [(i, *family) for i, v in enumerate(names) for family in known["families"][v]]
child = np.array([i for i, _, _ in listed])
parents = np.array([[u in of_i for u in names] for _, _, of_i in listed])
best = np.array([max(found for found, _ in known["families"][v]) for v in names])
losses = best[child] - [found for _, found, _ in listed]
enough = best.sum() - known["bound"] - TOLERANCE


def rank(columns: Any, classes: list[int], most: int) -> Any:
    """How many classes each row of columns meets, at most the rank of the cut."""
    met = [columns[:, np.equal(classes, each)].any(axis=1) for each in {*classes} if each >= 0]
    return np.minimum(sum(met, np.zeros(len(columns))), most)


def are_worse(left: Any, branch: dict[str, Any]) -> bool:
    """Whether every DAG of the families that are left loses `enough` against the best of all families."""
    for paid in branch["prices"]:
        prices = np.zeros(len(ranks))
        prices[[cut for cut, _ in paid]] = [each for _, each in paid]
        insist((prices >= 0.0).all() and prices.sum() < 1e100, "A price is below 0, or too large.")
        kept = losses[left] - prices @ raised[:, left]
        least = np.array([kept[child[left] == v].min(initial=math.inf) for v in range(len(names))])
        bound = least.sum() + prices @ ranks - ROUNDING * len(names) * prices.sum()
        # A family that is in no DAG above the bound is left out of what follows.
        left = left[bound + kept - least[child[left]] < enough]
    if len({*child[left]}) < len(names):
        return True
    if branch["arc"] is None:
        return False
    u, v = map(names.index, branch["arc"])
    has_arc, has_reverse = (child[left] == v) & parents[left, u], (child[left] == u) & parents[left, v]
    with_arc = left[~has_reverse & ((child[left] != v) | has_arc)]
    return are_worse(with_arc, branch["with"]) and are_worse(left[~has_arc], branch["without"])


insist(np.isfinite([enough, *losses]).all(), "A score or the bound is no number.")
insist(all(len(classes) == len(names) for classes in cuts["classes"]), "A cut is not about the columns.")
ranked = list(zip(cuts["classes"], cuts["ranks"], strict=True))
families = parents | np.eye(len(names), dtype=bool)[child]
raised = np.array([rank(families, *cut) - rank(parents, *cut) for cut in ranked]).reshape(-1, len(listed))
ranks = np.array([rank(np.ones((1, len(names)), dtype=bool), *cut)[0] for cut in ranked])
is_bounded = are_worse(np.arange(len(listed)), known["branches"] or {"prices": [[]], "arc": None})
insist(is_bounded, "A DAG of the listed families may score more than the bound.")
sys.stdout.write(f"No DAG of the listed families scores more than {known['bound']:.4f}.\n")
