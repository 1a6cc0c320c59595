"""Check a certificate of an exact search, with numpy only: python check_best_dag.py CERTIFICATE TABLE.csv."""

import csv
import json
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np


def bic(codes: dict[str, Any], levels: dict[str, int], child: str, parents: list[str]) -> float:
    """The log-likelihood of a discrete column given others, less log(rows) / 2 for each free parameter."""
    cells = np.zeros(len(codes[child]), dtype=np.int64)
    for parent in parents:
        cells = np.unique(cells * levels[parent] + codes[parent], return_inverse=True)[1]
    counts = np.zeros((cells.max() + 1, levels[child]))
    np.add.at(counts, (cells, codes[child]), 1.0)
    shares = counts / counts.sum(axis=1, keepdims=True)
    n_free = (levels[child] - 1) * math.prod(levels[parent] for parent in parents)
    is_there = counts > 0
    return float(np.sum(counts[is_there] * np.log(shares[is_there]))) - math.log(len(cells)) / 2 * n_free


def best_total(names: list[str], families: dict[str, Any]) -> float:
    """The score of the best DAG: of any set of columns one is last, with parents among the others."""
    sets = np.arange(1 << len(names))
    best = np.full((len(names), len(sets)), -np.inf)
    for v, name in enumerate(names):
        for score, parents in families[name]:
            best[v, sum(1 << names.index(parent) for parent in parents)] = score
        for i in range(len(names)):
            halves = best[v].reshape(-1, 2, 1 << i)
            halves[:, 1] = np.maximum(halves[:, 1], halves[:, 0])
    total = np.where(sets == 0, 0.0, -np.inf)
    for size in range(len(names)):
        for v in range(len(names)):
            before = sets[(np.bitwise_count(sets) == size) & (sets >> v & 1 == 0)]
            total[before | 1 << v] = np.maximum(total[before | 1 << v], total[before] + best[v, before])
    return float(total[-1])


def are_out_of_reach(names: list[str], families: dict[str, Any], cuts: dict[str, Any], enough: float) -> bool:
    """Whether the cuts, at their prices, show that every DAG loses `enough` against the best families.

    The rank of some columns is the number of classes of a cut that they meet, at most the rank of the cut.
    Along a DAG it grows from 0 to that of all columns, and a column adds no more to it than to the rank of
    its parents. So a DAG pays the price of a cut as often as that rank, and gets it back for each family that
    raises the rank of its parents.
    """
    listed = [(v, score, parents) for v in names for score, parents in families[v]]
    child = np.array([names.index(v) for v, _, _ in listed])
    members = np.full((len(listed), max(len(parents) for *_, parents in listed) + 1), len(names))
    for row, (_, _, parents) in enumerate(listed):
        members[row, : len(parents)] = [names.index(parent) for parent in parents]
    losses = np.array([max(families[v])[0] - score for v, score, _ in listed])
    is_left, raised, ranks = np.ones(len(listed), dtype=bool), [], []
    for classes, rank in zip(cuts["classes"], cuts["ranks"], strict=True):
        met = np.sort(np.array([*classes, -1])[members], axis=1)
        n_met = ((met >= 0) & (np.diff(met, axis=1, prepend=-1) > 0)).sum(axis=1)
        own = np.array(classes)[child]
        raised.append((own >= 0) & (n_met < rank) & (met != own[:, None]).all(axis=1))
        ranks.append(min(rank, len({each for each in classes if each >= 0})))
    first = np.searchsorted(child, np.arange(len(names)))
    for prices in np.array(cuts["prices"]):
        kept = np.where(is_left, losses - prices @ np.array(raised, dtype=float), np.inf)
        least = np.minimum.reduceat(kept, first)
        bound = least.sum() + prices @ np.array(ranks) - 1e-15 * len(names) * prices.sum()
        if not (np.isfinite(bound) and (prices >= 0.0).all()):
            return False
        # A family that is in no DAG above the bound is left out of the next round.
        is_left &= bound + kept - least[child] < enough
        if bound >= enough or not np.logical_or.reduceat(is_left, first).all():
            return True
    return False


known = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
names, families, left = known["table"]["columns"], known["families"], dict(known["graph"])
cuts = known["cuts"]
if known["kind"] != "best-dag" or known["score"] != "BIC()":
    sys.exit("This script is for exact searches by BIC() over discrete columns.")
if {*left} != {*names} or any(len(each) != len(names) for each in (cuts or {"classes": []})["classes"]):
    sys.exit("The graph or a cut is not about the columns of the table.")
if cuts is None and len(names) > 22:
    sys.exit("The solver branched, and the file does not say how: the bound cannot be checked from it.")
rows = list(csv.DictReader(Path(sys.argv[2]).read_text(encoding="utf-8").splitlines()))
codes = {v: np.unique([row[v] for row in rows], return_inverse=True)[1] for v in names}
levels = dict(zip(names, known["table"]["levels"], strict=True))
for v in names:
    if not all(abs(bic(codes, levels, v, parents) - score) <= 1e-6 for score, parents in families[v]):
        sys.exit(f"A family of {v} does not score what is written.")
total = sum(bic(codes, levels, v, parents) for v, parents in left.items())
while childless := [v for v in left if not any(v in parents for parents in left.values())]:
    del left[childless[0]]
if left or not abs(total - known["total"]) <= 1e-6:
    sys.exit("The graph has a cycle, or does not score what is written.")
if not total <= known["bound"] + 1e-6:
    sys.exit("The graph scores more than the bound.")
best = sum(max(score for score, _ in families[v]) for v in names)
if cuts is None:
    is_bounded = best_total(names, families) <= known["bound"] + 1e-6
else:
    enough = best - known["bound"] - 1e-6
    is_bounded = enough <= 0.0 or are_out_of_reach(names, families, cuts, enough)
if not is_bounded:
    sys.exit("A DAG of the listed families may score more than the bound.")
sys.stdout.write(
    f"The graph scores {total:.4f}, and no DAG of the families more than {known['bound']:.4f}.\n"
)
