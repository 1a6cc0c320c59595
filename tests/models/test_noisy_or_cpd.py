"""Noisy-or nodes agree with hand calculations and with expectation-maximisation."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.data import Dataset, DiscreteColumn
from structlearn.errors import DataError, DataWarning, OptionError
from structlearn.models.cpds import observed_cells
from structlearn.models.cpds.noisy_or import NoisyOrCPD
from tests.oracles import noisy_or as oracle
from tests.oracles.cpds import family_of

# How often the node is off and on, by the states of two parents.
COUNTS = {(0, 0): (95, 5), (1, 0): (30, 70), (0, 1): (50, 50), (1, 1): (12, 88)}


def family_with(counts):
    """A family whose cells occur as often as told."""
    n_parents = len(next(iter(counts)))
    cells = [(*state, k, n) for state, seen in counts.items() for k, n in enumerate(seen)]
    rows = np.array([cell[:-1] for cell in cells for _ in range(cell[-1])], dtype=np.uint8)
    names = [*(f"u{j}" for j in range(n_parents)), "y"]
    columns = [DiscreteColumn(name, rows[:, j], ("n", "y")) for j, name in enumerate(names)]
    return family_of(Dataset.from_columns(columns), "y", names[:-1])


def test_the_worked_example_comes_out():
    cpd = NoisyOrCPD({"a": 0.8, "b": 0.6, "c": 0.3}, leak=0.05, labels=["off", "on"])

    table = cpd.as_table()[..., 1]

    np.testing.assert_allclose([table[0, 0, 0], table[1, 0, 0], table[1, 1, 0]], [0.05, 0.81, 0.924])
    assert table[1, 1, 1] == pytest.approx(0.9468)
    assert cpd.n_parameters == 4


def test_the_fit_of_the_worked_example_has_the_largest_likelihood():
    cpd = NoisyOrCPD.fit(family_with(COUNTS))

    assert cpd.leak == pytest.approx(0.0486772, abs=1e-7)
    assert cpd.strengths == pytest.approx({"u0": 0.7052036, "u1": 0.4890974}, abs=1e-7)
    found = oracle.log_likelihood(cpd.strengths.values(), cpd.leak, COUNTS)
    assert found == pytest.approx(-187.3111758, abs=1e-7)


def test_expectation_maximisation_climbs_to_the_same_place():
    strengths, leak = oracle.em_step([0.5, 0.5], 0.5, COUNTS)
    assert (leak, *strengths) == pytest.approx((0.3382142857, 0.4847619048, 0.4180952381), abs=1e-10)

    likelihoods = []
    for _ in range(2000):
        likelihoods.append(oracle.log_likelihood(strengths, leak, COUNTS))
        strengths, leak = oracle.em_step(strengths, leak, COUNTS)

    cpd = NoisyOrCPD.fit(family_with(COUNTS))
    assert all(after >= before - 1e-9 for before, after in itertools.pairwise(likelihoods))
    assert [*cpd.strengths.values(), cpd.leak] == pytest.approx([*strengths, leak], abs=1e-8)


TABLES = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=8, max_size=8).filter(
    lambda rows: all(sum(row) for row in rows)
)


@settings(max_examples=25, deadline=None)
@given(rows=TABLES)
def test_no_step_of_expectation_maximisation_improves_on_a_fit(rows):
    counts = dict(zip(itertools.product([0, 1], repeat=3), rows, strict=True))
    cpd = NoisyOrCPD.fit(family_with(counts))
    found = oracle.log_likelihood(cpd.strengths.values(), cpd.leak, counts)

    strengths, leak = [0.5] * 3, 0.5
    for _ in range(150):
        strengths, leak = oracle.em_step(strengths, leak, counts)

    assert found >= oracle.log_likelihood(strengths, leak, counts) - 1e-7


def test_certain_and_useless_causes_are_found_as_such():
    counts = {(0, 0): (90, 10), (1, 0): (0, 60), (0, 1): (45, 5), (1, 1): (0, 40)}

    cpd = NoisyOrCPD.fit(family_with(counts))

    assert cpd.strengths["u0"] == 1.0
    assert cpd.strengths["u1"] == pytest.approx(0, abs=1e-6)
    assert cpd.leak == pytest.approx(0.1, abs=1e-6)
    assert cpd.log_probability(np.array([0]), [np.array([1]), np.array([0])]).tolist() == [-math.inf]


def test_a_node_that_is_never_on_has_no_causes():
    cpd = NoisyOrCPD.fit(family_with({(0,): (20, 0), (1,): (30, 0)}))

    assert (cpd.leak, cpd.strengths) == (0.0, {"u0": 0.0})


def test_a_parent_that_is_never_on_is_flagged():
    with pytest.warns(DataWarning, match="No row has 'u1' on"):
        cpd = NoisyOrCPD.fit(family_with({(0, 0): (30, 10), (1, 0): (10, 30)}))

    assert cpd.unidentified == ("u1",)
    assert cpd.strengths["u1"] == pytest.approx(0.5)
    assert cpd.strengths["u0"] == pytest.approx(1 - 0.25 / 0.75)
    assert NoisyOrCPD.from_dict(cpd.to_dict()) == cpd


def test_without_a_leak_the_strength_of_one_cause_is_its_share():
    cpd = NoisyOrCPD.fit(family_with({(0,): (50, 0), (1,): (30, 70)}), leak=False)

    assert cpd.leak is None
    assert cpd.n_parameters == 1
    assert cpd.strengths["u0"] == pytest.approx(0.7, abs=1e-9)


def test_without_a_leak_a_node_that_is_on_by_itself_is_refused():
    with pytest.raises(DataError, match="'y' is on in 5 rows in which every parent is off"):
        NoisyOrCPD.fit(family_with(COUNTS), leak=False)


def test_a_network_takes_a_fitter_with_options():
    counts = {(0,): (50, 0), (1,): (30, 70)}
    family = family_with(counts)
    data = Dataset({"u0": ["n"] * 50 + ["y"] * 100, "y": ["n"] * 80 + ["y"] * 70})
    graph = sl.Graph(["u0", "y"], directed=[("u0", "y")])

    def without_leak(family, smoothing=0.0):
        return NoisyOrCPD.fit(family, smoothing=smoothing, leak=False)

    model = sl.BayesianNetwork(graph, {"y": without_leak}).fit(data)

    assert model.cpds["y"] == NoisyOrCPD.fit(family, leak=False)


def test_smoothing_adds_rows_that_are_as_often_off_as_on():
    cpd = NoisyOrCPD.fit(family_with({(0,): (60, 0), (1,): (0, 40)}), smoothing=10)

    # Six of ten pseudo-rows in the first cell: 3 on of 66; four in the second: 2 off of 44.
    assert cpd.leak == pytest.approx(3 / 66, abs=1e-8)
    assert cpd.strengths["u0"] == pytest.approx(1 - (2 / 44) / (63 / 66), abs=1e-8)


def test_many_parents_are_fitted_from_rows(monkeypatch):
    from_counts = NoisyOrCPD.fit(family_with(COUNTS))
    monkeypatch.setattr(observed_cells, "MOST_COUNTED_CELLS", 0)

    from_rows = NoisyOrCPD.fit(family_with(COUNTS))

    assert from_rows.strengths == pytest.approx(from_counts.strengths, abs=1e-9)


@given(
    strengths=st.lists(st.floats(0, 1), min_size=1, max_size=4),
    leak=st.one_of(st.none(), st.floats(0, 1)),
)
def test_each_probability_is_one_minus_the_product_of_failures(strengths, leak):
    names = [f"u{j}" for j in range(len(strengths))]
    table = NoisyOrCPD(dict(zip(names, strengths, strict=True)), leak=leak, labels=[0, 1]).as_table()

    for state in itertools.product([0, 1], repeat=len(strengths)):
        on = oracle.probability_on(strengths, leak or 0.0, state)
        assert table[state] == pytest.approx([1 - on, on], abs=1e-12)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"strengths": {"a": 1.2}}, "strength of 'a' is a probability"),
        ({"leak": -0.1}, "leak is a probability"),
        ({"strengths": [0.3]}, "mapping from the name"),
        ({"labels": ["on"]}, "two states"),
        ({"unidentified": ["b"]}, "the unidentified parents are some of a"),
        ({"unidentified": 3}, "the unidentified parents are some of a"),
    ],
)
def test_numbers_that_are_no_noisy_or_are_refused(options, reason):
    with pytest.raises(DataError, match=reason):
        NoisyOrCPD(**{"strengths": {"a": 0.5}, "labels": ["off", "on"], **options})


def test_parents_and_options_that_do_not_fit_are_refused():
    cpd = NoisyOrCPD({"a": 0.5}, labels=["off", "on"])

    with pytest.raises(DataError, match="takes 'a' as a node of 2 states"):
        cpd.check("y", {"a": 3})
    with pytest.raises(OptionError, match="leak is whether the node may be on"):
        NoisyOrCPD.fit(family_with(COUNTS), leak=0.1)
