"""Check a certificate of an exact search, with numpy only: python check_best_dag.py CERTIFICATE TABLE.csv."""

import csv
import json
import math
import sys
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

TOLERANCE = 1e-6  # of scores, in natural logarithms


def insist(holds: object, otherwise: str) -> None:
    """End with a reason where something does not hold."""
    if not holds:
        sys.exit(otherwise)


known = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
rows = list(csv.DictReader(Path(sys.argv[2]).read_text(encoding="utf-8").splitlines()))
names, families, graph = known["table"]["columns"], known["families"], known["graph"]
is_gaussian, price = known["score"] == "GaussianBIC()", math.log(len(rows)) / 2
insist(known["kind"] == "best-dag", "This script is for exact searches.")
insist(is_gaussian or known["score"] == "BIC()", "This script is for BIC() and GaussianBIC().")
insist(len(rows) == known["table"]["rows"] and {*names} <= {*rows[0]}, "The table is another one.")
insist({*graph} == {*families} == {*names} and len({*names}) == len(names), "These are other columns.")
if is_gaussian:
    covariance = np.cov([[float(row[v]) for row in rows] for v in names], bias=True).reshape(len(names), -1)
else:
    codes = {v: np.unique([row[v] for row in rows], return_inverse=True)[1] for v in names}
    levels = {v: int(codes[v].max()) + 1 for v in names}
    insist(list(levels.values()) == known["table"]["levels"], "The table has other levels.")


@cache
def value(columns: frozenset[str]) -> float:
    """What the log-likelihoods of families are differences of."""
    if is_gaussian:
        places = [names.index(v) for v in columns]
        return float(-len(rows) / 2 * np.linalg.slogdet(covariance[np.ix_(places, places)])[1])
    cells, n_cells = np.zeros(len(rows), dtype=np.int64), 1
    for v in columns:
        cells, n_cells = cells * levels[v] + codes[v], n_cells * levels[v]
        if n_cells > 1 << 16:
            cells, n_cells = np.unique(cells, return_inverse=True)[1], len(rows)
    counts = np.bincount(cells)
    return float(counts @ np.log(np.maximum(counts, 1)))


def cost(child: str, parents: frozenset[str]) -> float:
    """The price of all free parameters, and of a regression the constants of its likelihood."""
    if is_gaussian:
        return price * (len(parents) + 2) + len(rows) / 2 * (math.log(2 * math.pi) + 1)
    return price * (levels[child] - 1) * math.prod(levels[parent] for parent in parents)


def score(child: str, parents: frozenset[str]) -> float:
    """BIC: the log-likelihood less log(rows) / 2 for each free parameter."""
    return value(parents | {child}) - value(parents) - cost(child, parents)


def check_families(child: str) -> None:
    """Refuse wrong scores, and families that are left out though no listed one within them is as good."""
    listed = {frozenset(parents): written for written, parents in families[child]}
    is_new = len(listed) == len(families[child]) and all(child not in parents for parents in listed)
    insist(is_new, f"A family of {child} is listed twice, or has its child as parent.")
    right = all(abs(score(child, parents) - written) <= TOLERANCE for parents, written in listed.items())
    insist(right, f"A family of {child} does not score what is written.")
    required = frozenset(u for u, v in known["required"] if v == child)
    others = [u for u in names if u != child and [u, child] not in known["forbidden"] and u not in required]
    best: dict[frozenset[str], float] = {}  # of the listed families within a set
    for n_more in range(known["max parents"] - len(required) + 1):
        for more in combinations(others, n_more):
            parents = required.union(more)
            within = max((best[parents - {u}] for u in more), default=-math.inf)
            best[parents] = max(within, listed.get(parents, -math.inf))
            # No discrete column has a log-likelihood above 0.
            if parents not in listed and (is_gaussian or -cost(child, parents) > best[parents] + TOLERANCE):
                is_worse = score(child, parents) <= best[parents] + TOLERANCE
                insist(is_worse, f"A family of {child} is missing: {sorted(parents)}.")


def best_total() -> float:
    """The score of the best DAG: of any set of columns one is last, with parents among the others."""
    sets = np.arange(1 << len(names))
    best = np.full((len(names), len(sets)), -np.inf)
    for v, name in enumerate(names):
        for written, parents in families[name]:
            best[v, sum(1 << names.index(parent) for parent in parents)] = written
        for i in range(len(names)):
            halves = best[v].reshape(-1, 2, 1 << i)
            halves[:, 1] = np.maximum(halves[:, 1], halves[:, 0])
    total = np.where(sets == 0, 0.0, -np.inf)
    for size in range(len(names)):
        for v in range(len(names)):
            before = sets[(np.bitwise_count(sets) == size) & (sets >> v & 1 == 0)]
            total[before | 1 << v] = np.maximum(total[before | 1 << v], total[before] + best[v, before])
    return float(total[-1])


def are_out_of_reach(enough: float) -> bool:
    """Whether the cuts, at their prices, show that every DAG loses `enough` against the best families.

    The rank of some columns is the number of classes of a cut that they meet, at most the rank of the cut.
    Along a DAG it grows from 0 to that of all columns, and a column adds no more to it than to the rank of
    its parents. So a DAG pays the price of a cut as often as that rank, and gets it back for each family that
    raises the rank of its parents.
    """
    listed = [(names.index(v), parents) for v in names for _, parents in families[v]]
    child = np.array([v for v, _ in listed])
    has = np.array([[u in parents for u in names] for _, parents in listed])
    losses = np.array([max(families[v])[0] - written for v in names for written, _ in families[v]])
    raised, ranks = np.zeros((len(known["cuts"]["ranks"]), len(listed)), dtype=bool), []
    for i, (classes, rank) in enumerate(zip(known["cuts"]["classes"], known["cuts"]["ranks"], strict=True)):
        insist(len(classes) == len(names), "A cut is not about the columns of the table.")
        meets = {each: has[:, np.array(classes) == each].any(axis=1) for each in {*classes} if each >= 0}
        n_met = np.sum([*meets.values()], axis=0)
        for v in range(len(names)):
            if classes[v] >= 0:
                raised[i] |= (child == v) & ~meets[classes[v]] & (n_met < rank)
        ranks.append(min(rank, len(meets)))

    def are_worse(left: Any, branch: dict[str, Any]) -> bool:
        if len({*child[left]}) < len(names):
            return True
        for paid in branch["prices"]:
            cuts, prices = [cut for cut, _ in paid], np.array([each for _, each in paid])
            insist((prices >= 0.0).all(), "A price is below 0.")
            kept = losses[left] - prices @ raised[np.ix_(cuts, left)]
            least = np.minimum.reduceat(kept, np.searchsorted(child[left], range(len(names))))
            bound = least.sum() + prices @ np.array(ranks)[cuts] - 1e-15 * len(names) * prices.sum()
            insist(math.isfinite(bound), "Prices are too large.")
            if bound >= enough:
                return True
            # A family that is in no DAG above the bound is left out of what follows.
            left = left[bound + kept - least[child[left]] < enough]
        if branch["arc"] is None:
            return False
        u, v = map(names.index, branch["arc"])
        has_arc, has_reverse = (child[left] == v) & has[left, u], (child[left] == u) & has[left, v]
        with_arc = left[~has_reverse & ((child[left] != v) | has_arc)]
        return are_worse(with_arc, branch["with"]) and are_worse(left[~has_arc], branch["without"])

    return math.isfinite(enough) and are_worse(np.arange(len(listed)), known["branches"])


for v in names:
    check_families(v)
total = sum(score(v, frozenset(parents)) for v, parents in graph.items())
insist(abs(total - known["total"]) <= TOLERANCE, "The graph does not score what is written.")
insist(math.isfinite(known["bound"]), "The bound is no number.")
insist(total <= known["bound"] + TOLERANCE, "The graph scores more than the bound.")
insist(all(len(parents) <= known["max parents"] for parents in graph.values()), "A column has more parents.")
insist(all(u in graph[v] for u, v in known["required"]), "An arc that is required is missing.")
insist(not any(u in graph[v] for u, v in known["forbidden"]), "An arc is forbidden.")
left = dict(graph)
while childless := [v for v in left if not any(v in parents for parents in left.values())]:
    del left[childless[0]]
insist(not left, "The graph has a cycle.")
enough = sum(max(families[v])[0] for v in names) - known["bound"] - TOLERANCE
if known["cuts"] is None and enough > 0.0:
    insist(len(names) <= 22, "The file does not say how the bound was found: it has no cuts.")
    is_bounded = best_total() <= known["bound"] + TOLERANCE
else:
    is_bounded = enough <= 0.0 or are_out_of_reach(enough)
insist(is_bounded, "A DAG of the listed families may score more than the bound.")
kept = f"with at most {known['max parents']} parents" + " that keeps what is required and forbidden" * bool(
    known["required"] or known["forbidden"]
)
sys.stdout.write(f"The graph scores {total:.4f}, and no DAG {kept} more than {known['bound']:.4f}.\n")
