"""What `missing="em"` promises in every learner that offers it."""

from itertools import pairwise

import numpy as np
import pytest
from sklearn.base import clone

import structlearn as sl
from structlearn.rounding import is_better
from tests.contracts.conftest import CHAIN, chain_table

pytestmark = pytest.mark.methods_that.with_args(lambda method: method.load().options["missing"].accepts("em"))


def with_gaps(share, seed=0):
    rng = np.random.default_rng(seed)
    return {
        name: [None if rng.random() < share else str(value) for value in column.tolist()]
        for name, column in chain_table("discrete").items()
    }


def test_a_table_without_gaps_gives_what_it_gives_without_the_option(learner, kind):
    table = chain_table(kind)

    plain, asked = clone(learner).fit(table), clone(learner).set_params(missing="em").fit(table)

    assert asked.graph_ == plain.graph_
    assert asked.score_ == plain.score_
    assert asked.evidence_ == plain.evidence_


def test_the_score_of_what_was_observed_never_falls_from_round_to_round(learner):
    found = learner.set_params(missing="em").fit(with_gaps(0.15))

    scores = found.em_scores_
    assert not any(is_better(before, after) for before, after in pairwise(scores))
    assert found.score_ == scores[-1]
    assert found.graph_.skeleton() == CHAIN


def test_the_way_to_it_is_in_the_refusal_and_numbers_are_refused(learner):
    with pytest.raises(sl.DataError, match="missing='em' estimates those of discrete columns"):
        learner.fit(with_gaps(0.1))
    with pytest.raises(sl.DataError, match=r"only discrete columns can be estimated.*'x' is continuous"):
        learner.set_params(missing="em").fit({"x": [0.5, None, 1.5, 2.5], "y": list("uvuv")})
