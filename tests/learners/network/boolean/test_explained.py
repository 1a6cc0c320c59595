"""Who may and must act on whom in a Boolean network."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.network.boolean.explained import allowed_inputs
from structlearn.learners.network.boolean.pairs import Pairs
from structlearn.learners.network.boolean.search import MUST, NEVER

BEFORE = np.array([[0, 1, 0], [1, 1, 0], [0, 1, 1]])  # b never changes
MAY = 0


def pairs(before):
    return Pairs(("a", "b", "c"), ((0, 1),) * 3, before, before)


@pytest.mark.parametrize("self_inputs", [True, False])
def test_what_never_changes_acts_on_nothing_and_the_rest_on_all(self_inputs):
    found = allowed_inputs(pairs(BEFORE), sl.Knowledge(), self_inputs=self_inputs)

    own = MAY if self_inputs else NEVER
    assert found.tolist() == [[own, MAY, MAY], [NEVER, NEVER, NEVER], [MAY, MAY, own]]


def test_in_a_single_pair_nothing_changes():
    found = allowed_inputs(pairs(BEFORE[:1]), sl.Knowledge(), self_inputs=True)

    assert (found == NEVER).all()


def test_knowledge_decides_over_what_was_seen():
    knowledge = sl.Knowledge(required=[("b", "a")], forbidden=[("a", "c")])

    found = allowed_inputs(pairs(BEFORE), knowledge, self_inputs=False)

    assert found.tolist() == [[NEVER, MAY, NEVER], [MUST, NEVER, NEVER], [MAY, MAY, NEVER]]


def test_knowledge_of_nobody_is_refused():
    with pytest.raises(sl.OptionError, match="nobody"):
        allowed_inputs(pairs(BEFORE), sl.Knowledge(required=[("nobody", "a")]), self_inputs=True)
