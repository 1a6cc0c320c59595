"""Probability formulas have the values, slopes and fits of their definition."""

import itertools
import json
import math
import re

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.data import Dataset, DiscreteColumn
from structlearn.errors import DataError, OptionError
from structlearn.models import NoisyOrCPD, TableCPD
from structlearn.models.cpds.formula import FormulaCPD
from structlearn.models.formulas.combinations import Max, Mean, Min, NoisyAnd, NoisyOr
from structlearn.models.formulas.dual import Point
from structlearn.models.formulas.plain import from_plain, to_plain
from structlearn.models.formulas.terms import Atom, Choice, Constant, Parameter
from tests.oracles import formulas as oracle
from tests.oracles.cpds import coin, family_of
from tests.oracles.models import network

A, B, C = (Atom(name) for name in "abc")
STATES = list(itertools.product([0, 1], repeat=3))
POINT = {name: np.array([state[j] for state in STATES], dtype=float) for j, name in enumerate("abc")}
FORMULAS = oracle.formulas([A, B, C])
SMOOTH = oracle.formulas([A, B, C], combinations=(NoisyOr, NoisyAnd, Mean))


def family_with(counts):
    """A family of y with parents a, b, … whose cells occur as often as told: off and on."""
    n_parents = len(next(iter(counts)))
    cells = [(*state, k, n) for state, seen in counts.items() for k, n in enumerate(seen)]
    rows = np.array([cell[:-1] for cell in cells for _ in range(cell[-1])], dtype=np.uint8)
    names = [*"abc"[:n_parents], "y"]
    columns = [DiscreteColumn(name, rows[:, j], (False, True)) for j, name in enumerate(names)]
    return family_of(Dataset.from_columns(columns), "y", names[:-1])


@given(formula=FORMULAS)
def test_a_formula_has_the_value_of_its_definition(formula):
    found = formula.evaluate(Point(8, POINT)).value

    by_hand = [oracle.value(formula, dict(zip("abc", state, strict=True))) for state in STATES]
    np.testing.assert_allclose(found, by_hand, atol=1e-12)


@given(formula=SMOOTH, p=st.floats(0.1, 0.9), q=st.floats(0.1, 0.9))
def test_slopes_are_limits_of_differences(formula, p, q):
    slopes = formula.evaluate(Point(8, POINT, {"p": p, "q": q})).slopes

    for j, name in enumerate("pq"):
        ahead, behind = ({"p": p, "q": q, name: (p, q)[j] + step} for step in (1e-6, -1e-6))
        for i, state in enumerate(STATES):
            world = dict(zip("abc", state, strict=True))
            rise = oracle.value(formula, world, parameters=ahead)
            rise -= oracle.value(formula, world, parameters=behind)
            assert slopes[j, i] == pytest.approx(rise / 2e-6, abs=1e-6)


@pytest.mark.parametrize(("kind", "expected"), [(Max, [0.0, 1.0]), (Min, [1.0, 0.0])])
def test_the_largest_and_the_smallest_have_the_slope_of_one_term(kind, expected):
    formula = kind(Parameter("p"), Parameter("q"))

    slopes = formula.evaluate(Point(1, {}, {"p": 0.3, "q": 0.8})).slopes

    assert slopes[:, 0].tolist() == expected


def test_combinations_of_nothing_have_their_stated_values():
    found = {kind.word: FormulaCPD(kind()).as_table()[1] for kind in (NoisyOr, NoisyAnd, Max, Min, Mean)}

    assert found == {"noisy-or": 0, "noisy-and": 1, "max": 0, "min": 1, "mean": 0}


def test_a_weighted_mean_weighs():
    assert FormulaCPD(Mean(0.2, 0.8, weights=[3, 1])).as_table()[1] == pytest.approx(0.35)


def test_formulas_are_written_as_in_the_paper():
    assert Choice(Choice(0.3, A, 0), B, 0) == 0.3 * A * B
    assert Choice(A, 0, 1) == 1 - A
    assert Choice(A, 0.9, 0.2) == A * 0.9 + (1 - A) * 0.2
    assert Choice(A, 0.9, 0.2) == (1 - A) * 0.2 + A * 0.9
    assert Choice(0.9, A, B) == 0.9 * A + 0.1 * B


def test_formulas_are_shown_as_in_the_paper():
    assert str(0.3 * A * (1 - B)) == "0.3*a*(1 - b)"
    assert str(A * 0.9 + (1 - A) * 0.2) == "a*0.9 + (1 - a)*0.2"
    assert str(NoisyOr(Parameter("p") * A, 0.1)) == "noisy-or{p*a, 0.1}"
    assert repr(FormulaCPD(Parameter("p", 0.2) * A)) == "<FormulaCPD: p*a; p = 0.2>"


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (lambda: A + B, r"\(a\) \+ \(b\) may exceed 1"),
        (lambda: 0.5 + A, "may exceed 1"),
        (lambda: 0.5 * A + 0.6 * B, "may exceed 1"),
        (lambda: 2 - A, "only 1 - formula"),
        (lambda: 1.5 * A, "number from 0 to 1"),
        (lambda: NoisyOr("a"), "made of formulas and numbers"),
        (lambda: Parameter("p", 2), "value of 'p' is a probability"),
        (lambda: Parameter(3), "the name is a text"),
        (lambda: Atom("r", 3), "its arguments are texts"),
        (lambda: Mean(A, B, weights=[1]), "2 terms need as many weights"),
        (lambda: Mean(A, B, weights=[1, -1]), "from 0 on"),
        (lambda: NoisyOr(A, over="w", where=["v != w"]), "Same and Different"),
        (lambda: FormulaCPD(Parameter("p", 0.1) * Parameter("p", 0.2)), "values 0.1 and 0.2"),
        (lambda: FormulaCPD(NoisyOr(Atom("r", "w"), over="w")), "Ground the formulas"),
        (lambda: FormulaCPD(0.5, labels=["a", "b", "c"]), "two states"),
    ],
)
def test_what_is_no_formula_is_refused(wrong, reason):
    with pytest.raises(DataError, match=reason):
        wrong()


@given(formula=oracle.formulas([A, Atom("r", "v", "w")], variables=("w",)))
def test_json_gives_an_equal_formula_back(formula):
    assert from_plain(json.loads(json.dumps(to_plain(formula), allow_nan=False))) == formula


@pytest.mark.parametrize(
    ("plain", "reason"),
    [
        ({"xor": [0.1]}, 'an object with one of "parameter", "atom"'),
        ({"choice": [0.1, 0.2]}, "three formulas, not 2"),
        ({"noisy-or": 0.1}, "has a list here"),
        ({"max": [0.1], "over": ["w"], "same": [["w"]]}, "a pair of names"),
        ({"max": [0.1], "over": [3]}, "`over` lists the names of variables"),
        ({"mean": [0.1], "weights": 3}, "has a list here"),
        ({"mean": [0.1], "weights": ["x"]}, "weight must be a finite number"),
        ("a", "made of formulas"),
        (True, "made of formulas"),
    ],
)
def test_json_that_holds_no_formula_is_refused(plain, reason):
    with pytest.raises(DataError, match=reason):
        from_plain(plain)


@given(formula=FORMULAS)
def test_parents_are_the_atoms_in_order_and_the_table_is_the_formula(formula):
    cpd = FormulaCPD(formula)

    assert cpd.parents == tuple(dict.fromkeys(re.findall(r"\b[abc]\b", str(formula))))
    for state in itertools.product([0, 1], repeat=len(cpd.parents)):
        world = dict(zip(cpd.parents, state, strict=True))
        assert cpd.as_table()[state][1] == pytest.approx(oracle.value(formula, world), abs=1e-12)


COUNTS = {(0, 0): (95, 5), (1, 0): (30, 70), (0, 1): (50, 50), (1, 1): (12, 88)}


def test_a_noisy_or_formula_has_the_fit_of_the_noisy_or():
    formula = NoisyOr(Parameter("s") * A, Parameter("t") * B, Parameter("leak"))

    cpd, peer = FormulaCPD(formula).fit(family_with(COUNTS)), NoisyOrCPD.fit(family_with(COUNTS))

    found = [cpd.parameters[name] for name in ("s", "t", "leak")]
    assert found == pytest.approx([*peer.strengths.values(), peer.leak], abs=1e-6)
    np.testing.assert_allclose(cpd.as_table(), peer.as_table(), atol=1e-6)


def test_a_formula_with_a_parameter_per_cell_has_the_fit_of_the_table():
    p = [[Parameter(f"p{i}{j}") for j in range(2)] for i in range(2)]
    formula = Choice(A, Choice(B, p[1][1], p[1][0]), Choice(B, p[0][1], p[0][0]))

    cpd, table = FormulaCPD(formula).fit(family_with(COUNTS)), TableCPD.fit(family_with(COUNTS))

    np.testing.assert_allclose(cpd.as_table(), table.as_table(), atol=1e-6)
    assert cpd.n_parameters == 4


def test_a_shared_parameter_is_one_number():
    shared = Parameter("p")
    counts = {(0,): (60, 40), (1,): (10, 90)}

    cpd = FormulaCPD(Choice(A, shared, shared)).fit(family_with(counts))

    assert cpd.n_parameters == 1
    assert cpd.parameters["p"] == pytest.approx(130 / 200, abs=1e-7)


def test_certain_parameters_are_put_on_the_bound():
    cpd = FormulaCPD(Choice(A, Parameter("p"), Parameter("q"))).fit(family_with({(0,): (9, 0), (1,): (0, 9)}))

    assert cpd.parameters == {"p": 1.0, "q": 0.0}
    assert cpd.log_probability(np.array([0]), [np.array([1])]).tolist() == [-math.inf]


def test_numbers_stay_as_they_are():
    cpd = FormulaCPD(NoisyOr(0.3 * A, 0.1), labels=["n", "y"])

    assert cpd.fit(family_with({(0,): (5, 5), (1,): (5, 5)})) == FormulaCPD(cpd.formula)
    assert cpd.n_parameters == 0


@settings(max_examples=10, deadline=None)
@given(part=oracle.formulas([A, B], combinations=(NoisyOr, NoisyAnd, Mean)), seed=st.integers(0, 100))
@example(part=Choice(Mean(Parameter("p", 0.3)), 0, Mean(B)), seed=8)  # two maxima, the better one narrow
def test_no_parameters_on_a_grid_are_better_than_a_fit(part, seed):
    formula = Choice(part, NoisyOr(Parameter("p", 0.3) * A, 0.1), Mean(Parameter("q", 0.8), B))
    cpd = FormulaCPD(formula)
    rng = np.random.default_rng(seed)
    counts = {state: tuple(rng.integers(1, 20, 2)) for state in itertools.product([0, 1], repeat=2)}

    def log_likelihood(parameters):
        total = 0.0
        for state, (off, on) in counts.items():
            share = oracle.value(formula, dict(zip("ab", state, strict=True)), parameters=parameters)
            share = min(max(share, 1e-12), 1 - 1e-12)
            total += off * math.log(1 - share) + on * math.log(share)
        return total

    found = log_likelihood(cpd.fit(family_with(counts)).parameters)

    grid = np.linspace(0, 1, 21)
    assert found >= max(log_likelihood({"p": p, "q": q}) for p in grid for q in grid) - 1e-5


def test_a_network_is_fitted_from_an_example_and_written_to_a_file(tmp_path):
    given_formula = FormulaCPD(NoisyOr(Parameter("s", 0.6) * A, 0.1), labels=["no", "yes"])
    truth = network({"a": coin(0.4), "y": given_formula})

    model = sl.BayesianNetwork(truth.graph, {"a": "table", "y": given_formula}).fit(
        truth.sample(20_000, random_state=0)
    )

    assert model.cpds["y"].parameters["s"] == pytest.approx(0.6, abs=0.03)
    model.save(tmp_path / "model.json")
    assert sl.load(tmp_path / "model.json") == model


def test_the_name_alone_is_not_enough_for_a_network():
    with pytest.raises(OptionError, match="give an example, a FormulaCPD"):
        sl.BayesianNetwork(sl.Graph(["y"]), {"y": "formula"})


def test_parents_that_are_not_the_atoms_are_refused():
    with pytest.raises(DataError, match=r"has the atoms \('a', 'b'\), and the graph has the parents"):
        FormulaCPD(A * B).fit(family_with({(0,): (5, 5), (1,): (5, 5)}))
    with pytest.raises(DataError, match="takes 'a' as a node of 2 states"):
        FormulaCPD(A * 0.5).check("y", {"a": 3})


def test_a_formula_that_nests_too_deeply_is_refused():
    plain = 0.5
    for _ in range(5000):
        plain = {"choice": [0.5, plain, 0.5]}

    with pytest.raises(DataError, match="nests too deeply"):
        FormulaCPD.from_dict({"formula": plain, "labels": [0, 1]})


def test_a_constant_is_a_formula():
    assert FormulaCPD(0.25) == FormulaCPD(Constant(0.25))
    assert FormulaCPD(0.25) != "a formula"
