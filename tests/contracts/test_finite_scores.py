"""No learner returns a score that is not finite: what makes it so is refused by name."""

import math
import re
import warnings

import numpy as np
import pytest

import structlearn as sl
from structlearn.scores import BIC
from tests.contracts.conftest import chain_table, have_option, of_columns, take

A_MIXED_TABLE = {
    "d": np.array(["low", "middle", "top"])[np.random.default_rng(0).integers(0, 3, 200)],
    "x": np.random.default_rng(1).normal(size=200),
    "y": np.random.default_rng(2).normal(size=200),
}


have_directions = pytest.mark.methods_that(lambda method: method.returns != "undirected")


def outcome_of(learner, table):
    """The score, None where the learner has none, or the refusal."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", sl.DataWarning)
            learner.fit(table)
    except (sl.DataError, sl.OptionError) as refusal:
        return refusal
    return vars(learner).get("score_")


def is_sound(outcome):
    return outcome is None or isinstance(outcome, Exception) or math.isfinite(outcome)


@take("mixed")
@have_directions
def test_a_required_arc_from_a_continuous_to_a_discrete_column_is_refused_or_has_a_finite_score(learner):
    learner.set_params(knowledge=sl.Knowledge(required=[("x", "d")]))
    outcome = outcome_of(learner, A_MIXED_TABLE)

    assert is_sound(outcome)
    if isinstance(outcome, Exception):
        assert re.search(r"x(\[t-1\])? → d", str(outcome))
    else:
        assert of_columns(learner.graph_).edge("x", "d").kind == "directed"


@take("continuous")
@have_directions
def test_required_arcs_to_a_constant_column_are_refused_or_have_a_finite_score(learner):
    table = chain_table("continuous") | {"e": np.ones(400)}
    outcome = outcome_of(learner.set_params(knowledge=sl.Knowledge(required=[("a", "e")])), table)

    assert is_sound(outcome)
    assert not isinstance(outcome, Exception) or re.search(r"a(\[t-1\])? → e", str(outcome))


@take("continuous")
@have_directions
def test_more_required_parents_than_rows_are_refused_or_have_a_finite_score(learner):
    rng = np.random.default_rng(0)
    table = {f"c{j}": rng.normal(size=6) for j in range(8)}
    knowledge = sl.Knowledge(required=[(f"c{j}", "c0") for j in range(1, 8)])

    assert is_sound(outcome_of(learner.set_params(knowledge=knowledge), table))


@take("continuous")
@have_directions
@pytest.mark.parametrize("arc", ["sa", "as"])
@pytest.mark.filterwarnings("ignore:.*has a single value:structlearn.DataWarning")
def test_a_required_arc_to_or_from_a_constant_is_not_blamed_on_the_rows(learner, arc):
    table = chain_table("continuous", n_rows=40) | {"s": np.ones(40)}
    outcome = outcome_of(learner.set_params(knowledge=sl.Knowledge(required=[tuple(arc)])), table)

    assert is_sound(outcome)
    assert "rows are too few" not in str(outcome)


@pytest.mark.parametrize("n_rows", [2, 3, 4])
def test_a_few_rows_have_a_finite_score_or_are_refused(learner, kind, n_rows):
    table = {name: column[:n_rows] for name, column in chain_table(kind).items()}

    assert is_sound(outcome_of(learner, table))


@take("continuous")
@pytest.mark.parametrize("scale", [1e-170, 1e-160, 1e150, 1e155, pytest.param(1e200, marks=pytest.mark.slow)])
def test_huge_and_tiny_numbers_have_a_finite_score_or_are_refused(learner, scale):
    table = chain_table("continuous", n_rows=100)

    with np.errstate(all="ignore"):
        assert is_sound(outcome_of(learner, {name: scale * column for name, column in table.items()}))


@take("mixed")
@have_option("initial")
def test_a_start_that_cannot_be_scored_is_left_or_refused(learner):
    arcs = [("x", "d"), ("y", "d"), ("x", "y")]
    learner.set_params(initial=sl.Graph("dxy", directed=arcs))

    assert is_sound(outcome_of(learner, A_MIXED_TABLE))


class NoNumber:
    """A score that is no number for two parents, and more than any number for one pair."""

    is_equivalent = True

    def __init__(self, worst):
        self.worst = worst

    def local(self, statistics, families):  # noqa: ARG002, what a score is asked
        return np.full(len(families), self.worst if families.shape[1] > 1 else -1.0)


@have_option("score")
@pytest.mark.parametrize("worst", [math.nan, math.inf])
def test_a_score_that_is_no_number_is_refused_with_its_family(method, learner, worst):
    table = chain_table(method.takes[0])
    outcome = outcome_of(learner.set_params(score=NoNumber(worst)), table)

    assert isinstance(outcome, sl.DataError)
    assert f"is {worst}" in str(outcome)
    assert "given" in str(outcome)


class Impossible:
    """A score by which no column may have so few parents, and so no DAG is possible."""

    is_equivalent = True

    def __init__(self, most):
        self.most = most

    def local(self, statistics, families):  # noqa: ARG002, what a score is asked
        return np.full(len(families), -1.0 if families.shape[1] - 1 > self.most else -math.inf)


@have_option("score")
@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_a_score_by_which_nothing_is_possible_is_refused_without_a_warning_of_numpy(method, learner):
    outcome = outcome_of(learner.set_params(score=Impossible(99)), chain_table(method.takes[0]))

    assert outcome is None or isinstance(outcome, Exception)
    assert "initial" not in str(outcome)


def test_a_chain_that_starts_where_no_dag_is_possible_is_refused():
    outcome = outcome_of(sl.OrderMCMC(score=Impossible(1)), chain_table("discrete"))

    assert isinstance(outcome, sl.DataError)


class WithParents:
    """BIC, where some columns must have parents."""

    takes = "discrete"

    def __init__(self, children):
        self.children = children

    def local(self, statistics, families):
        is_refused = np.isin(families[:, 0], self.children) & (families.shape[1] == 1)
        return np.where(is_refused, -np.inf, BIC().local(statistics, families))


@take("discrete")
@have_option("score")
@pytest.mark.parametrize("children", [[0], [0, 1, 2, 3]])
def test_a_score_that_refuses_columns_without_parents_makes_no_other_score_unknown(learner, children):
    learner.set_params(score=WithParents(children))

    assert is_sound(outcome_of(learner, chain_table("discrete")))
