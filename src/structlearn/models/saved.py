"""The door to the formats in which models are written."""

from os import PathLike
from typing import Any


class Saved:
    """A model that can be written to a file."""

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model to a file whose ending says the format; see `structlearn.formats`."""
        from structlearn.formats import save  # noqa: PLC0415, a door to a later layer

        model: Any = self
        save(model, path)
