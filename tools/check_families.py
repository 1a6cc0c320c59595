"""Check the families of an exact search, with numpy only: python check_families.py CERTIFICATE TABLE.csv."""

import csv
import json
import sys
from itertools import combinations
from pathlib import Path

import numpy as np

TOLERANCE = 1e-6  # of scores, in natural logarithms
sys.excepthook = lambda _, error, __: sys.stderr.write(f"This cannot be checked: {error!r}.\n")


def insist(holds: object, otherwise: str) -> None:
    """End with a reason where something does not hold."""
    if not holds:
        sys.exit(otherwise)


known = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
is_discrete = {"BIC()": True, "GaussianBIC()": False}.get(known.get("score"))
insist(known["kind"] == "best-dag" and is_discrete is not None, "This script is for BIC of exact searches.")
names, table, most = known["table"]["columns"], known["table"], known["max parents"]
rows = list(csv.DictReader(Path(sys.argv[2]).read_text(encoding="utf-8").splitlines()))
codes = np.array([np.unique([row.get(v, "") for row in rows], return_inverse=True)[1] for v in names])
levels = (codes.max(axis=1) + 1) * is_discrete
insist([len(rows), levels.tolist()] == [table["rows"], table["levels"]], "The table is another one.")
numbers = codes if is_discrete else [[float(row[v]) for row in rows] for v in names]
scatter = 2 * np.pi * np.e * np.cov(numbers, bias=True).reshape(len(names), -1)
bic = {frozenset(): 0.0}  # of sets of columns, where each may depend on all others
for of in (list(each) for size in range(1, most + 2) for each in combinations(range(len(names)), size)):
    if is_discrete:
        counts = np.unique(np.ravel_multi_index(codes[of], levels[of]), return_counts=True)[1]
        fit, n_free = counts @ np.log(counts / len(rows)), np.prod(levels[of]) - 1
    else:
        fit, n_free = -len(rows) / 2 * np.linalg.slogdet(scatter[of][:, of])[1], len(of) * (len(of) + 3) / 2
    bic[frozenset(names[i] for i in of)] = fit - n_free * np.log(len(rows)) / 2
for child, listed in ((v, known["families"][v]) for v in names):
    best = {frozenset(parents): score for score, parents in listed}  # within a set of parents
    required = {u for u, v in known["required"] if v == child}
    barred = {child, *(u for u, v in known["forbidden"] if v == child)}
    allowed = [of for of in bic if len(of) <= most and required <= of and barred.isdisjoint(of)]
    insist(len({*best} & {*allowed}) == len(listed), f"{child} has a family twice, or one not allowed.")
    for parents in allowed:
        score = bic[parents | {child}] - bic[parents]
        insist(abs(score - best.get(parents, score)) <= TOLERANCE, f"Parents of {child} score otherwise.")
        best.setdefault(parents, max((best[parents - {u}] for u in parents - required), default=-np.inf))
        insist(score <= best[parents] + TOLERANCE, f"A family of {child} is missing: {sorted(parents)}.")
sys.stdout.write("The listed families score what is written, and none is missing.\n")
