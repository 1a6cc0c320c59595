"""The best DAG that a solver found, and what is proven of it."""

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np

from structlearn.certificates import about, best_dag
from structlearn.outcome import Outcome
from structlearn.rounding import is_better
from structlearn.run import Run
from structlearn.search.dags import graph_of
from structlearn.search.limits import Limits
from structlearn.search.local_scores import LocalScores, Solution
from structlearn.search.space import Space
from structlearn.statistics import Missing
from structlearn.statistics.experiments import experiments_of

MOST_SECONDS = 60.0  # for cuts that show what dynamic programming found; most tables take a few


def proven_outcome(names: tuple[str, ...], steps: list[Solution], run: Run, allowed: str) -> Outcome:
    """The last step, with its gap; `allowed` says among which DAGs it is the best."""
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
        extra={"bound": best.bound, "gap": gap, "proof": _proof(best, allowed)},
    )


def certified(
    outcome: Outcome, space: Space, lists: LocalScores | None, best: Solution, missing: Missing
) -> Outcome:
    """The outcome with what a certificate says of it, where all families of the space were scored."""
    if lists is None or experiments_of(space.statistics):  # rows told apart, as nobody else has them
        return outcome
    table = about(space.statistics, missing)
    return replace(outcome, claims=partial(_claims, table, repr(space.score), space.limits, lists, best))


def _claims(
    table: Mapping[str, Any], score: str, limits: Limits, lists: LocalScores, best: Solution
) -> dict[str, Any]:
    """What others can check; beyond what they can do again, with the cuts that show it."""
    if best.cuts is None and len(lists.names) > best_dag.MOST_COLUMNS and find_spec("highspy"):
        from structlearn.learners.order.exact import integer_programme  # noqa: PLC0415, slow to load

        with Run("certificate", time_limit_s=MOST_SECONDS) as run:
            again = integer_programme.solve(lists, best.parents, run)
        if not is_better(again.bound, best.bound):
            best = best._replace(cuts=again.cuts)
    return best_dag.content(table, score, limits, lists, best)


def allowed_dags(limits: Limits, *, among_candidates: bool, is_informed: bool) -> str:
    """Among which DAGs the best is sought, in words."""
    is_limited = limits.max_parents < len(limits.frozen) - len(limits.contexts) - 1
    few_parents = f" with at most {parents_a_node(limits.max_parents)}" if is_limited else ""
    among = " within the candidates" if among_candidates else ""
    return few_parents + among + (" that honours the knowledge" if is_informed else "")


def parents_a_node(most: int) -> str:
    """In words."""
    return "1 parent a node" if most == 1 else f"{most} parents a node"


def _proof(best: Solution, allowed: str) -> str:
    if best.bound == math.inf:
        return "Not proven: the search ended before all families were scored."
    if is_better(best.bound, best.score):
        return f"Not proven: the best DAG{allowed} may score up to {best.bound - best.score:.4g} more."
    return f"Proven optimal: no DAG{allowed} scores more."
