"""A method of inference is found by its name, with options of its own."""

from inspect import signature

import pytest

import structlearn as sl
from structlearn.inference.methods import METHODS, chosen


@pytest.mark.parametrize("name", METHODS)
def test_every_method_is_where_it_says_and_takes_the_options_it_lists(name):
    function = METHODS[name].load()

    assert chosen(name, {}) is function
    assert set(METHODS[name].rules) == set(signature(function).parameters) - {"question"}


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("magic", {}, "the methods are 'exact', 'weighting', 'gibbs', 'loopy'"),
        ("exact", {"sweeps": 10}, "method='exact' has no option 'sweeps'; its options are 'cell_limit'"),
        ("gibbs", {"chains": 0}, r"query\(chains=0\)"),
        ("loopy", {"damping": 1.0}, r"query\(damping=1.0\)"),
    ],
)
def test_what_is_no_method_or_no_option_of_it_is_refused(name, options, words):
    with pytest.raises(sl.OptionError, match=words):
        chosen(name, options)
