"""`--set NAME=VALUE`: words, numbers and lists."""

import pytest

import structlearn as sl
from structlearn.cli.settings import make_learner


def test_values_between_commas_are_a_list_where_the_option_takes_one():
    assert make_learner("aracne", {}, ["regulators=a, b"]).regulators == ["a", "b"]
    assert make_learner("aracne", {}, ["regulators=a"]).regulators == ["a"]
    assert make_learner("similarity-network", {}, ["scales=2,5"]).scales == [2, 5]
    assert make_learner("aracne", {}, ["estimator=kernel"]).estimator == "kernel"


def test_a_list_of_something_else_is_refused_by_name():
    with pytest.raises(sl.OptionError, match=r"scales='2,many'\): scales is .* a list of int"):
        make_learner("similarity-network", {}, ["scales=2,many"])
