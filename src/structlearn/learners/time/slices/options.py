"""The options of dynamic networks."""

from structlearn.learners.dag_search import DAGSearch
from structlearn.options import Configured, Either, Flag, Instance, OrNone, option


class SliceOptions(Configured):
    """Which arcs there may be, and how they are looked for."""

    contemporaneous: bool = option(Flag(), "Whether there may be arcs within a step.", default=False)
    own_past: bool = option(
        Flag(), "Whether each variable must follow from itself, at the smallest lag.", default=False
    )
    search: str | DAGSearch | None = option(
        OrNone(
            Either((Instance(str), Instance(DAGSearch))),
            "the best of all where that can be had, else hill climbing",
        ),
        "What looks for the best arcs. A search by score of this library, or its name; it brings its own "
        "options, but for the score, the parents allowed and the knowledge.",
        default=None,
    )
