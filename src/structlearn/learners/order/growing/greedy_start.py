"""A quick greedy search, whose DAG gives the first order."""

from structlearn.learners.score.classes.admission import Admission
from structlearn.learners.score.classes.escape import Escape
from structlearn.learners.score.classes.moves import ClassMove
from structlearn.learners.score.classes.pattern import Pattern
from structlearn.learners.score.classes.search import ClassSearch, climb_eagerly
from structlearn.search.climbing import climb
from structlearn.search.dag_state import DAGState
from structlearn.search.space import Space
from structlearn.search.starts import state_with

MOST_NODES = 64  # up to here walks from anywhere find what a search among classes finds, in less time
# With LINK's 724 columns and 10,000 rows a search among classes takes 10 s, and walks from no arcs end as
# high; with 152 and 223, of MUNIN1 and ANDES, they end 130 to 250 nats lower for about a second saved.
# With 2,000 columns the search among classes is what stops at a time limit; families are scored in one go.
MOST_COUNTED, MOST_AT_ONCE = 300, 1000
# In vain. Without them, walks ended lower than a search among classes in 13 of 200 random networks of 66 to
# 149 discrete columns, by up to 183 nats.
ESCAPES = 15


def is_wide(space: Space) -> bool:
    """Whether there are so many nodes that only a good start leads to a good end."""
    return space.n_nodes > MOST_NODES


def greedy_start(space: Space) -> DAGState:
    """Where greedy search ends: with many nodes among classes, if their DAGs score alike, else among DAGs.

    With hundreds of discrete columns there is none: the start has no arcs but those required.
    """
    if MOST_COUNTED < space.n_nodes <= MOST_AT_ONCE and "discrete" in space.statistics.kinds:
        return DAGState(space)
    if is_wide(space) and has_classes(space) and not space.run.must_stop():
        return state_with(space, greedy_class(space))
    state = DAGState(space)
    climb(state)
    return state


def has_classes(space: Space) -> bool:
    """Whether DAGs of one equivalence class score alike, and are all allowed."""
    return space.is_equivalent and not space.limits.name_arcs


def greedy_class(space: Space) -> list[tuple[int, ...]]:
    """The parents of every node where greedy search among classes ends, with no way out."""
    space.scores.remember([()] * space.n_nodes)  # at once: 2,000 of them take half a second one by one
    search = ClassSearch(space, Pattern.of(Admission(space.limits).start()))
    climb_eagerly(search, _unnoted)
    return Escape(search, climb_eagerly).run(ESCAPES, _unnoted).pattern.member()


def _unnoted(_move: ClassMove, _score: float) -> None:
    """Forget a move."""
