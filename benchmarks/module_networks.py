"""How well and how fast module networks are found: `python -m benchmarks.module_networks WHAT`.

WHAT is "recovery", "speed" or "yeast".

Tables of "recovery" have regulators outside the modules; those of "speed" have regulators that belong to
modules themselves, as genes of transcription factors do, and each module is regulated by earlier ones.
"speed" is in the setting of Segal et al. (2003), 2,355 genes, 173 arrays, 466 regulators and 50 modules;
"yeast" reads the time courses of Yeung et al. (2011) from the folder that STRUCTLEARN_DATA names.
"""

import csv
import os
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.metrics import adjusted_rand_score

import structlearn as sl
from structlearn.numerics.enrichment import at_least

# Rows, modules and columns of each module.
SHAPES = [(50, 5, 10), (100, 5, 10), (50, 10, 20), (100, 10, 20), (200, 10, 20), (100, 20, 20)]
NOISES = (0.5, 1.0)


class Drawn(NamedTuple):
    """A table with its truth: the module of each column, and the regulators of each module."""

    table: dict[str, np.ndarray]
    modules: dict[str, int]
    parents: list[set[str]]
    regulators: list[str]


def drawn_outside(shape: tuple[int, int, int], noise: float, seed: int) -> Drawn:
    """Draw a table with two regulators for each module, of which it has any two."""
    n_rows, n_modules, size = shape
    rng = np.random.default_rng(seed)
    regulators = [f"r{k:02}" for k in range(2 * n_modules)]
    truth = Drawn({name: rng.normal(size=n_rows) for name in regulators}, {}, [], regulators)
    for m in range(n_modules):
        chosen = rng.choice(regulators, 2, replace=False).tolist()
        _add_module(truth, m, size, _program([truth.table[name] for name in chosen], rng), noise, rng)
        truth.parents.append(set(chosen))
    return truth


def drawn_within(shape: tuple[int, int, int], n_regulators: int, noise: float, seed: int) -> Drawn:
    """Draw a table whose regulators are the first columns of each module."""
    n_rows, n_modules, size = shape
    rng = np.random.default_rng(seed)
    per_module = -(-n_regulators // n_modules)
    truth = Drawn({}, {}, [], [])
    for m in range(n_modules):
        chosen = rng.choice(truth.regulators, 2, replace=False).tolist() if m else []
        parents = [truth.table[name] for name in chosen]
        mean = _program(parents, rng) if parents else rng.normal(size=n_rows)
        truth.regulators.extend(_add_module(truth, m, size, mean, noise, rng)[:per_module])
        truth.parents.append(set(chosen))
    return truth._replace(regulators=truth.regulators[:n_regulators])


def _program(chosen: list[np.ndarray], rng: np.random.Generator) -> np.ndarray:
    """Three levels of a mean, by two regulators."""
    first, second = (values > np.median(values) for values in chosen)
    high, middle, low = rng.permutation([1.5, 0.0, -1.5])
    return np.where(first, np.where(second, high, middle), low)


def _add_module(
    truth: Drawn, m: int, size: int, mean: np.ndarray, noise: float, rng: np.random.Generator
) -> list[str]:
    names = [f"g{m:02}_{i:03}" for i in range(size)]
    for name in names:
        truth.table[name] = mean + noise * rng.normal(size=len(mean))
        truth.modules[name] = m
    return names


def recovery() -> None:
    """Print a table of how well modules and regulators are found, over sizes."""
    heads = ["rows", "modules", "columns", "noise", "index", "index, number chosen", "number", "regulators"]
    print(f"| {' | '.join(heads)} |\n|{' --- |' * len(heads)}")
    for noise in NOISES:
        for shape in SHAPES:
            lines = [_recovered(drawn_outside(shape, noise, seed)) for seed in range(3)]
            given, chosen, number, found = np.mean(lines, axis=0)
            told = f"{given:.2f} | {chosen:.2f} | {number:.1f} | {found:.2f}"
            print(f"| {shape[0]} | {shape[1]} | {shape[1] * shape[2]} | {noise} | {told} |", flush=True)


def _recovered(truth: Drawn) -> tuple[float, ...]:
    options = {"regulators": truth.regulators, "assign_regulators": False}
    given = sl.ModuleNetwork(n_modules=len(truth.parents), **options).fit(truth.table)
    chosen = sl.ModuleNetwork(**options).fit(truth.table)
    return (
        rand_index(given, truth),
        rand_index(chosen, truth),
        len(chosen.modules_),
        share_found(given, truth),
    )


def rand_index(learner: sl.ModuleNetwork, truth: Drawn) -> float:
    """The adjusted Rand index of the modules."""
    found = {name: k for k, members in enumerate(learner.modules_.values()) for name in members}
    return float(adjusted_rand_score([truth.modules[name] for name in found], list(found.values())))


def share_found(learner: sl.ModuleNetwork, truth: Drawn) -> float:
    """The share of true arcs, from a regulator to a column, that the graph has."""
    true = [(parent, name) for name, m in truth.modules.items() for parent in truth.parents[m]]
    return float(np.mean([learner.graph_.edge(*arc) is not None for arc in true]))


def speed() -> None:
    """Print the time and the result in the published setting, from Ward's clusters and a random start."""
    truth = drawn_within((173, 50, 48), 466, 1.0, seed=0)
    table = dict(list(truth.table.items())[:2355])
    for restarts in (0, 1):
        learner = sl.ModuleNetwork(n_modules=50, regulators=truth.regulators, restarts=restarts)
        started, worked = time.perf_counter(), time.process_time()
        learner.fit(table)
        took = f"{time.perf_counter() - started:.0f} s, {time.process_time() - worked:.0f} CPU s"
        rounds = int((learner.trace_["step"] == "modules").sum())
        found = f"{rounds} rounds, score {learner.score_:.0f}, index {rand_index(learner, truth):.3f}"
        print(
            f"{len(table)} columns, 173 rows, 466 regulators, {restarts} restarts: {took}, {found}",
            flush=True,
        )


def yeast() -> None:
    """Print the modules of 100 yeast genes, and where a regulator has more targets than by chance."""
    folder = Path(os.environ["STRUCTLEARN_DATA"]) / "datasets" / "yeast_yeung2011"
    with (folder / "reference.arcs.csv").open(encoding="utf-8") as file:
        arcs = [(row["from"], row["to"]) for row in csv.DictReader(file)]
    dataset = sl.Dataset(folder / "timeseries.csv.gz")
    genes = [name for name in dataset.names if name not in {"replicate", "time"}]
    targets = {source: sorted({to for regulator, to in arcs if regulator == source}) for source, _ in arcs}
    known = [name for name in genes if name in targets]
    print(f"{len(genes)} genes, {dataset.n_rows} rows, {len(known)} regulators")
    for options in ({"n_modules": 10, "restarts": 2}, {}):
        learner = sl.ModuleNetwork(regulators=known, **options).fit(dataset.select(genes))
        _tell(learner, targets, len(known) * (len(genes) - 1))


def _tell(learner: sl.ModuleNetwork, targets: dict[str, list[str]], n_possible: int) -> None:
    print(
        f"\n{learner}: {len(learner.modules_)} modules, score {learner.score_:.0f}, {learner.seconds_:.0f} s"
    )
    for module, members in list(learner.modules_.items())[:10]:
        strongest = list(learner.regulators_[module].items())[:3]
        regulators = ", ".join(f"{name} ({gain:.0f})" for name, gain in strongest)
        print(f"| {module} | {len(members)} | {regulators or '–'} |")
    genes = set(learner.graph_.nodes)
    true = {(a, b) for a, each in targets.items() for b in each if {a, b} <= genes and a != b}
    pairs = {(edge.source, edge.target) for edge in learner.graph_.edges}
    p_value = at_least(len(pairs & true), n_possible, len(true), len(pairs))
    by_chance = len(pairs) * len(true) / n_possible
    print(f"{len(pairs)} arcs, {len(pairs & true)} reported, {by_chance:.1f} by chance, p = {p_value:.1g}")
    for row in learner.enrichment(targets)[:4]:
        share = f"{row.n_shared} of {row.n_group} columns and {row.n_set} targets"
        print(f"{row.group}, {row.gene_set}: {share}, p = {row.p_value:.2g}, q = {row.q_value:.2g}")


if __name__ == "__main__":
    {"recovery": recovery, "speed": speed, "yeast": yeast}[sys.argv[1] if len(sys.argv) > 1 else "recovery"]()
