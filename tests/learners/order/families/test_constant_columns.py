"""Columns with one value have no arcs but those that are required."""

import numpy as np

import structlearn as sl
from structlearn.learners.order.families.constant_columns import without_constants
from structlearn.search.limits import Limits
from structlearn.statistics import from_dataset

ROWS = {"a": list("xyxy"), "b": list("kkkk"), "c": [1.0, 2.0, 3.0, 4.0], "d": [7.0, 7.0, 7.0, 7.0]}


def test_arcs_at_constant_columns_are_closed_unless_required():
    data = sl.Dataset(ROWS, kinds={"b": "discrete", "d": "continuous"})
    knowledge = sl.Knowledge(required=[("a", "b")], forbidden=[("c", "a")])

    limits = without_constants(Limits.of(data.names, knowledge), from_dataset(data))

    is_open = ~limits.closed & ~np.eye(4, dtype=np.bool_)
    arcs = {(data.names[u], data.names[v]) for v, u in np.argwhere(is_open).tolist()}
    assert arcs == {("a", "b"), ("a", "c")}
