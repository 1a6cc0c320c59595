"""The door to pictures of models."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from structlearn.plots import BeliefPicture


class Drawn:
    """A model that can be drawn."""

    def plot(
        self, path: str | Path | None = None, *, evidence: Mapping[str, Any] | None = None
    ) -> "BeliefPicture":
        """Draw each node with bars of its probabilities given the evidence, or with mean and deviation.

        Parameters
        ----------
        path : str or Path, optional
            Where to save the picture; ends in .svg, .png or .pdf.
        evidence : mapping of str to state, optional
            What is known, as `query` takes it; these nodes have another colour.

        Returns
        -------
        BeliefPicture
            Shows itself in a notebook; `save(path)` writes it.
        """
        from structlearn.plots import plot_beliefs  # noqa: PLC0415, a door to a later layer

        return plot_beliefs(self, path, evidence=evidence)
