"""The best of all DAGs."""

import math
from dataclasses import replace
from typing import ClassVar, Self

import numpy as np

from structlearn.data import Knowledge
from structlearn.errors import OptionError
from structlearn.graphs import Graph
from structlearn.learners.dag_search import DAGSearch
from structlearn.learners.order.exact import dynamic_programme
from structlearn.learners.order.exact.problem_size import (
    SolverName,
    choose_solver,
    refuse_too_many_families,
    with_affordable_sets,
)
from structlearn.learners.order.growing.shaken_orders import ShakenOrders
from structlearn.options import OneOf, OrNone, Rules
from structlearn.outcome import Outcome
from structlearn.rounding import ENOUGH
from structlearn.run import Run
from structlearn.scores import SCORE, Score
from structlearn.search.candidates import CANDIDATES, GivenCandidates, candidate_matrix
from structlearn.search.climbing import climb
from structlearn.search.dag_state import DAGState
from structlearn.search.dags import graph_of
from structlearn.search.limits import Limits
from structlearn.search.local_scores import (
    LocalScores,
    Solution,
    greedy_rows,
    score_all_families,
)
from structlearn.search.space import Space
from structlearn.search.starts import INITIAL, start_from
from structlearn.statistics import Statistics

FRUITLESS_SHAKES = 40
SHAKEN_NODES = 8


class ExactSearch(DAGSearch):
    """Find the DAG with the best score of all, and prove it.

    Parameters
    ----------
    score : str or Score, default "bic"
        What to maximise: "bic", "bdeu", another name of `structlearn.scores`, or any object with a `local`
        method.
    solver : {"dp", "ilp"} or None, default None
        How to find the best DAG: "dp", dynamic programming over all subsets of the columns, or "ilp",
        integer linear programming; None takes the first for at most 28 columns, as memory allows.
    candidates : Graph or mapping or None, default None
        Which columns may be parents of which, as another method has chosen them: the ends of an edge
        of a graph, in either direction, or for each name its possible parents; None for all.
    initial : Graph or None, default None
        A DAG to start from; it shortens the search with "ilp", and is what is returned if there is no time to
        find a better one.
    max_parents : int or None, default None
        The most parents a node may have; None for no limit up to 15 columns, and beyond for the largest
        that leaves 300,000 families to score: 4 with 20 columns, 3 with 28. `proof_` says which limit held.
    knowledge : Knowledge or None, default None
        Arcs that must or may not be there.
    n_jobs : int or None, default None
        How many threads to use; -1 for all.
    random_state : int or None, default 0
        The seed of the search that "ilp" starts with.
    time_limit : float or None, default None
        Seconds after which the best graph so far is returned, with its gap.
    progress : bool or None, default None
        Whether to show a progress bar; by default only in a terminal.

    Attributes
    ----------
    graph_ : Graph
        The DAG with the best score; edge weights are what the score loses without them.
    score_ : float
        Its score.
    bound_ : float
        What no DAG scores more than.
    gap_ : float
        The bound less the score; 0 where the graph is proven to be the best.
    proof_ : str
        In words, whether it is.
    local_scores_ : LocalScores
        The parent sets that the best DAG was made of; `sl.save_local_scores` writes them to a file for other
        solvers. Absent if time ran out before all were scored.
    evidence_ : dict
        For each arc the score it brings.
    trace_ : dict of arrays
        "score" and "bound" of the DAG that the climb found, of the best along its order, and of the last.
    status_ : str
        How the run ended.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : array of str
        Their names, where the table has them.

    Notes
    -----
    First every parent set of every column is scored, and those that score no more than one of their
    subsets are dropped. Then the best DAG of a set of columns is the best one without its last column,
    and for this column the best parents among the others [1]_ [2]_. This needs 8 bytes per subset,
    0.5 GiB for 26 columns and 2 GiB for 28; the tables of best parents, which would need many times that, are
    made block by block and never kept. Sums are in double precision; among DAGs whose scores differ by less
    than 1e-9, that with the later names as children is taken.

    "Best" is among the DAGs that `max_parents`, `candidates` and `knowledge` allow. Integer programming [3]_
    goes beyond 28 columns, though nobody can say in advance how long it takes.

    References
    ----------
    .. [1] Singh and Moore (2005), Finding optimal Bayesian networks by dynamic programming, Carnegie Mellon
       University.
    .. [2] Silander and Myllymäki (2006), A simple approach for finding the globally optimal Bayesian network
       structure, UAI.
    .. [3] Cussens (2011), Bayesian network learning with cutting planes, UAI.

    Examples
    --------
    >>> import structlearn as sl
    >>> data = sl.example("asia").sample(1000, random_state=0)
    >>> found = sl.ExactSearch().fit(data)
    >>> found.gap_
    0.0
    >>> print(found.proof_)
    Proven optimal: no DAG scores more.
    """

    rules: ClassVar[Rules] = {
        "score": SCORE,
        "solver": OrNone(
            OneOf(("dp", "ilp"), "how to find the best DAG"), "dp for at most 28 columns, as memory allows"
        ),
        "candidates": CANDIDATES,
        "initial": INITIAL,
    }

    def __init__(
        self,
        *,
        score: str | Score = "bic",
        solver: SolverName | None = None,
        candidates: GivenCandidates | None = None,
        initial: Graph | None = None,
        max_parents: int | None = None,
        knowledge: Knowledge | None = None,
        n_jobs: int | None = None,
        random_state: int | None = 0,
        time_limit: float | None = None,
        progress: bool | None = None,
    ) -> None:
        self.score = score
        self.solver = solver
        self.candidates = candidates
        self.initial = initial
        self.max_parents = max_parents
        self.knowledge = knowledge
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.time_limit = time_limit
        self.progress = progress

    def fit_scores(self, scores: LocalScores) -> Self:
        """Find the best DAG of families whose scores are known, as from `sl.load_local_scores`.

        Parameters
        ----------
        scores : LocalScores
            The parent sets of every node with their scores.

        Returns
        -------
        self
        """
        self.check_options()
        knowledge = self.knowledge or Knowledge()
        if knowledge.required:
            raise OptionError(
                "ExactSearch(knowledge=…): required arcs need data, since lists of scores leave out the "
                "families that only a requirement makes worth having. Use fit, or forbid arcs instead."
            )
        limits = Limits.of(scores.names, knowledge, self.max_parents)
        if self.candidates is not None:
            limits = limits.among(candidate_matrix("ExactSearch", scores.names, self.candidates))
        lists = scores.within(limits)
        solver = choose_solver(self.solver, len(lists.names))
        with Run("ExactSearch", time_limit_s=self.time_limit, progress=self.progress) as run:
            steps = self._solve(solver, lists, greedy_rows(lists), run)
        self._publish(_outcome(lists.names, steps, run, " of these families"), lists.names, knowledge, run)
        self._remember_columns(scores, lists.names)
        run.say_warnings()
        return self

    def _space(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Space:
        space = super()._space(statistics, knowledge, run)
        limits = with_affordable_sets(space.limits)
        refuse_too_many_families("ExactSearch", limits)
        return space.within(limits)

    def _search(self, space: Space) -> Outcome:
        solver = choose_solver(self.solver, space.n_nodes)
        state = start_from(space, self.initial)
        climb(state)
        if solver == "ilp":  # which leaves out families by the score of a good DAG
            state = ShakenOrders(space).improve(state, max(FRUITLESS_SHAKES, space.n_nodes), SHAKEN_NODES)
        steps = [Solution(state.parents(), space.scores.total(state.parents()), math.inf)]
        lists = score_all_families(space)
        if lists is not None:
            steps += self._solve(solver, lists, _rows_near(lists, state), space.run)
        outcome = _outcome(space.names, steps, space.run, self._allowed(space.limits))
        evidence = space.evidence(steps[-1].parents)
        return replace(outcome, evidence=evidence, extra={**outcome.extra, "local_scores": lists})

    def _solve(self, solver: SolverName, lists: LocalScores, rows: list[int], run: Run) -> list[Solution]:
        """What is known before the solver begins, and what it finds."""
        start = Solution(lists.parents(rows), lists.total(rows), lists.bound)
        if solver == "dp":
            return [start, dynamic_programme.solve(lists, start.parents, run, n_jobs=self.n_jobs or 1)]
        from structlearn.learners.order.exact import integer_programme  # noqa: PLC0415, slow to load

        return [start, integer_programme.solve(lists, start.parents, run)]

    def _allowed(self, limits: Limits) -> str:
        """Among which DAGs the best is sought, in words."""
        is_limited = limits.max_parents < len(limits.frozen) - 1
        few_parents = f" with at most {limits.max_parents} parents a node" if is_limited else ""
        among = "" if self.candidates is None else " within the candidates"
        return few_parents + among + (" that honours the knowledge" if self.knowledge else "")


def _rows_near(lists: LocalScores, state: DAGState) -> list[int]:
    """The best families along the order of a DAG; where it has no finite score, along another."""
    by_ancestors = np.argsort(state.above.sum(axis=1), kind="stable")
    rows = lists.rows_along(by_ancestors.tolist())
    return greedy_rows(lists) if -1 in rows else rows


def _outcome(names: tuple[str, ...], steps: list[Solution], run: Run, allowed: str) -> Outcome:
    best = steps[-1]
    gap = max(best.bound - best.score, 0.0)
    return Outcome(
        graph=graph_of(names, best.parents),
        status=run.status,
        score=best.score,
        trace={
            "score": np.array([step.score for step in steps]),
            "bound": np.array([step.bound for step in steps]),
        },
        extra={"bound": best.bound, "gap": gap, "proof": _proof(gap, allowed)},
    )


def _proof(gap: float, allowed: str) -> str:
    if gap == math.inf:
        return "Not proven: time ran out before all families were scored."
    if gap > ENOUGH:
        return f"Not proven: the best DAG{allowed} may score up to {gap:.4g} more."
    return f"Proven optimal: no DAG{allowed} scores more."
