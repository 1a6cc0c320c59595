"""The Markov blanket of one column."""

from typing import Any

from structlearn.data import Oracle
from structlearn.errors import OptionError
from structlearn.independence import TEST, IndependenceTest, PairwiseTest, SeparationOracle, test_for
from structlearn.independence.asking import Asker
from structlearn.learners.constraint.blankets.blankets import BLANKET_METHODS, BlanketMethod, BlanketSearch
from structlearn.learners.preconditions import ready_statistics
from structlearn.naming import no_such
from structlearn.options import Between, OneOf, Rule, check_options
from structlearn.run import Run
from structlearn.statistics import MISSING, Missing, opened, refuse_missing

RULES: dict[str, Rule] = {
    "method": OneOf(BLANKET_METHODS, "how the blanket grows"),
    "test": TEST,
    "alpha": Between(0, 1, "the significance level of each test"),
    "missing": MISSING,
}


def markov_blanket(
    data: Any,
    target: str,
    *,
    method: BlanketMethod = "grow-shrink",
    test: str | IndependenceTest | PairwiseTest | None = None,
    alpha: float = 0.05,
    missing: Missing = "error",
) -> tuple[str, ...]:
    """The columns that, once known, make all others irrelevant for `target`.

    Parameters
    ----------
    data : data frame, array, dict of columns, path, Dataset or Oracle
        The table.
    target : str
        The column whose blanket is wanted.
    method : {"grow-shrink", "iamb", "inter-iamb", "fast-iamb"}, default "grow-shrink"
        How the blanket grows: by the first dependent column [1]_, by the most dependent one, with
        shrinking in between [2]_, or by all dependent ones at once [3]_.
    test, alpha, missing
        The test of independence, its level, and what to do about missing values, as for `sl.PC`.

    Returns
    -------
    tuple of str
        In the order of the columns.

    References
    ----------
    .. [1] Margaritis and Thrun (1999), Bayesian network induction via local neighborhoods, NIPS 12.
    .. [2] Tsamardinos, Aliferis and Statnikov (2003), Algorithms for large scale Markov blanket
       discovery, FLAIRS.
    .. [3] Yaramakala and Margaritis (2005), Speculative Markov blanket discovery for optimal
       feature selection, ICDM.

    Examples
    --------
    >>> import structlearn as sl
    >>> truth = sl.Graph("abcd", directed=[("a", "b"), ("c", "b"), ("b", "d")])
    >>> sl.markov_blanket(sl.Oracle(truth), "a")
    ('b', 'c')
    """
    owner = "markov_blanket"
    check_options(owner, RULES, {"method": method, "test": test, "alpha": alpha, "missing": missing})
    source = data if isinstance(data, Oracle) else opened(data)
    if target not in source.names:
        raise OptionError(no_such("column", target, source.names, owner=owner))
    names = tuple(sorted(source.names))
    if isinstance(source, Oracle):
        asker = Asker(SeparationOracle.of(source, names), None, alpha=alpha)
    else:
        run = Run(owner)
        refuse_missing(source, owner, missing=missing, offered=MISSING.words)
        statistics = ready_statistics(source, run, missing=missing)
        run.say_warnings()
        asker = Asker(test_for(owner, test, statistics), statistics, alpha=alpha)
    found = BlanketSearch(asker, len(names), method=method).blanket(names.index(target))
    members = {names[v] for v in found}
    return tuple(name for name in source.names if name in members)
