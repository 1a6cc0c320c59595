"""Prior probabilities of structures, family by family, and scores that have one."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import OptionError
from structlearn.graphs import Graph
from structlearn.options import Between, Flag, Instance, Rules, check_options
from structlearn.scores.protocol import Families, Score
from structlearn.statistics import Statistics
from structlearn.statistics.column_sorts import Sort

NEAR_GRAPH_RULES: Rules = {
    "graph": Instance(Graph, "the expected structure"),
    "kappa": Between(0, 1, "the factor for a difference, 0 excluded"),
}


@dataclass(frozen=True)
class UniformPrior:
    """All DAGs are equally likely."""

    is_equivalent: ClassVar[bool] = True

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:  # noqa: ARG002, a prior needs no data
        """The log prior of many families with the same number of parents, but for a constant."""
        return np.zeros(len(families))


@dataclass(frozen=True)
class NearGraph:
    """A DAG is `kappa` times as likely for every arc in which it differs from a given one [1]_.

    An arc more or less counts once, a reversed one twice. Not score-equivalent.

    Parameters
    ----------
    graph : Graph
        A DAG over the columns.
    kappa : float
        More than 0, at most 1, where all DAGs are equally likely.

    References
    ----------
    .. [1] Heckerman, Geiger and Chickering (1995), Learning Bayesian networks: the combination
       of knowledge and statistical data, Machine Learning 20.
    """

    graph: Graph
    kappa: float

    is_equivalent: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_options("NearGraph", NEAR_GRAPH_RULES, {"graph": self.graph, "kappa": self.kappa})
        if self.kappa == 0:
            raise OptionError("NearGraph(kappa=0) leaves no choice; say what must be there with Knowledge.")
        if not self.graph.is_dag:
            raise OptionError("NearGraph: the expected structure has to be a DAG.")

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """The log prior of many families with the same number of parents, but for a constant."""
        expected = self._arcs(statistics.names)[families[:, 0]]
        n_shared = np.take_along_axis(expected, families[:, 1:], axis=1).sum(axis=1)
        n_different: NDArray[np.int64] = expected.sum(axis=1) + families.shape[1] - 1 - 2 * n_shared
        return n_different.astype(np.float64) * math.log(self.kappa)

    def _arcs(self, names: tuple[str, ...]) -> NDArray[np.int64]:
        """Whether the expected graph has the arc u → v, at [v, u]."""
        if set(self.graph.nodes) != set(names):
            odd = sorted(set(self.graph.nodes) ^ set(names))
            raise OptionError(f"NearGraph: {odd[0]!r} is a node of the graph or a column, and not both.")
        places = {name: j for j, name in enumerate(names)}
        arcs = np.zeros((len(names), len(names)), dtype=np.int64)
        for edge in self.graph.edges:
            arcs[places[edge.target], places[edge.source]] = 1
        return arcs


@dataclass(frozen=True)
class ShortCode:
    """A DAG is the likelier the shorter the code that lists its parents: 2 to the minus length [1]_.

    A family's code has the number of its parents and which of all such sets they are. Score-equivalent.

    Parameters
    ----------
    tight : bool, default False
        Whether sets of parents are numbered without the child. The published code is not tight.

    References
    ----------
    .. [1] Friedman and Goldszmidt (1996), Learning Bayesian networks with local structure, Uncertainty
       in Artificial Intelligence 12.
    """

    tight: bool = False

    is_equivalent: ClassVar[bool] = True

    def __post_init__(self) -> None:
        rules = {"tight": Flag("whether sets of parents are numbered without the child")}
        check_options("ShortCode", rules, {"tight": self.tight})

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """The log prior of many families with the same number of parents, but for a constant."""
        n_columns, n_parents = len(statistics.names), families.shape[1] - 1
        n_sets = math.comb(n_columns - self.tight, n_parents)
        return np.full(len(families), -math.log(n_columns) - math.log(n_sets))


@dataclass(frozen=True)
class WithStructurePrior:
    """A score and the log prior probability of the structure.

    Score-equivalent where both are.

    Parameters
    ----------
    score : Score
        Any score, an object and not a name.
    prior : UniformPrior, NearGraph, ShortCode or any Score
        The prior, family by family; priors add up by nesting.

    Examples
    --------
    >>> import structlearn as sl
    >>> from structlearn.scores import BDeu, NearGraph, WithStructurePrior
    >>> data = sl.example("asia").sample(100, random_state=0)
    >>> score = WithStructurePrior(BDeu(), NearGraph(sl.example("asia").graph, kappa=0.01))
    >>> sl.score(sl.HillClimbing(score=score).fit(data).graph_, data, score) < 0
    True
    """

    score: Score
    prior: Score

    def __post_init__(self) -> None:
        rules = {"score": Instance(Score, "a score"), "prior": Instance(Score, "a prior by family")}
        check_options("WithStructurePrior", rules, {"score": self.score, "prior": self.prior})

    @property
    def takes(self) -> Sort | tuple[Sort, ...]:
        """The kinds of columns that the score takes."""
        found: Sort | tuple[Sort, ...] = getattr(self.score, "takes", ("discrete", "continuous", "mixed"))
        return found

    @property
    def is_equivalent(self) -> bool:
        """Whether DAGs of one equivalence class score the same."""
        return all(getattr(part, "is_equivalent", False) for part in (self.score, self.prior))

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """Score many families with the same number of parents."""
        return self.score.local(statistics, families) + self.prior.local(statistics, families)
