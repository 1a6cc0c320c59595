"""The relaxed problem as a conic programme, by cvxpy."""

import warnings
from itertools import combinations
from typing import Any

import numpy as np

from structlearn.errors import DataError, needing
from structlearn.learners.regression.soft_order.children import Floats
from structlearn.learners.regression.soft_order.relaxation import Relaxation, SoftProblem
from structlearn.run import Run

VIOLATED = 1e-6  # by more than the solver's own accuracy
INACCURACY = 1e-3  # of the value, where the solver says that it stopped early; its own limit is 5e-5
MOST_NEW_CUTS = 10  # times the columns, in a round: the worst say most

Triple = tuple[int, int, int]


def relax_by_cones(problem: SoftProblem, run: Run) -> Relaxation:
    """Solve the relaxation, add the rules of transitivity that the solution breaks, and again."""
    with needing("cvxpy", 'ConvexDAG(solver="conic")', install="structlearn[convex]"):
        import cvxpy  # noqa: PLC0415, slow to load, and an extra
    programme = _Programme(cvxpy, problem)
    triples: set[Triple] = set()
    while True:
        found = programme.solve(sorted(triples))
        new = _broken(found.precedence, MOST_NEW_CUTS * problem.n_columns) - triples
        run.show(f"{len(triples)} rules of transitivity, bound {found.bound:.1f}")
        if not new or run.must_stop():
            return found
        triples |= new


class _Programme:
    """The variables and costs; the rules of transitivity come and go."""

    def __init__(self, cvxpy: Any, problem: SoftProblem) -> None:
        p = problem.n_columns
        self._cvxpy, self._problem = cvxpy, problem
        self._arcs = [(int(i), int(j)) for i, j in np.argwhere(problem.is_open)]
        self._shares = cvxpy.Variable(len(self._arcs))
        self._place = {pair: k for k, pair in enumerate(combinations(range(p), 2))}
        self._first = cvxpy.Variable(len(self._place))  # how much the first of a pair comes before the second
        weights = [cvxpy.Variable((len(child.group), max(child.n_outputs, 1))) for child in problem.children]
        losses: list[Any] = [
            child.conic_loss(cvxpy, w) for child, w in zip(problem.children, weights, strict=True)
        ]
        at = {arc: k for k, arc in enumerate(self._arcs)}
        ridges, self._rules = [], [self._shares >= 0, self._shares <= 1, self._first >= 0, self._first <= 1]
        for j, child in enumerate(problem.children):
            for i in np.unique(child.group):
                own = weights[j][np.flatnonzero(child.group == i), :]
                if (int(i), j) not in at:
                    self._rules.append(own == 0)
                    continue
                share = self._shares[at[int(i), j]]
                ridges.append(cvxpy.quad_over_lin(cvxpy.vec(own, order="C"), share))
                self._rules.append(share <= self._before(int(i), j))
                if problem.is_required[i, j]:
                    self._rules.append(share == 1)
        prices = np.array([problem.prices[arc] for arc in self._arcs])
        self._cost = sum(losses) + 0.5 * problem.ridge * sum(ridges) + prices @ self._shares

    def _before(self, i: int, j: int) -> Any:
        return self._first[self._place[i, j]] if i < j else 1 - self._first[self._place[j, i]]

    def solve(self, triples: list[Triple]) -> Relaxation:
        """The least cost where an order is transitive at least in these triples."""
        cvxpy = self._cvxpy
        transitive = [
            self._before(i, j) + self._before(j, k) - self._before(i, k) <= 1 for i, j, k in triples
        ]
        programme = cvxpy.Problem(cvxpy.Minimize(self._cost), [*self._rules, *transitive])
        try:
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", "Solution may be inaccurate")  # its bound is lowered below
                programme.solve(solver=cvxpy.CLARABEL)
        except cvxpy.error.SolverError as error:
            raise DataError(
                f'ConvexDAG: the conic solver gave up ({error}). Take a larger ridge, or solver="gradient".'
            ) from error
        if self._shares.value is None and self._arcs:
            raise DataError(
                f"ConvexDAG: the conic solver says the programme is {programme.status}; what is required may "
                "contradict itself."
            )
        p = self._problem.n_columns
        shares, precedence = np.zeros((p, p)), np.full((p, p), 0.5)
        for (i, j), share in zip(self._arcs, self._shares.value if self._arcs else [], strict=True):
            shares[i, j] = min(max(float(share), 0.0), 1.0)
        for (i, j), k in self._place.items():
            precedence[i, j] = float(self._first.value[k])
            precedence[j, i] = 1.0 - precedence[i, j]
        value = float(programme.value)
        is_sure = programme.status == cvxpy.OPTIMAL
        return Relaxation(value if is_sure else value - INACCURACY * abs(value), shares, precedence)


def _broken(precedence: Floats, most: int) -> set[Triple]:
    """The triples in which i before j and j before k make more than i before k allows, the worst first."""
    excess = precedence[:, :, None] + precedence[None, :, :] - precedence[:, None, :] - 1.0
    p = len(precedence)
    i, j, k = np.indices((p, p, p))
    excess[(i == j) | (j == k) | (i == k)] = 0.0
    worst = np.argsort(-excess, axis=None, kind="stable")[:most]
    found = np.stack(np.unravel_index(worst[excess.ravel()[worst] > VIOLATED], excess.shape), axis=1)
    return {(int(a), int(b), int(c)) for a, b, c in found}
