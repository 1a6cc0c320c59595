"""The data that every library learns from, on disk between the processes."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Arcs = list[tuple[str, str]]


@dataclass(frozen=True)
class Table:
    """Rows of codes (with the labels of each column) or of numbers, and the DAG they were drawn from.

    `alpha` is the significance level for methods that test, `penalty` the weight of the L1 norm for
    those that penalise; the edges of an undirected truth are given either way round.
    """

    names: tuple[str, ...]
    values: NDArray[Any]
    labels: tuple[tuple[str, ...], ...] | None
    truth: Arcs
    alpha: float
    penalty: float = 0.0

    @property
    def kind(self) -> str:
        """Whether the columns are "discrete" or "continuous"."""
        return "continuous" if self.labels is None else "discrete"

    def frame(self) -> Any:
        """The rows as a pandas frame; labels are categories."""
        import pandas as pd

        if self.labels is None:
            return pd.DataFrame(self.values, columns=list(self.names))
        columns = zip(self.names, self.values.T, self.labels, strict=True)
        return pd.DataFrame({name: pd.Categorical.from_codes(codes, seen) for name, codes, seen in columns})

    def frame_of_text(self) -> Any:
        """The rows as a pandas frame, as a file of text would give it."""
        return self.frame() if self.labels is None else self.frame().astype("str")

    def save(self, folder: Path) -> None:
        """Write the table for the processes that learn from it, whatever their language."""
        meaning = {"names": self.names, "labels": self.labels, "truth": self.truth}
        meaning |= {"alpha": self.alpha, "penalty": self.penalty}
        (folder / "meaning.json").write_text(json.dumps(meaning), encoding="utf-8")
        np.save(folder / "values.npy", self.values)
        self.frame_of_text().to_csv(folder / "table.csv", index=False)
        for name in ("alpha", "penalty"):
            (folder / f"{name}.txt").write_text(f"{meaning[name]}\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> "Table":
        """Read what `save` wrote."""
        meaning = json.loads((folder / "meaning.json").read_text(encoding="utf-8"))
        labels = meaning["labels"] and tuple(map(tuple, meaning["labels"]))
        truth = [(source, target) for source, target in meaning["truth"]]
        values = np.load(folder / "values.npy")
        return cls(tuple(meaning["names"]), values, labels, truth, meaning["alpha"], meaning["penalty"])
