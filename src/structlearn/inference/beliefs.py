"""What a model believes of every node: given some evidence, and given each single finding."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Label
from structlearn.inference.answers import Answer
from structlearn.inference.parts import parts_of
from structlearn.inference.predictions.tree_rows import tree_of
from structlearn.inference.questions import items_of
from structlearn.inference.regressions import NotExactError

Floats = NDArray[np.float64]
MOST_CELLS = 2**24  # 128 MiB for the tables of all single findings


@dataclass(frozen=True, eq=False)
class Belief:
    """The probability of each state of a discrete node, or the mean and deviation of a continuous one."""

    labels: tuple[Label, ...] = ()
    shares: tuple[float, ...] = ()
    mean: float = np.nan
    deviation: float = np.nan
    is_known: bool = False


def beliefs_of(model: Any, evidence: Mapping[str, Any] | None = None) -> dict[str, Belief]:
    """The belief of each node given the evidence; by weighted rows where there is no exact one."""
    known = dict(items_of("evidence", evidence))
    found = {}
    for node in model.nodes:
        answer = _answer(model, node, known)
        if isinstance(answer, Answer):
            shares = tuple(answer.probabilities.ravel().tolist())
            found[node] = Belief(answer.labels[node], shares, is_known=node in known)
        else:
            spread = float(np.sqrt(max(answer.covariance[0, 0], 0.0)))
            found[node] = Belief(mean=float(answer.mean[0]), deviation=spread, is_known=node in known)
    return found


def _answer(model: Any, node: str, known: Mapping[str, Any]) -> Any:
    try:
        return model.query(node, known)
    except NotExactError:
        return model.query(node, known, method="weighting", random_state=0)


def single_findings(model: Any) -> dict[str, Floats] | None:
    """The probabilities of each node's states, given nothing and given each single finding.

    Arrays are (1 + findings, states). A finding is a state of a node: those of the first node come first.
    Rows of findings that are impossible are 0. None where nodes lack tables, or the graph is too wide.
    """
    parts = parts_of(model)
    found = tree_of(parts) if parts.is_tabular else None
    levels = parts.levels.tolist()
    if found is None or (1 + sum(levels)) * found[0].n_cells > MOST_CELLS:
        return None
    tree, entered = found
    codes = np.full((1 + sum(levels), len(levels)), -1, dtype=np.int64)
    findings = [(node, state) for node, n_states in enumerate(levels) for state in range(n_states)]
    for row, (node, state) in enumerate(findings, start=1):
        codes[row, node] = state
    with np.errstate(divide="ignore", invalid="ignore"):  # an impossible finding has a total of -inf
        calibrated = tree.calibrate(entered, codes)
    possible = np.isfinite(calibrated.log_z)[:, None]
    margins = zip(parts.names, tree.margins(calibrated), strict=True)
    return {node: np.where(possible, shares, 0.0) for node, shares in margins}
