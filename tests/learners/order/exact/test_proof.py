"""What a solver's end is said to prove."""

import math

import pytest

import structlearn as sl
from structlearn.learners.order.exact.proof import allowed_dags, proven_outcome
from structlearn.run import Run
from structlearn.search.limits import Limits
from structlearn.search.local_scores import Solution


@pytest.mark.parametrize(
    ("bound", "gap", "proof"),
    [
        (-5.0, 0.0, "Proven optimal: no DAG here scores more."),
        (-5.0 + 1e-10, 1e-10, "Proven optimal: no DAG here scores more."),
        (-3.5, 1.5, "Not proven: the best DAG here may score up to 1.5 more."),
        (math.inf, math.inf, "Not proven: the search ended before all families were scored."),
    ],
)
def test_the_gap_decides_what_is_proven(bound, gap, proof):
    steps = [Solution([[], []], -9.0, math.inf), Solution([[], [0]], -5.0, bound)]

    found = proven_outcome(("a", "b"), steps, Run("test"), " here")

    assert found.graph == sl.Graph("ab", directed=[("a", "b")])
    assert found.extra["gap"] == pytest.approx(gap)
    assert found.extra["proof"] == proof
    assert found.trace["score"].tolist() == [-9.0, -5.0]


def test_the_limits_are_told_in_words():
    few = Limits.of(("a", "b", "c"), sl.Knowledge(), 1)
    no_limit = Limits.of(("a", "b", "c"), sl.Knowledge(), 2)

    assert allowed_dags(no_limit, among_candidates=False, is_informed=False) == ""
    assert (
        allowed_dags(few, among_candidates=True, is_informed=True)
        == " with at most 1 parent a node within the candidates that honours the knowledge"
    )
