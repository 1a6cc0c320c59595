"""The numbers that are free in weights: the rank of the features as functions of all joint states."""

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from structlearn.models.factors_parameters import count_in_weights

LEVELS = (2, 3, 2, 2)
FEATURES = st.lists(
    st.sets(st.integers(0, 3), min_size=1, max_size=3).flatmap(
        lambda columns: st.tuples(
            st.just(tuple(sorted(columns))),
            st.tuples(*(st.integers(0, LEVELS[c] - 1) for c in sorted(columns))),
        )
    ),
    max_size=25,
)


@given(FEATURES)
def test_free_weights_are_the_rank_of_the_features_beside_a_constant(features):
    states = list(product(*map(range, LEVELS)))
    holds = [[all(s[c] == code for c, code in zip(*f, strict=True)) for s in states] for f in features]
    matrix = np.array([[1.0] * len(states), *holds], dtype=float)

    assert count_in_weights(features, LEVELS) == np.linalg.matrix_rank(matrix) - 1


def test_what_depends_on_each_other_all_round_is_counted_too():
    ring = [((a, b), (0, 0)) for a, b in ((0, 1), (1, 2), (2, 0))]
    ends = [((c,), (1,)) for c in range(3)]

    assert count_in_weights(ring * 2 + ends, (2, 2, 2)) == 6


def test_thousands_of_features_take_no_time():
    pairs = [((i, j), codes) for j in range(45) for i in range(j) for codes in product(range(2), repeat=2)]

    assert count_in_weights(pairs, [2] * 45) == 45 + 45 * 44 // 2
