"""Structural expectation-maximisation: a graph and its missing values, each from the other in turn."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from structlearn.data import Dataset
from structlearn.graphs import Graph
from structlearn.later import csgraph
from structlearn.learners.gaps.completions import Completions
from structlearn.learners.preconditions import check_columns
from structlearn.numerics.information.columns import FEWEST_SHARED
from structlearn.outcome import Outcome
from structlearn.rounding import first_best, is_better
from structlearn.run import Run
from structlearn.scores import FamilyScores, LogLikelihood
from structlearn.search.space import Space
from structlearn.statistics import Statistics
from structlearn.statistics.protocol import Counts
from structlearn.statistics.source import from_dataset
from structlearn.statistics.weightless import total_weight

SpaceOf = Callable[[Statistics], Space]
Search = Callable[[Space], Outcome]


def structural_em(dataset: Dataset, space_of: SpaceOf, search: Search, run: Run) -> Outcome:
    """Learn from rows with gaps [1]_: complete them by a model, search, fit the model, until nothing gains.

    The first model has the graph of the rows without gaps, in a second climb a tree of the strongest
    dependences, each from the rows that have both columns, and in a third no arc; the best climb counts, so
    that where most values are missing none is made of what was filled in. A graph is judged by the
    score of what was observed: the log-likelihood of the observed values, at its maximum, less what
    the score takes off that of the completed rows. For BIC and AIC that is their definition, for marginal
    likelihoods the approximation of Cheeseman and Stutz [2]_. A round that does not improve it is the last
    one and is not kept.

    References
    ----------
    .. [1] Friedman (1998), The Bayesian structural EM algorithm, UAI.
    .. [2] Chickering and Heckerman (1997), Efficient approximations for the marginal likelihood of Bayesian
       networks with hidden variables, Machine Learning 29.
    """
    completions = Completions.of(dataset, run)
    check_columns(from_dataset(completions.table), run)
    rounds = Rounds(dataset, completions, space_of, search, run)
    noted = list(run.notes)
    starts = list(dict.fromkeys(_starts(dataset, space_of, search)))
    run.notes[:] = noted  # what holds of the rows without gaps only is no news of the table
    climbs: list[Outcome] = []
    for graph in starts:
        if not climbs or not run.must_stop():
            climbs.append(rounds.climb(graph))
    run.notes[:] = dict.fromkeys(run.notes)  # each round says the same
    return first_best(climbs, lambda outcome: outcome.score or 0.0)


@dataclass(frozen=True)
class Rounds:
    """Completing, searching and judging in turn."""

    dataset: Dataset
    completions: Completions
    space_of: SpaceOf
    search: Search
    run: Run

    def climb(self, start: Graph) -> Outcome:
        """Go on from the rows as a model with this graph completes them, for as long as the score rises."""
        _, space = self._judged(start)
        scores: list[float] = []
        found = self.search(space)
        while True:
            score, space = self._judged(found.graph)
            if scores and not is_better(score, scores[-1]):
                break
            best, scores = found, [*scores, score]
            if self.run.must_stop():
                break
            found = self.search(space)
            if found.graph == best.graph:
                best = found  # with what its edges are worth in the rows as they are completed now
                break
        extra = {**best.extra, "em_scores": np.array(scores)}
        return replace(best, score=scores[-1], status=self.run.status, extra=extra)

    def _judged(self, graph: Graph) -> tuple[float, Space]:
        """The score of what was observed under a graph, and the space of the rows as it completes them."""
        from structlearn.models import BayesianNetwork  # noqa: PLC0415, a door to a later layer

        model = BayesianNetwork(graph.to_dag()).fit(self.dataset, missing="em")
        space = self.space_of(from_dataset(self.completions.weighted_by(model)))
        observed = model.em_.log_likelihoods[-1] if model.em_ else model.log_likelihood(self.dataset)
        return _observed_score(space, model.graph, observed), space


def _starts(dataset: Dataset, space_of: SpaceOf, search: Search) -> Iterator[Graph]:
    whole = ~np.logical_or.reduce(
        [column.missing for column in dataset.columns if column.missing is not None]
    )
    if whole.any() and total_weight(dataset.take(whole)) > 1:
        yield search(space_of(from_dataset(dataset.take(whole)))).graph
    yield _tree(dataset)
    yield Graph(dataset.names)


def _tree(dataset: Dataset) -> Graph:
    """The tree of the strongest dependences, each from the rows that have both columns, if not too few."""
    statistics = from_dataset(dataset, missing="testwise")
    information = np.zeros((len(dataset.names), len(dataset.names)))
    for i, j in combinations(range(len(dataset.names)), 2):
        information[i, j] = _information(statistics.counts([i, j]))
    kept = csgraph.minimum_spanning_tree(-information).tocoo()
    pairs = zip(kept.row.tolist(), kept.col.tolist(), strict=True)
    return Graph(dataset.names, undirected=[(dataset.names[i], dataset.names[j]) for i, j in pairs])


def _information(counts: Counts) -> float:
    """What two columns tell of each other in a row; 0 where few rows say so."""
    size = counts.sum()
    if size < FEWEST_SHARED:
        return 0.0
    expected, seen = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / size, counts > 0
    return float(counts[seen] @ np.log(counts[seen] / expected[seen]) / size)


def _observed_score(space: Space, dag: Graph, log_likelihood: float) -> float:
    """The score of the values that were observed, given their log-likelihood at the maximum."""
    place = {name: i for i, name in enumerate(space.names)}
    parents = [[place[parent] for parent in dag.parents(name)] for name in space.names]
    completed = FamilyScores(LogLikelihood(), space.statistics).total(parents)
    return log_likelihood + space.scores.total(parents) - completed
