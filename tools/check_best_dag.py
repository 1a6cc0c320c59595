"""Check a certificate of an exact search, with numpy only: python check_best_dag.py CERTIFICATE TABLE.csv."""

import csv
import json
import math
import sys
from functools import cache
from graphlib import CycleError, TopologicalSorter
from itertools import combinations
from pathlib import Path

import numpy as np

TOLERANCE = 1e-6  # of scores, in natural logarithms
MOST_COLUMNS = 20  # a minute for all sets of them


def insist(holds: object, otherwise: str) -> None:
    """End with a reason where something does not hold."""
    if not holds:
        sys.exit(otherwise)


known = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
rows = list(csv.DictReader(Path(sys.argv[2]).read_text(encoding="utf-8").splitlines()))
names, graph, bound = known["table"]["columns"], known["graph"], known["bound"]
is_known = known["kind"] == "best-dag" and known["score"] in {"BIC()", "GaussianBIC()"}
insist(is_known, "This script is for exact searches by BIC() or GaussianBIC().")
insist(len(rows) == known["table"]["rows"] and {*names} <= {*rows[0]}, "The table is another one.")
insist(sorted(graph) == sorted(known["families"]) == sorted(names), "These are other columns.")
is_discrete, bits = known["score"] == "BIC()", {v: 1 << place for place, v in enumerate(names)}
if is_discrete:
    codes = {v: np.unique([row[v] for row in rows], return_inverse=True)[1] for v in names}
    levels = {v: int(codes[v].max()) + 1 for v in names}
    insist(list(levels.values()) == known["table"]["levels"], "The table has other levels.")
else:
    covariance = np.cov([[float(row[v]) for row in rows] for v in names], bias=True).reshape(len(names), -1)


@cache
def likelihood(columns: frozenset[str]) -> float:
    """The log-likelihood of some columns, where each may depend on all others."""
    if not columns:
        return 0.0
    if is_discrete:
        states = np.ravel_multi_index([codes[v] for v in columns], [levels[v] for v in columns])
        counts = np.unique(states, return_counts=True)[1]
        return float(counts @ np.log(counts / len(rows)))
    places = [names.index(v) for v in columns]
    volume = np.linalg.slogdet(2 * math.pi * math.e * covariance[np.ix_(places, places)])[1]
    return float(-len(rows) / 2 * volume)


def price(child: str, parents: frozenset[str]) -> float:
    """What BIC takes for the free parameters of a family: log(rows) / 2 for each."""
    n = (levels[child] - 1) * math.prod(levels[u] for u in parents) if is_discrete else len(parents) + 2
    return n * math.log(len(rows)) / 2


def score(child: str, parents: frozenset[str]) -> float:
    """BIC of a column with these parents."""
    return likelihood(parents | {child}) - likelihood(parents) - price(child, parents)


def checked_families(child: str) -> list[tuple[float, int]]:
    """The listed families, the best first, their parents as bits; none better that is allowed is left out."""
    listed = sorted(((found, frozenset(of)) for found, of in known["families"][child]), reverse=True)
    written = {parents: found for found, parents in listed}
    required = {u for u, v in known["required"] if v == child}
    others = [u for u in names if u not in {child, *required} and [u, child] not in known["forbidden"]]
    n_more = range(known["max parents"] - len(required) + 1)
    allowed = [frozenset(required.union(more)) for k in n_more for more in combinations(others, k)]
    insist({*written, frozenset(graph[child])} <= {*allowed}, f"Parents of {child} are not allowed.")
    insist(len(written) == len(listed), f"A family of {child} is listed twice.")
    for parents in allowed:
        within = next((found for found, members in listed if members <= parents), -math.inf)
        if is_discrete and parents not in written and -price(child, parents) <= within:
            continue  # no log-likelihood of discrete columns is above 0
        found = score(child, parents)
        is_right = abs(found - written.get(parents, found)) <= TOLERANCE
        insist(is_right, f"A family of {child} does not score what is written.")
        insist(found <= within + TOLERANCE, f"A family of {child} is missing: {sorted(parents)}.")
    return [(found, sum(bits[u] for u in parents)) for found, parents in listed]


@cache
def best_total(columns: int) -> float:
    """The score of the best DAG of columns in bits: one is last, with its best parents among the others."""
    if columns == 0:
        return 0.0
    lasts = [(families[v], columns - bits[v]) for v in names if columns & bits[v]]
    own = [next((found for found, of in listed if of | left == left), -math.inf) for listed, left in lasts]
    return max(found + best_total(left) for found, (_, left) in zip(own, lasts, strict=True))


families = {v: checked_families(v) for v in names}
total = sum(score(v, frozenset(parents)) for v, parents in graph.items())
try:
    TopologicalSorter(graph).prepare()
except CycleError:
    sys.exit("The graph has a cycle.")
insist(abs(total - known["total"]) <= TOLERANCE, "The graph does not score what is written.")
insist(total - TOLERANCE <= bound < math.inf, "The bound is below what the graph scores, or no number.")
found = f"The graph scores {total:.4f}, and no"
if len(names) > MOST_COLUMNS:
    sys.exit(f"{found} family is missing. Of the bound: python check_cuts.py CERTIFICATE")
insist(best_total((1 << len(names)) - 1) <= bound + TOLERANCE, "Another DAG scores more than the bound.")
most = known["max parents"]
sys.stdout.write(f"{found} DAG with at most {most} parents more than {bound:.4f}.\n")
