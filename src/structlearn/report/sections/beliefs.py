"""What the fitted model believes of each node, and what each single finding makes of it."""

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.inference.beliefs import Belief, beliefs_of, single_findings
from structlearn.models import BayesianNetwork
from structlearn.plots import BeliefPicture
from structlearn.report.markup import Markup, tag
from structlearn.report.subject import Section, Subject
from structlearn.shown import visible

Floats = NDArray[np.float64]
MOST_NODES = 40  # bars can be read on a screen
MOST_CELLS = 2**14  # of a node's table that is fitted for the page alone
MOST_NUMBERS = 100_000  # of all single findings: half a MiB of the page
DIGITS = 4
HINT = "Click a state to see what is believed of the others once it is known; click it again to forget it."
WIDE = "There are no exact probabilities to draw in this model; model.query has methods that come near them."
FIXED = "What single findings change is shown for models of tables that are small enough."


def section(subject: Subject) -> Section | None:
    """Draw each node with bars of its probabilities, where a model was fitted."""
    model = subject.model
    if model is None:
        return None
    if len(model.nodes) > MOST_NODES:
        said = (
            f"Probabilities are drawn for models of at most {MOST_NODES} nodes, and this one has "
            f"{len(model.nodes):,}. model.plot(path, evidence=…) draws larger ones."
        )
        return Section("beliefs", "Beliefs", tag("p", said, class_="quiet"))
    found = single_findings(model)
    try:
        beliefs = beliefs_of(model) if found is None else _before(model, found)
    except DataError:
        return Section("beliefs", "Beliefs", tag("p", WIDE, class_="quiet"))
    findings = None if found is None else _for_script(model, found)
    drawn = Markup(BeliefPicture(model.graph, beliefs).svg())
    figure = tag(
        "figure",
        None if findings is None else _tools(),
        tag("div", drawn, class_="scroll"),
        tag("figcaption", FIXED if findings is None else HINT),
        class_="beliefs",
        data_findings=None if findings is None else json.dumps(findings, separators=(",", ":")),
    )
    return Section("beliefs", "Beliefs", figure)


def _tools() -> Markup:
    button = tag("button", "Forget", type="button", data_forget=True, title="Nothing is known", disabled=True)
    return tag("div", button, tag("output", "Nothing is known.", aria_live="polite"), class_="tools")


def _before(model: BayesianNetwork, found: dict[str, Floats]) -> dict[str, Belief]:
    """What is believed before any finding."""
    return {node: Belief(model.labels[node], tuple(shares[0].tolist())) for node, shares in found.items()}


def _for_script(model: BayesianNetwork, found: dict[str, Floats]) -> dict[str, Any] | None:
    """The states of each node, and their probabilities: before any finding, and after each."""
    n_rows, n_states = len(next(iter(found.values()))), sum(shares.shape[1] for shares in found.values())
    if n_rows * n_states > MOST_NUMBERS:
        return None
    rows = [[shares[row].round(DIGITS).tolist() for shares in found.values()] for row in range(n_rows)]
    nodes = [
        {"name": visible(name), "states": [visible(str(state)) for state in states]}
        for name, states in model.labels.items()
    ]
    return {"nodes": nodes, "prior": rows[0], "after": rows[1:]}
