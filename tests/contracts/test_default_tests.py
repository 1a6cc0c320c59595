"""The test that help and pages name as the default is the one that is used."""

import re

from sklearn.base import clone

from tests.contracts.conftest import have_option


@have_option("test")
def test_the_default_test_is_the_one_that_is_named(learner, table, kind):
    named = re.search(rf"([\w-]+) for {kind} (?:columns|ones)", learner.options["test"].allowed).group(1)

    by_default, by_name = clone(learner).fit(table), clone(learner).set_params(test=named).fit(table)

    assert by_name.graph_ == by_default.graph_
    assert all(
        abs((one.p_value or 0.0) - (other.p_value or 0.0)) <= 1e-12
        for one, other in zip(by_name.evidence_.values(), by_default.evidence_.values(), strict=True)
    )
