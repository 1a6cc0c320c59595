"""Boolean networks: CPU seconds of one thread, from a table of pairs to a graph.

`python -m benchmarks.boolean_networks` writes benchmarks/results/boolean_networks.md.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import time
from pathlib import Path

import numpy as np

import structlearn as sl
from benchmarks.machine import described

RESULTS = Path(__file__).parent / "results" / "boolean_networks.md"
WORK = [  # method, nodes, most inputs, pairs
    ("reveal", 50, 3, 100),
    ("consistency", 50, 3, 100),
    ("best-fit", 50, 3, 100),
    ("consistency", 400, 2, 60),
    ("reveal", 100, 3, 100),
    ("best-fit", 100, 3, 1000),
]


def random_pairs(rng, n_nodes, n_inputs, n_pairs):
    """Random states with their followers, by random truth tables of random inputs."""
    before = rng.integers(0, 2, (n_pairs, n_nodes))
    after = np.empty_like(before)
    for node in range(n_nodes):
        inputs = rng.choice(n_nodes, n_inputs, replace=False)
        after[:, node] = rng.integers(0, 2, 2**n_inputs)[before[:, inputs] @ (1 << np.arange(n_inputs))]
    return before, after


def table_of(before, after):
    names = [f"g{j:03}" for j in range(before.shape[1])]
    columns = dict(zip(names, before.T, strict=True))
    columns |= {f"{name}+": column for name, column in zip(names, after.T, strict=True)}
    return sl.Dataset(columns, kinds=dict.fromkeys(columns, "discrete")), {n: f"{n}+" for n in names}


def seconds(method, table, after, n_inputs):
    start = time.process_time()
    sl.BooleanNetwork(method=method, max_inputs=n_inputs, after=after).fit(table)
    return time.process_time() - start


def main():
    lines = [
        "# Boolean networks",
        "",
        described(["structlearn"], "python -m benchmarks.boolean_networks"),
        "",
        "One thread, CPU seconds from a Dataset to a graph, the best of three after one that compiles.",
        "",
        "| method | nodes | most inputs | pairs | s |",
        "| --- | --- | --- | --- | --- |",
    ]
    for method, n_nodes, n_inputs, n_pairs in WORK:
        table, after = table_of(*random_pairs(np.random.default_rng(0), n_nodes, n_inputs, n_pairs))
        taken = min([seconds(method, table, after, n_inputs) for _ in range(4)][1:])
        lines.append(f"| {method} | {n_nodes} | {n_inputs} | {n_pairs:,} | {taken:.3g} |")
        print(lines[-1], flush=True)
    RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
