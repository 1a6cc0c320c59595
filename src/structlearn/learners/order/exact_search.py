"""The best of all DAGs."""

import math
from dataclasses import replace
from typing import ClassVar, Self

from structlearn.data import Knowledge
from structlearn.graphs import Graph
from structlearn.learners.certified import Certified
from structlearn.learners.option_groups import Narrowed, OnDevice, Scored, Seeded, TolerantByFamily
from structlearn.learners.order.exact.affordable_search import AffordableSearch
from structlearn.learners.order.exact.known_families import allowed_families
from structlearn.learners.order.exact.problem_size import SolverName, solver_and_place
from structlearn.learners.order.exact.proof import allowed_dags, certified, proven_outcome
from structlearn.learners.order.exact.solving import good_dag, rows_near, solve
from structlearn.options import Instance, OrNone, one_of, option
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.search.local_scores import LocalScores, Solution, greedy_rows, score_all_families
from structlearn.search.space import Space


class ExactSearch(Certified, Scored, Narrowed, OnDevice, Seeded, TolerantByFamily, AffordableSearch):
    """Find the DAG with the best score of all, and prove it."""

    solver: SolverName | None = option(
        OrNone(one_of(SolverName), "dp for at most 28 columns, as memory allows"),
        'How to find the best DAG. "dp" is dynamic programming over all subsets of the columns, "ilp" '
        "integer linear programming.",
        default=None,
    )
    initial: Graph | None = option(
        OrNone(Instance(Graph), "only the required arcs"),
        'The DAG to start from. It shortens the search with "ilp", and is what is returned if there is no '
        "time to find a better one.",
        default=None,
    )
    random_state = 0

    def _search(self, space: Space) -> Outcome:
        solver, on_card = solver_and_place(self.device, self.solver, space.n_nodes, space.run)
        state = good_dag(space, self.initial, solver)
        steps = [Solution(state.parents(), space.scores.total(state.parents()), math.inf)]
        lists = score_all_families(space)
        if lists is not None:
            near = rows_near(lists, state.parents())
            steps += solve(lists, near, solver, space.run, n_jobs=self.n_jobs or 1, on_card=on_card)
        among = self.candidates is not None
        allowed = allowed_dags(space.limits, among_candidates=among, is_informed=bool(self.knowledge))
        outcome = proven_outcome(space.names, steps, space.run, allowed)
        extra = {**outcome.extra, "local_scores": lists and lists.among(space.limits.columns)}
        outcome = replace(outcome, evidence=space.evidence(steps[-1].parents), extra=extra)
        return certified(outcome, space, lists, steps[-1], self.missing)

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
        lists = allowed_families(scores, knowledge, self.max_parents, self.candidates)
        with Run("ExactSearch", time_limit_s=self.time_limit, progress=self.progress) as run:
            solver, on_card = solver_and_place(self.device, self.solver, len(lists.names), run)
            steps = solve(lists, greedy_rows(lists), solver, run, n_jobs=self.n_jobs or 1, on_card=on_card)
            found = proven_outcome(lists.names, steps, run, " of these families")
            self._publish(found, lists.names, knowledge, run)
        self._remember_columns(scores, lists.names)
        run.say_warnings()
        return self

    details: ClassVar[str] = """
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
        The parent sets it was made of, for `sl.save_local_scores`. Absent if time ran out before.
    evidence_ : dict
        For each arc the score it brings.
    trace_ : dict of arrays
        "score" and "bound" of the DAG that the climb found, of the best along its order, and of the last.

    Notes
    -----
    First every parent set of every column is scored, and those that score no more than one of their
    subsets are dropped. Then the best DAG of a set of columns is the best one without its last column,
    and for this column the best parents among the others [1]_ [2]_. This needs 8 bytes per subset,
    0.5 GiB for 26 columns and 2 GiB for 28; the tables of best parents, which would need many times that, are
    made block by block and never kept. Sums are in double precision; among DAGs whose scores differ by less
    than 1e-9, that with the later names as children is taken. `certificate()` is the proof for others.

    "Best" is among the DAGs that `max_parents`, `candidates` and `knowledge` allow. Integer programming [3]_
    goes beyond 28 columns, though nobody can say in advance how long it takes. So does a graphics card
    (`device="cuda"`), by the same dynamic programming: 8 bytes per subset are 8 GiB for 30 columns, 128 GiB
    for 34.

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
