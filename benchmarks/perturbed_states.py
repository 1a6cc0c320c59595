"""Regulators from perturbed steady states (NIR): CPU seconds of one thread, from a table to a graph.

`python -m benchmarks.perturbed_states` writes benchmarks/results/perturbed_states.md.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import time
import warnings
from math import comb
from pathlib import Path

import numpy as np

import structlearn as sl
from benchmarks.machine import described

RESULTS = Path(__file__).parent / "results" / "perturbed_states.md"
WORK = [(9, 5), (50, 3), (50, 4), (100, 3)]  # nodes, most regulators
N_OTHERS = 2  # regulators of a node beside itself, of size 0.3 to 0.8


def experiments(rng, n_nodes):
    """Each node perturbed once: steady states of a sparse stable system, with noise, and what was done."""
    matrix = -np.eye(n_nodes)
    for node in range(n_nodes):
        others = rng.choice(np.delete(np.arange(n_nodes), node), N_OTHERS, replace=False)
        matrix[node, others] = rng.uniform(0.3, 0.8, N_OTHERS) * rng.choice([-1.0, 1.0], N_OTHERS) / N_OTHERS
    states = -np.linalg.inv(matrix).T
    names = [f"g{j:03}" for j in range(n_nodes)]
    noisy = states + 0.02 * rng.normal(size=states.shape)
    return dict(zip(names, noisy.T, strict=True)), dict(zip(names, np.eye(n_nodes), strict=True)), matrix


def seconds_and_recall(n_nodes, n_regulators):
    states, pushes, matrix = experiments(np.random.default_rng(0), n_nodes)
    table, taken = sl.Dataset(states), []
    learner = sl.SystemIdentification(method="nir", perturbations=pushes, max_regulators=n_regulators)
    for _ in range(2):
        start = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            learner.fit(table)
        taken.append(time.process_time() - start)
    return taken[-1], float((np.sign(learner.matrix_) == np.sign(matrix))[matrix != 0].mean())


def main():
    lines = [
        "# Regulators from perturbed steady states",
        "",
        described(["structlearn"], "python -m benchmarks.perturbed_states"),
        "",
        'SystemIdentification(method="nir"), as many experiments as nodes, every set looked at. One thread, '
        "CPU seconds from a Dataset to a graph after a fit that compiles; how many true entries have their "
        "sign.",
        "",
        "| nodes | most regulators | sets of that size | s | signs found |",
        "| --- | --- | --- | --- | --- |",
    ]
    seconds_and_recall(30, 4)  # compiles
    for n_nodes, n_regulators in WORK:
        taken, recall = seconds_and_recall(n_nodes, n_regulators)
        n_sets = comb(n_nodes, n_regulators)
        lines.append(f"| {n_nodes} | {n_regulators} | {n_sets:,} | {taken:.3g} | {recall:.2f} |")
        print(lines[-1], flush=True)
    RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
