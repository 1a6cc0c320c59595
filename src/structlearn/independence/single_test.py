"""One test in one call."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from structlearn.errors import OptionError
from structlearn.independence.checked import checked_answers
from structlearn.independence.from_function import PairwiseTest
from structlearn.independence.protocol import IndependenceTest
from structlearn.independence.registry import test_for
from structlearn.statistics import MISSING, Missing, opened, refuse_missing, statistics_of

OWNER = "test_independence"


@dataclass(frozen=True, slots=True)
class TestResult:
    """The answer of one test; `statistic` and `dof` are None for tests without."""

    __test__ = False  # pytest takes names in Test… for its own

    x: str
    y: str
    given: tuple[str, ...]
    statistic: float | None
    dof: float | None
    p_value: float
    log_p: float
    reliable: bool

    def independent(self, alpha: float = 0.05) -> bool:
        """Whether the p-value is larger than the significance level."""
        return self.p_value > alpha


def test_independence(
    data: Any,
    x: str,
    y: str,
    given: str | Sequence[str] = (),  # noqa: PT028, no test of pytest's
    *,
    test: str | IndependenceTest | PairwiseTest | None = None,  # noqa: PT028, no test of pytest's
    missing: Missing = "error",  # noqa: PT028, no test of pytest's
) -> TestResult:
    """Test whether two columns of a table are independent, given others.

    Parameters
    ----------
    data : data frame, array, dict of columns, path or Dataset
        The table.
    x, y : str
        The two columns.
    given : str or sequence of str
        The columns to condition on.
    test : str, IndependenceTest, function or None, default None
        Which test, as learners take it; by default the usual one for columns of these kinds.
    missing : "error", "drop" or "testwise", default "error"
        Whether to refuse missing values or to leave out the rows that miss one of these columns.
        Here the last two are the same.

    Returns
    -------
    TestResult
        With `statistic`, `dof`, `p_value`, `log_p` and `independent(alpha)`.

    Examples
    --------
    >>> import structlearn as sl
    >>> data = sl.example("asia").sample(5000, random_state=0)
    >>> test_independence(data, "smoke", "dysp").independent()
    False
    >>> test_independence(data, "smoke", "dysp", given=["bronc", "either"]).independent()
    True
    """
    conditions = (given,) if isinstance(given, str) else tuple(given)
    _check_names(x, y, conditions)
    source = opened(data)
    names = sorted((x, y, *conditions))
    refuse_missing(source, OWNER, missing=missing, offered=MISSING.words, columns=names)
    statistics = statistics_of(source, names, missing=missing, owner=OWNER)
    question = np.array([[names.index(name) for name in (x, y, *sorted(conditions))]])
    answers = checked_answers(test_for(OWNER, test, statistics), statistics, question)
    return TestResult(
        x=x,
        y=y,
        given=conditions,
        statistic=_known(answers.statistic[0]),
        dof=_known(answers.dof[0]),
        p_value=float(answers.p_value[0]),
        log_p=float(answers.log_p[0]),
        reliable=bool(answers.is_reliable[0]),
    )


test_independence.__test__ = False  # type: ignore[attr-defined]  # pytest takes names in test_… for its own


def _check_names(x: str, y: str, given: tuple[str, ...]) -> None:
    names = (x, y, *given)
    again = [name for place, name in enumerate(names) if name in names[:place]]
    if again:
        raise OptionError(
            f"{OWNER}: {again[0]!r} appears twice; x, y and the columns of given are different columns."
        )


def _known(number: float) -> float | None:
    return None if np.isnan(number) else float(number)
