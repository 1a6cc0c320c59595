"""Boolean networks: rules of states in time."""

from typing import ClassVar, Literal

from structlearn.data import Knowledge
from structlearn.learners.network.boolean.explained import allowed_inputs, outcome_of
from structlearn.learners.network.boolean.learner import RuleLearner
from structlearn.learners.network.boolean.methods import explanations
from structlearn.learners.network.boolean.restricted import RestrictedSearch
from structlearn.learners.network.boolean.search import Search
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.statistics import Statistics


class BooleanNetwork(RuleLearner):
    """Find which few nodes decide the next state of each, and the truth table by which they do."""

    needs_full_rank: ClassVar[bool] = False
    weight_means: ClassVar[Literal["score gain", "weight"]] = "weight"
    tells_direction: ClassVar[str] = "Time tells its direction: a state decides the next one of its target."

    def _learn(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        reading = self._reading(statistics)
        may = allowed_inputs(reading.pairs, knowledge, self_inputs=self.self_inputs)
        kind = Search if self.functions == "any" else RestrictedSearch
        search = kind(reading.pairs, may, run, statistics.n_jobs, self.functions)
        return outcome_of(reading, explanations(search, self), self, run)

    details: ClassVar[str] = """
    Attributes
    ----------
    graph_ : Graph
        A cyclic graph with self-loops: an arrow runs from each input of each solution to the node. Weights
        are the bits that the other inputs do not tell, confidences the share of solutions with that input.
    rules_ : dict of str to Rule
        For each node `inputs` and `table`, the state after each pattern of their states, None where it was
        never seen; `essential` inputs, `errors`, and `information` in bits. It is that of the first
        solution, and of what comes closest where there is none; `rules(node)` has all.
    solutions_ : dict of str to tuple
        For each node all sets of inputs that explain it equally well, of the smallest size.
    is_unique_ : array of bool
        Whether there is one of them, in the order of `graph_.nodes` as all arrays here.
    entropy_, errors_ : arrays
        The entropy of each node one step later, in bits, and how many pairs its rule gets wrong.
    margin_, runner_ups_ : array and dict
        With "best-fit": what the next best set costs more, and its inputs. In errors where `noise` is given,
        in nats where it is estimated.
    thresholds_ : array
        Above what a measured column was taken to be on; NaN for columns of states.
    inconsistencies_ : tuple of Inconsistency
        States that different ones follow: the `state`, `n_pairs` and the `nodes` that differ.
    pairs_ : Pairs
        The pairs of states that were learned from, as codes, with `names` and `labels`.
    evidence_ : dict
        Weight and confidence of each edge.

    Notes
    -----
    A step leads from each measured time to the next of its series, however long it takes; pairs of states
    can be given as series of two rows, or with `after`. How measurements become states decides the result:
    try more than one way. All sets up to `max_inputs` are looked at, in whole numbers, so that ties are ties;
    none of several solutions is preferred. With `noise` q, "best-fit" minimises errors + ½ · patterns ·
    log n / log((1 − q)/q); without it, the extended BIC of each node with the noise that its errors show.
    Where `functions` are restricted, errors are those of the best of them, and "reveal" asks for none.

    References
    ----------
    .. [1] Liang, Fuhrman and Somogyi (1998), REVEAL, a general reverse engineering algorithm for inference of
       genetic network architectures, Pacific Symposium on Biocomputing 3.
    .. [2] Akutsu, Miyano and Kuhara (1999), Identification of genetic networks from a small number of gene
       expression patterns under the Boolean network model, Pacific Symposium on Biocomputing 4.

    Examples
    --------
    >>> import structlearn as sl
    >>> states = {"a": [0, 0, 1, 1, 0, 1, 0], "b": [0, 1, 1, 0, 1, 0, 0]}
    >>> states |= {"a_next": [0, 1, 1, 0, 1, 0, 0], "b_next": [1, 1, 0, 0, 1, 0, 1]}
    >>> learner = sl.BooleanNetwork(method="reveal", after={"a": "a_next", "b": "b_next"}).fit(states)
    >>> print(learner.graph_)
    Graph with 2 nodes and 2 edges
      a → b
      b → a
    """
