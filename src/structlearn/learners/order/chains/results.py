"""What chains over orders have to say about DAGs."""

from collections.abc import Mapping
from dataclasses import replace
from functools import reduce

import numpy as np

from structlearn.learners.order.chains.order_chain import OrderChain
from structlearn.learners.order.chains.sampled_dags import ByArc, SampledDAGs
from structlearn.numerics.chain_diagnostics import effective_sample_size, split_r_hat
from structlearn.outcome import Outcome, Pair
from structlearn.rounding import first_best
from structlearn.search.space import Space


def chains_outcome(space: Space, chains: list[OrderChain], *, are_graphs_alike: bool) -> Outcome:
    """The best DAG of all chains, the DAGs drawn, and how probable they make each arc.

    Where all DAGs are alike before the data are seen, and not all orders, DAGs with many orders count less.
    """
    samples = SampledDAGs(space.columns, np.concatenate([chain.parents for chain in chains]))
    arcs = [chain.arcs for chain in chains]
    probabilities: Mapping[Pair, float] = ByArc(space.columns, sum(arcs[1:], arcs[0]) / len(arcs))
    if are_graphs_alike:
        samples.reweigh_by_orders()
        probabilities = samples.arc_probabilities()
    log_weights = space.score_of_contexts + np.array([chain.log_weights for chain in chains])
    best = first_best(chains, lambda chain: chain.best_score)
    found = space.outcome(
        space.limits.beside_contexts(best.best_parents),
        {"chain": np.indices(log_weights.shape)[0].ravel(), "score": log_weights.ravel()},
        probabilities=probabilities,
        samples=samples,
        r_hat=split_r_hat(log_weights),
        effective_sample_size=effective_sample_size(log_weights),
        disagreement=float((reduce(np.maximum, arcs) - reduce(np.minimum, arcs)).max()),
    )
    confident = {
        arc: replace(known, confidence=probabilities.get(arc, 1.0))  # contexts act whatever the DAG
        for arc, known in found.evidence.items()
    }
    return replace(found, evidence=confident)
