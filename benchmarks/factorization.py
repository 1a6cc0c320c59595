"""Factors of tables: CPU seconds of one thread and what is left, beside scikit-learn on the same objective.

`python -m benchmarks.factorization` writes benchmarks/results/factorization.md.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.decomposition import NMF, TruncatedSVD
from sklearn.exceptions import ConvergenceWarning

from benchmarks.machine import described
from structlearn.numerics.factorization.known_patterns import alternated, normalised, random_strengths
from structlearn.numerics.factorization.low_norm import soft_imputed
from structlearn.numerics.factorization.nonnegative import descended, factorised, multiplied
from structlearn.numerics.factorization.nonnegative_starts import random_start, singular_start
from structlearn.numerics.factorization.sparse_loadings import roughly_decomposed

RESULTS = Path(__file__).parent / "results" / "factorization.md"
ABOUT = (
    "CPU seconds of one thread. What is left is a share of the sum of squares. Ours and scikit-learn's "
    "non-negative factors begin at the same point."
)


def timed(work):
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def share_left(matrix, fitted):
    return float(((matrix - fitted) ** 2).sum() / (matrix**2).sum())


def never():
    return False


def non_negative(n_variables, n_samples, rank, rng):
    """The same start for both; each goes on until its own rule ends it."""
    matrix = rng.gamma(1.0, size=(n_variables, rank)) @ rng.gamma(1.0, size=(rank, n_samples))
    matrix = matrix * rng.uniform(0.8, 1.2, size=matrix.shape)
    start = random_start(matrix.shape, rank, float(matrix.mean()), rng)
    task = f"non-negative, {n_variables:,} × {n_samples:,}, {rank} factors"
    for name, sweep, solver in (("by coordinates", descended, "cd"), ("multiplicative", multiplied, "mu")):
        seconds, found = timed(lambda sweep=sweep: factorised(matrix, start, sweep, "euclidean", never))
        yield f"{task}, {name}", "structlearn", seconds, share_left(matrix, found.parts @ found.mixtures)
        theirs = NMF(rank, init="custom", solver=solver, max_iter=2000)
        seconds, parts = timed(
            lambda theirs=theirs: theirs.fit_transform(matrix, W=start[0].copy(), H=start[1].copy())
        )
        yield f"{task}, {name}", "scikit-learn", seconds, share_left(matrix, parts @ theirs.components_)
    seconds, found = timed(
        lambda: factorised(matrix, singular_start(matrix, rank), descended, "euclidean", never)
    )
    yield (
        f"{task}, from singular vectors",
        "structlearn",
        seconds,
        share_left(matrix, found.parts @ found.mixtures),
    )
    theirs = NMF(rank, init="nndsvd", max_iter=2000)
    seconds, parts = timed(lambda: theirs.fit_transform(matrix))
    yield (
        f"{task}, from singular vectors",
        "scikit-learn",
        seconds,
        share_left(matrix, parts @ theirs.components_),
    )


def first_components(n_variables, n_samples, rank, rng):
    """A table with a slowly falling spectrum: the hardest for random directions."""
    matrix = rng.normal(size=(n_variables, 3 * rank)) * np.linspace(3.0, 0.3, 3 * rank)
    matrix = matrix @ rng.normal(size=(3 * rank, n_samples)) + rng.normal(size=(n_variables, n_samples))
    task = f"first {rank} components of {n_variables:,} × {n_samples:,}"
    seconds, found = timed(lambda: roughly_decomposed(matrix, rank, rng))
    yield task, "structlearn, random directions", seconds, share_left(matrix, found.matrix())
    theirs = TruncatedSVD(rank, n_iter=4, random_state=0)
    seconds, scores = timed(lambda: theirs.fit_transform(matrix))
    yield task, "scikit-learn, TruncatedSVD", seconds, share_left(matrix, scores @ theirs.components_)
    seconds, (left, values, right) = timed(lambda: np.linalg.svd(matrix, full_matrices=False))
    exact = (left[:, :rank] * values[:rank]) @ right[:rank]
    yield task, "NumPy, all components", seconds, share_left(matrix, exact)


def completed(n_rows, n_columns, rng):
    """Where a third is not known: what is left of the entries that no fit has seen."""
    matrix = rng.normal(size=(n_rows, 4)) @ rng.normal(size=(4, n_columns))
    is_known = rng.random(matrix.shape) < 2 / 3
    noisy = matrix + 0.1 * rng.normal(size=matrix.shape)
    seconds, fitted = timed(lambda: soft_imputed(noisy, is_known, 3.0))
    task = f"a third of {n_rows:,} × {n_columns:,} completed, unseen entries"
    yield task, "structlearn", seconds, share_left(matrix[~is_known], fitted[~is_known])


def components(n_genes, n_regulators, n_samples, rng):
    """Strengths on a known pattern; no other library that we have does this."""
    pattern = rng.random((n_genes, n_regulators)) < 2.0 / n_regulators
    pattern[np.arange(n_genes), rng.integers(0, n_regulators, n_genes)] = True
    strengths, activities = random_strengths(pattern, rng), rng.normal(size=(n_regulators, n_samples))
    expression = strengths @ activities
    expression = expression + 0.5 * rng.normal(size=expression.shape)
    seconds, found = timed(lambda: alternated(expression, pattern, random_strengths(pattern, rng)))
    expected, _ = normalised(strengths, activities, pattern)
    ours, _ = normalised(found.strengths, found.activities, pattern)
    signs = np.sign((ours * expected).sum(axis=0))
    task = (
        f"strengths of {n_regulators} regulators on {n_genes:,} genes, {n_samples} samples, beside the truth"
    )
    yield task, "structlearn", seconds, share_left(expected, ours * signs)


def rows():
    rng = np.random.default_rng(0)
    yield from non_negative(1_000, 200, 8, rng)
    yield from first_components(2_000, 1_000, 20, rng)
    yield from completed(300, 200, rng)
    yield from components(1_000, 40, 100, rng)


def main():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        machine = described(["structlearn", "sklearn"], "python -m benchmarks.factorization")
        lines = ["# Factors of tables", "", machine, "", ABOUT, ""]
        lines += ["| work | who | seconds | left |", "| --- | --- | --- | --- |"]
        for work, who, taken, left in rows():
            lines.append(f"| {work} | {who} | {taken:.3g} | {left:.4g} |")
            print(lines[-1], flush=True)
    RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
