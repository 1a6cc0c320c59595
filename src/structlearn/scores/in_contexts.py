"""Scores beside contexts, of which their priors know nothing: these are of a person's columns alone."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from structlearn.scores.bde import BDe, Labels, PriorDistribution
from structlearn.scores.protocol import Families, Score
from structlearn.scores.structure_priors import WithStructurePrior
from structlearn.statistics import Statistics
from structlearn.statistics.selection import selected


def in_contexts(score: Score, statistics: Statistics, contexts: frozenset[str]) -> Score:
    """The score, with priors that leave some columns of the table out: the contexts."""
    if isinstance(score, WithStructurePrior):
        beside = in_contexts(score.score, statistics, contexts)
        return WithStructurePrior(beside, OfColumns(score.prior, contexts))
    if isinstance(score, BDe) and score.prior is not None:
        labels = dict(zip(statistics.names, statistics.labels, strict=True))
        return replace(score, prior=InEveryContext(score.prior, {name: labels[name] for name in contexts}))
    return score


@dataclass(frozen=True)
class OfColumns:
    """A prior of the DAG of a person's columns; arcs from contexts are no part of it."""

    prior: Score
    contexts: frozenset[str]

    @property
    def is_equivalent(self) -> bool:
        """Whether DAGs of one equivalence class are as likely."""
        return bool(getattr(self.prior, "is_equivalent", False))

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """The log prior of many families, less their contexts."""
        is_column = np.array([name not in self.contexts for name in statistics.names])
        columns = selected(statistics, [name for name in statistics.names if name not in self.contexts])
        place, found = np.cumsum(is_column) - 1, np.zeros(len(families))
        sizes = np.where(is_column[families[:, 0]], is_column[families].sum(axis=1), 0)
        for size in np.unique(sizes[sizes > 0]).tolist():
            some = families[sizes == size]
            found[sizes == size] = self.prior.local(columns, place[some[is_column[some]].reshape(-1, size)])
        return found


@dataclass(frozen=True)
class InEveryContext:
    """What is expected of the columns, the same in every state of a context, and these alike."""

    prior: PriorDistribution
    contexts: Labels

    @property
    def labels(self) -> Labels:
        """The states of each column and context."""
        return {**self.prior.labels, **self.contexts}

    def marginal(self, names: Sequence[str]) -> NDArray[np.float64]:
        """The probability of each joint state, an axis per name."""
        columns = [name for name in names if name not in self.contexts]
        found = self.prior.marginal(columns) if columns else np.ones(())
        for axis, name in enumerate(names):
            if name in self.contexts:
                n_states = len(self.contexts[name])
                found = np.repeat(np.expand_dims(found, axis), n_states, axis) / n_states
        return found
