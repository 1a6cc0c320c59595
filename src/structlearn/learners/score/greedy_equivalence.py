"""Greedy equivalence search."""

from typing import ClassVar, Literal

from structlearn.graphs import Graph
from structlearn.learners.gaps.fills_gaps import FillsGaps
from structlearn.learners.option_groups import USUAL_SCORE, Counted, Limited, Narrowed, ParityChecked, Scored
from structlearn.learners.score.classes.escape import Escape
from structlearn.learners.score.classes.results import ClassTrace, evidence_of, graph_of_links
from structlearn.learners.score.classes.search import ClassSearch, climb_eagerly, climb_in_phases
from structlearn.learners.score.classes.starts import class_to_start_from, refuse_unequal
from structlearn.options import Instance, OrNone, Whole, one_of, option
from structlearn.outcome import Outcome
from structlearn.scores import SCORE, Score
from structlearn.search.parity import ParityCheck
from structlearn.search.space import Space

Schedule = Literal["eager", "phases"]


class GreedyEquivalence(Scored, ParityChecked, Narrowed, Limited, Counted, FillsGaps):
    """Improve an equivalence class of DAGs one edge at a time: insert, delete or turn (GES)."""

    work_is_known: ClassVar[bool] = False
    score: str | Score | None = option(
        OrNone(SCORE, USUAL_SCORE),
        'What to maximise. "bic", "bdeu", or any object with a `local` method whose attribute '
        "`is_equivalent` is true, so that all DAGs of a class have the same score.",
        default=None,
    )
    schedule: Schedule = option(
        one_of(Schedule),
        'Which kind of move comes first. "eager" deletes as soon as that gains, turns where nothing can be '
        'deleted, and inserts only where neither gains [3]_; "phases" inserts for as long as that gains, '
        "then deletes, then turns, and so on until no phase finds a move [1]_.",
        default="eager",
    )
    patience: int = option(
        Whole(0),
        "How many edges in a row may be taken away in vain. Where no move gains, edges are taken away all "
        "the same, the cheapest first, and the search goes on without them; what does not end higher is "
        "undone [3]_. With targets, edges are put in as well. 0 stops at the first local maximum.",
        default=15,
    )
    initial: Graph | None = option(
        OrNone(Instance(Graph), "the required arrows"),
        "The graph to start from, a DAG or CPDAG over the columns.",
        default=None,
    )

    def _search(self, space: Space) -> Outcome:
        refuse_unequal(space, self.score)
        search = ClassSearch(space, class_to_start_from(space, self.initial))
        if space.is_equivalent:
            space.scores.toggles_without_parents()  # all pairs in one batch
        trace = ClassTrace(space)
        climb = climb_eagerly if self.schedule == "eager" else climb_in_phases
        climb(search, trace.add)
        search = Escape(search, climb).run(self.patience, trace.add)
        pattern = search.pattern
        return Outcome(
            graph=graph_of_links(space.names, search.admission.informed(pattern) or pattern.links),
            status=space.run.status,
            score=space.scores.total(pattern.member()),
            trace=trace.columns(),
            evidence=evidence_of(search),
            extra={"parity": ParityCheck(space, self.check_parity).scan_and_warn(pattern.member())},
        )

    details: ClassVar[str] = """
    Attributes
    ----------
    graph_ : Graph
        The CPDAG of the class found, its arrows those of all its DAGs that honour the knowledge; with
        `targets`, the interventional essential graph. Edge weights are what the score loses without them.
    score_ : float
        The score of each DAG of the class.
    parity_ : ParityScan
        The sets with joint dependence that no pair shows, and how many sets were searched.
    evidence_ : dict
        For each edge what the best way to delete it would cost; less than zero where keeping it
        is only owed to the knowledge or to a time limit.
    trace_ : dict of arrays
        Each move: "move" ("insert", "delete" or "turn"), "source", "target", "before" (the
        neighbours of the target that become its parents, with commas), "gain" and "score".

    Notes
    -----
    The moves are the valid operators of [1]_ and, for turning, [2]_: each stands for one edge more,
    less or turned in some DAG of the class. The end is a local maximum of all three kinds.
    With a consistent score and ever more rows, inserting and deleting alone end in the class of the
    generating DAG [1]_; with the rows there are, a wrong edge that is taken back at once leads fewer others
    astray. With `targets` the classes are those of the DAGs that neither independences nor experiments tell
    apart, which are smaller: GIES [2]_. No column may have been set in every row.

    A move changes the moves of the nodes at changed edges and beside them; only these are scored again. The
    moves of a node are listed over the cliques among its undirected neighbours: large ones take long, and
    max_parents bounds them. Ties, up to rounding, go to the names of the edge's ends in alphabetical order.

    References
    ----------
    .. [1] Chickering (2002), Optimal structure identification with greedy search, Journal of
       Machine Learning Research 3.
    .. [2] Hauser and Bühlmann (2012), Characterization and greedy learning of interventional
       Markov equivalence classes of directed acyclic graphs, Journal of Machine Learning Research 13.
    .. [3] Nazaret and Blei (2024), Extremely greedy equivalence search, Uncertainty in Artificial
       Intelligence 40.

    Examples
    --------
    >>> import structlearn as sl
    >>> data = sl.example("cancer").sample(20_000, random_state=0)
    >>> print(sl.GreedyEquivalence(score="bic").fit(data).graph_)
    Graph with 5 nodes and 4 edges
      Pollution → Cancer
      Smoker → Cancer
      Cancer → Xray
      Cancer → Dyspnoea
    """
