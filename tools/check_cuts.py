"""Check the bound of an exact search by its cuts, with numpy only: python check_cuts.py CERTIFICATE."""

import json
import sys
from pathlib import Path

import numpy as np

TOLERANCE = 1e-6  # of scores, in natural logarithms
ROUNDING = 1e-15  # of sums of prices, for each column
sys.excepthook = lambda _, error, __: sys.stderr.write(f"This cannot be checked: {error!r}.\n")


def are_worse(left: np.ndarray, branch: dict) -> bool:
    """Whether every DAG of the families that are left loses `enough` against the best of all families."""
    for paid in branch["prices"]:
        used = [cut for cut, _ in paid]
        prices = np.maximum([price for _, price in paid], 0.0)
        kept = losses[left] - prices @ raised[used][:, left]
        least = np.array([kept[child[left] == v].min(initial=np.inf) for v in range(len(names))])
        bound = least.sum() + prices @ ranks[used, -1] - ROUNDING * len(names) * prices.sum()
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
# Columns have as much rank as they meet classes. A DAG raises it to that of all, and pays for what does not.
sets = np.vstack([parents, families, np.ones_like(parents[:1])])
met = [(sets @ [[v in each for each in cut["classes"]] for v in names]).sum(axis=1) for cut in known["cuts"]]
ranks = np.minimum(met, [[cut["rank"]] for cut in known["cuts"]]).reshape(-1, len(sets))
raised = ranks[:, len(listed) : -1] - ranks[:, : len(listed)]
if not are_worse(np.arange(len(listed)), known["branches"]):
    sys.exit("As far as cuts tell, a DAG of the listed families may score more than the bound.")
sys.stdout.write(f"No DAG of the listed families scores more than {known['bound']:.4f}.\n")
