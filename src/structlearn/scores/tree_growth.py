"""Growing one tree: the rule that a score makes, the rows as items, and the tree that comes out."""

import math
from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple, TypeGuard

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import OptionError
from structlearn.options import Above, Between, Either, Flag, Instance, OneOf, OrNone, Rules, Whole
from structlearn.scores.dirichlet import BDJ, K2, BDeu
from structlearn.scores.kernels import leaves, trees
from structlearn.scores.kernels.leaves import Rule
from structlearn.scores.likelihoods import Tables
from structlearn.scores.mdl import MDL
from structlearn.scores.penalised import AIC, BIC, LogLikelihood, Penalised
from structlearn.scores.protocol import Score
from structlearn.statistics import Rows

# How often a tree looks at each value, about. No tree is as deep as that makes it, and a kernel that is given
# such a number is compiled at once where it would take long: one tree of 2,000 rows and 100 columns, 3.5 s.
VISITS = 16
NO_LIMIT = 1 << 62  # no tree is so deep, and a kernel does not take it for a number of steps
NO_STATES = np.zeros(0, dtype=np.bool_)
TREE_SCORES: Mapping[str, Callable[[], Score]] = {
    "bic": BIC,
    "bdeu": BDeu,
    "mdl": MDL,
    "aic": AIC,
    "k2": K2,
    "bdj": BDJ,
    "loglik": LogLikelihood,
}

Splits = Literal["each-value", "one-value"]
GROWTH_RULES: Rules = {
    "splits": OneOf(("each-value", "one-value"), "what a test of a discrete parent tells apart"),
    "lookahead": Flag("whether a split counts with the best splits below it"),
    "min_rows": Above(0, "the fewest rows of a leaf"),
    "max_depth": OrNone(Whole(0, "the most tests on the way to a leaf"), "no limit"),
}
KAPPA = Between(1e-300, 1, "the factor for a free parameter")
FIT_RULES: Rules = {
    **GROWTH_RULES,
    "score": Either((OneOf(tuple(TREE_SCORES), ""), Instance(Score, "")), "what a tree maximises"),
    "kappa": KAPPA,
}


class GrownTree(NamedTuple):
    """A tree by vertex, the root first, and its score.

    `parents` has the place of the parent that a vertex tests, -1 at a leaf; `at` the value or
    threshold; `first` the first of its branches, which follow each other. `tallies` has the sums of
    the rows at each vertex and `shares` its part of the parents' joint states.
    """

    parents: NDArray[np.int64]
    at: NDArray[np.float64]
    first: NDArray[np.int64]
    tallies: NDArray[np.float64]
    shares: NDArray[np.float64]
    score: float


class Items(NamedTuple):
    """Rows for `grow_tree`: the parents, (parents, items), and what each item adds to its leaf."""

    points: NDArray[np.float64]
    tallies: NDArray[np.float64]


def grow_tree(items: Items, levels: NDArray[np.int64], rule: Rule) -> GrownTree:
    """Grow a tree by splitting leaves while that improves the score.

    `levels` has the number of states of each parent, 0 for continuous ones. A split never lowers the
    score, so there is nothing to prune. Ties go to the first parent, then to the lowest value. A state
    without rows costs nothing: where each state has a branch, its leaf has the rows that come to the test.
    """
    seen = (
        [] if rule.by_value else [_states_seen(*of) for of in zip(items.points, levels.tolist(), strict=True)]
    )
    if all(states.all() for states in seen):
        return _grown(items, levels, rule)
    points = items.points.copy()
    for j in np.flatnonzero(levels):
        points[j] = (np.cumsum(seen[j]) - 1)[points[j].astype(np.int64)]
    n_seen = np.array([states.sum() for states in seen], dtype=np.int64)
    return _with_unseen(_grown(Items(points, items.tallies), n_seen, rule), seen)


def _states_seen(codes: NDArray[np.float64], n_states: int) -> NDArray[np.bool_]:
    """Which states of a parent have rows; none of a continuous one, which has no states."""
    return np.bincount(codes.astype(np.int64), minlength=n_states) > 0 if n_states else NO_STATES


def _with_unseen(grown: GrownTree, seen: list[NDArray[np.bool_]]) -> GrownTree:
    """The tree with a leaf for each state without rows wherever a parent is tested, level by level."""
    vertices, shares = [0], [1.0]
    parents: list[int] = []
    first: list[int] = []
    for vertex in vertices:  # it grows meanwhile
        place = len(parents)
        is_leaf = vertex < 0 or grown.parents[vertex] < 0
        parents.append(-1 if is_leaf else int(grown.parents[vertex]))
        first.append(0 if is_leaf else len(vertices))
        if is_leaf:
            continue
        states = seen[parents[-1]] if len(seen[parents[-1]]) else np.ones(2, dtype=np.bool_)
        branches = grown.first[vertex] + np.cumsum(states) - 1
        vertices += np.where(states, branches, ~vertex).tolist()
        shares += [shares[place] / len(states)] * len(states)
    places = np.array(vertices)
    known = np.where(places < 0, ~places, places)  # what comes to the test is all that an unseen state has
    return GrownTree(
        np.array(parents),
        grown.at[known],
        np.array(first),
        grown.tallies[known],
        np.array(shares),
        grown.score,
    )


def _grown(items: Items, levels: NDArray[np.int64], rule: Rule) -> GrownTree:
    by_value = [np.argsort(items.points[j], kind="stable") for j in np.flatnonzero(levels == 0)]
    order = np.array([np.arange(len(items.tallies)), *by_value])
    limited = rule._replace(max_depth=min(rule.max_depth, VISITS * items.points.size))
    tested, at, first, starts, ends, shares, score = trees.grow(*items, levels, order, limited)
    spans = zip(starts, ends, strict=True)
    sums = [items.tallies[order[0, start:end]].sum(axis=0) for start, end in spans]
    return GrownTree(tested, at, first, np.array(sums), shares, float(score))


def discrete_items(rows: Rows, n_states: int) -> Items:
    """The rows of parents and, in the last column, a discrete child; equal parents are one item."""
    weights = np.ones(len(rows.values)) if rows.weights is None else rows.weights
    points, places = np.unique(rows.values[:, :-1], axis=0, return_inverse=True)
    cells = places.ravel() * n_states + rows.values[:, -1].astype(np.int64)
    tallies = np.bincount(cells, weights=weights, minlength=len(points) * n_states)
    return _counted(points, tallies.reshape(len(points), n_states).astype(np.float64))


def continuous_items(rows: Rows, centre: float) -> Items:
    """The rows of parents and, in the last column, a continuous child, measured from `centre`."""
    weights = np.ones(len(rows.values)) if rows.weights is None else rows.weights
    away = rows.values[:, -1] - centre
    return _counted(rows.values[:, :-1], np.column_stack([weights, weights * away, weights * away**2]))


def _counted(points: NDArray[np.float64], tallies: NDArray[np.float64]) -> Items:
    counted = tallies.any(axis=1)
    return Items(np.ascontiguousarray(points[counted].T), tallies[counted])


def growth_rule(
    score: Score,
    size: float,
    *,
    kappa: float = 1.0,
    splits: Splits = "each-value",
    lookahead: bool = True,
    min_rows: float = 1.0,
    max_depth: int | None = None,
) -> Rule:
    """How trees of discrete children grow by a score on data of this size."""
    form, prior, price = _terms(score, size)
    return Rule(
        form=form,
        prior=float(prior),
        price=float(price - math.log(kappa)),
        is_coded=isinstance(score, MDL),
        by_value=splits == "one-value",
        looks_ahead=lookahead,
        min_rows=float(min_rows),
        max_depth=NO_LIMIT if max_depth is None else max_depth,
    )


def normal_rule(
    size: float,
    least_variance: float,
    *,
    splits: Splits,
    lookahead: bool,
    min_rows: float,
    max_depth: int | None,
) -> Rule:
    """How trees with normal distributions in their leaves grow by BIC on data of this size."""
    return growth_rule(
        BIC(), size, splits=splits, lookahead=lookahead, min_rows=min_rows, max_depth=max_depth
    )._replace(form=leaves.NORMAL, prior=least_variance)


def can_grow_by(score: Score) -> bool:
    """Whether a score adds up over leaves."""
    return isinstance(score, BDeu | K2 | BDJ | MDL) or _is_of_tables(score)


def _terms(score: Score, size: float) -> tuple[int, float, float]:
    """What a leaf is worth by a score: the form, the prior, and the price of a parameter."""
    if isinstance(score, BDeu):
        return leaves.SPREAD_PRIOR, score.ess, 0.0
    if isinstance(score, K2 | BDJ):
        return leaves.CELL_PRIOR, 1.0 if isinstance(score, K2) else 0.5, 0.0
    if isinstance(score, MDL) or _is_of_tables(score):
        return leaves.LIKELIHOOD, 0.0, score.price.nats(size)
    raise OptionError(
        f"A tree cannot grow by {score!r}; use one of {', '.join(repr(name) for name in TREE_SCORES)}."
    )


def _is_of_tables(score: Score) -> TypeGuard[Penalised]:
    return isinstance(score, Penalised) and isinstance(score.likelihood, Tables)
