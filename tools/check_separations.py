"""Check a certificate of PC, with numpy and scipy only: python check_separations.py CERTIFICATE TABLE.csv."""

import csv
import json
import math
import sys
from itertools import combinations, count
from pathlib import Path

import numpy as np
from scipy.special import chdtrc

TOLERANCE = 1e-8  # of p-values


def insist(holds: object, otherwise: str) -> None:
    """End with a reason where something does not hold."""
    if not holds:
        sys.exit(otherwise)


known = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
rows = list(csv.DictReader(Path(sys.argv[2]).read_text(encoding="utf-8").splitlines()))
names, alpha, kind = known["table"]["columns"], known["alpha"], known["test"].partition("(")[0]
insist(
    known["kind"] == "separating-sets" and kind in {"FisherZ", "G2", "Chi2"}, "Another kind, or another test."
)
insist(
    kind == "FisherZ" or "sparse='asymptotic'" in known["test"], "This script has no test of sparse tables."
)
insist(kind == "FisherZ" or "dof='adjusted', " in known["test"], "This script adjusts degrees of freedom.")
insist(len(rows) == known["table"]["rows"] and {*names} <= {*rows[0]}, "The table is another one.")
if kind == "FisherZ":
    correlation = np.corrcoef([[float(row[v]) for row in rows] for v in names])
else:
    codes = {v: np.unique([row[v] for row in rows], return_inverse=True)[1] for v in names}


def p_value(a: str, b: str, given: list[str]) -> float:
    """Of the partial correlation, or of the tables of a and b within each joint state of the others."""
    if kind == "FisherZ":
        places = [names.index(v) for v in (a, b, *given)]
        inverse = np.linalg.inv(correlation[np.ix_(places, places)])
        rho = -inverse[0, 1] / math.sqrt(inverse[0, 0] * inverse[1, 1])
        return math.erfc(abs(math.atanh(rho)) * math.sqrt(max(len(rows) - len(given) - 3, 0)) / math.sqrt(2))
    stratum = np.zeros(len(rows), dtype=np.int64)
    for v in given:
        stratum = np.unique(stratum * (codes[v].max() + 1) + codes[v], return_inverse=True)[1]
    statistic, freedom = 0.0, 0
    for each in range(stratum.max() + 1):
        table = np.zeros((codes[a].max() + 1, codes[b].max() + 1))
        np.add.at(table, (codes[a][stratum == each], codes[b][stratum == each]), 1.0)
        table = table[table.any(axis=1)][:, table.any(axis=0)]
        expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
        if kind == "G2":
            statistic += 2 * np.sum(table[table > 0] * np.log((table / expected)[table > 0]))
        else:
            statistic += np.sum((table - expected) ** 2 / expected)
        freedom += (table.shape[0] - 1) * (table.shape[1] - 1)
    return float(chdtrc(freedom, max(statistic, 0.0))) if freedom else 1.0


edges, required, forbidden = (
    {frozenset(pair) for pair in known[each]} for each in ("edges", "required", "forbidden")
)
apart = {frozenset(separation[:2]): separation[2] for separation in known["separations"]}
n_listed = len(known["edges"]) + len(known["separations"])
every = {frozenset(pair) for pair in combinations(names, 2)}
insist(edges | {*apart} | forbidden == every, "A pair has neither an edge nor a separating set.")
insist(len(edges) + len(apart) == n_listed, "A pair is listed twice.")
insist(
    not edges & ({*apart} | forbidden) and required <= edges,
    "A pair with an edge has a set, or knowledge against it.",
)
for a, b, given, written in known["separations"]:
    insist(len({a, b, *given}) == 2 + len(given), f"{a}, {b} and what separates them are not apart.")
    found = p_value(a, b, given)
    insist(abs(found - written) <= TOLERANCE, f"The p-value of {a} and {b} is not what is written.")
    insist(found > alpha, f"{a} and {b} are not separated.")
insist(0 <= alpha <= 1 and (known["max conditions"] or 0) >= 0, "The level or the most conditions are none.")
insist(known["end"], "The search did not come to its end: every edge may be one too many.")
for size in count():
    there = {
        pair for pair, given in apart.items() if known["stable"] and len(given) >= size
    } - forbidden | edges
    near = {v: {u for pair in there if v in pair for u in pair - {v}} for v in names}
    is_last = known["max conditions"] is not None and size > known["max conditions"]
    if is_last or all(len(near[v]) <= size for pair in edges for v in pair):
        break
    for a, b in map(sorted, edges - required):
        for given in {*combinations(sorted(near[a] - {b}), size), *combinations(sorted(near[b] - {a}), size)}:
            insist(
                p_value(a, b, list(given)) <= alpha + TOLERANCE,
                f"{a} and {b} are separated by {list(given)}.",
            )
sys.stdout.write(
    f"{len(apart)} pairs are separated at {alpha:g}, and the {len(edges)} others by no neighbours.\n"
)
