"""Penalties that are judged on parts of the rows do not go by where the rows stand."""

import numpy as np
import pytest
from sklearn.base import clone

from tests.contracts.conftest import learner_of

PENALTIES = ("cv", "cv-1se", "stars")


def takes(method, penalty):
    return "penalty" in method.load().options and method.load().options["penalty"].rule.accepts(penalty)


def weak_chain(kind):
    """So weak that each choice of parts has another penalty."""
    rng = np.random.default_rng(0)
    columns = [rng.normal(size=60)]
    columns += [columns[0] * 0.4 + rng.normal(size=60) for _ in range(4)]
    if kind == "discrete":
        columns = [column > 0.0 for column in columns]
    return dict(zip("abcde", columns, strict=True))


have_such_penalties = pytest.mark.methods_that(
    lambda method: method.rows == "samples" and any(takes(method, penalty) for penalty in PENALTIES)
)
of_a_short_path = pytest.mark.filterwarnings(
    "ignore:.*the smallest penalty of the path was chosen:structlearn.DataWarning"
)


def learner_with(method, penalty):
    if not takes(method, penalty):
        pytest.skip("the method has no such penalty")
    options = method.load().options
    given = {"learner": "l1"} if "learner" in options else {}
    given |= {"n_penalties": 8} if "n_penalties" in options else {}
    return learner_of(method).set_params(penalty=penalty, random_state=0, **given)


@have_such_penalties
@of_a_short_path
@pytest.mark.parametrize("penalty", PENALTIES)
def test_the_order_of_rows_chooses_no_penalty(method, kind, penalty):
    learner, table = learner_with(method, penalty), weak_chain(kind)
    expected = clone(learner).fit(table)

    order = np.random.default_rng(0).permutation(60)
    found = clone(learner).fit({name: column[order] for name, column in table.items()})

    assert found.graph_ == expected.graph_
    for edge, evidence in expected.evidence_.items():
        assert found.evidence_[edge].score_gain == pytest.approx(evidence.score_gain, rel=1e-6)


@have_such_penalties
@of_a_short_path
@pytest.mark.parametrize("penalty", ["cv"])
def test_names_and_units_of_numbers_choose_no_penalty(method, kind, penalty):
    if kind == "discrete":
        pytest.skip("states have no units")
    learner, table = learner_with(method, penalty), weak_chain(kind)
    new_names = dict(zip("abcde", "dbeca", strict=True))

    renamed = clone(learner).fit({new_names[name]: -3.0 * column for name, column in table.items()}).graph_

    expected = clone(learner).fit(table).graph_
    joined = {frozenset((edge.source, edge.target)) for edge in renamed.edges}
    assert joined == {frozenset((new_names[edge.source], new_names[edge.target])) for edge in expected.edges}
