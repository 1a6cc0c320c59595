"""Options that many learners have, declared once: a learner takes a group by naming it as a base."""

from collections.abc import Sequence
from typing import Literal

from structlearn.data import Knowledge
from structlearn.data.targets import TARGETS, Targets
from structlearn.gpu.card import Device
from structlearn.graphs import Graph
from structlearn.independence import TEST, IndependenceTest, PairwiseTest
from structlearn.options import (
    Above,
    Between,
    Configured,
    Flag,
    Instance,
    OrNone,
    Whole,
    one_of,
    option,
    result,
)
from structlearn.scores import CPD_FORM, SCORE, CPDForm, Score
from structlearn.search.candidates import (
    CANDIDATES,
    COUNTED_CANDIDATES,
    CountedCandidates,
    GivenCandidates,
)
from structlearn.statistics import (
    COUNTING,
    MISSING,
    MISSING_BY_FAMILY,
    MISSING_BY_ROW,
    MISSING_OR_EXPECTED,
    Counting,
    Missing,
)

USUAL_SCORE = "'bic', and 'ebic' with fewer than 10 rows per column"


class Informed(Configured):
    """What is known beforehand."""

    knowledge: Knowledge | None = option(
        OrNone(Instance(Knowledge), "nothing is known"), "Edges that must or may not be there.", default=None
    )


class InformedOfPairs(Configured):
    """What is known beforehand, for methods whose edges have no direction."""

    knowledge: Knowledge | None = option(
        OrNone(Instance(Knowledge), "nothing is known"),
        "Edges that may not be there, forbidden in both directions.",
        default=None,
    )


Interventions = Literal["perfect", "soft"]


class Targeted(Configured):
    """Which columns an experimenter set in which rows."""

    targets: Targets | None = option(
        OrNone(TARGETS, "nothing was set"),
        "What was set or shifted from outside in which rows. The column with its names, which becomes no "
        "node (several names with commas, nothing where nothing was set); such cells, one for each row; or "
        "by name the rows, as positions or a mask. A row then says nothing of what acts on a column that was "
        "set in it, and still says what that column acts on.",
        default=None,
    )
    interventions: Interventions = option(
        one_of(Interventions),
        "What was done to the columns that `targets` names. Perfect: they were set, and had no other causes "
        "in these rows. Soft: they were changed, and go on to follow their parents, by other parameters in "
        "each set of targets; a context, a discrete node that is known to act on them, stands for that while "
        "learning and is no node of the graph.",
        default="perfect",
    )


class Threaded(Configured):
    """How many threads work."""

    n_jobs: int | None = option(
        OrNone(Whole(-64), "one"), "How many threads share the work; -1 for all.", default=None
    )


class OnDevice(Configured):
    """What computes, for methods with kernels for graphics cards."""

    device: Device = option(
        one_of(Device),
        "What computes. The processor, a graphics card by CUDA, or such a card where one has memory enough.",
        default="cpu",
    )


class Seeded(Configured):
    """Where randomness begins."""

    random_state: int | None = option(
        OrNone(Whole(0), "a new one each time"), "The seed of all randomness.", default=None
    )


class Timed(Configured):
    """How long a run may take, and whether one sees it pass."""

    time_limit: float | None = option(
        OrNone(Above(0), "no limit"),
        "Seconds after which the best graph so far is returned.",
        default=None,
    )
    progress: bool | None = option(
        OrNone(Flag(), "only in a terminal"), "Whether to show a progress bar.", default=None
    )


class Tolerant(Configured):
    """What becomes of rows that miss a value; every learner has it."""

    missing: Missing = option(
        MISSING_BY_ROW,
        "What to do about missing values. Refuse them, or leave out every row that has one.",
        default="error",
    )


class TolerantByTest(Tolerant):
    """What becomes of rows that miss a value, where each test can choose its rows."""

    missing: Missing = option(
        MISSING,
        "What to do about missing values. Refuse them, leave out every row that has one, or let each test "
        "use the rows that have a value in all of its columns.",
        default="error",
    )


class TolerantByFamily(Tolerant):
    """What becomes of rows that miss a value, where each family can choose its rows."""

    missing: Missing = option(
        MISSING_BY_FAMILY,
        "What to do about missing values. Refuse them, leave out every row that has one, or let each family "
        'use the rows that have a value in all of its columns, with `score="pnal"`.',
        default="error",
    )


class TolerantByExpectation(TolerantByFamily):
    """What becomes of rows that miss a value, where they can be estimated together with the graph."""

    missing: Missing = option(
        MISSING_OR_EXPECTED,
        "What to do about missing values. Refuse them, leave out every row that has one, let each "
        'family use the rows that have a value in all of its columns, with `score="pnal"`, or estimate them '
        "together with the graph by structural expectation-maximisation, for discrete columns; `em_scores_` "
        "then has the score of each round, which never falls.",
        default="error",
    )


class Counted(Configured):
    """How tables are counted."""

    statistics: Counting = option(
        COUNTING,
        "How discrete columns are counted. From the rows for each batch of tables, or off an AD-tree that is "
        "grown first, which pays for many tables of many rows. The graph is the same.",
        default="memory",
    )


class Tested(Configured):
    """Which tests are made, and when an answer is yes."""

    test: str | IndependenceTest | PairwiseTest | None = option(
        TEST,
        "The test of independence. A name, any object with a `many` method, or a function of two names and a "
        "tuple of names that gives a p-value. By default G² for discrete columns, Fisher's z for continuous "
        "ones, and the conditional Gaussian likelihood ratio for both together.",
        default=None,
    )
    alpha: float = option(
        Between(0, 1),
        "The significance level of each test. A larger p-value is taken for independence.",
        default=0.05,
    )
    n_tests_: int = result()


class Conditioned(Configured):
    """How large the sets are that tests condition on."""

    max_conditioning: int | None = option(
        OrNone(Whole(0), "no limit"), "The most columns to condition on at once.", default=None
    )


class Scored(Configured):
    """What a search maximises."""

    score: str | Score | None = option(
        OrNone(SCORE, USUAL_SCORE),
        'What to maximise. "bic", "bdeu", another name of `structlearn.scores`, or any object with a `local` '
        "method.",
        default=None,
    )


class Formed(Configured):
    """What a family is scored with."""

    cpd: CPDForm = option(
        CPD_FORM,
        "What a family is scored with. A table of all joint states of the parents, or the tree that grows in "
        "its place (see `structlearn.scores.TreeScore`), which finds parents that matter only in some "
        "contexts.",
        default="table",
    )


class Limited(Configured):
    """How many parents a node may have."""

    max_parents: int | None = option(
        OrNone(Whole(0), "no limit"), "The most parents a node may have.", default=None
    )


class Narrowed(Configured):
    """Which parents a node may have."""

    candidates: GivenCandidates | None = option(
        CANDIDATES,
        "Which columns may be parents of which, as another method has chosen them. The ends of an edge of a "
        "graph, in either direction, or for each name its possible parents.",
        default=None,
    )


class NarrowedByNumber(Configured):
    """Which parents a node may have, or how many nodes they are chosen from."""

    candidates: CountedCandidates | None = option(
        COUNTED_CANDIDATES,
        "The nodes that a node's parents are chosen from. So many of those that score most as the only "
        "parent; a mapping from each node to its candidates, where a node left out has none; or a graph, "
        "where they are the node's neighbours, whatever the direction.",
        default=None,
    )


class Started(Configured):
    """Where a search begins."""

    initial: Graph | None = option(
        OrNone(Instance(Graph), "only the required arcs"),
        "The DAG to start from.",
        default=None,
    )


class Tabu(Configured):
    """How a climb goes on past a local maximum."""

    tabu: int = option(
        Whole(0),
        "How many of the last graphs may not be visited again. With a tabu list the search goes on past a "
        "local maximum, along the best move that leads to a new graph; 0 stops there.",
        default=10,
    )
    patience: int = option(
        Whole(1),
        "How many moves in a row may bring no new best graph. Only with a tabu list.",
        default=15,
    )


class ParityChecked(Configured):
    """Whether joint dependence is looked for that single arcs do not show."""

    check_parity: int = option(
        Whole(0),
        "The largest sets of columns to search, at the end, for joint dependence that no pair shows, such as "
        "c = a xor b. A warning names what is found. Below 3, none.",
        default=3,
    )


class Coursed(Configured):
    """Which columns say where in a time course a row stands."""

    time: str | None = option(
        OrNone(Instance(str), "the rows are in order, with equal steps of one unit"),
        "The column with the time of each row. It becomes no node. Times may be uneven and in any order; "
        "rows of one series at one time are replicates, and are averaged.",
        default=None,
    )
    series: str | None = option(
        OrNone(Instance(str), "all rows are of one course"),
        "The column that says which time course a row belongs to. It becomes no node. No step leads from one "
        "course to another.",
        default=None,
    )

    def times_before(self, names: Sequence[str]) -> int:
        """How many times before it a row of this table is read with; 0 where each is read by itself."""
        raise NotImplementedError
