"""What undirected models are given is checked and put in order."""

import math

import numpy as np
import pytest

import structlearn as sl
from structlearn.models.factors import Factor, Feature
from structlearn.models.ising_parts import checked_couplings, checked_fields, checked_labels, edge_weights
from structlearn.models.markov_network_content import Content
from structlearn.models.markov_network_parts import (
    as_features,
    check_shapes,
    checked_scopes,
    labels_of_tables,
    place_of,
)

PATH = sl.Graph("abc", undirected=["ab", "bc"])


def test_fields_and_couplings_come_in_the_order_of_nodes_and_edges():
    assert checked_fields(PATH, {"c": 3.0, "a": 1.0, "b": 2.0}).tolist() == [1.0, 2.0, 3.0]
    assert checked_couplings(PATH, {("c", "b"): 2.0, ("a", "b"): 1.0}).tolist() == [1.0, 2.0]
    assert checked_labels(PATH, dict.fromkeys("cba", ("no", "yes"))) == dict.fromkeys("abc", ("no", "yes"))


@pytest.mark.parametrize(
    ("check", "given", "words"),
    [
        (checked_fields, {"a": 1.0}, "fields lacks the node 'b'"),
        (checked_fields, {"z": 1.0}, "fields has 'z', which is no node"),
        (checked_couplings, {("a", "c"): 1.0}, "which is no edge"),
        (checked_couplings, {("a", "b"): 1.0}, "couplings lacks the edge"),
        (checked_labels, {"a": ("x", "x")}, "'a' needs two different labels"),
    ],
)
def test_parameters_of_an_ising_model_that_do_not_fit_its_graph_are_named(check, given, words):
    with pytest.raises(sl.DataError, match=words):
        check(PATH, given)


def test_the_weights_of_edges_are_all_there_or_refused():
    weighted = sl.Graph.from_edges("ab", [sl.Edge("a", "b", "undirected", weight=0.5)])

    assert edge_weights(weighted).tolist() == [0.5]
    with pytest.raises(sl.DataError, match="has no weight"):
        edge_weights(PATH)


def test_scopes_are_joined_nodes():
    assert checked_scopes(PATH, [Factor("ab", np.ones((2, 2))), "c"]) == (("a", "b"), ("c",))
    with pytest.raises(sl.DataError, match="does not join"):
        checked_scopes(PATH, ["ac"])
    with pytest.raises(sl.DataError, match="one or more different nodes"):
        checked_scopes(PATH, ["aa"])


def test_features_come_from_tuples_as_well():
    by_tuple = as_features(PATH, {(("a", 1), ("b", 0)): 0.5})

    assert by_tuple == (Feature({"a": 1, "b": 0}, 0.5),)
    assert place_of(by_tuple[0], {"b": 0, "a": 1}, {"a": (0, 1), "b": (0, 1)}) == ((0, 1), (0, 1))
    with pytest.raises(sl.DataError, match="A feature has 'a' = 7"):
        place_of(Feature({"a": 7}), {"a": 0}, {"a": (0, 1)})


def test_states_are_counted_from_the_tables():
    pair = Factor("ab", np.ones((2, 3)))

    assert labels_of_tables(PATH, [pair]) is None
    assert labels_of_tables(PATH, [pair, Factor("c", [1, 1])]) == {"a": (0, 1), "b": (0, 1, 2), "c": (0, 1)}
    with pytest.raises(sl.DataError, match=r"has 3 rows for 'b', which has 2 states"):
        check_shapes([pair], {"a": (0, 1), "b": (0, 1)})


def test_factors_and_features_multiply_to_one_product():
    labels = {"a": ("no", "yes"), "b": ("no", "yes")}
    content = Content(labels, (Factor("ba", [[1, 2], [3, 4]]),), (Feature({"a": "yes"}, math.log(5.0)),))

    logs = content.product.log_weights(np.array([[0, 0], [0, 1], [1, 0], [1, 1]]))

    # The factor has b first: P(a, b) is 1, 3, 2, 4 times 5 where a is "yes".
    np.testing.assert_allclose(np.exp(logs), [1.0, 3.0, 10.0, 20.0])
    assert content.product.log_partition == pytest.approx(math.log(34.0))
    assert [names for names, _ in content.tables()] == [("b", "a"), ("a",)]
