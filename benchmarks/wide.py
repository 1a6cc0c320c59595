"""`python -m benchmarks.wide`: what BIC and its extended form make of few rows, noise or a sparse graph."""

import argparse
import warnings
from collections.abc import Callable, Iterator, Sequence

import numpy as np

import structlearn as sl
from structlearn.scores import BIC, Extended, GaussianBIC, Score

Table = dict[str, np.ndarray]
Scores = Sequence[str | Score | None]
Measure = Callable[[int, tuple[int, int], int, Scores], list[float]]

# The levels of all columns, 0 for continuous ones.
LEVELS = (0, 2, 3, 4)
NOISE = ((10, 40), (20, 20), (20, 60), (50, 25), (100, 100), (200, 50))
PLANTED = ((10, 40), (20, 40), (40, 40), (80, 40), (160, 40), (300, 40))
SCORES = ("bic", None)
# With so few rows no price does both: how many wrong arcs it may let in.
FEWEST, RISKS = (10, 40), (1.0, 3.0, 10.0, 30.0)


def noise(levels: int, n_rows: int, n_columns: int, seed: int) -> Table:
    """Columns that have nothing to do with each other."""
    rng = np.random.default_rng(seed)
    return named([drawn(rng, levels, n_rows) for _ in range(n_columns)])


def planted(levels: int, n_rows: int, n_columns: int, seed: int) -> tuple[Table, set[frozenset[str]]]:
    """Columns with none, one or two parents among those before, and the pairs that are joined."""
    rng = np.random.default_rng(seed)
    columns: list[np.ndarray] = []
    pairs = set()
    for child in range(n_columns):
        n_parents = min(child, int(rng.choice(3, p=[0.25, 0.5, 0.25])))
        parents = rng.choice(child, size=n_parents, replace=False).tolist() if child else []
        column = drawn(rng, levels, n_rows)
        for place, parent in enumerate(parents):
            if levels:  # copied in most rows from the first parent, in a third of all from the second
                column = np.where(rng.random(n_rows) < (0.7, 0.35)[place], columns[parent], column)
            else:
                column = column + rng.choice([-1.0, 1.0]) * rng.uniform(0.5, 1.0) * columns[parent]
            pairs.add(frozenset((name(parent), name(child))))
        columns.append(column)
    return named(columns), pairs


def drawn(rng: np.random.Generator, levels: int, n_rows: int) -> np.ndarray:
    """A column on its own."""
    return rng.integers(0, levels, n_rows) if levels else rng.normal(size=n_rows)


def name(column: int) -> str:
    """What a column is called."""
    return f"v{column:03}"


def named(columns: list[np.ndarray]) -> Table:
    """A table of the columns that have more than one value, states as words."""
    is_discrete = np.issubdtype(columns[0].dtype, np.integer)
    values = [np.char.add("s", column.astype(str)) if is_discrete else column for column in columns]
    return {name(j): column for j, column in enumerate(values) if len(set(column.tolist())) > 1}


def n_edges(levels: int, shape: tuple[int, int], seed: int, scores: Scores) -> list[float]:
    """How many edges each score finds in noise."""
    data = noise(levels, *shape, seed)
    return [float(len(sl.HillClimbing(score=score).fit(data).graph_.edges)) for score in scores]


def f1(levels: int, shape: tuple[int, int], seed: int, scores: Scores) -> list[float]:
    """How well each score finds what is joined."""
    data, pairs = planted(levels, *shape, seed)
    found = []
    for score in scores:
        edges = {frozenset(edge) for edge in sl.HillClimbing(score=score).fit(data).graph_.directed}
        found.append(2 * len(edges & pairs) / max(len(edges) + len(pairs), 1))
    return found


def means(measure: Measure, levels: int, shape: tuple[int, int], n_seeds: int, scores: Scores) -> list[float]:
    """What a measure says of each score, on average."""
    found = [measure(levels, shape, seed, scores) for seed in range(n_seeds)]
    return [float(mean) for mean in np.mean(found, axis=0)]


def rows(n_seeds: int) -> Iterator[str]:
    """One line of the table per kind of columns and shape."""
    for task, measure, shapes, digits in (("noise", n_edges, NOISE, 1), ("planted", f1, PLANTED, 3)):
        for levels in LEVELS:
            for shape in shapes:
                found = means(measure, levels, shape, n_seeds, SCORES)
                cells = " | ".join(f"{value:.{digits}f}" for value in found)
                yield f"| {task} | {kind(levels)} | {shape[0]} × {shape[1]} | {cells} |"


def risk_rows(n_seeds: int) -> Iterator[str]:
    """Edges in noise and F1 in the table of fewest rows, by kind of columns and price."""
    for levels in LEVELS:
        price = BIC() if levels else GaussianBIC()
        scores = [*(Extended(price, risk) for risk in RISKS), *SCORES]
        edges, right = (means(measure, levels, FEWEST, n_seeds, scores) for measure in (n_edges, f1))
        cells = " | ".join(f"{n:.1f}, {value:.3f}" for n, value in zip(edges, right, strict=True))
        yield f"| {kind(levels)} | {cells} |"


def kind(levels: int) -> str:
    """What columns are called in the table."""
    return f"{levels} states" if levels else "continuous"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.wide", description=__doc__)
    parser.add_argument("--seeds", type=int, default=4)
    warnings.simplefilter("ignore", sl.DataWarning)
    print("| columns are | of | rows × columns | BIC | by default |")
    print("| --- | --- | --- | --- | --- |")
    n_seeds = parser.parse_args().seeds
    for row in rows(n_seeds):
        print(row, flush=True)
    print("\n| columns are |", *(f"risk {risk:g} |" for risk in RISKS), "BIC | by default |")
    print("| --- " * (len(RISKS) + 3) + "|")
    for row in risk_rows(n_seeds):
        print(row, flush=True)


if __name__ == "__main__":
    main()
