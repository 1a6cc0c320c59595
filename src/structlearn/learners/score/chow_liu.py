"""The tree of Chow and Liu."""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import OptionError
from structlearn.learners.dag_search import DAGSearch
from structlearn.learners.option_groups import OnDevice, Scored
from structlearn.learners.score.trees.on_card import forest_on_card
from structlearn.learners.score.trees.pair_gains import arc_gains, is_symmetric
from structlearn.learners.score.trees.results import outcome_of_arcs
from structlearn.learners.score.trees.spanning import Arc, heaviest_branching, heaviest_forest, rooted
from structlearn.options import Instance, OrNone, option
from structlearn.outcome import Outcome
from structlearn.scores import SCORE, Score
from structlearn.search.space import Space


class ChowLiu(Scored, OnDevice, DAGSearch):
    """Find the tree with the largest likelihood, or the forest with the best score."""

    needs_full_rank = False
    score: str | Score = option(
        SCORE,
        "What to maximise. The log-likelihood joins all columns that depend on each other at all: the tree "
        'of Chow and Liu. A score with a penalty, such as "bic", joins only those worth it.',
        default="loglik",
    )
    root: str | None = option(
        OrNone(Instance(str), "the first in alphabetical order"),
        "The column that all arrows lead away from. Parts of a forest without it have the first of their "
        "own.",
        default=None,
    )

    def _search(self, space: Space) -> Outcome:
        names = space.names
        required, forbidden = space.limits.frozen.T.copy(), space.limits.closed.T.copy()
        required[space.limits.contexts], forbidden[space.limits.contexts] = False, True
        roots = self._roots(names, required)
        _refuse_two_parents(names, required)
        edges = forest_on_card(space)
        if edges is None:
            weights = arc_gains(space)
            np.maximum(weights, 0.0, out=weights)
            weights[forbidden] = 0.0
            if not required.any() and is_symmetric(weights):
                edges = heaviest_forest(weights)
        if edges is None:
            arcs = self._branching(weights, required, roots)
        else:
            arcs = rooted(len(names), edges, roots)
        return outcome_of_arcs(space, arcs)

    def _branching(
        self, weights: NDArray[np.float64], required: NDArray[np.bool_], roots: list[int]
    ) -> list[Arc]:
        """The best arcs where directions are not free; required ones outweigh all others together."""
        outweighing = 1.0 + weights.sum()
        weights[:, required.any(axis=0)] = 0.0
        weights[required] = outweighing
        if self.root is not None:
            weights[:, roots[0]] = 0.0
        return heaviest_branching(weights)

    def _roots(self, names: tuple[str, ...], required: NDArray[np.bool_]) -> list[int]:
        """Where the parts of the forest may be rooted, the first choice first."""
        if self.root is None:
            return list(range(len(names)))
        if self.root not in names:
            raise OptionError(f"ChowLiu(root={self.root!r}): there is no such column; name one of the table.")
        root = names.index(self.root)
        if required[:, root].any():
            raise OptionError(
                f"ChowLiu(root={self.root!r}): an arrow into it is required. Choose another root."
            )
        return [root, *range(len(names))]

    details: ClassVar[str] = """
    Attributes
    ----------
    graph_ : Graph
        A DAG in which no node has two parents. Where nothing else directs an edge, the root does:
        every other root gives an equivalent DAG.
    trace_ : dict of arrays
        The arcs, those that bring most first: "source", "target", "gain" and the "score" so far.

    Notes
    -----
    The likelihood of a tree is that of no edges plus, for each edge, the mutual information of its
    ends times the number of rows, so that the best tree is the spanning tree of largest weight
    [1]_. Other decomposable scores are a sum over edges too, and the best forest is that of the
    edges with a gain [3]_. Where directions are not free, because of knowledge or of the
    score, the answer is the best branching [2]_. An edge that brings nothing is left out even of a
    tree: a column with a single value stays alone. Ties, up to rounding, go to the names in
    alphabetical order. Of knowledge, two required arcs cannot lead into the same column.

    References
    ----------
    .. [1] Chow and Liu (1968), Approximating discrete probability distributions with dependence
       trees, IEEE Transactions on Information Theory 14.
    .. [2] Edmonds (1967), Optimum branchings, Journal of Research of the National Bureau of
       Standards 71B.
    .. [3] Edwards, de Abreu and Labouriau (2010), Selecting high-dimensional mixed graphical models
       using minimal AIC or BIC forests, BMC Bioinformatics 11.

    Examples
    --------
    >>> import structlearn as sl
    >>> data = sl.example("cancer").sample(20_000, random_state=0)
    >>> print(sl.ChowLiu(score="bic", root="Cancer").fit(data).graph_)
    Graph with 5 nodes and 4 edges
      Cancer → Pollution
      Cancer → Smoker
      Cancer → Xray
      Cancer → Dyspnoea
    """


def _refuse_two_parents(names: tuple[str, ...], required: NDArray[np.bool_]) -> None:
    for child in np.flatnonzero(required.sum(axis=0) > 1)[:1]:
        arrows = " and ".join(f"{names[u]} → {names[child]}" for u in np.flatnonzero(required[:, child]))
        raise OptionError(
            f"ChowLiu: {arrows} are required, and in a tree no node has two parents. Drop one of them, "
            "or use another method."
        )
