"""Questions to dependency networks: the doors to the inference layer."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from structlearn.data import Dataset, Label
from structlearn.models.predicted import Imputing


class DependencyDoors(Imputing):
    """What a dependency network answers by its sampler."""

    def query(
        self,
        names: str | Sequence[str],
        evidence: Mapping[str, Any] | None = None,
        *,
        method: str = "gibbs",
        **options: Any,
    ) -> Any:
        """Give the distribution of some nodes given what is known of others.

        Parameters
        ----------
        names : str or sequence of str
            The nodes asked for.
        evidence : mapping of str to state, optional
            The state of each node that was observed; for a continuous node a number.
        method : str, default "gibbs"
            "gibbs" runs chains of the ordered pseudo-Gibbs sampler with the evidence held fixed, and needs
            none where the evidence covers the parents of all names; "factored" asks for one name after the
            other, given those before it, as the paper does; "exact" solves for what the chains of "gibbs"
            end in, for some 4,000 joint states of what the names depend on.
        **options
            "gibbs" and "factored" have `chains`, `sweeps`, `burn_in`, `error` (go on until no standard
            error is larger) and `random_state`.

        Returns
        -------
        PseudoGibbsAnswer, SampleAnswer, GaussianAnswer or Answer
            Probabilities with their standard errors, and the `order` of the sampler; means of continuous
            nodes.

        Examples
        --------
        >>> import structlearn as sl
        >>> votes = {"ann": [0, 0, 1, 1] * 50, "bob": [0, 0, 1, 1] * 49 + [0, 0, 1, 0], "cid": [0, 1] * 100}
        >>> model = sl.DependencyNetwork().fit(votes).model_
        >>> answer = model.query("ann", {"bob": 1})  # (99 + 1) / (99 + 2): no chain needs to run
        >>> answer.method, round(answer[1], 4), float(answer.error[1])
        ('direct', 0.9901, 0.0)
        """
        from structlearn.inference import query_dependencies  # noqa: PLC0415, a door to a later layer

        return query_dependencies(cast("Any", self), names, evidence, method=method, **options)

    def sample(
        self, n: int, *, sweeps: int = 100, random_state: int | np.random.Generator | None = None
    ) -> Dataset:
        """Draw `n` independent rows: each is the end of a chain of its own, so many sweeps long."""
        from structlearn.inference import drawn_rows  # noqa: PLC0415, a door to a later layer

        return drawn_rows(cast("Any", self), n, sweeps=sweeps, random_state=random_state)

    def recommend(
        self,
        row: Mapping[str, Any],
        n: int = 10,
        *,
        state: Label | Mapping[str, Label] | None = None,
        absent: Label | None = None,
        **options: Any,
    ) -> tuple[Any, ...]:
        """Rank the items that a row leaves open by how probable they are given the others.

        Parameters
        ----------
        row : mapping of str to state
            What is known. Items that are left out, None or NaN are open.
        n : int, default 10
            How many to give at most.
        state : label or mapping of str to label, optional
            Whose probability ranks the items, of all or by item; by default the last of each item's states.
        absent : label, optional
            The state of an item that was not taken so far: items in it are open as well, each asked for
            given all others as they are.
        **options
            Those of `query`.

        Returns
        -------
        tuple of Recommendation
            `name`, `state`, `probability` and its standard `error`, from the most probable down.

        Examples
        --------
        >>> import structlearn as sl
        >>> bought = {"tea": [0, 0, 1, 1] * 50, "milk": [0, 0, 1, 1] * 49 + [0, 0, 1, 0], "oil": [0, 1] * 100}
        >>> model = sl.DependencyNetwork().fit(bought).model_
        >>> [(item.name, round(item.probability, 2)) for item in model.recommend({"tea": 1}, 2)]
        [('milk', 0.98), ('oil', 0.5)]
        """
        from structlearn.inference import recommended  # noqa: PLC0415, a door to a later layer

        return recommended(cast("Any", self), row, n, state=state, absent=absent, **options)

    def consistency(
        self,
        method: str | None = None,
        *,
        n: int = 10_000,
        sweeps: int = 100,
        random_state: int | np.random.Generator | None = 0,
    ) -> Any:
        """Say how far the local distributions are from those of one joint distribution.

        For each node the divergence in nats of the joint from what it becomes when the node is drawn once
        more from its distribution: 0 for all where they agree.

        Parameters
        ----------
        method : "exact" or "pairs", optional
            All joint states, or `n` rows of the sampler, in which the node is looked at beside one neighbour
            at a time: no more than the truth, but for chance. By default what the size of the network allows.
        n, sweeps, random_state
            The rows of "pairs", and those of `sample`.

        Returns
        -------
        Consistency
            `by_node`, `total`, `worst` and the `method`.
        """
        from structlearn.inference import consistency_of  # noqa: PLC0415, a door to a later layer

        return consistency_of(cast("Any", self), method, n=n, sweeps=sweeps, random_state=random_state)
