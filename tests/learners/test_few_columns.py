"""Of a few columns, the default method and hill-climbing end at the best of all DAGs."""

import numpy as np
import pytest

import structlearn as sl

SCORES = {"continuous": ("bic", "bge", "ebic"), "mixed": ("bic",), "discrete": ("bic", "bdeu", "bds", "k2")}
FEW_NODES = sl.Knowledge(required=[("v0", "v1")], forbidden=[("v0", "v2"), ("v2", "v1")])


def dense_table(kind, seed):
    """Columns each of which depends on many before it, so that climbs end below the best."""
    rng = np.random.default_rng(seed)
    n_columns, n_rows = int(rng.integers(4, 7)), int(rng.integers(100, 600))
    columns = []
    for _ in range(n_columns):
        signs = rng.choice([-1.0, 0.0, 1.0], len(columns), p=[0.35, 0.3, 0.35])
        columns.append(
            rng.normal(size=n_rows)
            + signs * rng.uniform(0.3, 1.5, len(columns)) @ np.array(columns).reshape(-1, n_rows)
        )
    if kind != "continuous":
        cut = range(n_columns) if kind == "discrete" else range(0, n_columns, 2)
        for j in cut:
            columns[j] = np.array(["low", "mid", "high"])[
                np.digitize(columns[j], np.quantile(columns[j], [0.3, 0.6]))
            ]
    return {f"v{j}": column for j, column in enumerate(columns)}


@pytest.mark.parametrize("make", [sl.BOSS, sl.HillClimbing])
@pytest.mark.parametrize("limits", [{}, {"max_parents": 2}, {"knowledge": FEW_NODES}], ids=str)
@pytest.mark.parametrize(("kind", "score"), [(kind, score) for kind in SCORES for score in SCORES[kind]])
def test_no_dag_within_the_limits_scores_more(make, limits, kind, score):
    for seed in range(4):
        table = dense_table(kind, seed)
        best = sl.ExactSearch(score=score, **limits).fit(table)

        found = make(score=score, **limits).fit(table)

        assert found.score_ == pytest.approx(best.score_, abs=1e-6)
