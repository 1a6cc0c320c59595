"""Questions to an undirected discrete model: the doors to the inference layer."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Queried:
    """The questions that a model with `labels` and `factors()` answers."""

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

    def map(self, names: str | Sequence[str] | None = None, evidence: Mapping[str, Any] | None = None) -> Any:
        """Give the most probable joint state of some nodes, or of all that are not known.

        All other nodes are summed out first. The result has `states` and `log_probability`, that of these
        states together with the evidence.
        """
        from structlearn.inference import most_probable  # noqa: PLC0415, a door to a later layer

        return most_probable(self, names, evidence)

    def log_evidence(self, evidence: Mapping[str, Any]) -> float:
        """Give the natural log probability of the states of some nodes; -inf if they are impossible."""
        from structlearn.inference import log_evidence  # noqa: PLC0415, a door to a later layer

        return log_evidence(self, evidence)

    def marginal(self, names: Sequence[str]) -> NDArray[np.float64]:
        """Give the probability of each joint state of some nodes: an axis per name, states as in `labels`."""
        probabilities: NDArray[np.float64] = self.query(names).probabilities
        return probabilities
