"""A tree of tests on the parents: a discrete node that depends on some parents only in some contexts."""

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Kind, Label
from structlearn.errors import DataError
from structlearn.models.cpds.arguments import checked_labels, finite_array
from structlearn.models.cpds.by_tests import ByTests
from structlearn.models.cpds.family import Family
from structlearn.models.cpds.observed_cells import observed_cells
from structlearn.models.cpds.protocol import Rows
from structlearn.models.cpds.table import SUM_TOLERANCE, refuse_large_table
from structlearn.models.cpds.tree_shape import (
    States,
    Tree,
    TreeShape,
    grown_split,
    tree_from_plain,
    tree_to_plain,
)
from structlearn.models.kernels.drawing import draw_states
from structlearn.options import check_options
from structlearn.scores import Score
from structlearn.scores.tree_growth import (
    FIT_RULES,
    TREE_SCORES,
    GrownTree,
    Items,
    Splits,
    grow_tree,
    growth_rule,
)


class TreeCPD(ByTests):
    """The probability of each state of a node, by tests of its parents that end in a leaf.

    Where two joint states of the parents come to the same leaf they share its distribution, so that
    a tree needs fewer parameters than a table. Discrete parents are tested by state, continuous
    ones by threshold.

    Parameters
    ----------
    tree : Split or sequence of float
        The first test, or a single leaf. A leaf has the probability of each state of the node.
    labels : iterable of str, int, float or bool
        The states of the node.
    parents : mapping of str to iterable of labels, default {}
        The states of each parent, none for a continuous one. Parents that no test asks for may be there.

    References
    ----------
    .. [1] Boutilier, Friedman, Goldszmidt and Koller (1996), Context-specific independence in Bayesian
       networks, Uncertainty in Artificial Intelligence 12.
    .. [2] Friedman and Goldszmidt (1996), Learning Bayesian networks with local structure, Uncertainty
       in Artificial Intelligence 12.

    Examples
    --------
    >>> from structlearn.models import Split, TreeCPD
    >>> tree = Split("alarm", [[0.99, 0.01], Split("deaf", [[0.2, 0.8], [0.9, 0.1]])])
    >>> both = {"alarm": ["off", "on"], "deaf": ["no", "yes"]}
    >>> cpd = TreeCPD(tree, labels=["stays", "calls"], parents=both)
    >>> print(cpd)
    P(stays, calls)
    ├─ alarm = off: 0.99, 0.01
    └─ alarm = on
       ├─ deaf = no: 0.2, 0.8
       └─ deaf = yes: 0.9, 0.1
    >>> cpd.is_independent_of("deaf", {"alarm": "off"})
    True
    """

    form: ClassVar[str] = "tree"
    kind: ClassVar[Kind] = "discrete"
    parent_kind: ClassVar[Kind | None] = None

    def __init__(
        self, tree: Tree, *, labels: Iterable[Label], parents: Mapping[str, Iterable[Label]] | None = None
    ) -> None:
        self.labels = checked_labels("TreeCPD", labels)
        self._shape = TreeShape("TreeCPD", tree, parents or {})
        self.probabilities = np.array([self._checked_leaf(leaf) for leaf in self._shape.leaves])
        self.probabilities.setflags(write=False)

    @classmethod
    def fit(  # noqa: PLR0913, how a tree grows has these sides
        cls,
        family: Family,
        *,
        smoothing: float = 0.0,
        score: str | Score = "bic",
        kappa: float = 1.0,
        splits: Splits = "each-value",
        lookahead: bool = True,
        min_rows: float = 1.0,
        max_depth: int | None = None,
    ) -> Self:
        """Grow a tree from one leaf, by splits that improve a score, and estimate its leaves.

        Parameters
        ----------
        family : Family
            The node and its parents in the data.
        smoothing : float, default 0.0
            Pseudo-rows, spread over the leaves by their parts of the parents' joint states (half for
            each side of a threshold) and evenly over the node's states.
        score : str or Score, default "bic"
            What a tree maximises: "bic", "bdeu", "mdl", "aic", "k2", "bdj", "loglik", or one of these scores.
        kappa : float, default 1.0
            A tree is so much less likely for each free parameter.
        splits : {"each-value", "one-value"}, default "each-value"
            Whether a test of a discrete parent has a branch for each state, or one for a state and one
            for all others.
        lookahead : bool, default True
            Whether a split counts with the best splits below it. Without, parents that matter only
            together are not found.
        min_rows : float, default 1.0
            The fewest rows of a leaf.
        max_depth : int or None, default None
            The most tests on the way to a leaf.

        Notes
        -----
        Thresholds lie midway between values. One costs the logarithm of how many it was chosen from,
        whatever the score. Ties go to the first parent, then to the lowest value.
        """
        how: dict[str, Any] = {"kappa": kappa, "splits": splits, "lookahead": lookahead}
        how |= {"min_rows": min_rows, "max_depth": max_depth}
        check_options("TreeCPD.fit", FIT_RULES, {"score": score, **how})
        by = TREE_SCORES[score]() if isinstance(score, str) else score
        rule = growth_rule(by, family.statistics.size, **how)
        cells = observed_cells(family)
        points = np.array(cells.parents, dtype=np.float64).reshape(len(family.parents), len(cells.counts))
        grown = grow_tree(Items(points, cells.counts), np.array(family.parent_levels, dtype=np.int64), rule)
        states = states_of_parents(family)
        leaves = _estimates(grown, smoothing).tolist()
        tree = grown_split(grown, states, leaves, by_value=rule.by_value)
        return cls(tree, labels=family.labels, parents=states)

    @property
    def tree(self) -> Tree:
        """The first test, or the probabilities of a single leaf."""
        return self._shape.nested([tuple(leaf) for leaf in self.probabilities.tolist()])

    @property
    def n_parameters(self) -> int:
        """One less than the states, for each leaf."""
        return self.n_leaves * (len(self.labels) - 1)

    def log_probability(self, values: Rows, parents: Sequence[Rows]) -> NDArray[np.float64]:
        """Look up each row in its leaf; -inf where its probability is 0."""
        found: NDArray[np.float64] = self._logs[self.leaves_of(parents, len(values)), values]
        return found

    def sample(self, parents: Sequence[Rows], n: int, rng: np.random.Generator) -> Rows:
        """Draw codes by inverting the cumulative distribution of each row's leaf."""
        leaves = self.leaves_of(parents, n)
        states: Rows = draw_states(self._cumulative, leaves, rng.random(n))
        return states

    def as_table(self) -> NDArray[np.float64] | None:
        """Give each probability where all parents are discrete, None elsewhere."""
        levels = tuple(self.parent_levels.values())
        if 0 in levels:
            return None
        shape = (*levels, len(self.labels))
        refuse_large_table("a tree CPD", shape)
        states = np.indices(levels).reshape(len(levels), math.prod(levels))
        leaves = self.leaves_of(list(states), states.shape[1])
        table: NDArray[np.float64] = self.probabilities[leaves].reshape(shape)
        return table

    def to_dict(self) -> dict[str, Any]:
        """Give parents, labels and the tree as lists and mappings."""
        return {
            "parents": {name: list(states) for name, states in self._shape.states.items()},
            "labels": list(self.labels),
            "tree": tree_to_plain(self.tree),
        }

    @classmethod
    def from_dict(cls, known: Mapping[str, Any]) -> Self:
        """Make a tree of what `to_dict` gave."""
        return cls(tree_from_plain(known["tree"]), labels=known["labels"], parents=known["parents"])

    def __repr__(self) -> str:
        given = f" given {', '.join(self.parents)}" if self.parents else ""
        leaves = "1 leaf" if self.n_leaves == 1 else f"{self.n_leaves} leaves"
        return f"<TreeCPD: {len(self.labels)} states{given}, {leaves}, {self.n_parameters} parameters>"

    def shown(self) -> str:
        """The tests, one below the other."""
        return self._shape.text(
            f"P({', '.join(map(str, self.labels))})",
            lambda leaf: ", ".join(f"{value:.3g}" for value in self.probabilities[leaf]),
        )

    @property
    def _identity(self) -> tuple[Any, ...]:
        return self.labels, tuple(self._shape.states.items()), self.tree

    @cached_property
    def _logs(self) -> NDArray[np.float64]:
        with np.errstate(divide="ignore"):
            logs: NDArray[np.float64] = np.log(self.probabilities)
        return logs

    @cached_property
    def _cumulative(self) -> NDArray[np.float64]:
        sums = np.cumsum(self.probabilities, axis=1)
        # Dividing makes the last possible state exactly 1, so that no rounding can draw a state behind it.
        cumulative: NDArray[np.float64] = sums / sums[:, -1:]
        return cumulative

    def _checked_leaf(self, leaf: Any) -> NDArray[np.float64]:
        numbers = finite_array("TreeCPD", "probabilities of a leaf", leaf)
        if numbers.shape != (len(self.labels),) or (numbers < 0).any():
            raise DataError(
                f"TreeCPD: a leaf has a probability for each of the {len(self.labels)} states, not {leaf!r}."
            )
        off = abs(float(numbers.sum()) - 1)
        if off > SUM_TOLERANCE:
            raise DataError(f"TreeCPD: the probabilities of a leaf must sum to 1, and are {off:g} off.")
        return numbers


def states_of_parents(family: Family) -> States:
    """The states of each parent, none for a continuous one; their codes where no labels are known."""
    codes = [tuple(range(levels)) for levels in family.parent_levels]
    return dict(zip(family.parent_names, family.parent_labels or codes, strict=True))


def _estimates(grown: GrownTree, smoothing: float) -> NDArray[np.float64]:
    """The estimate at every vertex."""
    counts = grown.tallies + smoothing * grown.shares[:, None] / grown.tallies.shape[1]
    totals = counts.sum(axis=1, keepdims=True)
    uniform = np.full(counts.shape, 1 / counts.shape[1])
    shares: NDArray[np.float64] = np.divide(counts, totals, out=uniform, where=totals > 0)
    return shares
