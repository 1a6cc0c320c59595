"""Scores of families whose distribution is a tree."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from structlearn.options import Instance, Rules, check_options
from structlearn.scores.family_tables import FamilyTables, family_tables, n_parent_states
from structlearn.scores.kernels.leaves import Rule
from structlearn.scores.kernels.tree_tables import tree_scores
from structlearn.scores.mdl import MDL
from structlearn.scores.penalised import BIC
from structlearn.scores.protocol import Families, Score
from structlearn.scores.tree_growth import (
    GROWTH_RULES,
    KAPPA,
    Splits,
    discrete_items,
    grow_tree,
    growth_rule,
)
from structlearn.statistics import Statistics, rows_of
from structlearn.statistics.blocks import in_blocks
from structlearn.statistics.column_sorts import Sort

UNTESTED = 1e-6  # what a parent costs that the tree does not test: above rounding, so that no search keeps it
CELL_VISITS = 20.0  # a cell of a table takes about as long as so many visits of a row

RULES: Rules = {
    **GROWTH_RULES,
    "score": Instance(Score, "what makes a tree good"),
    "kappa": KAPPA,
}


@dataclass(frozen=True)
class TreeScore:
    """The score of the tree that grows from a discrete family, in place of its table [1]_ [2]_.

    A tree asks for a parent only where the answer matters, so that a family costs a distribution for
    each leaf and not for each joint state of its parents. Not score-equivalent.

    Parameters
    ----------
    score : Score, default BIC()
        What the tree maximises, leaf by leaf: `BIC`, `MDL`, `BDeu`, `AIC`, `K2`, `BDJ` or `LogLikelihood`.
        With `MDL` the tree is written down too.
    kappa : float, default 1.0
        A tree is so much less likely for each free parameter; 0.01 is usual with `K2` [3]_.
    splits : {"each-value", "one-value"}, default "each-value"
        Whether a test has a branch for each state of a parent, or one for a state and one for all others.
    lookahead : bool, default True
        Whether a split counts with the best splits below it. Without, parents that matter only
        together are not found.
    min_rows : float, default 1.0
        The fewest rows of a leaf.
    max_depth : int or None, default None
        The most tests on the way to a leaf.

    Notes
    -----
    Growth is greedy: the tree of a larger family may be worse. A family never scores less than the child
    without parents, but for a millionth for every parent that its tree does not test.

    References
    ----------
    .. [1] Friedman and Goldszmidt (1996), Learning Bayesian networks with local structure, Uncertainty
       in Artificial Intelligence 12.
    .. [2] Boutilier, Friedman, Goldszmidt and Koller (1996), Context-specific independence in Bayesian
       networks, Uncertainty in Artificial Intelligence 12.
    .. [3] Heckerman, Chickering, Meek, Rounthwaite and Kadie (2000), Dependency networks for inference,
       collaborative filtering, and data visualization, Journal of Machine Learning Research 1.

    Examples
    --------
    >>> import structlearn as sl
    >>> from structlearn.scores import BIC, TreeScore
    >>> data = sl.example("asia").sample(2_000, random_state=0)
    >>> graph = sl.example("asia").graph
    >>> sl.score(graph, data, TreeScore(BIC())) > sl.score(graph, data, BIC())
    True
    """

    score: Score = field(default_factory=BIC)
    kappa: float = 1.0
    splits: Splits = "each-value"
    lookahead: bool = True
    min_rows: float = 1.0
    max_depth: int | None = None

    takes: ClassVar[Sort] = "discrete"
    is_equivalent: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_options("TreeScore", RULES, {name: getattr(self, name) for name in RULES})
        growth_rule(self.score, 1.0)

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """Score many families with the same number of parents."""
        rule = self._rule(statistics.size)
        tables = family_tables(statistics, families)
        is_dense = _is_dense(statistics, families, tables)
        scores = np.empty(len(families))
        scores[is_dense] = _scores_of_tables(statistics, families[is_dense], tables, is_dense, rule)
        for i in np.flatnonzero(~is_dense).tolist():
            scores[i] = _score_of_rows(statistics, families[i], rule)
        if isinstance(self.score, MDL):
            scores -= self.score.graph_length(statistics, families.shape[1] - 1)
        return scores

    def _rule(self, size: float) -> Rule:
        return growth_rule(
            self.score,
            size,
            kappa=self.kappa,
            splits=self.splits,
            lookahead=self.lookahead,
            min_rows=self.min_rows,
            max_depth=self.max_depth,
        )


def _is_dense(statistics: Statistics, families: Families, tables: FamilyTables) -> NDArray[np.bool_]:
    """Whether a table has all joint states of the parents, so that a cell's place says its state."""
    found: NDArray[np.bool_] = tables.strata * tables.parent_levels == n_parent_states(statistics, families)
    return found


def _scores_of_tables(
    statistics: Statistics,
    families: Families,
    tables: FamilyTables,
    is_dense: NDArray[np.bool_],
    rule: Rule,
) -> NDArray[np.float64]:
    scores = np.empty(len(families))
    starts, child_levels = tables.starts[is_dense], tables.child_levels[is_dense]

    def fill(block: slice) -> None:
        some = starts[block], child_levels[block], statistics.levels, families[block]
        tree_scores(tables.counts, *some, rule, UNTESTED, scores[block])

    cost = CELL_VISITS * len(tables.counts) * families.shape[1]
    in_blocks(fill, len(families), cost=cost, n_jobs=statistics.n_jobs)
    return scores


def _score_of_rows(statistics: Statistics, family: NDArray[np.int64], rule: Rule) -> float:
    parents, child = np.sort(family[1:]), int(family[0])
    rows = rows_of("A tree of continuous parents", statistics, [*parents.tolist(), child])
    tree = grow_tree(discrete_items(rows, int(statistics.levels[child])), statistics.levels[parents], rule)
    n_tested = len(np.unique(tree.parents[tree.parents >= 0]))
    return tree.score - UNTESTED * (len(parents) - n_tested)
