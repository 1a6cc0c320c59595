"""Check a certificate of PC, by p_values.py beside it: python check_separations.py CERTIFICATE TABLE.csv."""

import csv
import json
import sys
from itertools import combinations
from pathlib import Path

from p_values import TESTS, p_value, read

TOLERANCE = 1e-8  # of p-values
sys.excepthook = lambda _, error, __: sys.stderr.write(f"This cannot be checked: {error!r}.\n")


def insist(holds: object, otherwise: str) -> None:
    """End with a reason where something does not hold."""
    if not holds:
        sys.exit(otherwise)


def p(a: str, b: str, given: tuple[str, ...]) -> float:
    """The p-value of two columns, where the others are given."""
    return p_value(test, columns[a], columns[b], [columns[v] for v in given])


known = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
insist(known["kind"] == "separating-sets", "This script is for the separating sets of PC.")
names, test, alpha, most = known["table"]["columns"], known["test"], known["alpha"], known["max conditions"]
insist(test in TESTS, "This script does not have this test.")
rows = list(csv.DictReader(Path(sys.argv[2]).read_text(encoding="utf-8").splitlines()))
insist(len(rows) == known["table"]["rows"] and {*names} <= {*rows[0]}, "The table is another one.")
kept, apart = known["edges"] + known["required"], known["separations"]
pairs = sorted(map(sorted, [*kept, *known["forbidden"], *([a, b] for a, b, _, _ in apart)]))
is_each_once = pairs == sorted(map(sorted, combinations(names, 2)))
insist(is_each_once, "A pair is there twice, or has neither an edge nor a separating set.")
insist(known["end"], "The search did not come to its end: every edge may be one too many.")
insist(0.0 <= alpha <= 1.0 and most >= 0, "The level or the most conditions are none.")
columns = {v: read(test, [row[v] for row in rows]) for v in names}
for a, b, given, written in apart:
    insist(len({a, b, *given}) == 2 + len(given), f"{a}, {b} and what separates them are not apart.")
    found = p(a, b, given)
    insist(abs(found - written) <= TOLERANCE and found > alpha, f"{a} and {b} are not separated as written.")
for size in range(most + 1):
    # Pairs that so many columns separate still had their edge, and were neighbours.
    later = [[a, b] for a, b, given, _ in apart if known["stable"] and len(given) >= size]
    near = {v: {u for pair in kept + later if v in pair for u in pair if u != v} for v in names}
    for a, b in known["edges"]:
        for given in {*combinations(sorted(near[a] - {b}), size), *combinations(sorted(near[b] - {a}), size)}:
            insist(p(a, b, given) <= alpha + TOLERANCE, f"{a} and {b} are separated by {list(given)}.")
sys.stdout.write(f"{len(apart)} pairs are separated at {alpha:g}, {len(kept)} others by no neighbours.\n")
