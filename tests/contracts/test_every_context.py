"""Contexts stand for what was changed in a row while a learner learns; what it found is of the columns."""

import pickle

import numpy as np

from tests.contracts.conftest import chain_in_contexts, have_option

SAYS_WHY = "separating_sets_"  # two columns may be independent only beside a context


@have_option("targets")
def test_nothing_that_was_found_names_a_context_or_has_a_place_for_one(method, learner, kind):
    table, rows = chain_in_contexts(kind)
    learner.set_params(targets=rows, interventions="soft")
    if learner.why_no_targets() or (method.name, kind) == ("greedy-equivalence", "continuous"):
        return
    learner.fit(table)
    found = {name: value for name, value in vars(learner).items() if name.endswith("_")}
    for pair in found.pop(SAYS_WHY, {}):
        assert set(pair) <= table.keys()
    if (record := learner.graph_.record) is not None:
        found |= {"marks": record.marks, "knowledge": record.knowledge}
    found["graph_"] = learner.graph_.with_record(None)

    assert {name for name, value in found.items() if b"context of" in pickle.dumps(value)} == set()
    n_places = len(table) + len(rows)
    arrays = {name: value.shape for name, value in found.items() if isinstance(value, np.ndarray)}
    assert {name for name, shape in arrays.items() if n_places in shape} == set()
