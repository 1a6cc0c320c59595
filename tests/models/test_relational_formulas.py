"""Relational formulas are grounded as they are read, and what they share is estimated once."""

import itertools

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.errors import DataError
from structlearn.models.formulas import Atom, Choice, Max, Mean, NoisyOr, Parameter
from structlearn.models.formulas.conditions import Different, Same
from structlearn.models.relational_formulas import fit_shared, ground
from tests.oracles import formulas as oracle
from tests.oracles.cpds import coin
from tests.oracles.models import network

SMOKES, HEALTHY = Atom("smokes", "v"), Atom("healthy", "v")
HEARD = 0.3 * Atom("friend", "v", "w") * Atom("smokes", "w")
PEOPLE = ["ann", "bob", "eve", "joe"]
OBJECTS = ("o1", "o2", "o3")


def share_on(model, node, on=()):
    """The probability of a node given which of its parents are on."""
    cpd = model.cpds[node]
    return cpd.as_table()[tuple(int(parent in on) for parent in cpd.parents)][1]


def test_the_formula_of_the_paper_counts_smoking_friends():
    model = ground(
        {SMOKES: 0.2, Atom("coughs", "v"): NoisyOr(HEARD, over="w", where=[Different("v", "w")])},
        PEOPLE,
        {"friend": [("ann", "bob"), ("ann", "eve"), ("joe", "ann"), ("joe", "joe")]},
    )

    assert share_on(model, "coughs(ann)", {"smokes(bob)", "smokes(eve)"}) == pytest.approx(0.51)
    assert share_on(model, "coughs(ann)", {"smokes(bob)"}) == pytest.approx(0.3)
    assert share_on(model, "coughs(ann)") == 0
    assert share_on(model, "coughs(bob)") == 0
    assert model.graph.parents("coughs(joe)") == ("smokes(ann)",)
    assert model.graph.parents("coughs(bob)") == ()
    assert model.labels["smokes(ann)"] == (False, True)


def test_atoms_that_depend_on_each_other_are_refused_with_the_cycle():
    formula = Atom("r", "v")
    with pytest.raises(DataError, match=r"in a cycle: r\(a\) → r\(b\) → r\(a\)"):
        ground({formula: Max(0.5 * Atom("r", "w"), over="w", where=[Different("v", "w")])}, ["a", "b"])
    with pytest.raises(DataError, match=r"in a cycle: r\(a\) → r\(a\)"):
        ground({formula: 0.5 * Atom("r", "v")}, ["a", "b"])


def test_facts_can_break_a_cycle():
    inherited = NoisyOr(NoisyOr(0.5 * Atom("parent", "w", "v") * Atom("ill", "w"), over="w"), 0.01)

    model = ground({Atom("ill", "v"): inherited}, ["a", "b", "c"], {"parent": [("a", "b"), ("b", "c")]})

    assert set(model.graph.directed) == {("ill(a)", "ill(b)"), ("ill(b)", "ill(c)")}


@settings(max_examples=60, deadline=None)
@given(
    formula=oracle.formulas(
        [Atom("s", "v"), Atom("s", "w"), Atom("t", "v", "w"), Atom("s", "o2"), Atom("u")], variables=("w",)
    ),
    facts=st.sets(st.sampled_from(list(itertools.product(OBJECTS, repeat=2)))),
    seed=st.integers(0, 1000),
)
def test_a_grounded_formula_has_the_value_of_its_definition_in_any_world(formula, facts, seed):
    world = {f"t({a},{b})": int((a, b) in facts) for a in OBJECTS for b in OBJECTS}
    rng = np.random.default_rng(seed)
    chance = {name: int(rng.integers(2)) for name in ["u", *(f"s({o})" for o in OBJECTS)]}
    bound = Choice(formula, 1, 0) if "w" not in free_variables(formula) else NoisyOr(formula, over="w")

    model = ground({Atom("u"): 0.5, Atom("s", "v"): 0.5, Atom("y", "v"): bound}, OBJECTS, {"t": facts})

    for o in OBJECTS:
        expected = oracle.value(bound, {**world, **chance}, domain=OBJECTS, binding={"v": o})
        found = share_on(model, f"y({o})", {name for name, on in chance.items() if on})
        assert found == pytest.approx(expected, abs=1e-12)


def free_variables(formula, bound=("v",)):
    """The variables of a formula that nothing binds."""
    inner = (*bound, *getattr(formula, "over", ()))
    names = {a for a in getattr(formula, "arguments", ()) if a not in OBJECTS}
    names |= {n for c in getattr(formula, "where", ()) for n in (c.one, c.other)}
    parts = [free_variables(part, inner) for part in formula.parts]
    return (names - set(inner)).union(*parts)


def test_equality_picks_one_object():
    formula = Mean(Atom("s", "w"), over="w", where=[Same("v", "w")])

    model = ground({Atom("s", "v"): 0.5, Atom("y", "v"): formula}, ["a", "b"])

    assert model.graph.parents("y(a)") == ("s(a)",)
    assert share_on(model, "y(a)", {"s(a)"}) == 1


def test_pairs_of_variables_go_over_every_pair():
    formula = Mean(Atom("t", "v", "w"), over=["v", "w"])

    model = ground({Atom("t", "v", "w"): 0.5, Atom("dense"): formula}, ["a", "b"])

    assert len(model.cpds["dense"].parents) == 4
    assert share_on(model, "dense", {"t(a,b)"}) == pytest.approx(0.25)


def test_a_shared_parameter_is_estimated_from_all_nodes_of_one_world():
    model = ground({SMOKES: Parameter("p")}, PEOPLE)
    world = {"smokes(ann)": [True], "smokes(bob)": [False], "smokes(eve)": [True], "smokes(joe)": [True]}

    fitted = fit_shared(model, world)

    assert {cpd.parameters["p"] for cpd in fitted.cpds.values()} == {
        fitted.cpds["smokes(bob)"].parameters["p"]
    }
    assert fitted.cpds["smokes(bob)"].parameters["p"] == pytest.approx(0.75, abs=1e-7)


def test_smoothing_pulls_a_shared_parameter_to_a_half():
    model = ground({SMOKES: Parameter("p")}, ["ann", "bob"])

    fitted = fit_shared(model, {"smokes(ann)": [True], "smokes(bob)": [True]}, smoothing=1.0)

    # One pseudo-row for each of two nodes: 2 + 1 on of 4.
    assert fitted.cpds["smokes(ann)"].parameters["p"] == pytest.approx(0.75, abs=1e-7)


def test_shared_parameters_are_recovered_from_one_large_world():
    people = [f"p{i}" for i in range(120)]
    ring = [(people[i], people[i - 1]) for i in range(len(people))]
    heard = Parameter("smoke", 0.7) * Atom("friend", "v", "w") * Atom("smokes", "w")
    formulas = {
        SMOKES: Parameter("habit", 0.4),
        Atom("coughs", "v"): NoisyOr(NoisyOr(heard, over="w"), 0.05),
    }
    truth = ground(formulas, people, {"friend": ring})

    found = fit_shared(truth, truth.sample(20, random_state=0)).cpds["coughs(p1)"].parameters

    assert found["smoke"] == pytest.approx(0.7, abs=0.05)


def test_a_network_that_is_no_set_of_formulas_shares_nothing():
    with pytest.raises(DataError, match="'a' has a table CPD; formulas only can share parameters"):
        fit_shared(network({"a": coin(0.5)}), {"a": ["no", "yes"]})


def test_a_grounded_network_is_written_to_a_file(tmp_path):
    model = ground({SMOKES: Parameter("p", 0.2), HEALTHY: 1 - SMOKES * 0.5}, ["ann", "bob"])

    model.save(tmp_path / "smokers.json")

    assert sl.load(tmp_path / "smokers.json") == model


@pytest.mark.parametrize(
    ("formulas", "domain", "facts", "reason"),
    [
        ({SMOKES: HEALTHY}, ["a"], None, r"smokes\(a\) depends on healthy\(a\), which has no formula"),
        ({SMOKES: 0.2}, ["a"], {"smokes": ["a"]}, "'smokes' has both facts and a formula"),
        ({SMOKES: 0.2}, ["a"], {"friend": [("a", "z")]}, r"facts of 'friend' are about \['z'\]"),
        ({SMOKES: Atom("friend", "v", "x")}, ["a"], {"friend": []}, "'x' is neither a variable of the head"),
        ({SMOKES: 0.2}, [], None, "one or more objects, each once"),
        ({SMOKES: 0.2}, ["a", "a"], None, "one or more objects, each once"),
        ({SMOKES: 0.2}, "ab", None, "the domain is a list of names"),
        ({Atom("r", "v", "v"): 0.2}, ["a"], None, r"the arguments of r\(v,v\) must be different variables"),
        ({Atom("r", "a"): 0.2}, ["a"], None, "must be different variables, none in the domain"),
        ({"smokes": 0.2}, ["a"], None, "formulas map an Atom to its formula"),
        ({SMOKES: 0.2, Atom("smokes", "w"): 0.3}, ["a"], None, r"two formulas for smokes\(a\)"),
    ],
)
def test_what_cannot_be_grounded_is_refused(formulas, domain, facts, reason):
    with pytest.raises(DataError, match=reason):
        ground(formulas, domain, facts)


@given(share=st.floats(0.01, 0.99))
def test_marginals_of_a_ground_network_are_those_of_its_formulas(share):
    assume(share != 0.5)
    model = ground({SMOKES: share, Atom("all"): Mean(SMOKES, over="v")}, ["a", "b"])

    both = share**2 + 2 * share * (1 - share) * 0.5
    states = [
        {"smokes(a)": [a], "smokes(b)": [b], "all": [True]} for a in (False, True) for b in (False, True)
    ]
    total = sum(np.exp(model.log_likelihood(state)) for state in states)
    assert total == pytest.approx(both, rel=1e-9)
