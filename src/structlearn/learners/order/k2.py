"""The K2 algorithm."""

from collections.abc import Iterator, Sequence
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from structlearn.errors import OptionError
from structlearn.learners.gaps.fills_gaps import FillsGaps
from structlearn.learners.option_groups import Formed, Limited, Narrowed, Seeded
from structlearn.learners.order.families.order_families import Family, OrderFamilies, ParentChoice, total
from structlearn.learners.order.permutations.node_orders import named_order
from structlearn.learners.order.permutations.tree_order import tree_order
from structlearn.options import Either, ListOf, OneOf, OrNone, Whole, option
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.scores import SCORE, Score
from structlearn.search.orders.random_orders import Order, random_order
from structlearn.search.ranking import first_best
from structlearn.search.space import Space
from structlearn.statistics import Statistics


class K2(Formed, ParentChoice, Narrowed, Limited, Seeded, FillsGaps):
    """Choose the parents of each node among those before it in an order."""

    order: Sequence[str] | Literal["tree", "random"] = option(
        Either((ListOf(str), OneOf(("tree", "random")))),
        "The columns, those first that come first. Or an order along the tree of the strongest dependences, "
        "or a random one.",
        default="tree",
    )
    tries: int = option(Whole(1), 'With ``order="random"``: how many orders to try.', default=1)
    score: str | Score | None = option(
        OrNone(
            SCORE,
            "'k2' for discrete columns, 'bic' for others; in its extended form with fewer than 10 rows "
            "per column",
        ),
        "What to maximise. A name of `structlearn.scores`, or any object with a `local` method.",
        default=None,
    )
    random_state = 0

    def _score(self, statistics: Statistics) -> str | Score:
        return self.score or ("bic" if "continuous" in statistics.kinds else "k2")

    def _search(self, space: Space) -> Outcome:
        families = OrderFamilies(space, self.parents)
        tried = self._try(self._orders(space), families, space.run)
        totals = np.array([one.score for one in tried])
        best = tried[first_best(totals)]
        parents = [family.parents for family in best.families]
        trace = {"score": totals, "best": np.maximum.accumulate(totals)}
        order = tuple(space.names[node] for node in best.order)
        return space.outcome(parents, trace, order=order)

    def _try(self, orders: Iterator[Order], families: OrderFamilies, run: Run) -> list["_Tried"]:
        tried: list[_Tried] = []
        for order in orders:
            if tried and run.must_stop():
                break
            found = families.of(order)
            tried.append(_Tried(order, found, total(found)))
            run.show("orders", len(tried), self.tries)
        return tried

    def _orders(self, space: Space) -> Iterator[Order]:
        if self.order != "random" and self.tries > 1:
            raise OptionError(f"K2(tries={self.tries}): there is one such order; set order='random'.")
        if self.order == "random":
            yield from (random_order(space.limits, space.rng) for _ in range(self.tries))
        elif self.order == "tree":
            yield tree_order(space)
        else:
            yield named_order(space, self.order)

    details: ClassVar[str] = """
    Attributes
    ----------
    order_ : tuple of str
        The order it comes from.
    trace_ : dict of arrays
        Each order: "score", and "best", the best score so far.

    Notes
    -----
    The method [1]_ is as good as its order: give one when you know what comes first in time, and
    otherwise let `OrderSearch` or `BOSS` look for it. Greedy choice is blind to parents that work
    only together, such as those of an exclusive or.

    References
    ----------
    .. [1] Cooper and Herskovits (1992), A Bayesian method for the induction of probabilistic
       networks from data, Machine Learning 9.

    Examples
    --------
    >>> import structlearn as sl
    >>> data = sl.example("cancer").sample(20_000, random_state=0)
    >>> order = ["Pollution", "Smoker", "Cancer", "Xray", "Dyspnoea"]
    >>> print(sl.K2(order=order).fit(data).graph_)
    Graph with 5 nodes and 4 edges
      Pollution → Cancer
      Smoker → Cancer
      Cancer → Xray
      Cancer → Dyspnoea
    """


class _Tried(NamedTuple):
    order: Order
    families: list[Family]
    score: float
