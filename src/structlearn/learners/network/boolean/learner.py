"""What a Boolean network reads and what its result can do; how it is found is said elsewhere."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError, OptionError
from structlearn.learners.base import Learner
from structlearn.learners.network.boolean.network import RuleNetwork
from structlearn.learners.network.boolean.options import RuleOptions, StateOptions
from structlearn.learners.network.boolean.pairs import Inconsistency, Pairs
from structlearn.learners.network.boolean.reading import Reading, pairs_of_columns, pairs_of_courses
from structlearn.learners.network.boolean.rules import Rule, counted_rule, labelled_rule
from structlearn.learners.option_groups import Coursed, Informed, Threaded, Timed
from structlearn.naming import no_such
from structlearn.options import result
from structlearn.statistics import Statistics


class RuleLearner(Coursed, StateOptions, RuleOptions, Informed, Threaded, Timed, Learner):
    """Reads pairs of states, and gives the rules that were found as a network that runs."""

    pairs_: Pairs = result()
    rules_: Mapping[str, Rule] = result()
    solutions_: Mapping[str, tuple[tuple[str, ...], ...]] = result()
    runner_ups_: Mapping[str, tuple[str, ...]] = result()
    inconsistencies_: tuple[Inconsistency, ...] = result()
    is_unique_: NDArray[np.bool_] = result()

    def rules(self, node: str) -> tuple[Rule, ...]:
        """The rule of each solution of a node; none where nothing explains it.

        Parameters
        ----------
        node : str
            Its name.

        Returns
        -------
        tuple of Rule
            In the order of `solutions_[node]`.
        """
        names = self._fitted_names("rules", node)
        sets = [[names.index(name) for name in inputs] for inputs in self.solutions_[node]]
        counted = [counted_rule(self.pairs_, names.index(node), each, self.functions) for each in sets]
        return tuple(labelled_rule(self.pairs_, rule) for rule in counted)

    def network(self, choices: Mapping[str, int] | None = None) -> RuleNetwork:
        """The rules as a network that runs.

        Parameters
        ----------
        choices : mapping of str to int, optional
            Which of `solutions_` a node follows, counted from 0. By default the first; where there is
            none, the rule in `rules_`, which comes closest.

        Returns
        -------
        RuleNetwork
            With `simulate`, `attractors` and `state_graph`.
        """
        chosen = choices or {}
        for node, place in chosen.items():
            n_solutions = len(self.solutions_[node]) if self._fitted_names("network", node) else 0
            if not 0 <= place < n_solutions:
                raise OptionError(
                    f"{type(self).__name__}.network: node {node!r} has {n_solutions} solutions, counted "
                    f"from 0; there is no {place}."
                )
        self._fitted_names("network")
        return RuleNetwork(
            [
                self.rules(node)[chosen[node]] if node in chosen else self.rules_[node]
                for node in self.graph_.nodes
            ]
        )

    def _fitted_names(self, method: str, node: str | None = None) -> tuple[str, ...]:
        owner = f"{type(self).__name__}.{method}"
        if not hasattr(self, "pairs_"):
            raise DataError(f"{owner}: nothing has been learned yet; call fit first.")
        if node is not None and node not in self.pairs_.names:
            raise OptionError(no_such("node", node, self.pairs_.names, owner=owner))
        return self.pairs_.names

    def columns_aside(self) -> dict[str, str]:
        """By option, the columns that become no nodes."""
        return super().columns_aside() | {
            f"after[{node!r}]": column for node, column in (self.after or {}).items()
        }

    def _rows_are_steps(self, names: Sequence[str]) -> bool:
        """Whether rows are of courses without times; with `after` each is a pair of its own."""
        return super()._rows_are_steps(names) and self.after is None

    def times_before(self, names: Sequence[str]) -> int:  # noqa: ARG002, some learners look at the columns
        """The lag, where rows are of courses."""
        return self.lag if self.after is None else 0

    def _reading(self, statistics: Statistics) -> Reading:
        owner, aside = type(self).__name__, set(self.columns_aside().values())
        names = [name for name in statistics.names if name not in aside]
        if self.after is None:
            return pairs_of_courses(
                owner,
                statistics,
                names,
                self.binarisation,
                time=self.time,
                series=self.series,
                lag=self.lag,
            )
        if self.time is not None or self.series is not None or self.lag > 1:
            raise OptionError(
                f"{owner}(after=…): each row is a pair of states of its own, without time=, series= and lag=."
            )
        return pairs_of_columns(owner, statistics, names, self.binarisation, self.after)
