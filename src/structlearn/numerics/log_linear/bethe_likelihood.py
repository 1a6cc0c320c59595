"""The likelihood of a log-linear model with Bethe's approximation, by loopy belief propagation."""

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.belief_propagation import Beliefs, Factors, propagate_safely
from structlearn.numerics.log_linear.indicators import Features, Indicators
from structlearn.numerics.log_linear.likelihood_by_means import Floats, LikelihoodByMeans

COLUMNS = -1  # in place of a group of factors
CERTAIN = 60.0  # a logit as good as infinity, of which differences are still numbers


class RestlessMessagesError(ArithmeticError):
    """Belief propagation did not settle."""


class BetheLikelihood(LikelihoodByMeans):
    """The approximate log-likelihood per row as a function of the weights of some features.

    Where messages settle the gradient is exactly that of the approximation; where they do not, even
    damped, a RestlessMessagesError is raised.

    Parameters
    ----------
    indicators : Indicators
        The rows.
    features : Features
        What has a weight. A factor for each largest set of columns takes all features within it.
    """

    def __init__(self, indicators: Indicators, features: Features) -> None:
        super().__init__(indicators, features)
        self._features = features
        self._layout = _Layout(indicators, features)
        self._messages: tuple[Floats, ...] | None = None

    def at(self, weights: Floats) -> tuple[float, Floats]:
        """The approximate log-likelihood per row and its gradient."""
        found = self._beliefs(weights)
        value = float(weights @ self._data_means - found.log_z)
        return value, self._data_means - self._layout.means(found)

    def means(self, weights: Floats, features: Features) -> Floats:
        """The approximate probability of any features.

        Where no factor has all columns of a feature, it is that of all members but the last, times
        that of the last once the messages know the others.
        """
        found = self._beliefs(weights)
        means = np.array([self._layout.belief(found, *self._place(feature)) for feature in features])
        far = np.flatnonzero(np.isnan(means))
        if len(far):
            means[far] = self._step_by_step(weights, found, features[far])
        return means

    def doubt(self, weights: Floats) -> float:
        """How far the two ways to read a probability differ: off a factor, and member by member.

        On a tree they agree. In a cycle a factor takes the whole dependence of its columns for its own,
        also what the other way round explains; the messages that know one column count it twice.
        """
        several = self._features[(self._features < self._indicators.constant).sum(axis=1) > 1]
        if not len(several):
            return 0.0
        found = self._beliefs(weights)
        off_factors = self.means(weights, several)
        return float(np.abs(off_factors - self._step_by_step(weights, found, several)).max())

    def _step_by_step(self, weights: Floats, found: Beliefs, features: Features) -> Floats:
        """The probability of all members but the last, times that of the last given the others."""
        indicators = self._indicators
        n_members = (features < indicators.constant).sum(axis=1)
        rows = np.arange(len(features))
        last = features[rows, n_members - 1]
        prefixes = features.copy()
        prefixes[rows, n_members - 1] = indicators.constant
        prefixes, which = indicators.distinct(np.sort(prefixes, axis=1))
        known = np.array([self._alone(weights, found, prefix) for prefix in prefixes])
        joint: Floats = self.means(weights, prefixes)[which] * known[which, last]
        return joint

    def _alone(self, weights: Floats, found: Beliefs, given: Features) -> Floats:
        """The probability of each indicator where those given are 1."""
        indicators = self._indicators
        unary, factors = self._layout.filled(weights)
        members = given[given < indicators.constant]
        unary[indicators.column[members], indicators.state[members]] += CERTAIN
        beliefs = propagate_safely(unary, factors, start=found.messages).columns
        return beliefs[indicators.column, indicators.state]

    def _place(self, feature: Features) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return self._indicators.scope(feature), self._indicators.states(feature)

    def _beliefs(self, weights: Floats) -> Beliefs:
        found = propagate_safely(*self._layout.filled(weights), start=self._messages)
        if not found.converged:
            raise RestlessMessagesError
        self._messages = found.messages
        return found


class _Layout:
    """Where each feature lies in the tables of the factor graph."""

    def __init__(self, indicators: Indicators, features: Features) -> None:
        self._levels = indicators.levels
        scopes = [indicators.scope(feature) for feature in features]
        self._groups = _grouped(_largest(scopes), self._levels)
        self._home = {
            scope: (g, i)
            for g, group in enumerate(self._groups)
            for i, scope in enumerate(map(tuple, group.tolist()))
        }
        self._houses: dict[tuple[int, ...], tuple[int, int] | None] = {}
        states = [indicators.states(feature) for feature in features]
        self._cells = [self._cell(*where) for where in zip(scopes, states, strict=True)]

    def filled(self, weights: Floats) -> tuple[Floats, list[Factors]]:
        """The tables of the columns and of the factors, as belief propagation takes them."""
        unary = np.where(np.arange(self._levels.max()) < self._levels[:, None], 0.0, -np.inf)
        tables = [np.zeros((len(group), *self._levels[group[0]])) for group in self._groups]
        for (g, where), weight in zip(self._cells, weights, strict=True):
            (unary if g == COLUMNS else tables[g])[where] += weight
        return unary, [Factors(*pair) for pair in zip(self._groups, tables, strict=True)]

    def means(self, found: Beliefs) -> Floats:
        """The belief in each of the features laid out."""
        return np.array([_read(found, g, where) for g, where in self._cells])

    def belief(self, found: Beliefs, scope: tuple[int, ...], states: tuple[int, ...]) -> float:
        """The belief in these states of a scope, NaN where no factor has it."""
        if len(scope) > 1 and self._house(scope) is None:
            return np.nan
        return _read(found, *self._cell(scope, states))

    def _cell(self, scope: tuple[int, ...], states: tuple[int, ...]) -> tuple[int, tuple[int | slice, ...]]:
        if len(scope) == 1:
            return COLUMNS, (scope[0], states[0])
        house = self._house(scope)
        assert house is not None, "every feature lies within one of the largest scopes"  # noqa: S101, an invariant
        g, i = house
        given = dict(zip(scope, states, strict=True))
        return g, (i, *(given.get(column, slice(None)) for column in self._groups[g][i].tolist()))

    def _house(self, scope: tuple[int, ...]) -> tuple[int, int] | None:
        """The group and the place in it of the first factor with these columns."""
        if scope not in self._houses:
            wanted = set(scope)
            self._houses[scope] = self._home.get(scope) or next(
                (place for columns, place in self._home.items() if wanted.issubset(columns)), None
            )
        return self._houses[scope]


def _read(found: Beliefs, group: int, where: tuple[int | slice, ...]) -> float:
    return float(np.sum((found.columns if group == COLUMNS else found.factors[group])[where]))


def _largest(scopes: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The scopes of two columns or more that lie within no other, each once."""
    several = sorted({scope for scope in scopes if len(scope) > 1}, key=lambda scope: (-len(scope), scope))
    kept: list[tuple[int, ...]] = []
    for scope in several:
        if not any(len(other) > len(scope) and set(scope) < set(other) for other in kept):
            kept.append(scope)
    return kept


def _grouped(scopes: list[tuple[int, ...]], levels: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    groups: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    for scope in scopes:
        groups.setdefault(tuple(levels[list(scope)].tolist()), []).append(scope)
    return [np.array(group, dtype=np.int64) for group in groups.values()]
