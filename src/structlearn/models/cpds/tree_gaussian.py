"""A tree of tests that ends in normal distributions: a continuous node with parents of any kind."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Kind, Label
from structlearn.errors import DataError
from structlearn.models.cpds.arguments import finite_array
from structlearn.models.cpds.by_tests import ByTests
from structlearn.models.cpds.densities import normal_log_density
from structlearn.models.cpds.family import Family
from structlearn.models.cpds.linear_gaussian import VARIANCE_FLOOR
from structlearn.models.cpds.protocol import Rows
from structlearn.models.cpds.tree import states_of_parents
from structlearn.models.cpds.tree_shape import Tree, TreeShape, grown_split, tree_from_plain, tree_to_plain
from structlearn.options import check_options
from structlearn.rounding import CONSTANT
from structlearn.scores.tree_growth import GROWTH_RULES, Splits, continuous_items, grow_tree, normal_rule


class GaussianTreeCPD(ByTests):
    """A normal distribution in each leaf of a tree: a regression tree with its spread.

    Parameters
    ----------
    tree : Split or pair of float
        The first test, or a single leaf. A leaf has the mean and the variance.
    parents : mapping of str to iterable of labels, default {}
        The states of each parent, none for a continuous one. Parents that no test asks for may be there.

    References
    ----------
    .. [1] Breiman, Friedman, Olshen and Stone (1984), Classification and regression trees, Wadsworth.

    Examples
    --------
    >>> from structlearn.models import GaussianTreeCPD, Split
    >>> tree = Split("age", [(20.0, 4.0), Split("smoker", [(25.0, 4.0), (31.0, 9.0)])], at=60.0)
    >>> print(GaussianTreeCPD(tree, parents={"age": [], "smoker": ["no", "yes"]}))
    N(mean, variance)
    ├─ age ≤ 60: N(20, 4)
    └─ age > 60
       ├─ smoker = no: N(25, 4)
       └─ smoker = yes: N(31, 9)
    """

    form: ClassVar[str] = "gaussian-tree"
    kind: ClassVar[Kind] = "continuous"
    parent_kind: ClassVar[Kind | None] = None

    def __init__(self, tree: Tree, *, parents: Mapping[str, Iterable[Label]] | None = None) -> None:
        self._shape = TreeShape("GaussianTreeCPD", tree, parents or {})
        leaves = np.array([_checked_leaf(leaf) for leaf in self._shape.leaves])
        leaves.setflags(write=False)
        self.means, self.variances = leaves.T

    @classmethod
    def fit(
        cls,
        family: Family,
        *,
        smoothing: float = 0.0,  # noqa: ARG003, a density has no cells
        splits: Splits = "each-value",
        lookahead: bool = False,
        min_rows: float = 5.0,
        max_depth: int | None = None,
    ) -> Self:
        """Grow a tree from one leaf, by splits that improve BIC, and estimate its leaves.

        Parameters
        ----------
        family : Family
            The node and its parents in the data.
        smoothing : float, default 0.0
            Not used: there are no cells.
        splits : {"each-value", "one-value"}, default "each-value"
            Whether a test of a discrete parent has a branch for each state, or one for a state and one
            for all others.
        lookahead : bool, default False
            Whether a split counts with the best splits below it.
        min_rows : float, default 5.0
            The fewest rows of a leaf.
        max_depth : int or None, default None
            The most tests on the way to a leaf.

        Notes
        -----
        A leaf costs two parameters, and a threshold the logarithm of how many it was chosen from. A leaf
        whose rows are all alike is not made: its density has no bound.
        """
        options: dict[str, Any] = {
            "splits": splits,
            "lookahead": lookahead,
            "min_rows": min_rows,
            "max_depth": max_depth,
        }
        check_options("GaussianTreeCPD.fit", GROWTH_RULES, options)
        rows = family.rows()
        mean, variance = _mean_and_variance(family.name, rows.values[:, -1], rows.weights)
        rule = normal_rule(family.statistics.size, VARIANCE_FLOOR * variance, **options)
        levels = np.array(family.parent_levels, dtype=np.int64)
        grown = grow_tree(continuous_items(rows, mean), levels, rule)
        sizes, sums, squares = grown.tallies.T
        away = sums / sizes
        leaves = list(zip(mean + away, squares / sizes - away**2, strict=True))
        states = states_of_parents(family)
        return cls(grown_split(grown, states, leaves, by_value=rule.by_value), parents=states)

    @property
    def labels(self) -> tuple[Label, ...]:
        """None: the node is continuous."""
        return ()

    @property
    def tree(self) -> Tree:
        """The first test, or the mean and variance of a single leaf."""
        return self._shape.nested(list(zip(self.means.tolist(), self.variances.tolist(), strict=True)))

    @property
    def n_parameters(self) -> int:
        """A mean and a variance for each leaf."""
        return 2 * self.n_leaves

    def log_probability(self, values: Rows, parents: Sequence[Rows]) -> NDArray[np.float64]:
        """Give the log density of each row in its leaf."""
        leaves = self.leaves_of(parents, len(values))
        return normal_log_density(values - self.means[leaves], self.variances[leaves])

    def normals(self, parents: Sequence[Rows], n: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The mean and the variance of each row."""
        leaves = self.leaves_of(parents, n)
        return self.means[leaves], self.variances[leaves]

    def sample(self, parents: Sequence[Rows], n: int, rng: np.random.Generator) -> Rows:
        """Draw from each row's leaf."""
        leaves = self.leaves_of(parents, n)
        drawn: Rows = self.means[leaves] + np.sqrt(self.variances[leaves]) * rng.standard_normal(n)
        return drawn

    def as_table(self) -> None:
        """None: the node is continuous."""

    def to_dict(self) -> dict[str, Any]:
        """Give the parents and the tree as lists and mappings."""
        parents = {name: list(states) for name, states in self._shape.states.items()}
        return {"parents": parents, "tree": tree_to_plain(self.tree)}

    @classmethod
    def from_dict(cls, known: Mapping[str, Any]) -> Self:
        """Make a tree of what `to_dict` gave."""
        return cls(tree_from_plain(known["tree"]), parents=known["parents"])

    def __repr__(self) -> str:
        given = f" given {', '.join(self.parents)}" if self.parents else ""
        leaves = "1 leaf" if self.n_leaves == 1 else f"{self.n_leaves} leaves"
        return f"<GaussianTreeCPD: {leaves}{given}, {self.n_parameters} parameters>"

    def shown(self) -> str:
        """The tests, one below the other."""
        return self._shape.text(
            "N(mean, variance)", lambda leaf: f"N({self.means[leaf]:g}, {self.variances[leaf]:g})"
        )

    @property
    def _identity(self) -> tuple[Any, ...]:
        return tuple(self._shape.states.items()), self.tree


def _mean_and_variance(
    name: str, values: NDArray[np.float64], weights: NDArray[np.float64] | None
) -> tuple[float, float]:
    mean = float(np.average(values, weights=weights))
    variance = float(np.average((values - mean) ** 2, weights=weights))
    if math.sqrt(variance) > CONSTANT * abs(mean):
        return mean, variance
    raise DataError(
        f"Column {name!r} is constant, so it has no normal distribution. Drop it, or pass "
        f'kinds={{{name!r}: "discrete"}}.'
    )


def _checked_leaf(leaf: Any) -> NDArray[np.float64]:
    numbers = finite_array("GaussianTreeCPD", "mean and variance of a leaf", leaf)
    if numbers.shape == (2,) and numbers[1] > 0:
        return numbers
    raise DataError(f"GaussianTreeCPD: a leaf has a mean and a variance larger than 0, not {leaf!r}.")
