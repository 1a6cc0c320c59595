"""Tests by name, by object, by function; the usual ones; refusals that say what to do."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.independence import (
    G2,
    TEST,
    TEST_NAMES,
    Answers,
    ConditionalGaussian,
    ExactT,
    FisherZ,
    Permutation,
    from_function,
    test_for,
)
from structlearn.statistics import from_dataset

test_for.__test__ = False

RNG = np.random.default_rng(0)
DISCRETE = {"a": RNG.integers(0, 2, 30), "b": RNG.integers(0, 3, 30)}
CONTINUOUS = {"u": RNG.normal(size=30), "v": RNG.normal(size=30)}


def statistics_of(*tables):
    return from_dataset(sl.Dataset({name: column for table in tables for name, column in table.items()}))


@pytest.mark.parametrize(
    ("tables", "usual"),
    [((DISCRETE,), G2()), ((CONTINUOUS,), FisherZ()), ((DISCRETE, CONTINUOUS), ConditionalGaussian())],
)
def test_the_usual_test_is_chosen_by_the_kinds_of_columns(tables, usual):
    assert test_for("PC", None, statistics_of(*tables)) == usual


def test_tests_have_these_names():
    assert TEST_NAMES == (
        "g2",
        "chi2",
        "mutual-information",
        "fisher-z",
        "t",
        "effective-z",
        "conditional-gaussian",
        "permutation",
        "kci",
        "rcot",
        "gcm",
        "distance-correlation",
        "projection-correlation",
    )
    assert test_for("PC", "t", statistics_of(CONTINUOUS)) == ExactT()
    with pytest.raises(sl.OptionError, match="PC: there is no test 'luck'; choose one of 'g2', 'chi2'"):
        test_for("PC", "luck", statistics_of(DISCRETE))


@pytest.mark.parametrize(
    ("test", "tables", "message"),
    [
        (FisherZ(), (DISCRETE,), r"FisherZ\(\) takes continuous columns, and these are discrete.*'g2'"),
        ("g2", (CONTINUOUS,), r"takes discrete columns, and these are continuous.*test='fisher-z'"),
        ("t", (DISCRETE, CONTINUOUS), r"these are of both kinds, discrete \(a, b\) and continuous \(u, v\)"),
        (Permutation(), (DISCRETE, CONTINUOUS), "takes discrete or continuous.*'conditional-gaussian'"),
        (Permutation("correlation"), (DISCRETE,), "takes continuous"),
    ],
)
def test_a_test_for_other_columns_is_refused(test, tables, message):
    with pytest.raises(sl.DataError, match=message):
        test_for("PC", test, statistics_of(*tables))


class Always:
    """A user's test: everything is independent."""

    def many(self, _statistics, questions):
        ones = np.ones(len(questions))
        return Answers(ones, ones, ones)


def test_an_object_with_the_method_is_a_test_and_may_say_what_it_takes():
    mine = Always()
    picky = Always()
    picky.takes = "continuous"

    assert test_for("PC", mine, statistics_of(DISCRETE)) is mine
    assert TEST.accepts(mine)
    with pytest.raises(sl.DataError, match="takes continuous"):
        test_for("PC", picky, statistics_of(DISCRETE))


def test_log_p_of_a_users_answers_is_the_logarithm_of_their_p_values():
    p = np.array([0.5, 0.0])

    assert Answers(p, p, p).log_p.tolist() == [np.log(0.5), -np.inf]
    assert Answers(p, p, p).is_reliable.all()


def test_a_function_of_names_is_a_test():
    asked = []

    def p_value(x, y, given):
        asked.append((x, y, given))
        return 0.25

    test = test_for("PC", p_value, statistics_of(DISCRETE, CONTINUOUS))
    answers = test.many(statistics_of(DISCRETE, CONTINUOUS), np.array([(0, 3, 2, 1), (2, 1, 0, 3)]))

    assert TEST.accepts(p_value)
    assert asked == [("a", "v", ("u", "b")), ("u", "b", ("a", "v"))]
    assert answers.p_value.tolist() == [0.25, 0.25]


@pytest.mark.parametrize("wrong", [1.5, float("nan"), -0.1])
def test_a_function_must_return_a_probability(wrong):
    test = from_function(lambda _x, _y, _given: wrong)

    with pytest.raises(sl.OptionError, match=r"for 'a' and 'b'; a p-value is a number from 0 to 1"):
        test.many(statistics_of(DISCRETE), np.array([(0, 1)]))


@pytest.mark.parametrize(
    ("wrong", "message"), [(G2, r"test=G2 is a class; pass an object, G2\(\)"), (5, "5 is no test; choose")]
)
def test_what_is_no_test_is_refused(wrong, message):
    with pytest.raises(sl.OptionError, match=message):
        test_for("PC", wrong, statistics_of(DISCRETE))
