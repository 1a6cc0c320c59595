"""Questions to models: the doors to the inference layer."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from structlearn.models.predicted import Predicted

if TYPE_CHECKING:
    from structlearn.inference.answers import MostProbable


class Queried(Predicted):
    """The questions that a model answers."""

    def query(
        self,
        names: str | Sequence[str],
        evidence: Mapping[str, Any] | None = None,
        *,
        method: str = "exact",
        **options: Any,
    ) -> Any:
        """Give the distribution of some nodes given what is known of others.

        Parameters
        ----------
        names : str or sequence of str
            The nodes asked for.
        evidence : mapping of str to state, optional
            The state of each node that was observed, or how likely the observation is in each state:
            {label: likelihood}, or a list of them.
        method : str, default "exact"
            How to find the answer; see `structlearn.inference`.
        **options
            Those of the method.

        Returns
        -------
        Answer
            With `probabilities`, an axis per name.

        Examples
        --------
        >>> import structlearn as sl
        >>> model = sl.IsingModel(sl.Graph("ab", undirected=["ab"]), couplings={("a", "b"): 0.5})
        >>> round(model.query("a", {"b": 1})[1], 4)  # 1 / (1 + e^−1)
        0.7311
        """
        from structlearn.inference import query  # noqa: PLC0415, a door to a later layer

        return query(self, names, evidence, method=method, **options)

    def map(
        self, names: str | Sequence[str] | None = None, evidence: Mapping[str, Any] | None = None
    ) -> "MostProbable":
        """Give the most probable joint state of some nodes, or of all that are not known.

        All other nodes are summed out first. The result has `states` and `log_probability`, that of these
        states together with the evidence.
        """
        from structlearn.inference import most_probable  # noqa: PLC0415, a door to a later layer

        return most_probable(self, names, evidence)

    def log_evidence(self, evidence: Mapping[str, Any]) -> float:
        """Give the natural log probability (density) of the states of some nodes; -inf if impossible.

        Examples
        --------
        >>> import structlearn as sl
        >>> round(sl.example("asia").log_evidence({"smoke": "yes", "lung": "yes"}), 4)  # log(0.5 * 0.1)
        -2.9957
        """
        from structlearn.inference import log_evidence  # noqa: PLC0415, a door to a later layer

        return log_evidence(self, evidence)

    def marginal(self, names: Sequence[str]) -> NDArray[np.float64]:
        """Give the probability of each joint state of some nodes: an axis per name, states as in `labels`."""
        probabilities: NDArray[np.float64] = self.query(names).probabilities
        return probabilities


class QueriedNetwork(Queried):
    """The questions that a directed network answers: what is known of a node, or done to it."""

    def query(
        self,
        names: str | Sequence[str],
        evidence: Mapping[str, Any] | None = None,
        *,
        do: Mapping[str, Any] | None = None,
        method: str = "exact",
        **options: Any,
    ) -> Any:
        """Give the distribution of some nodes given what is known of others.

        Parameters
        ----------
        names : str or sequence of str
            The nodes asked for.
        evidence : mapping of str to state, optional
            The state of each node that was observed; for a continuous node a number. Or, for a discrete
            node, how likely the observation is in each state: {label: likelihood}, or a list of them.
        do : mapping of str to state, optional
            Nodes that are set from outside: what causes them no longer does.
        method : str, default "exact"
            How to find the answer: "exact", "weighting", "gibbs" or "loopy".
        **options
            Those of the method. "exact" has `cell_limit`, the cells of the largest table (default 2^27);
            "weighting" `n` and `random_state`; "gibbs" `chains`, `sweeps`, `burn_in`, `blocking` and
            `random_state`; "loopy" `damping`, `sweeps` and `tolerance`.

        Returns
        -------
        Answer, GaussianAnswer or MixtureAnswer
            Probabilities of discrete nodes; mean and covariance of continuous ones.

        Examples
        --------
        >>> import structlearn as sl
        >>> model = sl.example("asia")
        >>> print(model.query("lung", {"xray": "yes", "dysp": "yes"}))
        lung  probability
        yes        0.6213
        no         0.3787
        >>> round(model.query("dysp", do={"smoke": "no"})["yes"], 4)
        0.3191
        """
        from structlearn.inference import query  # noqa: PLC0415, a door to a later layer

        return query(self, names, evidence, do=do, method=method, **options)

    def map(
        self,
        names: str | Sequence[str] | None = None,
        evidence: Mapping[str, Any] | None = None,
        *,
        do: Mapping[str, Any] | None = None,
    ) -> "MostProbable":
        """Give the most probable joint state of some nodes, or of all that are not known.

        All other nodes are summed out first. The result has `states` and `log_probability`, that of these
        states together with the evidence. The state of a continuous node is a number: where its density
        together with the other states is largest. Discrete nodes on which it depends are then asked for too.

        Examples
        --------
        >>> import structlearn as sl
        >>> best = sl.example("asia").map(evidence={"xray": "yes", "dysp": "yes"})
        >>> best.states["lung"], round(best.probability, 6)
        ('yes', 0.025933)
        """
        from structlearn.inference import most_probable  # noqa: PLC0415, a door to a later layer

        return most_probable(self, names, evidence, do=do)
