"""Whether a DAG that a search has found is the best of all."""

import math
from dataclasses import replace

import numpy as np

from structlearn.errors import OptionError
from structlearn.learners.order.exact.problem_size import (
    choose_solver,
    refuse_too_many_families,
    with_affordable_sets,
)
from structlearn.learners.order.exact.proof import allowed_dags, certified, proven_outcome
from structlearn.learners.order.exact.solving import rows_near, solve
from structlearn.outcome import Outcome
from structlearn.rounding import is_better
from structlearn.search.limits import Limits
from structlearn.search.local_scores import Solution, score_all_families
from structlearn.search.space import Space
from structlearn.statistics import Missing


def refuse_unprovable(space: Space, missing: Missing) -> None:
    """Refuse, before the search, what no solver here can prove."""
    if missing == "em":
        raise OptionError(
            f"{space.owner}(prove=True, missing='em'): a proof is about one table, and gaps are estimated "
            "again with every graph. Choose missing='drop', or prove=False."
        )
    refuse_too_many_families(space.owner, with_affordable_sets(space.limits))
    choose_solver(None, space.n_nodes)


def proven(
    outcome: Outcome, space: Space, parents: list[list[int]], *, among_candidates: bool, missing: Missing
) -> Outcome:
    """The outcome with the proof that its DAG is the best, with a better DAG, or with what is left open.

    Where the size of parent sets is open, the proof is among sets that are quickly scored; the DAG may have
    larger ones, and score more than all it is compared with.
    """
    limits = with_affordable_sets(space.limits)
    solver = choose_solver(None, space.n_nodes)
    steps = [Solution(parents, space.scores.total(parents), math.inf)]
    lists = score_all_families(space.within(limits))
    if lists is not None:
        near, n_jobs = rows_near(lists, parents), space.statistics.n_jobs
        solved = solve(lists, near, solver, space.run, n_jobs=n_jobs)[-1]
        best = solved if is_better(solved.score, steps[0].score) else steps[0]
        bound = solved.bound if is_better(solved.bound, best.score) else best.score
        steps.append(best._replace(bound=bound, cuts=solved.cuts))
    is_informed = space.limits.of_columns().name_arcs and not among_candidates
    allowed = allowed_dags(limits, among_candidates=among_candidates, is_informed=is_informed)
    proof = proven_outcome(space.names, steps, space.run, allowed)
    found = replace(
        outcome,
        graph=proof.graph,
        status=proof.status,
        score=proof.score,
        evidence=space.evidence(steps[-1].parents),
        extra={**outcome.extra, **proof.extra, **_beyond(steps[-1], limits, allowed)},
    )
    return certified(found, space.within(limits), lists, steps[-1], missing)


def _beyond(best: Solution, limits: Limits, allowed: str) -> dict[str, str]:
    """What is proven of a DAG with more parents than those that it was compared with."""
    n_parents = max(len(np.setdiff1d(members, limits.contexts)) for members in best.parents)
    if n_parents <= limits.max_parents or is_better(best.bound, best.score):
        return {}
    larger = f"this one has up to {n_parents}, and others with as many were not compared"
    return {"proof": f"Proven: no DAG{allowed} scores more; {larger}."}
