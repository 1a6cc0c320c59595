"""Scores of rows in which some columns were set from outside.

A column that was set says nothing of its parents: its family is scored on the rows in which it was not. The
row stays for all other families, where the column may be a parent [1]_. DAGs that no such row tells apart
score the same; those of an equivalence class need not. Where a column was shifted, and still follows its
parents, `Shifted` scores those rows too.

References
----------
.. [1] Cooper and Yoo (1999), Causal discovery from a mixture of experimental and observational data, UAI.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import warn
from structlearn.options import Instance, check_options
from structlearn.scores.checked import local_scores
from structlearn.scores.protocol import Families, Score
from structlearn.scores.structure_priors import WithStructurePrior
from structlearn.statistics import Statistics
from structlearn.statistics.experiments import Experiments, experiments_of

FEW_ROWS = 10  # with fewer, two or three parents that fit by chance cost less than they gain


@dataclass(frozen=True)
class Interventional:
    """A score whose families each have rows of their own.

    Parameters
    ----------
    score : Score
        What scores a family on its rows. Where they say nothing of a column, as it was set in all of them or
        never changes in the others, all of its families score 0.
    experiments : Experiments
        What was set in which rows.
    unknown : frozenset of int
        The columns of which the rows say nothing.
    """

    score: Score
    experiments: Experiments
    unknown: frozenset[int] = frozenset()

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """Score many families with the same number of parents, each on the rows of its child."""
        found = np.zeros(len(families))
        is_plain = ~np.isin(families[:, 0], list(self.experiments.is_set))
        if is_plain.any():
            found[is_plain] = local_scores(self.score, statistics, families[is_plain])
        for child in np.unique(families[~is_plain, 0]).tolist():
            is_own, rows = families[:, 0] == child, self.experiments.without(child)
            if rows is not None and child not in self.unknown:
                found[is_own] = local_scores(self.score, rows, families[is_own])
        return found


@dataclass(frozen=True)
class Shifted:
    """A score by which columns named in `targets` were shifted, not set: they still follow their parents.

    In the rows of each set of targets that has the column, its family has parameters of its own, and these
    rows count too; sets with fewer than ten rows, and those in which the column never changes, are left
    out. DAGs that the experiments do not tell apart score the same where they do by the score itself.

    Parameters
    ----------
    score : Score
        What scores a family on the rows of each condition.

    Examples
    --------
    >>> import numpy as np
    >>> import structlearn as sl
    >>> from structlearn.scores import GaussianBIC, Shifted
    >>> a, noise = np.random.default_rng(0).normal(size=(2, 200))
    >>> data = {"a": a, "b": np.where(np.arange(200) < 20, a, 3 - a) + 0.3 * noise}
    >>> learner = sl.HillClimbing(score=Shifted(GaussianBIC()), targets={"b": range(20, 200)})
    >>> print(learner.fit(data).graph_)
    Graph with 2 nodes and 1 edge
      a → b
    """

    score: Score

    def __post_init__(self) -> None:
        check_options("Shifted", {"score": Instance(Score, "a score")}, {"score": self.score})

    @property
    def takes(self) -> Any:
        """The kinds of columns that it takes."""
        return getattr(self.score, "takes", ("discrete", "continuous", "mixed"))

    @property
    def is_equivalent(self) -> bool:
        """Whether DAGs of one equivalence class score the same where nothing was shifted."""
        return bool(getattr(self.score, "is_equivalent", False))

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """Score many families with the same number of parents, in rows of which none was shifted."""
        return self.score.local(statistics, families)


@dataclass(frozen=True)
class OfConditions(Interventional):
    """A score whose families have parameters of their own in each condition of their child."""

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """Score many families with the same number of parents, in each condition of their child."""
        found = Interventional.local(self, statistics, families)
        for child in np.unique(families[:, 0]).tolist():
            is_own = families[:, 0] == child
            for rows in self.experiments.conditions_of(child, fewest=FEW_ROWS):
                found[is_own] += local_scores(self.score, rows, families[is_own])
        return found


def says_shifted(score: object) -> bool:
    """Whether by a score columns that `targets` names were shifted, and not set."""
    return says_shifted(score.score) if isinstance(score, WithStructurePrior) else isinstance(score, Shifted)


def with_experiments(owner: str, score: Score, statistics: Statistics) -> Score:
    """The score, by which rows say nothing of the parents of what was set in them."""
    experiments = experiments_of(statistics)
    if experiments is None:
        return score
    if isinstance(score, Shifted) and isinstance(score.score, WithStructurePrior):
        score = replace(score.score, score=Shifted(score.score.score))
    if isinstance(score, WithStructurePrior):  # which is of the DAG, and of no rows
        return replace(score, score=with_experiments(owner, score.score, statistics))
    kind = OfConditions if isinstance(score, Shifted) else Interventional
    score = score.score if isinstance(score, Shifted) else score
    unknown = set()
    for column in experiments.is_set:
        n_left = experiments.n_not_set(column)
        if why := experiments.says_nothing(column):
            unknown.add(column)
            warn(f"{owner}: {why}, so that nothing is known of its parents.")
        elif n_left < min(FEW_ROWS, statistics.size / 2):
            name = statistics.names[column]
            warn(f"{owner}: {name!r} was set in all but {n_left:.3g} rows, so that its parents are a guess.")
    return kind(score, experiments, frozenset(unknown))


def without_experiments(score: Score) -> Score:
    """The score as it is of rows in which nothing was set."""
    if isinstance(score, WithStructurePrior):
        return replace(score, score=without_experiments(score.score))
    return score.score if isinstance(score, Interventional) else score
