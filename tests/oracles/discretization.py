"""Bins by trying all of them, on tables of a few rows."""

from collections import Counter
from itertools import combinations
from math import comb, log


def information(one, other):
    """n times the mutual information of two columns of labels, over the rows that have both."""
    rows = [pair for pair in zip(one, other, strict=True) if None not in pair]
    joint, left, right = Counter(rows), Counter(a for a, _ in rows), Counter(b for _, b in rows)
    return sum(n * log(n * len(rows) / (left[a] * right[b])) for (a, b), n in joint.items())


def binned(values, cuts):
    return [None if value is None else sum(value > cut for cut in cuts) for value in values]


def collapsed(columns, cuts, most):
    """Hartemink's rounds by their definition: cuts by name, taken away until each column has `most` bins."""
    cuts = {name: list(each) for name, each in cuts.items()}
    while any(len(each) >= most for each in cuts.values()):
        bins = {
            name: binned(values, cuts[name]) if name in cuts else values for name, values in columns.items()
        }
        gone = {}
        for name, each in cuts.items():
            if len(each) >= most:
                worth = [kept_information(columns, bins, name, each, cut) for cut in each]
                gone[name] = each[worth.index(max(worth))]
        for name, cut in gone.items():
            cuts[name].remove(cut)
    return cuts


def kept_information(columns, bins, name, cuts, without):
    """The information with all other columns, each per row, that is left without a cut."""
    own = binned(columns[name], [cut for cut in cuts if cut != without])
    others = [values for other, values in bins.items() if other != name]
    sizes = [sum(None not in pair for pair in zip(own, values, strict=True)) for values in others]
    return round(sum(information(own, v) / size for v, size in zip(others, sizes, strict=True)), 12)


def description_score(columns, cuts, n_candidates, forest):
    """The score of Friedman and Goldszmidt for cuts and a forest, term by term."""
    bins = {name: binned(values, cuts[name]) if name in cuts else values for name, values in columns.items()}
    n = len(next(iter(columns.values())))
    size = {
        name: len(cuts[name]) + 1 if name in cuts else len(set(values)) for name, values in columns.items()
    }
    total = 0.0
    for a, b in forest:
        total += information(bins[a], bins[b]) - 0.5 * log(n) * (size[a] - 1) * (size[b] - 1)
    for name in cuts:
        total -= 0.5 * log(n) * (size[name] - 1) + log(comb(n_candidates[name], size[name] - 1))
    return total


def best_cuts(columns, cuts, candidates, forest, name, most):
    """The best score that any cuts of one column reach, those of others as they are."""
    n_candidates = {each: len(found) for each, found in candidates.items()}
    return max(
        description_score(columns, {**cuts, name: chosen}, n_candidates, forest)
        for k in range(1, most)
        for chosen in combinations(candidates[name], k)
    )


def best_forest_score(columns, cuts, n_candidates):
    """The best score that any forest reaches: every set of pairs without a cycle."""
    names = list(columns)
    pairs = list(combinations(names, 2))
    forests = (some for k in range(len(names)) for some in combinations(pairs, k) if is_forest(names, some))
    return max(description_score(columns, cuts, n_candidates, forest) for forest in forests)


def is_forest(names, pairs):
    tree = {name: name for name in names}
    for a, b in pairs:
        if tree[a] == tree[b]:
            return False
        tree = {name: tree[a] if root == tree[b] else root for name, root in tree.items()}
    return True
