"""Checks of families on a simulated card."""

import numpy as np

import structlearn as sl
from structlearn.gpu import families
from structlearn.run import Run
from structlearn.scores import BDeu
from structlearn.search.parent_sets import ParentSets
from tests.search.spaces import space_of


def random_codes(rng):
    """A table of three to five columns of up to four levels, each like one of those before it."""
    p, n = rng.integers(3, 6), rng.integers(5, 150)
    levels = rng.integers(1, 5, p)
    codes = rng.integers(0, levels, (n, p))
    for j in range(1, p):
        is_like = rng.random(n) < rng.uniform(0, 0.9)
        codes[is_like, j] = codes[is_like, rng.integers(0, j)] % levels[j]
    return sl.Dataset({f"x{j}": np.char.add("s", codes[:, j].astype(str)) for j in range(p)})


def check_useful_families():
    families.FEWEST_SETS = families.MOST_KEPT = 0
    families.PAIRS_AT_ONCE = 3
    families.N_THREADS = 1  # no thread waits for another, and more of Python's take longer
    rng = np.random.default_rng(0)
    for trial in range(30):
        table, most = random_codes(rng), 1 + trial % 3
        forbidden = [("x0", "x1")] if trial % 5 == 0 and len(table.names) > 3 else []
        score = ("bic", "aic", BDeu(1 + trial % 7))[trial % 3]
        options = {"knowledge": sl.Knowledge(forbidden=forbidden), "max_parents": most, "score": score}
        here, there = (ParentSets(space_of(table, device=device, **options)) for device in ("cpu", "cuda"))
        assert here.on_card is None
        assert there.on_card is not None
        for child in range(len(table.names)):
            one, other = here.of(child), there.of(child)
            np.testing.assert_array_equal(other.members, one.members)
            np.testing.assert_allclose(other.scores, one.scores, rtol=1e-11, atol=1e-9)


def check_order_search_and_a_run_that_must_stop():
    families.FEWEST_SETS = 0
    data = sl.example("cancer").sample(200, random_state=0)
    options = {"candidates": None, "restarts": 2}
    here, there = (sl.OrderSearch(device=device, **options).fit(data) for device in ("cpu", "cuda"))
    assert there.graph_ == here.graph_
    assert there.status_ == here.status_

    run = Run("test", time_limit_s=1e-9, progress=False)
    assert ParentSets(space_of(data, device="cuda", max_parents=3, run=run)).on_card is None
