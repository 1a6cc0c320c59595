"""Check the bound of an exact search by its cuts, with numpy only: python check_cuts.py CERTIFICATE.

It is about the families in the file, which check_families.py checks. Columns have as much rank as they meet
classes of a cut, at most that of the cut. Along a DAG it grows from 0 to that of all, and a column adds no
more to it than to the rank of its parents. So a DAG pays the price of a cut as often as that rank, and gets
it back for each family that raises the rank of its parents.
"""

import json
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np

TOLERANCE = 1e-6  # of scores, in natural logarithms
ROUNDING = 1e-15  # of sums of prices, for each column


def rank(columns: Any, cut: dict[str, Any]) -> Any:
    """How many classes of a cut each row of columns meets, at most the rank of the cut."""
    met = [columns[:, [names.index(v) for v in each]].any(axis=1) for each in cut["classes"]]
    return np.minimum(np.sum(met, axis=0), cut["rank"])


def are_worse(left: Any, branch: dict[str, Any]) -> bool:
    """Whether every DAG of the families that are left loses `enough` against the best of all families."""
    for paid in branch["prices"]:
        prices = np.zeros(len(ranks))
        prices[[cut for cut, _ in paid]] = np.maximum([price for _, price in paid], 0.0)
        kept = losses[left] - prices @ raised[:, left]
        least = np.array([kept[child[left] == v].min(initial=math.inf) for v in range(len(names))])
        bound = least.sum() + prices @ ranks - ROUNDING * len(names) * prices.sum()
        # A family that is in no DAG above the bound is left out; prices that are no numbers leave out none.
        left = left[~(bound + kept - least[child[left]] >= enough)]
    is_over = len({*child[left]}) < len(names)
    if is_over or branch["arc"] is None:
        return is_over
    u, v = map(names.index, branch["arc"])
    has_arc, has_reverse = (child[left] == v) & parents[left, u], (child[left] == u) & parents[left, v]
    with_arc = left[~has_reverse & ((child[left] != v) | has_arc)]
    return are_worse(with_arc, branch["with"]) and are_worse(left[~has_arc], branch["without"])


known = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
if known["kind"] != "best-dag":
    sys.exit("This script is for exact searches.")
names = known["table"]["columns"]
listed = [(i, *family) for i, v in enumerate(names) for family in known["families"][v]]
child, scores = np.array([i for i, _, _ in listed]), np.array([score for _, score, _ in listed])
parents = np.array([[u in of_i for u in names] for _, _, of_i in listed])
families = parents | np.eye(len(names), dtype=bool)[child]
best = np.array([scores[child == v].max() for v in range(len(names))])
losses, enough = best[child] - scores, best.sum() - known["bound"] - TOLERANCE
cuts = known["cuts"] or [{"classes": [[]], "rank": 0}]
raised = np.array([rank(families, cut) - rank(parents, cut) for cut in cuts])
ranks = np.array([rank(np.ones((1, len(names)), dtype=bool), cut)[0] for cut in cuts])
if not are_worse(np.arange(len(listed)), known["branches"]):
    sys.exit("As far as cuts tell, a DAG of the listed families may score more than the bound.")
sys.stdout.write(f"No DAG of the listed families scores more than {known['bound']:.4f}.\n")
