"""Check a certificate of PC, with numpy and scipy only: python check_separations.py CERTIFICATE TABLE.csv."""

import csv
import json
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


def p_value(a: str, b: str, given: tuple[str, ...]) -> float:
    """Of the partial correlation, or of the tables of a and b within each joint state of the others."""
    if test == "FisherZ()":
        inverse = np.linalg.inv(np.corrcoef([columns[v] for v in (a, b, *given)]))
        z = np.arctanh(inverse[0, 1] / np.sqrt(inverse[0, 0] * inverse[1, 1]))
        return float(chdtrc(1, z**2 * max(len(rows) - len(given) - 3, 0)))
    states = [columns[v] for v in given] or [np.zeros(len(rows))]
    stratum = np.unique(states, axis=1, return_inverse=True)[1]
    tables = np.zeros((stratum.max() + 1, columns[a].max() + 1, columns[b].max() + 1))
    np.add.at(tables, (stratum, columns[a], columns[b]), 1.0)
    of_a, of_b = tables.sum(axis=2, keepdims=True), tables.sum(axis=1, keepdims=True)
    expected = of_a * of_b / tables.sum(axis=(1, 2), keepdims=True)
    squares = (tables - expected) ** 2 / np.where(expected > 0.0, expected, 1.0)
    distance = np.sum(squares if test.startswith("Chi2") else rel_entr(tables, expected) * 2.0)
    freedom = np.sum(((of_a > 0).sum(axis=1) - 1) * ((of_b > 0).sum(axis=2) - 1))
    return float(chdtrc(freedom, max(distance, 0.0))) if freedom else 1.0


known = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
rows = list(csv.DictReader(Path(sys.argv[2]).read_text(encoding="utf-8").splitlines()))
insist(known["kind"] == "separating-sets", "This script is for the separating sets of PC.")
names, test, alpha, most = known["table"]["columns"], known["test"], known["alpha"], known["max conditions"]
insist(test in {"FisherZ()", "G2" + OPTIONS, "Chi2" + OPTIONS}, "This script does not have this test.")
insist(len(rows) == known["table"]["rows"] and {*names} <= {*rows[0]}, "The table is another one.")
kept, apart = known["edges"] + known["required"], known["separations"]
pairs = [*kept, *known["forbidden"], *([a, b] for a, b, _, _ in apart)]
is_each_once = sorted(map(sorted, pairs)) == sorted(map(sorted, combinations(names, 2)))
insist(is_each_once, "A pair is there twice, or has neither an edge nor a separating set.")
insist(known["end"], "The search did not come to its end: every edge may be one too many.")
insist(0.0 <= alpha <= 1.0 and most >= 0, "The level or the most conditions are none.")
columns = {v: np.array([row[v] for row in rows], dtype=float if test == "FisherZ()" else str) for v in names}
if test != "FisherZ()":
    columns = {v: np.unique(column, return_inverse=True)[1] for v, column in columns.items()}
for a, b, given, written in apart:
    insist(len({a, b, *given}) == 2 + len(given), f"{a}, {b} and what separates them are not apart.")
    found = p_value(a, b, given)
    insist(abs(found - written) <= TOLERANCE and found > alpha, f"{a} and {b} are not separated as written.")
for size in range(most + 1):
    # Pairs that so many columns separate still had their edge, and were neighbours.
    later = [[a, b] for a, b, given, _ in apart if known["stable"] and len(given) >= size]
    near = {v: {u for pair in kept + later if v in pair for u in pair if u != v} for v in names}
    for a, b in known["edges"]:
        for given in {*combinations(sorted(near[a] - {b}), size), *combinations(sorted(near[b] - {a}), size)}:
            insist(p_value(a, b, given) <= alpha + TOLERANCE, f"{a} and {b} are separated by {list(given)}.")
sys.stdout.write(f"{len(apart)} pairs are separated at {alpha:g}, {len(kept)} others by no neighbours.\n")
