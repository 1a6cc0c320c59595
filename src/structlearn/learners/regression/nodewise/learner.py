"""What learners share that regress each node on all others."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Knowledge
from structlearn.data.pair_knowledge import forbidden_pairs
from structlearn.errors import OptionError
from structlearn.graphs import Graph
from structlearn.learners.base import Learner
from structlearn.learners.option_groups import InformedOfPairs, Seeded, Threaded, Timed
from structlearn.learners.regression.nodewise.joined import Rule, joined, mean_weights
from structlearn.learners.regression.nodewise.node_blocks import NodeBlocks
from structlearn.learners.regression.nodewise.penalty_search import PenaltySearch, Regressions, Table
from structlearn.learners.regression.penalties.options import FollowsPath
from structlearn.learners.regression.penalties.path import warn_of_the_end
from structlearn.options import Flag, one_of, option, result
from structlearn.outcome import EdgeEvidence, Outcome, edges_of
from structlearn.run import Run, Status
from structlearn.statistics import Statistics
from structlearn.statistics.varying import n_varying

Floats = NDArray[np.float64]
LARGEST_GAP = 1e-5  # ten times the most that regressions of any kind ended at where they had converged


class NodewiseLearner(FollowsPath, InformedOfPairs, Threaded, Seeded, Timed, Learner):
    """Join the columns that choose each other in penalised regressions.

    A subclass declares its `penalty`; it says what it regresses in `_table`, which penalty theory names in
    `_theory_penalty`, and the `gamma` of its extended BIC.
    """

    weight_means = "weight"
    needs_full_rank = False
    gamma: ClassVar[float] = 0.5
    penalty: Any
    rule: Rule = option(
        one_of(Rule), "Whether two columns must choose each other, or one choice is enough.", default="and"
    )
    adaptive: bool = option(
        Flag(),
        "Whether to fit twice, the second time with adaptive weights. Each column is then penalised by the "
        'inverse of its first coefficient (Zou, 2006). Not with "theory", which says nothing about that.',
        default=False,
    )
    coefficients_: Floats = result()
    penalty_: float = result()
    gap_: float = result()
    path_: Mapping[str, NDArray[Any]] = result()

    def _table(self, statistics: Statistics, weights: Floats) -> Table[Any]:
        raise NotImplementedError

    def _theory_penalty(self, statistics: Statistics) -> float:
        raise NotImplementedError

    def _learn(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        self._refuse_adaptive_theory()
        names = statistics.names
        weights = _weights(type(self).__name__, names, knowledge)
        go = NodeBlocks(len(names), statistics.n_rows, n_jobs=statistics.n_jobs, run=run)
        table = self._table(statistics, weights)
        fitted, penalties, path = self._fitted(table, statistics, go)
        if self.adaptive:
            fitted, penalties, path = self._fitted(table.reweighted(fitted.coefficients), statistics, go)
        return self._outcome(names, fitted, penalties, path, run)

    def _refuse_adaptive_theory(self) -> None:
        if self.adaptive and self.penalty == "theory":
            raise OptionError(
                f"{type(self).__name__}(adaptive=True): theory says nothing about the penalty of adaptive "
                "weights. Take penalty='ebic', another rule or a number."
            )

    def _fitted(
        self, table: Table[Any], statistics: Statistics, go: NodeBlocks
    ) -> tuple[Regressions, Floats, dict[str, NDArray[Any]]]:
        """The regressions at the chosen penalties, these, and the path that led to them."""
        fitted = table.everything()
        if isinstance(self.penalty, str) and self.penalty != "theory":
            penalties, path = self._searched(table, statistics, fitted.largest_penalty(), go)
        else:
            one = self._theory_penalty(statistics) if self.penalty == "theory" else float(self.penalty)
            penalties, path = np.full(go.n_nodes, one), {"penalty": np.array([one])}
        go.note = "regressions"
        fitted.move_to(penalties, go)
        return fitted, penalties, path

    def _searched(
        self, table: Table[Any], statistics: Statistics, largest: float, go: NodeBlocks
    ) -> tuple[Floats, dict[str, NDArray[Any]]]:
        penalties = self._path_from(largest)
        search = PenaltySearch(
            table,
            penalties,
            go,
            rule=self.rule,
            gamma=self.gamma,
            n_candidates=n_varying(statistics) - 1,
            is_shared=bool(self._option("one_penalty")),
            generator=np.random.default_rng(self.random_state),
        )
        choice = search.choose(self.penalty)
        warn_of_the_end(go.run, choice.places, len(penalties))
        path = {"penalty": penalties, "n_edges": search.n_edges, "criterion": choice.criterion}
        return penalties[choice.places], path

    def _outcome(
        self,
        names: tuple[str, ...],
        fitted: Regressions,
        penalties: Floats,
        path: dict[str, NDArray[Any]],
        run: Run,
    ) -> Outcome:
        pairs = joined(fitted.coefficients, self.rule, n_jobs=self.n_jobs or 1)
        if len(path["penalty"]) == 1:
            path |= {"n_edges": np.array([len(pairs)]), "criterion": np.array([np.nan])}
        a, b = np.divmod(pairs, max(len(names), 1))
        weights = mean_weights(fitted.coefficients, pairs)
        evidence = {
            (names[i], names[j]): EdgeEvidence(float(weight))
            for i, j, weight in zip(a.tolist(), b.tolist(), weights, strict=True)
        }
        is_one = len(penalties) > 0 and (penalties == penalties[0]).all()
        return Outcome(
            graph=Graph(names, edges=edges_of(evidence, "undirected")),
            status=_status(float(fitted.gaps.max(initial=0.0)), run),
            trace=path,
            evidence=evidence,
            by_node={} if is_one else {"penalty": penalties},
            by_pair={"coefficients": fitted.coefficients},
            extra={"path": path, "gap": float(fitted.gaps.max(initial=0.0))}
            | ({"penalty": float(penalties[0])} if is_one else {}),
        )


def _status(gap: float, run: Run) -> Status:
    """How the run ended; a gap that was not reached is warned of."""
    if run.status is not Status.COMPLETE or gap <= LARGEST_GAP:
        return run.status
    run.warn(f"a regression ended at a duality gap of {gap:.3g}. Take a larger penalty.")
    return Status.INEXACT


def _weights(owner: str, names: tuple[str, ...], knowledge: Knowledge) -> Floats:
    """What each node's penalty is multiplied by for each column: infinite for forbidden neighbours.

    One row stands for all nodes where nothing is known.
    """
    if not knowledge:
        return np.ones((1, len(names)))
    return np.where(forbidden_pairs(owner, names, knowledge), np.inf, 1.0)
