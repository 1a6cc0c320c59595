"""Information of pairs and what is indirect, under numba's simulator of CUDA; see `tests.gpu.simulated`."""

import numpy as np
from numba import config

import structlearn as sl
from structlearn.gpu import card, pairs, spanning
from structlearn.learners.network.information.pruning import Pruning
from structlearn.numerics.information.columns import Columns
from structlearn.numerics.information.estimators import information_of
from structlearn.numerics.information.on_card import ON_CARD
from structlearn.numerics.information.settings import Settings

if config.ENABLE_CUDASIM:
    pairs.PAIRS_AT_ONCE = 8
    pairs.TILE = pairs.N_WORDS = pairs.SIDE = pairs.N_ROW_THREADS = spanning.N_THREADS = 2
    pairs.load_cupy = card.load_cupy = lambda: np  # products of matrices are those of CuPy


def information_is_the_same():
    """To the last digit where rows are counted: 16 tables with constant and continuous columns."""
    for seed in range(16):
        rng = np.random.default_rng(seed)
        n_columns, n_rows = int(rng.integers(1, 5)), int(rng.integers(2, 80))
        levels = rng.integers(0, 5, n_columns)
        drawn = [rng.integers(0, n, n_rows) if n else rng.normal(size=n_rows) for n in levels]
        columns, settings = Columns(np.array(drawn, dtype=np.float64), levels), Settings(n_bins=3)
        name = ("plug-in", "miller-madow")[seed % 2]
        there = ON_CARD[name](columns, settings).to_host()
        np.testing.assert_array_equal(there, information_of(columns, name, settings))


def information_of_correlations_is_the_same():
    for seed in range(8):
        rng = np.random.default_rng(seed)
        values = rng.normal(size=(int(rng.integers(1, 5)), 20)).cumsum(axis=0)
        values[0] = rng.integers(0, 2) * values[0]
        columns, name = Columns(values, np.zeros(len(values), dtype=np.int64)), ("gaussian", "rank")[seed % 2]
        there = ON_CARD[name](columns, Settings()).to_host()
        np.testing.assert_allclose(there, information_of(columns, name, Settings()), rtol=1e-12, atol=1e-14)
        np.testing.assert_array_equal(there, there.T)


def indirect_edges_are_the_same():
    """With ties, tolerances of both kinds, thresholds and regulators: 15 matrices, in both ways."""
    for seed in range(15):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(1, 8))
        upper = np.triu(np.round(np.abs(rng.normal(size=(n, n))), 1 + seed % 3), k=1)
        is_regulator = None if seed % 4 else rng.random(n) < 0.6
        rule = ("share", "difference")[seed % 2]
        pruning = Pruning((0.0, 0.3, 9.0)[seed % 3], (0.0, 0.15, 1.0)[seed % 5 % 3], rule, is_regulator, 1)
        matrix = pairs.MatrixOnCard(n)
        matrix.array.copy_to_device(upper + upper.T)
        here = pruning.judged(upper + upper.T, None)
        for pairs.FEW in (0.0, 1.0):  # by tiles, and by lists of neighbours
            there = pruning.judged(upper + upper.T, matrix)
            for field in ("pairs", "values", "mediators"):
                np.testing.assert_array_equal(getattr(there, field), getattr(here, field))


def learners_find_the_same():
    """Continuous and discrete columns, by every learner that has the option."""
    rng = np.random.default_rng(0)
    for rows in (
        rng.normal(size=(60, 5)).cumsum(axis=1),
        sl.example("cancer").sample(300, random_state=0),
    ):
        here, there = (sl.ARACNE(device=device).fit(rows) for device in ("cpu", "cuda"))
        assert there.graph_ == here.graph_
        assert there.threshold_ == here.threshold_
        np.testing.assert_allclose(there.information_, here.information_, atol=1e-14)
        for name in ("source", "target", "through"):
            assert there.trace_[name].tolist() == here.trace_[name].tolist()
        here, there = (sl.mutual_information(rows, device=device) for device in ("cpu", "cuda"))
        np.testing.assert_allclose(there.values, here.values, atol=1e-14)
        options = {"threshold": "family-wise", "n_permutations": 3}
        here, there = (sl.SimilarityNetwork(device=device, **options).fit(rows) for device in ("cpu", "cuda"))
        assert there.graph_ == here.graph_
        np.testing.assert_allclose(there.similarity_, here.similarity_, atol=1e-14)


def heaviest_of(weights):
    """The heaviest forest by its definition: edges in order, each taken that closes no cycle."""
    part, edges = list(range(len(weights))), []
    ordered = sorted(
        (-round(weights[a, b], 9), a, b) for b in range(len(weights)) for a in range(b) if weights[a, b] > 0.0
    )
    for weight, a, b in ordered:
        if weight < 0.0 and part[a] != part[b]:
            part = [part[a] if label == part[b] else label for label in part]
            edges.append((a, b))
    return edges


def forests_are_the_heaviest():
    """With ties, prices, parts that nothing joins and pairs that are impossible: 30 matrices."""
    for seed in range(30):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(1, 9))
        upper = np.triu(np.round(rng.exponential(size=(n, n)), 1) * (rng.random((n, n)) < 0.7), k=1)
        matrix = pairs.MatrixOnCard(n)
        matrix.array.copy_to_device(upper + upper.T)
        n_free, price = rng.integers(0, 3, n).astype(np.float64), (0.0, 2.0)[seed % 2]
        gains = spanning.Gains(10.0, price, n_free, (np.inf, 2.0)[seed % 3 > 1])
        weights = 10.0 * (upper + upper.T) - price * np.outer(n_free, n_free)
        weights[upper + upper.T >= gains.most] = 0.0
        assert spanning.heaviest_forest(matrix, gains, 9) == heaviest_of(weights)


def trees_are_the_same():
    """Trees and forests of discrete and continuous columns, with two that are the same."""
    for seed in range(2):
        rng = np.random.default_rng(seed)
        rows = rng.normal(size=(60, 5)).cumsum(axis=1)
        if seed % 2:
            rows = np.round(rows[:, [0, 1, 2, 3, 0]]).clip(-1, 1).astype(str)
        for score in ("loglik", "bic"):
            here, there = (sl.ChowLiu(score=score, device=device).fit(rows) for device in ("cpu", "cuda"))
            assert there.graph_ == here.graph_
            assert there.score_ == here.score_
            assert there.trace_["gain"].tolist() == here.trace_["gain"].tolist()


def check_pairs():
    """One process for all of them: to start one takes as long as dozens of problems."""
    information_is_the_same()
    information_of_correlations_is_the_same()
    indirect_edges_are_the_same()
    forests_are_the_heaviest()
    trees_are_the_same()
    learners_find_the_same()
