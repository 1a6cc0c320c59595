"""How many numbers are free in the tables or in the weights of a Markov network."""

from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from itertools import product
from math import prod

import numpy as np

from structlearn.numerics.junction_tree import Scope

Place = tuple[Scope, Scope]
"""The columns of a feature and their codes."""


def count_in_tables(scopes: Sequence[Scope], levels: Sequence[int]) -> int:
    """The sum over each set of columns within some scope, counted once, of the product of levels − 1.

    The subsets of one scope, without the empty one, add up to its cells − 1; those that lie in earlier
    scopes too are the subsets of what it shares with them.
    """

    @cache
    def in_any(sets: frozenset[frozenset[int]]) -> int:
        ordered = _maximal(sets)
        return sum(
            prod(levels[column] for column in own)
            - 1
            - in_any(frozenset(own & earlier for earlier in ordered[:i] if own & earlier))
            for i, own in enumerate(ordered)
        )

    return in_any(frozenset(frozenset(scope) for scope in scopes))


def count_in_weights(features: Sequence[Place], levels: Sequence[int]) -> int:
    """The rank of the features beside a constant.

    A feature is a sum of products of states but the first, of which no two depend on each other:
    the first state of a column is 1 less all others.
    """
    terms: dict[Scope, int] = {}
    rows = []
    for columns, codes in features:
        row: dict[int, float] = {}
        for states in product(*(_expansion(code, levels[c]) for c, code in zip(columns, codes, strict=True))):
            kept = tuple((c, s) for c, s in zip(columns, states, strict=True) if s > 0)
            sign = prod(-1 if s > 0 and code == 0 else 1 for s, code in zip(states, codes, strict=True))
            if kept:
                place = terms.setdefault(tuple(number for pair in kept for number in pair), len(terms))
                row[place] = row.get(place, 0.0) + sign
        rows.append(row)
    return _rank(rows)


def _rank(rows: list[dict[int, float]]) -> int:
    """The rank of a sparse matrix; an entry alone in its row or column counts one, and they go.

    With the features of a model hardly anything is left then: thousands of rows take no time.
    """
    left = {i: row for i, row in enumerate(rows) if row}
    users: dict[int, set[int]] = defaultdict(set)
    for i, row in left.items():
        for place in row:
            users[place].add(i)
    n_gone, n_before = 0, -1
    while n_gone > n_before:
        n_before = n_gone
        for i, row in left.items():
            is_alone = any(len(users[place]) == 1 for place in row)
            if not is_alone and len(row) != 1:
                continue
            n_gone += 1
            for place in list(row):
                for user in [i] if is_alone else list(users[place]):
                    users[place].discard(user)
                    del left[user][place]
        left = {i: row for i, row in left.items() if row}
    return n_gone + _dense_rank(list(left.values()))


def _dense_rank(rows: list[dict[int, float]]) -> int:
    column_of = {place: j for j, place in enumerate(sorted({place for row in rows for place in row}))}
    matrix = np.zeros((len(rows), len(column_of)))
    for i, row in enumerate(rows):
        matrix[i, [column_of[place] for place in row]] = list(row.values())
    return int(np.linalg.matrix_rank(matrix)) if matrix.size else 0


def _expansion(code: int, n_levels: int) -> range:
    """The states that make up a state: itself, or for the first one 1 (written 0) and all others."""
    return range(n_levels) if code == 0 else range(code, code + 1)


def _maximal(sets: frozenset[frozenset[int]]) -> list[frozenset[int]]:
    kept: list[frozenset[int]] = []
    for own in sorted(sets, key=lambda columns: (-len(columns), sorted(columns))):
        if not any(own <= other for other in kept):
            kept.append(own)
    return kept
