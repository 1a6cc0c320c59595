"""Check a certificate of PC, with numpy and scipy only: python check_separations.py CERTIFICATE TABLE.csv."""

import csv
import json
import math
import sys
from itertools import combinations
from pathlib import Path

import numpy as np
from scipy.special import chdtrc, rel_entr

TOLERANCE = 1e-8  # of p-values
OPTIONS = "(dof='adjusted', sparse='asymptotic', min_rows_per_cell=None, unreliable='independent')"


def insist(holds: object, otherwise: str) -> None:
    """End with a reason where something does not hold."""
    if not holds:
        sys.exit(otherwise)


known = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
rows = list(csv.DictReader(Path(sys.argv[2]).read_text(encoding="utf-8").splitlines()))
insist(known["kind"] == "separating-sets", "This script is for the separating sets of PC.")
names, test, alpha, most = known["table"]["columns"], known["test"], known["alpha"], known["max conditions"]
insist(test in {"FisherZ()", "G2" + OPTIONS, "Chi2" + OPTIONS}, "This script does not have this test.")
insist(len(rows) == known["table"]["rows"] and {*names} <= {*rows[0]}, "The table is another one.")
if test == "FisherZ()":
    correlation = np.corrcoef([[float(row[v]) for row in rows] for v in names])
else:
    codes = {v: np.unique([row[v] for row in rows], return_inverse=True)[1] for v in names}


def p_value(a: str, b: str, given: tuple[str, ...]) -> float:
    """Of the partial correlation, or of the tables of a and b within each joint state of the others."""
    if test == "FisherZ()":
        places = [names.index(v) for v in (a, b, *given)]
        inverse = np.linalg.inv(correlation[np.ix_(places, places)])
        z = math.atanh(inverse[0, 1] / math.sqrt(inverse[0, 0] * inverse[1, 1]))
        return math.erfc(abs(z) * math.sqrt(max(len(rows) - len(given) - 3, 0) / 2))
    states = np.array([codes[v] for v in given], dtype=np.int64).reshape(-1, len(rows))
    stratum = np.unique(states, axis=1, return_inverse=True)[1]
    tables = np.zeros((stratum.max() + 1, codes[a].max() + 1, codes[b].max() + 1))
    np.add.at(tables, (stratum, codes[a], codes[b]), 1.0)
    of_a, of_b = tables.sum(axis=2, keepdims=True), tables.sum(axis=1, keepdims=True)
    expected = of_a * of_b / tables.sum(axis=(1, 2), keepdims=True)
    distances = rel_entr(tables, expected) * 2.0
    if test.startswith("Chi2"):
        distances = (tables - expected) ** 2 / np.where(expected > 0.0, expected, 1.0)
    freedom = np.sum(((of_a > 0).sum(axis=1) - 1) * ((of_b > 0).sum(axis=2) - 1))
    return float(chdtrc(freedom, max(distances.sum(), 0.0))) if freedom else 1.0


edges, required, forbidden = ({*map(frozenset, known[each])} for each in ("edges", "required", "forbidden"))
apart = {frozenset((a, b)): given for a, b, given, _ in known["separations"]}
every = {*map(frozenset, combinations(names, 2))}
insist(edges | {*apart} | forbidden == every, "A pair has neither an edge nor a separating set.")
is_once = len(edges) + len(apart) == len(known["edges"]) + len(known["separations"])
insist(is_once and edges.isdisjoint(apart), "A pair is listed twice.")
insist(required <= edges and edges.isdisjoint(forbidden), "An edge is against what is known.")
insist(known["end"], "The search did not come to its end: every edge may be one too many.")
insist(0.0 <= alpha <= 1.0 and (most is None or most >= 0), "The level or the most conditions are none.")
for a, b, given, written in known["separations"]:
    insist(len({a, b, *given}) == 2 + len(given), f"{a}, {b} and what separates them are not apart.")
    found = p_value(a, b, given)
    insist(abs(found - written) <= TOLERANCE, f"The p-value of {a} and {b} is not what is written.")
    insist(found > alpha, f"{a} and {b} are not separated.")
for size in range(len(names) - 1 if most is None else min(most + 1, len(names) - 1)):
    # Pairs that so many columns separate still had their edge, and were neighbours.
    later = {pair for pair in apart if known["stable"] and len(apart[pair]) >= size} - forbidden
    near = {v: {u for pair in edges | later if v in pair for u in pair - {v}} for v in names}
    for a, b in map(sorted, edges - required):
        for given in {*combinations(sorted(near[a] - {b}), size), *combinations(sorted(near[b] - {a}), size)}:
            is_kept = p_value(a, b, given) <= alpha + TOLERANCE
            insist(is_kept, f"{a} and {b} are separated by {list(given)}.")
sys.stdout.write(
    f"{len(apart)} pairs are separated at {alpha:g}, and the {len(edges)} others by no neighbours.\n"
)
