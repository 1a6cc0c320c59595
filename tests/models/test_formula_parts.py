"""What formulas are made of: scopes, conditions between variables, and parameters from counts."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.models.formulas.conditions import Different, Same
from structlearn.models.formulas.maximum import Counted, best_parameters, pooled
from structlearn.models.formulas.scope import Scope
from structlearn.models.formulas.terms import (
    Atom,
    Constant,
    Parameter,
    as_formula,
    parameters_of,
    with_atoms,
    with_parameters,
)

SCOPE = Scope(("ann", "bob"), {"friend": frozenset({("ann", "bob")})}, {"v": "ann"})


def test_variables_stand_for_every_tuple_of_objects():
    found = [scope.objects("", ("v", "w", "u")) for scope in SCOPE.every(("w", "u"))]

    assert found == [("ann", *pair) for pair in itertools.product(("ann", "bob"), repeat=2)]


def test_a_name_is_its_binding_or_a_member_of_the_domain():
    assert SCOPE.objects("", ("v", "bob")) == ("ann", "bob")
    assert SCOPE.bound(("v",), ("bob",)).objects("", ("v",)) == ("bob",)
    with pytest.raises(sl.DataError, match="heard: 'x' is neither a variable"):
        SCOPE.objects("heard", ("x",))


def test_facts_hold_between_what_they_list_and_no_others():
    assert SCOPE.fact("friend", ("ann", "bob")) is True
    assert SCOPE.fact("friend", ("bob", "ann")) is False
    assert SCOPE.fact("knows", ("ann",)) is None


@pytest.mark.parametrize(
    ("one", "other", "same"), [("v", "ann", True), ("v", "bob", False), ("bob", "bob", True)]
)
def test_conditions_compare_what_variables_stand_for(one, other, same):
    assert Same(one, other).holds(SCOPE) is same
    assert Different(one, other).holds(SCOPE) is not same
    assert str(Same(one, other)) == f"{one} = {other}"
    assert str(Different(one, other)) == f"{one} != {other}"


def test_numbers_are_formulas_and_parameters_are_found_and_replaced():
    formula = Parameter("p", 0.2) * Atom("a") + (1 - Parameter("p", 0.2)) * Constant(0.5)

    assert as_formula(0.25) == Constant(0.25)
    assert dict(parameters_of(formula)) == {"p": 0.2}
    assert dict(parameters_of(with_parameters(formula, {"p": 0.7}))) == {"p": 0.7}
    assert str(with_atoms(Atom("a") * 0.5, {"a": "b"})) == str(Atom("b") * 0.5)


@settings(deadline=None, max_examples=30)
@given(off=st.integers(1, 40), on=st.integers(1, 40))
def test_a_lone_parameter_is_the_share_of_rows_in_which_the_node_is_on(off, on):
    problem = Counted(Parameter("p", 0.5), {}, np.array([[off, on]], dtype=float))

    assert best_parameters([problem], {"p": 0.5})["p"] == pytest.approx(on / (off + on), abs=1e-5)


def test_a_parameter_of_two_formulas_is_one_number():
    """p · a with a on: 6 of 10; p alone: 12 of 30. Together 18 of 40."""
    problems = [
        Counted(Parameter("p", 0.5) * Atom("a"), {"a": np.array([1.0])}, np.array([[4.0, 6.0]])),
        Counted(Parameter("p", 0.5), {}, np.array([[18.0, 12.0]])),
    ]

    assert best_parameters(problems, {"p": 0.5}) == pytest.approx({"p": 18 / 40}, abs=1e-6)


def test_a_parameter_at_a_bound_is_put_on_it():
    always = Counted(Parameter("p", 0.5), {}, np.array([[0.0, 12.0]]))

    assert best_parameters([always], {"p": 0.5}) == {"p": 1.0}
    assert best_parameters([], {}) == {}


def test_formulas_that_differ_in_names_of_atoms_only_are_one_problem():
    first = Counted(0.5 * Atom("a"), {"a": np.array([1.0])}, np.array([[1.0, 2.0]]))
    second = Counted(0.5 * Atom("b"), {"b": np.array([0.0])}, np.array([[3.0, 0.0]]))
    other = Counted(0.25 * Atom("b"), {"b": np.array([1.0])}, np.array([[1.0, 1.0]]))

    joint, alone = pooled([first, second, other])

    assert joint.counts.tolist() == [[1.0, 2.0], [3.0, 0.0]]
    assert [states.tolist() for states in joint.atoms.values()] == [[1.0, 0.0]]
    assert alone.counts.tolist() == [[1.0, 1.0]]
