"""Check the families of an exact search, with numpy only: python check_families.py CERTIFICATE TABLE.csv."""

import csv
import json
import math
import sys
from collections import Counter
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np

TOLERANCE = 1e-6  # of scores, in natural logarithms


def insist(holds: object, otherwise: str) -> None:
    """End with a reason where something does not hold."""
    if not holds:
        sys.exit(otherwise)


@cache
def likelihood(columns: frozenset[str]) -> float:
    """The log-likelihood of some columns, where each may depend on all others."""
    if is_discrete:
        counts = np.array([*Counter(zip(*(table[v] for v in columns), strict=True)).values()])
        return float(counts @ np.log(counts / len(rows)))
    covariance = np.cov(np.reshape([table[v] for v in columns], (-1, len(rows))), bias=True)
    return float(-len(rows) / 2 * np.linalg.slogdet(2 * math.pi * math.e * np.atleast_2d(covariance))[1])


known = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
rows = list(csv.DictReader(Path(sys.argv[2]).read_text(encoding="utf-8").splitlines()))
kinds = {"BIC()": True, "GaussianBIC()": False}  # whether columns are discrete
names, is_discrete = known["table"]["columns"], kinds.get(known.get("score"))
insist(known["kind"] == "best-dag" and is_discrete is not None, "This script is for BIC of exact searches.")
insist(len(rows) == known["table"]["rows"] and {*names} <= {*rows[0]}, "The table is another one.")
table = {v: [row[v] if is_discrete else float(row[v]) for row in rows] for v in names}
levels = {v: len({*table[v]}) if is_discrete else 0 for v in names}
insist([*levels.values()] == known["table"]["levels"], "The table has other levels.")
for child in names:
    listed = sorted(((score, frozenset(of)) for score, of in known["families"][child]), reverse=True)
    written = {parents: score for score, parents in listed}
    required = frozenset(u for u, v in known["required"] if v == child)
    others = {*names} - {child} - required - {u for u, v in known["forbidden"] if v == child}
    sizes = range(known["max parents"] - len(required) + 1)
    allowed = {required.union(more) for size in sizes for more in combinations(others, size)}
    insist(len({*written} & allowed) == len(listed), f"A family of {child} is there twice, or not allowed.")
    for parents in allowed:
        n_free = (
            (levels[child] - 1) * math.prod(map(levels.get, parents)) if is_discrete else len(parents) + 2
        )
        price = n_free * math.log(len(rows)) / 2
        within = next((score for score, members in listed if members <= parents), -math.inf)
        if is_discrete and parents not in written and -price <= within:
            continue  # no log-likelihood of discrete columns is above 0
        score = likelihood(parents | {child}) - likelihood(parents) - price
        insist(abs(score - written.get(parents, score)) <= TOLERANCE, f"Parents of {child} score otherwise.")
        insist(score <= within + TOLERANCE, f"A family of {child} is missing: {sorted(parents)}.")
sys.stdout.write("The listed families score what is written, and none is missing.\n")
