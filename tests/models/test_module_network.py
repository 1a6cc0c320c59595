"""A module network as a model: weights are repetitions, tables that it cannot read are refused."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.models import GaussianTreeCPD, Split
from structlearn.models.module_network import ModuleNetworkModel

TREE = GaussianTreeCPD(Split("r", [(-1.0, 0.25), (1.0, 0.25)], at=0.0), parents={"r": []})
MODEL = ModuleNetworkModel({"m": ["a", "bc"]}, {"m": TREE}, {"a": (10.0, 2.0), "bc": (0.0, 1.0)})
ROWS = {"r": [-0.5, 0.7, 0.1], "a": [8.5, 12.0, 11.0], "bc": [0.0, 1.5, 1.0]}


def test_a_weight_counts_a_row_so_often():
    weights = [3, 1, 2]
    repeated = {name: np.repeat(values, weights) for name, values in ROWS.items()}

    found = MODEL.log_likelihood(sl.Dataset(ROWS, weights=weights))

    assert found == pytest.approx(MODEL.log_likelihood(repeated))


@pytest.mark.parametrize("name", ["r", "a"])
def test_a_column_of_words_is_refused_by_its_name(name):
    words = {**ROWS, name: ["x", "y", "z"]}

    with pytest.raises(sl.DataError, match=f"column {name!r} of the samples has other values than numbers"):
        MODEL.log_likelihood(words)
    with pytest.raises(sl.DataError, match="column 'r' of the samples has other values than numbers"):
        MODEL.sample(3, given={"r": ["x", "y", "z"]})


def test_one_column_is_asked_for_by_its_name():
    assert MODEL.predict(ROWS, "bc").keys() == {"bc"}


def test_a_column_that_is_called_as_a_module_would_be_stays_a_column():
    rng = np.random.default_rng(0)
    regulator = rng.normal(size=60)
    columns = {name: np.sign(regulator) + 0.1 * rng.normal(size=60) for name in "abc"}

    def learned(name):
        options = {"n_modules": 2, "regulators": [name], "random_state": 0}
        return sl.ModuleNetwork(**options).fit({name: regulator, **columns})

    odd, plain = learned("module 1"), learned("r")

    names = {"module 1": "module 2", "module 2": "module 3", "r": "module 1"}
    assert odd.modules_ == {
        names[module]: tuple(names.get(member, member) for member in members)
        for module, members in plain.modules_.items()
    }
    assert odd.module_graph_.directed == tuple(
        (names[source], names[target]) for source, target in plain.module_graph_.directed
    )
