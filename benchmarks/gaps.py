"""`python -m benchmarks.gaps`: how far each search stays below the best of all DAGs, on small problems."""

import argparse
import itertools
import warnings
from collections.abc import Iterator

import numpy as np

import structlearn as sl
from benchmarks.worker import cpu_seconds

N_NODES, N_ROWS = 5, 500
SEARCHES = {
    "HillClimbing(tabu=0)": lambda: sl.HillClimbing(tabu=0, check_parity=0),
    "HillClimbing()": lambda: sl.HillClimbing(check_parity=0),
    "HillClimbing(restarts=20)": lambda: sl.HillClimbing(restarts=20, random_state=0, check_parity=0),
    "SimulatedAnnealing()": lambda: sl.SimulatedAnnealing(random_state=0),
    "BestFirst()": sl.BestFirst,
    "GeneticSearch()": lambda: sl.GeneticSearch(random_state=0),
    "SparseCandidate()": lambda: sl.SparseCandidate(check_parity=0),
    "OptimalReinsertion()": sl.OptimalReinsertion,
    "GreedyEquivalence()": lambda: sl.GreedyEquivalence(check_parity=0),
    "BOSS()": sl.BOSS,
}


def problem(seed: int, *, is_continuous: bool) -> sl.Dataset:
    """Rows of a random network: of states, or of sums of many columns before with noise."""
    if is_continuous:
        rng = np.random.default_rng(seed)
        values = rng.normal(size=(N_NODES, N_ROWS))
        for node in range(1, N_NODES):
            slopes = rng.choice([-1.0, 1.0], node) * rng.uniform(0.3, 1.5, node) * (rng.random(node) < 0.6)
            values[node] += slopes @ values[:node]
        return sl.Dataset({f"v{node}": values[node] for node in range(N_NODES)})
    graph = sl.random_dag(N_NODES, random_state=seed)
    return sl.random_model(graph, random_state=seed).sample(N_ROWS, random_state=seed)


def every_dag() -> np.ndarray:
    """Every DAG over the nodes: the parents of each as a whole number, one bit per node."""
    choices = [[mask for mask in range(2**N_NODES) if not mask >> node & 1] for node in range(N_NODES)]
    return np.array([masks for masks in itertools.product(*choices) if is_acyclic(masks)])


def is_acyclic(masks: tuple[int, ...]) -> bool:
    """Whether nodes can be taken away one by one, each when no parent of it is left."""
    left = 2 ** len(masks) - 1
    while left:
        free = [node for node, mask in enumerate(masks) if left >> node & 1 and not mask & left]
        if not free:
            return False
        left &= ~(1 << free[0])
    return True


def best_score(data: sl.Dataset, dags: np.ndarray) -> float:
    """The largest BIC of all DAGs."""
    names = data.names
    families = np.full((N_NODES, 2**N_NODES), -np.inf)
    for node, mask in itertools.product(range(N_NODES), range(2**N_NODES)):
        if not mask >> node & 1:
            parents = [names[other] for other in range(N_NODES) if mask >> other & 1]
            arcs = [(parent, names[node]) for parent in parents]
            with_family = sl.score(sl.Graph([names[node], *parents], directed=arcs), data)
            families[node, mask] = with_family - sum(sl.score(sl.Graph([p]), data) for p in parents)
    return float(families[np.arange(N_NODES), dags].sum(axis=1).max())


def rows(n_problems: int, *, is_continuous: bool) -> Iterator[str]:
    """One line of the table per search."""
    problems = [problem(seed, is_continuous=is_continuous) for seed in range(n_problems)]
    dags = every_dag()
    best = np.array([best_score(data, dags) for data in problems])
    for name, make in SEARCHES.items():
        make().fit(problems[0])  # compiles
        started = cpu_seconds()
        gaps = best - np.array([make().fit(data).score_ for data in problems])
        seconds = cpu_seconds() - started
        reached = int((gaps < 1e-6).sum())
        yield f"| {name} | {reached} of {n_problems} | {gaps.mean():.3f} | {gaps.max():.2f} | {seconds:.2f} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gaps", description=__doc__)
    parser.add_argument("--problems", type=int, default=100)
    parser.add_argument("--continuous", action="store_true", help="dense tables of numbers, not of states")
    warnings.simplefilter("ignore", sl.DataWarning)
    print("| search | reaches the best of all DAGs | mean gap | largest gap | CPU s |")
    print("| --- | --- | --- | --- | --- |")
    options = parser.parse_args()
    for row in rows(options.problems, is_continuous=options.continuous):
        print(row, flush=True)


if __name__ == "__main__":
    main()
