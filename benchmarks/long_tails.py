"""`python -m benchmarks.long_tails`: what BIC and the default make of long tails beside columns of states."""

import argparse
import warnings
from collections.abc import Callable

import numpy as np

import structlearn as sl

Table = dict[str, np.ndarray]
Pairs = set[frozenset[str]]
Random = np.random.Generator

DRAWS: dict[str, Callable[[Random, int], np.ndarray]] = {
    "uniform": lambda rng, n: rng.uniform(size=n),
    "normal": lambda rng, n: rng.normal(size=n),
    "exponential": lambda rng, n: rng.exponential(size=n),
    "t, 5 degrees": lambda rng, n: rng.standard_t(5, n),
    "t, 3 degrees": lambda rng, n: rng.standard_t(3, n),
    "log-normal": lambda rng, n: rng.lognormal(size=n),
    "Cauchy": lambda rng, n: rng.standard_cauchy(n),
}
ROWS, N_COLUMNS, N_STATES = (100, 300, 1_000, 10_000), 20, 2
SCORES = ("bic", None)
QUARTILES_OF_A_NORMAL = 1.349
EFFECT = 0.7  # of a parent, in parts of what the noise's quartiles lie apart


def noise(tail: str, n_rows: int, seed: int) -> tuple[Table, Pairs]:
    """Columns that have nothing to do with each other, every other one with states."""
    rng = np.random.default_rng(seed)
    of_both = [
        rng.integers(N_STATES, size=n_rows) if j % 2 else DRAWS[tail](rng, n_rows) for j in range(N_COLUMNS)
    ]
    return _named(of_both), set()


def planted(tail: str, n_rows: int, seed: int) -> tuple[Table, Pairs]:
    """States, then numbers, each with none, one or two parents among those before; and the pairs joined."""
    rng = np.random.default_rng(seed)
    columns: list[np.ndarray] = []
    pairs: Pairs = set()
    for child in range(N_COLUMNS):
        parents = rng.permutation(child)[: rng.integers(3)].tolist()
        has_states = child < N_COLUMNS // 2
        columns.append(
            (_states if has_states else _numbers(tail))(rng, n_rows, [columns[j] for j in parents])
        )
        pairs |= {frozenset((f"v{parent:02}", f"v{child:02}")) for parent in parents}
    return _named(columns), pairs


def _states(rng: Random, n_rows: int, parents: list[np.ndarray]) -> np.ndarray:
    worth = rng.gumbel(size=(n_rows, N_STATES))
    for parent in parents:
        worth += 1.2 * rng.normal(size=(N_STATES, N_STATES))[parent]
    return worth.argmax(axis=1)


def _numbers(tail: str) -> Callable[[Random, int, list[np.ndarray]], np.ndarray]:
    def drawn(rng: Random, n_rows: int, parents: list[np.ndarray]) -> np.ndarray:
        column = DRAWS[tail](rng, n_rows)
        low, middle, high = np.percentile(column, [25, 50, 75])
        column = (column - middle) / (high - low) * QUARTILES_OF_A_NORMAL
        for parent in parents:
            is_states = np.issubdtype(parent.dtype, np.integer)
            column = column + EFFECT * (
                rng.normal(size=N_STATES)[parent] if is_states else rng.choice([-1, 1]) * parent
            )
        return column

    return drawn


def _named(columns: list[np.ndarray]) -> Table:
    """A table in which states are words."""
    return {
        f"v{j:02}": np.char.add("s", column.astype(str))
        if np.issubdtype(column.dtype, np.integer)
        else column
        for j, column in enumerate(columns)
    }


def found(data: Table, pairs: Pairs) -> list[tuple[float, float]]:
    """By each score, the wrong edges and the F1 of all."""
    graphs = [sl.HillClimbing(score=score).fit(data).graph_ for score in SCORES]
    edges = [{frozenset(edge) for edge in graph.directed} for graph in graphs]
    return [(len(each - pairs), 2 * len(each & pairs) / max(len(each) + len(pairs), 1)) for each in edges]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.long_tails", description=__doc__)
    parser.add_argument("--seeds", type=int, default=8)
    n_seeds = parser.parse_args().seeds
    warnings.simplefilter("ignore", sl.DataWarning)
    for title, task in (("wrong edges in noise", noise), ("wrong edges, F1 of planted graphs", planted)):
        print(f"\n| {title} | {' | '.join(f'{n:,} rows' for n in ROWS)} |")
        print("| --- " * (1 + len(ROWS)) + "|")
        for tail in DRAWS:
            cells = []
            for n_rows in ROWS:
                means = np.mean(
                    [found(*task(tail, n_rows, seed)) for seed in range(n_seeds)], axis=0
                ).tolist()
                each = [f"{wrong:.1f}" if task is noise else f"{wrong:.1f}, {f1:.2f}" for wrong, f1 in means]
                cells.append(" → ".join(each))
            print(f"| {tail} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
