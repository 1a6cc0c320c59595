"""Rows that stand for all are the same in whatever order they come, and of what is alike there is a share."""

import numpy as np
import pytest

from structlearn.statistics.even_rows import even_rows


def rows_of(columns, chosen):
    return sorted(zip(*(column[chosen].tolist() for column in columns), strict=True))


def random_columns(kind, n_rows=300):
    rng = np.random.default_rng(0)
    codes = [rng.integers(0, 3, n_rows).astype(np.uint8) for _ in range(3)]
    return codes if kind == "codes" else [*codes, np.round(rng.normal(size=n_rows), 1)]


@pytest.mark.parametrize("kind", ["codes", "numbers"])
def test_the_same_rows_are_chosen_in_whatever_order_they_come(kind):
    columns = random_columns(kind)
    chosen = even_rows(columns, 300, 70)

    assert len(set(chosen.tolist())) == 70
    assert (np.diff(chosen) > 0).all()
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(300)
        shuffled = [column[order] for column in columns]
        assert rows_of(shuffled, even_rows(shuffled, 300, 70)) == rows_of(columns, chosen)


def test_rows_that_are_alike_have_their_share():
    """Of 27 kinds of rows, each takes its share of the sample, but for one row at its end."""
    columns = random_columns("codes", 3_000)
    chosen = even_rows(columns, 3_000, 300)
    kinds = 9 * columns[0] + 3 * columns[1] + columns[2]

    shares = np.bincount(kinds, minlength=27) / 10
    assert np.abs(np.bincount(kinds[chosen], minlength=27) - shares).max() < 1.0


def test_zero_has_no_sign():
    numbers = np.random.default_rng(0).integers(-2, 3, 50) * 1.0
    signed = np.where(numbers == 0.0, -0.0, numbers)

    assert even_rows([signed], 50, 20).tolist() == even_rows([numbers], 50, 20).tolist()


def test_all_rows_may_be_chosen():
    assert even_rows([np.zeros(7, dtype=np.uint8)], 7, 7).tolist() == list(range(7))
