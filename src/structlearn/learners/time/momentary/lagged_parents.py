"""The first half of PCMCI: candidates for the lagged parents of each variable, one condition set a level."""

from collections.abc import Sequence

from structlearn.learners.time.learner import KnownInTime
from structlearn.learners.time.momentary.asked_links import Lag, Link, LinkTests
from structlearn.run import Run


def lagged_parents(
    tests: LinkTests, lags: Sequence[int], known: KnownInTime, alpha: float, run: Run
) -> list[list[Lag]]:
    """For each variable what may act on it, the strongest first.

    With d conditions each candidate is tested given the d strongest others. Those that turn out independent
    leave together after the pass, so that the order of the columns cannot matter.
    """
    variables = [i for i in range(len(tests.table.variables)) if not tests.table.is_context[i]]
    left: list[list[Lag]] = [[] for _ in tests.table.variables]
    for target in variables:
        left[target] = [(i, lag) for i in variables for lag in lags if not known.forbidden[i, target]]
    strengths: dict[Link, float] = {}
    size = 0
    while not run.must_stop():
        asked = [(i, lag, j) for j in variables if len(left[j]) > size for i, lag in left[j]]
        if not asked:
            break
        run.show(f"parents with {size} conditions", size)
        given = [[other for other in left[j] if other != (i, lag)][:size] for i, lag, j in asked]
        p_value, strength = tests.ask(asked, given)
        if run.must_stop():
            break
        for link, found in zip(asked, strength.tolist(), strict=True):
            strengths[link] = min(found, strengths.get(link, found))
        gone = {link for link, p in zip(asked, p_value.tolist(), strict=True) if p > alpha}
        for j in {target for _, _, target in asked}:
            kept = [each for each in left[j] if (*each, j) not in gone or _is_required(each, j, lags, known)]
            left[j] = [each for _, each in sorted((-strengths[*each, j], each) for each in kept)]
        size += 1
    return left


def _is_required(source: Lag, target: int, lags: Sequence[int], known: KnownInTime) -> bool:
    return bool(known.required[source[0], target]) and source[1] == lags[0]
