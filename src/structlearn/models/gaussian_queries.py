"""Questions to a joint normal distribution: the doors to the inference layer."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError, OptionError
from structlearn.graphs import Graph
from structlearn.models.predicted import Predicted
from structlearn.naming import as_names, listed, no_such
from structlearn.options import OneOf, Rules, check_options

if TYPE_CHECKING:
    from structlearn.inference.answers import GaussianAnswer, MostProbable
    from structlearn.inference.gaussian import Normal

RULES: Rules = {"method": OneOf(("exact",), "how to find the answer")}


class QueriedGaussian(Predicted):
    """The questions that a Gaussian graphical model answers."""

    _graph: Graph
    _mean: NDArray[np.float64]

    @property
    def nodes(self) -> tuple[str, ...]:
        """The names of the nodes."""
        return self._graph.nodes

    @property
    def precision(self) -> NDArray[np.float64]:
        """The inverse of the covariance matrix."""
        raise NotImplementedError

    def query(
        self,
        names: str | Sequence[str],
        evidence: Mapping[str, float] | None = None,
        *,
        method: Literal["exact"] = "exact",
        **options: Any,
    ) -> "GaussianAnswer":
        """Give the normal distribution of some nodes given the values of others; always exact.

        Returns
        -------
        GaussianAnswer
            With `mean` and `covariance`, in the order of the names; a node that is known has variance 0.

        Examples
        --------
        >>> import structlearn as sl
        >>> chain = sl.Graph("abc", undirected=["ab", "bc"])
        >>> model = sl.GaussianGraphicalModel(chain, [[1.0, 0.4, 0.0], [0.4, 1.0, 0.4], [0.0, 0.4, 1.0]])
        >>> model.query("a", {"b": 1.0}).mean
        array([-0.4])
        """
        from structlearn.inference import GaussianAnswer  # noqa: PLC0415, a door to a later layer

        check_options("query", RULES, {"method": method})
        if options:
            raise OptionError(f"query of a Gaussian graphical model has no {listed(list(options))}.")
        known = self._checked_evidence({} if evidence is None else evidence, "query")
        normal, log_density = self._given(self._checked_names(names, "query"), known)
        return GaussianAnswer(normal.names, normal.mean[0], normal.covariance[0], log_evidence=log_density)

    def map(
        self, names: str | Sequence[str] | None = None, evidence: Mapping[str, float] | None = None
    ) -> "MostProbable":
        """Give the most probable numbers of some nodes, or of all that are not known: their means.

        Examples
        --------
        >>> import structlearn as sl
        >>> pair = sl.Graph("ab", undirected=["ab"])
        >>> sl.GaussianGraphicalModel(pair, [[1.0, 0.4], [0.4, 1.0]]).map(evidence={"b": 1.0}).states
        {'a': -0.4}
        """
        from structlearn.inference import MostProbable  # noqa: PLC0415, a door to a later layer

        known = self._checked_evidence({} if evidence is None else evidence, "map")
        unknown = [node for node in self.nodes if node not in known]
        asked = self._checked_names(names, "map") if names is not None else tuple(unknown)
        normal, log_density = self._given(asked, known)
        [peak] = normal.log_peaks([k for k, name in enumerate(asked) if name not in known]).tolist()
        means = dict(zip(asked, normal.mean[0].tolist(), strict=True))
        return MostProbable(means, log_density + peak, partial(float, log_density))

    def _given(self, asked: tuple[str, ...], known: Mapping[str, float]) -> tuple["Normal", float]:
        """The distribution of some nodes, and the log density of what is known."""
        from structlearn.inference.gaussian import LinearNetwork, conditioned  # noqa: PLC0415, as above

        network = LinearNetwork.of_precision(self.nodes, self._mean, self.precision)
        normal, [log_density] = conditioned(network, known, asked)
        return normal, float(log_density)

    def log_evidence(self, evidence: Mapping[str, float]) -> float:
        """Give the natural log density of the values of some nodes."""
        found = self.query(self.nodes[:1], evidence).log_evidence
        assert found is not None  # noqa: S101, an exact answer has it
        return found

    def _checked_names(self, names: str | Sequence[str], owner: str) -> tuple[str, ...]:
        asked = as_names(names)
        self._refuse_strangers(asked, owner)
        if not asked or len(set(asked)) < len(asked):
            raise OptionError(f"{owner}: names are one or more different nodes, not {names!r}.")
        return asked

    def _refuse_strangers(self, names: Iterable[str], owner: str) -> None:
        for name in names:
            if name not in self._graph:
                raise OptionError(no_such("node", name, self._graph.nodes, owner=owner))

    def _checked_evidence(self, evidence: Mapping[str, float], owner: str) -> dict[str, float]:
        """The number of each node that is known."""
        from structlearn.inference.states import number_of  # noqa: PLC0415, a door to a later layer

        if not isinstance(evidence, Mapping):
            raise DataError(f"{owner}: evidence is a mapping of names to numbers, not {evidence!r}.")
        self._refuse_strangers(evidence, owner)
        return {node: number_of(node, value) for node, value in evidence.items()}
