"""Tests of independence by name, and which of them fits the columns at hand."""

from collections.abc import Callable, Mapping

from structlearn.data import Kind
from structlearn.errors import DataError, OptionError
from structlearn.independence.contingency import G2, Chi2
from structlearn.independence.fisher_z import FisherZ
from structlearn.independence.protocol import IndependenceTest
from structlearn.options import Either, Instance, OneOf, OrNone
from structlearn.statistics import Statistics
from structlearn.statistics.kind import only_kind

BY_NAME: Mapping[str, Callable[[], IndependenceTest]] = {"g2": G2, "chi2": Chi2, "fisher-z": FisherZ}
DEFAULTS: Mapping[Kind, str] = {"discrete": "g2", "continuous": "fisher-z"}
TEST_NAMES = tuple(BY_NAME)
TEST = OrNone(
    Either((OneOf(TEST_NAMES, ""), Instance(IndependenceTest, "")), "the test of independence"),
    "g2 for discrete columns, fisher-z for continuous ones",
)


def test_for(owner: str, test: str | IndependenceTest | None, statistics: Statistics) -> IndependenceTest:
    """The test of that name, the test given, or the usual one for columns of this kind."""
    kind = only_kind(owner, statistics, "test")
    if test is None:
        test = DEFAULTS[kind]
    if isinstance(test, str):
        if test not in BY_NAME:
            raise OptionError(f"{owner}: there is no test {test!r}; choose {TEST.allowed}.")
        test = BY_NAME[test]()
    takes = getattr(test, "takes", kind)
    if takes != kind:
        raise DataError(
            f"{owner}: {test!r} takes {takes} columns, and these are {kind}. "
            f"Use test={DEFAULTS[kind]!r}, or say with kinds={{…}} that columns are {takes}."
        )
    return test
