"""Orders of columns by what explains them, and as given."""

import numpy as np
import pytest

from structlearn.errors import OptionError
from structlearn.learners.regression.ordered.column_orders import explained_last, given_order, random_orders
from tests.oracles import precision as oracle


def test_the_best_explained_column_comes_last():
    for seed in range(5):
        correlation = oracle.random_correlation(seed, 6, 50)
        order = explained_last(correlation, n_rows=1e12)
        for end in range(5, 0, -1):
            left = order[: end + 1]
            unexplained = 1 / np.diag(np.linalg.inv(correlation[np.ix_(left, left)]))
            assert unexplained[end] == pytest.approx(unexplained.min(), abs=1e-9)


def test_without_time_what_the_columns_left_explain_decides():
    correlation = oracle.random_correlation(0, 6, 50)
    answers = iter([False, False, True])
    order = explained_last(correlation, 1e12, lambda: next(answers))
    left = order[:4]

    unexplained = 1 / np.diag(np.linalg.inv(correlation[np.ix_(left, left)]))
    assert order[4:].tolist() == explained_last(correlation, 1e12)[4:].tolist()
    assert (np.diff(unexplained) <= 0).all()


def test_random_orders_have_each_column_once():
    drawn = random_orders(5, 3, np.random.default_rng(0))

    assert [sorted(order.tolist()) for order in drawn] == [[0, 1, 2, 3, 4]] * 3
    assert len({tuple(order.tolist()) for order in drawn}) == 3


def test_a_given_order_is_read_by_name_and_needs_every_column_once():
    assert given_order("Toy", ("a", "b", "c"), ["c", "a", "b"]).tolist() == [2, 0, 1]
    for wrong in (["a", "b"], ["a", "b", "b"], ["a", "b", "d"]):
        with pytest.raises(OptionError, match=r"Toy\(order=.*each of the 3 columns is needed once"):
            given_order("Toy", ("a", "b", "c"), wrong)
