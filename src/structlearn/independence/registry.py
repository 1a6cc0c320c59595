"""Tests of independence by name, and which of them fits the columns at hand."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from structlearn.errors import DataError, OptionError
from structlearn.independence.from_function import PairwiseTest, from_function
from structlearn.independence.interventional import with_experiments
from structlearn.independence.protocol import IndependenceTest
from structlearn.later import NamedLater
from structlearn.naming import meant
from structlearn.options import Either, Instance, OneOf, OrNone
from structlearn.statistics import Statistics
from structlearn.statistics.column_sorts import Sort, both_kinds, sort_of

BY_NAME: Mapping[str, Callable[[], IndependenceTest]] = NamedLater(
    "structlearn.independence",
    {
        "g2": "g2.G2",
        "chi2": "chi2.Chi2",
        "mutual-information": "mutual_information.MutualInformation",
        "fisher-z": "fisher_z.FisherZ",
        "t": "exact_t.ExactT",
        "effective-z": "effective_z.EffectiveZ",
        "conditional-gaussian": "conditional_gaussian.ConditionalGaussian",
        "permutation": "permutation.Permutation",
        "kci": "kci.KCI",
        "rcot": "rcot.RCoT",
        "gcm": "gcm.GCM",
        "distance-correlation": "distance_correlation.DistanceCorrelation",
        "projection-correlation": "projection_correlation.ProjectionCorrelation",
    },
)
DEFAULTS: Mapping[Sort, str] = {
    "discrete": "g2",
    "continuous": "fisher-z",
    "mixed": "conditional-gaussian",
}
TEST_NAMES = tuple(BY_NAME)


@dataclass(frozen=True)
class _Function:
    """Something to call, but not a class."""

    meaning: str
    allowed: str = "a function of x, y and given that returns a p-value"

    def accepts(self, value: Any) -> bool:
        return callable(value) and not isinstance(value, type)


TEST: OrNone = OrNone(
    Either(
        (OneOf(TEST_NAMES, ""), Instance(IndependenceTest, ""), _Function("")), "the test of independence"
    ),
    "g2 for discrete columns, fisher-z for continuous ones, conditional-gaussian for both together",
)


def test_for(
    owner: str, test: str | IndependenceTest | PairwiseTest | None, statistics: Statistics
) -> IndependenceTest:
    """The test of that name, the test given, or the usual one for columns of these kinds."""
    sort = sort_of(statistics)
    if test is None:
        test = DEFAULTS[sort]
    if isinstance(test, str):
        if test not in BY_NAME:
            raise OptionError(
                f"{owner}: there is no test {test!r}{meant(test, BY_NAME)}; choose {TEST.allowed}."
            )
        test = BY_NAME[test]()
    if isinstance(test, type):
        raise OptionError(f"{owner}: test={test.__name__} is a class; pass an object, {test.__name__}().")
    if not isinstance(test, IndependenceTest):
        if not callable(test):
            raise OptionError(f"{owner}: {test!r} is no test; choose {TEST.allowed}.")
        return with_experiments(from_function(test), statistics)
    _check_taken(owner, test, sort, statistics)
    return with_experiments(test, statistics)


def minds_order(test: object) -> bool:
    """Whether a test, or that of a name, takes rows to follow each other in time."""
    if test is None or isinstance(test, str):
        return test == "effective-z"
    from structlearn.independence.effective_z import EffectiveZ  # noqa: PLC0415, few give an object

    return isinstance(test, EffectiveZ)


def _check_taken(owner: str, test: IndependenceTest, sort: Sort, statistics: Statistics) -> None:
    takes = getattr(test, "takes", (sort,))
    takes = (takes,) if isinstance(takes, str) else tuple(takes)
    if sort in takes:
        return
    these = f"of both kinds, {both_kinds(statistics)}" if sort == "mixed" else sort
    raise DataError(
        f"{owner}: {test!r} takes {' or '.join(takes)} columns, and these are {these}. "
        f"Use test={DEFAULTS[sort]!r}, or say with kinds={{…}} that columns are {takes[0]}."
    )
