"""What a method found out beside its graph, kept with the graph."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from structlearn.data import Knowledge
from structlearn.data.targets import Targets
from structlearn.outcome import MarkEvidence, Pair, Separation
from structlearn.statistics import Missing, Statistics

if TYPE_CHECKING:
    from structlearn.scores import Score


@dataclass(frozen=True)
class Record:
    """How a graph was learned, and what was found of pairs that have no edge.

    Parameters
    ----------
    method : str
        The class of the learner.
    weight_means : "score gain" or "weight"
        What the weight of an edge says.
    alpha : float or None
        The significance level, of a method that tests.
    score : str, Score, function or None
        What was maximised, or what chooses that by the columns; None where nothing was.
    separations : mapping of pairs to Separation
        Which sets separate which pairs.
    shares : mapping of pairs
        For each pair the shares of resamples with an `edge`, `forward`, `backward` or `undirected`.
    knowledge : Knowledge
        What was known beforehand.
    marks : mapping of pairs to MarkEvidence
        Why there is the mark at b of the edge between a and b, by (a, b).
    direction : str
        The sentence that says what directs arrows, where that is more than which graphs are equivalent.
    experiments : tuple of tuples of str
        What was set or changed together in some rows.
    targets : str, mapping, sequence or None
        What was set in which rows, as the learner was told.
    is_soft : bool
        Whether it was changed only, so that it still follows its parents.
    missing : str
        What was done about missing values.
    """

    method: str
    weight_means: str = "score gain"
    alpha: float | None = None
    score: "str | Score | Callable[[Statistics], str | Score] | None" = None
    separations: Mapping[Pair, Separation] = field(default_factory=dict)
    shares: Mapping[Pair, Any] = field(default_factory=dict)
    knowledge: Knowledge = field(default_factory=Knowledge)
    marks: Mapping[Pair, MarkEvidence] = field(default_factory=dict)
    direction: str = ""
    experiments: tuple[tuple[str, ...], ...] = ()
    targets: Targets | None = None
    is_soft: bool = False
    missing: Missing = "error"
