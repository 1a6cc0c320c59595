"""Which distribution a node gets: as wished, or by the kinds of its column and of its parents'."""

from functools import partial

import pytest

import structlearn as sl
from structlearn.models import ConditionalGaussianCPD, LinearGaussianCPD, SoftmaxCPD, TableCPD, TreeCPD
from structlearn.models.fitters import check_wishes, fitter_for
from tests.oracles.cpds import family_of

DATA = sl.Dataset(
    {
        "d": ["a", "b", "a", "b"],
        "e": ["x", "x", "y", "y"],
        "c": [0.1, 0.7, 1.5, 2.2],
        "f": [2.5, 1.1, 0.3, 0.4],
    }
)


@pytest.mark.parametrize(
    ("child", "parents", "made"),
    [
        ("d", ["e"], TableCPD),
        ("d", ["c"], SoftmaxCPD),
        ("d", ["c", "e"], SoftmaxCPD),
        ("c", ["f"], LinearGaussianCPD),
        ("c", [], LinearGaussianCPD),
        ("c", ["e"], ConditionalGaussianCPD),
        ("c", ["e", "f"], ConditionalGaussianCPD),
    ],
)
def test_the_kinds_of_columns_choose(child, parents, made):
    assert fitter_for(child, None, family_of(DATA, child, parents)) == made.fit


def test_a_wish_is_a_name_an_example_or_what_fits():
    family = family_of(DATA, "d", ["e"])
    own = partial(TreeCPD.fit, max_depth=1)

    assert fitter_for("d", "tree", family) == TreeCPD.fit
    assert fitter_for("d", own, family) is own
    example = TableCPD([0.5, 0.5], labels=["a", "b"])
    assert fitter_for("d", example, family)(family, smoothing=0.0).labels == ("a", "b")


@pytest.mark.parametrize(
    ("child", "parents", "wish", "words"),
    [
        ("c", [], "table", "a table distribution is of discrete nodes, and 'c' is continuous"),
        ("d", ["c"], "table", "takes discrete parents, and 'd' has others"),
    ],
)
def test_a_wish_that_does_not_suit_the_columns_is_refused(child, parents, wish, words):
    with pytest.raises(sl.OptionError, match=words):
        fitter_for(child, wish, family_of(DATA, child, parents))


def test_wishes_are_known_kinds_or_things_that_fit():
    check_wishes({"a": "table", "b": TableCPD.fit, "c": TableCPD([1.0], labels=["x"])})
    with pytest.raises(sl.OptionError, match="give a CPD, or the name of a kind"):
        check_wishes({"a": "magic"})
    with pytest.raises(sl.OptionError, match="give an example, a FormulaCPD"):
        check_wishes({"a": "formula"})


def test_what_fits_a_node_gives_a_distribution():
    chain = sl.BayesianNetwork(sl.Graph("ab", directed=["ab"]), cpds={"b": lambda *_, **__: 3})

    with pytest.raises(sl.DataError, match="What fits 'b' has to give a CPD, and gave 3"):
        chain.fit({"a": [0, 1], "b": [1, 0]})
