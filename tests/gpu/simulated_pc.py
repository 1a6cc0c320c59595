"""PC under numba's simulator of CUDA; see `tests.gpu.simulated`."""

import numpy as np
from numba import config

import structlearn as sl
from structlearn.gpu import card, pairs, partial_correlations
from structlearn.graphs.links import Links
from structlearn.independence.asking import Asker, Subsets, separate_pairs
from structlearn.independence.fisher_z import FisherZ
from structlearn.learners.constraint.skeletons.correlations import CorrelationsOfMatrix, CorrelationsOfUnits
from structlearn.learners.constraint.skeletons.on_card import OnCard, correlations_of
from structlearn.statistics import statistics_of

if config.ENABLE_CUDASIM:
    partial_correlations.N_THREADS = partial_correlations.N_ROW_THREADS = pairs.TILE = 2
    pairs.load_cupy = card.load_cupy = lambda: np  # products of matrices are those of CuPy


def linear_rows(rng, n_rows, n_columns):
    """Rows of a random linear model."""
    weights = np.triu(rng.normal(size=(n_columns, n_columns)) * (rng.random((n_columns, n_columns)) < 0.6), 1)
    rows = rng.normal(size=(n_rows, n_columns))
    for j in range(n_columns):
        rows[:, j] += rows @ weights[:, j]
    return rows


def first_separating_sets_are_the_same():
    """Every list of neighbours, not only those that levels leave: 60 problems, sets of one to three."""
    for seed in range(60):
        rng = np.random.default_rng(seed)
        n_columns, size = int(rng.integers(3, 6)), 1 + seed % 3
        rows = linear_rows(rng, int(rng.integers(5, 60)), n_columns)
        if seed % 10 == 0:
            rows[:, 0] = 3.0
        if seed % 10 == 1:
            rows[:, -1] = rows[:, 0] + rows[:, 1]
        names = [f"x{j}" for j in range(n_columns)]
        data = sl.Dataset(dict(zip(names, rows.T, strict=True)))
        statistics = statistics_of(data, names, owner="test", missing="error", n_jobs=1)
        pairs = np.column_stack(np.triu_indices(n_columns, k=1))
        lists = Links(n_columns, lines=pairs[rng.random(len(pairs)) < 0.7])
        asked = rng.permutation(pairs)[:2]
        asker = Asker(FisherZ(), statistics, alpha=float(rng.choice([0.01, 0.3, 0.9])))
        here = separate_pairs(asker, Subsets(asked, lists, size))
        correlations = CorrelationsOfMatrix(statistics.size, asker.alpha, statistics.moments().correlation)
        must_stay = np.ones(len(asked), dtype=np.bool_)
        there = OnCard(asker, correlations).separate(asked, must_stay, lists, size, lambda *_: None)
        for field in ("separated", "given", "p_value", "largest_p"):
            np.testing.assert_array_equal(getattr(there, field), getattr(here, field), f"{field}, {seed}")


def fits_are_the_same():
    """Skeleton, separators, p-values, conflicts and directions, with knowledge and every rule."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        n_columns = int(rng.integers(2, 7))
        names = [f"x{j}" for j in rng.permutation(n_columns)]
        rows = linear_rows(rng, int(rng.integers(7, 100)), n_columns)
        knowledge = None
        if seed % 3 == 1 and n_columns > 3:
            a, b, c, d = names[:4]
            knowledge = sl.Knowledge(required=[(a, b)], forbidden=[(c, d), (d, c)])
        options = {
            "alpha": (0.01, 0.05, 0.3, 0.0, 1.0)[seed % 5],
            "max_conditioning": (None, 0, 1, 2)[seed % 4],
            "collider_rule": ("first", "majority", "max-p")[seed % 3],
            "knowledge": knowledge,
        }
        table = dict(zip(names, rows.T, strict=True))
        here, there = (sl.PC(device=device, **options).fit(table) for device in ("cpu", "cuda"))
        assert there.graph_ == here.graph_
        assert there.evidence_ == here.evidence_
        assert there.conflicts_ == here.conflicts_
        assert sorted(there.separating_sets_) == sorted(here.separating_sets_)
        assert dict(there.separating_sets_) == dict(here.separating_sets_)
        assert len(there.separating_sets_) == len(here.separating_sets_)
        for name in ("conditions", "removed", "edges"):
            np.testing.assert_array_equal(there.trace_[name], here.trace_[name])
        assert there.n_tests_ <= here.n_tests_


def short_columns_are_multiplied_there():
    """Fewer rows than columns, one of them constant: the same but for the last digits."""
    for seed in range(4):
        rng = np.random.default_rng(seed)
        rows = linear_rows(rng, 6, 7)
        rows[:, 2] = 4.5
        names = [f"x{j}" for j in range(7)]
        data = sl.Dataset(dict(zip(names, rows.T, strict=True)))
        asked = statistics_of(data, names, owner="test", missing="error", n_jobs=1)
        units, matrix = correlations_of(asked, 0.3), asked.moments().correlation
        assert isinstance(units, CorrelationsOfUnits)
        np.testing.assert_allclose(units.from_the_diagonal(1, 3), matrix[1:3, 1:], atol=1e-14)
        np.testing.assert_allclose(units.of(5, slice(None)), matrix[5], atol=1e-14)

        here, there = (
            sl.PC(device=device, alpha=0.3, max_conditioning=2).fit(data) for device in ("cpu", "cuda")
        )
        assert there.graph_ == here.graph_
        assert sorted(there.separating_sets_) == sorted(here.separating_sets_)
        for pair, found in there.separating_sets_.items():
            assert found.given == here.separating_sets_[pair].given
            np.testing.assert_allclose(found.p_value, here.separating_sets_[pair].p_value, rtol=1e-9)


def time_is_kept():
    found = sl.PC(device="cuda", time_limit=1e-9).fit(linear_rows(np.random.default_rng(0), 50, 4))
    assert found.status_ == "Stopped at time_limit: this is the best graph found so far."


def check_pc():
    """One process for all of them: to start one takes as long as dozens of problems."""
    first_separating_sets_are_the_same()
    fits_are_the_same()
    short_columns_are_multiplied_there()
    time_is_kept()
