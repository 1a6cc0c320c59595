"""What `missing="familywise"` promises in every learner that offers it."""

import pytest
from sklearn.base import clone

import structlearn as sl
from structlearn.scores import PNAL
from tests.contracts.conftest import CHAIN, chain_table
from tests.contracts.test_every_learner import gappy

pytestmark = pytest.mark.methods_that.with_args(
    lambda method: method.load().options["missing"].accepts("familywise")
)
NEEDS_ONE_SCORE_PER_CLASS = sl.GreedyEquivalence


def test_a_table_without_gaps_gives_what_it_gives_without_the_option(learner, kind):
    learner.set_params(score="pnal")
    table = chain_table(kind)

    plain, asked = clone(learner).fit(table), clone(learner).set_params(missing="familywise").fit(table)

    assert asked.graph_ == plain.graph_
    assert asked.score_ == plain.score_


def test_each_family_uses_the_rows_that_have_it(learner, kind):
    columns, _ = gappy(chain_table(kind))
    learner.set_params(score=PNAL(rate=0.45), missing="familywise")

    if isinstance(learner, NEEDS_ONE_SCORE_PER_CLASS):
        with pytest.raises(sl.OptionError, match="the DAGs of a class must have the same score"):
            learner.fit(columns)
        return
    found = learner.fit(columns)
    assert found.graph_.skeleton() == CHAIN
    again = sl.score(found.graph_.to_dag(), columns, PNAL(rate=0.45), missing="familywise")
    assert found.score_ == pytest.approx(again, abs=1e-9)


def test_other_scores_are_refused_in_words(learner):
    columns, _ = gappy(chain_table("discrete"))

    with pytest.raises(sl.OptionError, match=r"missing='familywise', score=BIC\(\)\): .*score='pnal'"):
        learner.set_params(score="bic", missing="familywise").fit(columns)
