"""A score or a test of one's own is taken wherever one is asked for, and refused where it is none."""

import numpy as np
import pytest
from sklearn.base import clone

import structlearn as sl
from structlearn.independence import G2, Answers, FisherZ
from structlearn.scores import BIC, GaussianBIC
from tests.contracts.conftest import chain_table, have_option

NO_NUMBERS = {
    "nothing": lambda _: None,
    "too few": lambda found: found[:-1],
    "a column": lambda found: found[:, None],
    "text": lambda found: found.astype(str),
}


class OwnScore:
    """The usual one, with its answers put in another way."""

    is_equivalent = True

    def __init__(self, kind, put=lambda found: found):
        self.score, self.put = BIC() if kind == "discrete" else GaussianBIC(), put

    def local(self, statistics, families):
        return self.put(self.score.local(statistics, families))


class OwnTest:
    """The usual one, with its p-values put in another way."""

    def __init__(self, kind, put=lambda found: found):
        self.test, self.put = G2() if kind == "discrete" else FisherZ(), put

    def many(self, statistics, questions):
        found = self.test.many(statistics, questions)
        return Answers(found.statistic, found.dof, self.put(found.p_value), reliable=found.reliable)


@have_option("score")
@pytest.mark.parametrize("put", NO_NUMBERS.values(), ids=NO_NUMBERS.keys())
def test_a_score_that_gives_no_number_for_each_family_is_refused(learner, kind, table, put):
    with pytest.raises(sl.OptionError, match=r"The score .* did not return an array with a number for each"):
        clone(learner).set_params(score=OwnScore(kind, put)).fit(table)


@have_option("test")
@pytest.mark.parametrize("put", NO_NUMBERS.values(), ids=NO_NUMBERS.keys())
def test_a_test_that_gives_no_p_value_for_each_question_is_refused(learner, kind, table, put):
    with pytest.raises(sl.OptionError, match=r"did not return .* arrays with a number for each"):
        clone(learner).set_params(test=OwnTest(kind, put)).fit(table)


@have_option("test")
@pytest.mark.parametrize("wrong", [np.nan, 1.5, -0.5], ids=str)
def test_what_is_no_p_value_is_refused_with_the_question(learner, kind, table, wrong):
    with pytest.raises(sl.OptionError, match=rf"returned {wrong} for '.*' and '.*'; a p-value is a number"):
        clone(learner).set_params(test=OwnTest(kind, lambda found: np.full(len(found), wrong))).fit(table)


@have_option("test")
@pytest.mark.parametrize("wrong", [None, "x", (0.5, 1.0), np.nan], ids=str)
def test_a_function_that_gives_no_p_value_is_refused_with_the_question(learner, table, wrong):
    with pytest.raises(sl.OptionError, match=r"returned .* for '.*' and '.*'; a p-value is a number"):
        clone(learner).set_params(test=lambda *_: wrong).fit(table)


@pytest.mark.parametrize(
    "ask", [sl.test_independence, lambda rows, x, y, test: sl.is_imap(sl.Graph([x, y]), rows, test=test)]
)
def test_one_answer_is_looked_at_too(ask):
    with pytest.raises(sl.OptionError, match=r"returned nan for 'a' and 'b'; a p-value is a number"):
        ask(chain_table("discrete"), "a", "b", test=OwnTest("discrete", lambda found: np.nan * found))


def test_targets_do_not_hide_a_score_that_is_none():
    rows = dict(chain_table("discrete"))
    n_rows = len(rows["a"])

    with pytest.raises(sl.OptionError, match="did not return an array with a number for each"):
        sl.HillClimbing(score=OwnScore("discrete", lambda _: 0.5), targets={"a": range(n_rows // 2)}).fit(
            rows
        )


@pytest.mark.parametrize("around", [sl.EdgeConfidence, sl.StabilitySelection])
def test_resamples_take_a_function_without_a_name(around, tmp_path):
    truth = sl.Graph("abcd", directed=["db", "ba", "ac"])
    by_truth = sl.PC(test=lambda x, y, given: float(truth.d_separated(x, y, given=given)))
    found = around(by_truth, n_resamples=3, random_state=0, n_jobs=2).fit(chain_table("discrete"))

    assert found.graph_.skeleton() == truth.skeleton()
    with pytest.raises(sl.OptionError, match=r"checkpoint=….*Define it at the top of a module"):
        around(by_truth, n_resamples=2, checkpoint=tmp_path / "kept").fit(chain_table("discrete"))
