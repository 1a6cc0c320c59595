"""The bundled examples are the published ones."""

from math import isclose

import numpy as np
import pytest
from sklearn import datasets

from structlearn.data.examples import EXAMPLES, NETWORKS, TABLES, load_table
from structlearn.errors import OptionError
from tests.data_files import data_file
from tests.oracles.tables import bif_numbers


@pytest.mark.parametrize("name", NETWORKS)
def test_a_network_agrees_with_another_copy_number_by_number(name):
    other = data_file(f"networks/{name}.bif")

    assert bif_numbers(NETWORKS[name].read_text()) == bif_numbers(other.read_text())


@pytest.mark.parametrize("name", NETWORKS)
def test_every_distribution_of_a_network_adds_up_to_one(name):
    states, numbers = bif_numbers(NETWORKS[name].read_text())

    assert {child for child, _ in numbers} == set(states)
    assert all(isclose(sum(row.values()), 1.0) for row in numbers.values())


def test_the_chest_clinic_has_the_numbers_of_lauritzen_and_spiegelhalter():
    # Their table of conditional probabilities: p(tuberculosis | visit), p(dyspnoea | either, no bronchitis).
    _, numbers = bif_numbers(NETWORKS["asia"].read_text())

    assert numbers["tub", frozenset({("asia", "yes")})]["yes"] == 0.05
    assert numbers["dysp", frozenset({("either", "yes"), ("bronc", "no")})]["yes"] == 0.7


def test_every_example_has_a_line():
    assert set(EXAMPLES) == {*NETWORKS, *TABLES}


def test_the_lines_about_networks_count_right():
    for name, file in NETWORKS.items():
        states, numbers = bif_numbers(file.read_text())
        arrows = {(parent, child) for child, given in numbers for parent, _ in given}

        assert f"{len(states)} binary variables, {len(arrows)} arrows" in EXAMPLES[name]


@pytest.mark.parametrize("name", TABLES)
def test_a_table_has_the_rows_its_line_says_and_nothing_missing(name):
    dataset = load_table(name)

    assert f"{dataset.n_rows} rows" in EXAMPLES[name]
    assert not dataset.missing
    assert not dataset.inferred


def test_iris_is_the_table_of_scikit_learn():
    dataset, bunch = load_table("iris"), datasets.load_iris()
    measurements = np.column_stack([column.values for column in dataset.columns[:4]])

    assert np.array_equal(measurements, bunch.data)
    assert dataset.to_dict()["species"].tolist() == bunch.target_names[bunch.target].tolist()


def test_sex_is_the_only_category_of_the_diabetes_table():
    assert list(load_table("diabetes").labels) == ["sex"]


def test_an_unknown_table_lists_those_there_are():
    with pytest.raises(OptionError, match="no table 'titanic'; the tables are iris, wine"):
        load_table("titanic")
