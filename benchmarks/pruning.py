"""`python -m benchmarks.pruning`: what is left of the truth after L1MB, max-min tests and Sparse Candidate.

After Schmidt, Niculescu-Mizil and Murphy (2007): the structure of a published network, columns with
two states, each with a logistic regression on its parents as its distribution. Weights are ±1 plus a
normal deviate with standard deviation ¼, for parents coded as ±1. The edges that a pruning leaves are
searched by one and the same climb for the shortest description by logistic regressions.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, xlogy

import structlearn as sl
from benchmarks.worker import cpu_seconds
from benchmarks.workloads import NETWORKS
from structlearn.statistics import Statistics

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Pruned:
    """What a pruning comes to on one table."""

    n_missed: int
    n_extra: int
    seconds: float
    length: float
    shd: int


class LogisticMDL:
    """Minus the description length: the likelihood of a logistic regression less ½ ln n per parameter."""

    takes: ClassVar[str] = "discrete"

    def local(self, statistics: Statistics, families: NDArray[np.int64]) -> Floats:
        """Score families of columns with two states."""
        return np.array([-description_length(statistics, family) for family in families.tolist()])


def description_length(statistics: Statistics, family: list[int]) -> float:
    """Of the first column, by a regression on the others."""
    child, *parents = family
    counts = statistics.counts([*parents, child]).reshape(-1, 2).astype(np.float64)
    design = np.array([(1.0, *signs) for signs in product((-1.0, 1.0), repeat=len(parents))])
    return least_loss(design, counts) + 0.5 * len(family) * float(np.log(counts.sum()))


def least_loss(design: Floats, counts: Floats) -> float:
    """Minus the largest log-likelihood of a logistic regression, by Newton steps on the cells."""
    weights, totals = np.zeros(design.shape[1]), counts.sum(axis=1)
    for _ in range(30):
        chances = expit(design @ weights)
        slope = design.T @ (counts[:, 1] - totals * chances)
        curvature = (design * (totals * chances * (1.0 - chances))[:, None]).T @ design
        step = np.linalg.solve(curvature + 1e-6 * np.eye(len(weights)), slope)
        weights += step
        if np.abs(step).max() < 1e-7:
            break
    chances = expit(design @ weights)
    return -float((xlogy(counts[:, 1], chances) + xlogy(counts[:, 0], 1.0 - chances)).sum())


def logistic_rows(graph: sl.Graph, n_rows: int, seed: int) -> sl.Dataset:
    """Rows of ±1, each column by chance of its parents' weighted sum."""
    rng = np.random.default_rng(seed)
    rows: dict[str, NDArray[np.int64]] = {}
    for node in graph.topological_order():
        linear = np.zeros(n_rows)
        for parent in graph.parents(node):
            linear += (rng.choice([-1.0, 1.0]) + rng.normal() / 4.0) * rows[parent]
        rows[node] = np.where(rng.random(n_rows) < expit(linear), 1, -1)
    kinds = dict.fromkeys(graph.nodes, "discrete")
    return sl.Dataset({node: rows[node] for node in graph.nodes}, kinds=kinds)


def most_correlated(data: sl.Dataset, n_candidates: int) -> sl.Graph:
    """The first choice of Sparse Candidate: for each column those that it has most to do with."""
    names = data.names
    codes = np.column_stack([data.column(name).codes for name in names])
    strength = np.abs(np.corrcoef(codes.T)) - 2.0 * np.eye(len(names))
    nearest = np.argsort(-strength, axis=1, kind="stable")[:, : min(n_candidates, len(names) - 1)]
    pairs = {tuple(sorted((child, other))) for child, row in enumerate(nearest.tolist()) for other in row}
    return sl.Graph(names, undirected=[(names[a], names[b]) for a, b in sorted(pairs)])


PRUNINGS: dict[str, Callable[[sl.Dataset], sl.Graph]] = {
    "L1MB": lambda data: sl.L1MB(search=None, progress=False).fit(data).graph_,
    "MMPC, level 0.05": lambda data: sl.MMPC(alpha=0.05, progress=False).fit(data).graph_,
    "MMPC, level 0.1": lambda data: sl.MMPC(alpha=0.1, progress=False).fit(data).graph_,
    "the 5 most correlated": lambda data: most_correlated(data, 5),
    "the 10 most correlated": lambda data: most_correlated(data, 10),
}


def pruned(data: sl.Dataset, truth: sl.Graph, prune: Callable[[sl.Dataset], sl.Graph]) -> Pruned:
    """Prune, search among what is left, and compare both with the truth."""
    started = cpu_seconds()
    near = prune(data)
    seconds = cpu_seconds() - started
    left, true = ({frozenset((e.source, e.target)) for e in graph.edges} for graph in (near, truth))
    climb = sl.HillClimbing(
        score=LogisticMDL(),
        candidates=near,
        tabu=50,
        patience=50,
        restarts=10,
        random_state=0,
        check_parity=0,
        progress=False,
    ).fit(data)
    shd = climb.graph_.compare(truth).shd
    return Pruned(len(true - left), len(left - true), seconds, -climb.score_, shd)


def every_pruning(network: str, *, n_rows: int, n_seeds: int) -> Iterator[tuple[str, list[Pruned]]]:
    """What each pruning comes to on tables of one structure, the same tables for all."""
    arcs = sl.load(NETWORKS / f"{network}.bif").graph.directed
    truth = sl.Graph(sorted({node for arc in arcs for node in arc}), directed=arcs)
    tables = [logistic_rows(truth, n_rows, seed) for seed in range(n_seeds)]
    for name, prune in {**PRUNINGS, "only the truth": lambda _: truth.skeleton()}.items():
        yield name, [pruned(data, truth, prune) for data in tables]


def row(network: str, name: str, found: list[Pruned]) -> str:
    """One line of the table: means over the seeds."""
    measures = [(p.n_missed, p.n_extra, p.length, p.shd, p.seconds) for p in found]
    missed, extra, length, shd, seconds = np.mean(measures, axis=0)
    cells = f"{missed:.1f} | {extra:.1f} | {length:,.1f} | {shd:.1f} | {seconds:.2f}"
    return f"| {network} | {name} | {cells} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pruning", description=__doc__)
    parser.add_argument("networks", nargs="*", default=["alarm", "insurance"])
    parser.add_argument("--rows", type=int, default=5_000)
    parser.add_argument("--seeds", type=int, default=5)
    options = parser.parse_args()
    print("| structure | pruning | true edges missed | others left | length, nats | SHD | pruning, CPU s |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for network in options.networks:
        for name, found in every_pruning(network, n_rows=options.rows, n_seeds=options.seeds):
            print(row(network, name, found))
            sys.stdout.flush()


if __name__ == "__main__":
    main()
