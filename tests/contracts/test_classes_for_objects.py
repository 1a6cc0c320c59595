"""A class in the place of an object is refused with what to pass, by every method and every door."""

import inspect

import numpy as np
import pytest

import structlearn as sl
from structlearn import independence, scores
from structlearn.models.cpds import CPDS
from tests.contracts.conftest import have_option

TABLE = {name: np.random.default_rng(seed).integers(0, 2, 40) for seed, name in enumerate("abc")}
GRAPH = sl.Graph("abc", directed=["ab"])
SCORES = sorted(
    (
        each
        for name in scores.__all__
        if hasattr(each := getattr(scores, name), "local") and inspect.isclass(each)
    ),
    key=lambda each: each.__name__,
)
MAKERS = [scores.BIC, scores.EBIC, scores.GaussianBIC]


@have_option("score")
@pytest.mark.parametrize("maker", [scores.BDeu, scores.BIC])
def test_a_method_says_what_to_pass_in_place_of_a_class_of_scores(learner, maker):
    if learner.options["score"].accepts("bic"):
        with pytest.raises(sl.OptionError, match=rf"pass an object, {maker.__name__}\(\)"):
            learner.set_params(score=maker).fit(TABLE)


@have_option("test")
def test_a_method_says_what_to_pass_in_place_of_a_class_of_tests(learner):
    with pytest.raises(sl.OptionError, match=r"pass an object, G2\(\)"):
        learner.set_params(test=independence.G2).fit(TABLE)


@pytest.mark.parametrize("maker", [*SCORES, *MAKERS], ids=lambda maker: maker.__name__)
@pytest.mark.parametrize(
    "door", [lambda score: sl.score(GRAPH, TABLE, score), scores.Extended, scores.Shifted, scores.TreeScore]
)
def test_every_door_says_what_to_pass_in_place_of_a_class(door, maker):
    with pytest.raises(sl.OptionError, match=rf"pass an object, {maker.__name__}\(\)"):
        door(maker)


@pytest.mark.parametrize("score", [3, None, object(), [], print])
def test_what_is_no_score_is_refused_in_words(score):
    with pytest.raises(sl.OptionError, match="score is what to maximise, one of 'bic'"):
        sl.score(GRAPH, TABLE, score)


@pytest.mark.parametrize("kind", CPDS.values(), ids=CPDS.keys())
def test_a_class_of_distributions_is_asked_for_by_its_name(kind):
    with pytest.raises(sl.OptionError, match=rf"\{{'a': {kind.__name__}\}}\): give a CPD, or the name"):
        sl.BayesianNetwork(GRAPH, cpds={"a": kind})


def test_a_function_of_ones_own_is_shown_as_it_is():
    with pytest.raises(sl.OptionError, match=r"score\(score=<function of_ones_own"):
        sl.score(GRAPH, TABLE, of_ones_own)


def of_ones_own():
    """Nothing that scores."""
