"""What every kind of conditional distribution promises; a new kind joins by a line in EXAMPLES."""

import json
import math
import pickle
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from scipy.stats import chisquare

from structlearn.data import Dataset, DiscreteColumn
from structlearn.models import (
    AdditiveGaussianCPD,
    ConditionalGaussianCPD,
    FormulaCPD,
    GaussianTreeCPD,
    LinearGaussianCPD,
    NoisyOrCPD,
    SigmoidCPD,
    SoftmaxCPD,
    Split,
    TableCPD,
    TreeCPD,
)
from structlearn.models.cpds import CPD, CPDS
from structlearn.models.formulas import Atom, Choice, NoisyOr, Parameter
from tests.oracles.cpds import (
    CHILD,
    Example,
    bell,
    coin,
    die,
    logistic,
    normal,
    numbers_of,
    softmax,
    switched,
)

TABLE = [[[0.6, 0.25, 0.15], [0.1, 0.2, 0.7]], [[0.3, 0.3, 0.4], [0.05, 0.9, 0.05]]]
ODDS_A, ODDS_B = [[0, 1.0, -0.5], [0, -0.8, 0.4]], [0, -0.6, 0.7]
LEAK, SHARE = Parameter("leak", 0.1), Parameter("share", 0.7)
FORMULA = Choice(Atom("b"), NoisyOr(SHARE * Atom("a"), LEAK), 0.2 * Atom("a") + 0.8 * LEAK)
TREE = Split("a", [[0.6, 0.25, 0.15], Split("b", [[0.1, 0.2, 0.7], [0.05, 0.9, 0.05]], at=2.5)])
STATES_TREE = Split("a", [[0.25, 0.75], Split("b", [[0.5, 0.5], [0.9, 0.1]])], at="s1")
MIXED = {"a": ["no", "yes"], "b": []}
EXAMPLES = {
    "table": Example(
        TableCPD(TABLE, labels=["low", "middle", "high"], parents=["a", "b"]),
        {"a": coin(0.4), "b": coin(0.7)},
        lambda y, a, b: TABLE[a][b][y],
    ),
    "linear-gaussian": Example(
        LinearGaussianCPD(1.0, {"a": 0.5, "b": -2.0}, variance=0.25),
        {"a": bell(1.0, 2.0), "b": bell(0.0, 0.5)},
        lambda y, a, b: normal(y, 1.0 + 0.5 * a - 2.0 * b, 0.25),
    ),
    "softmax": Example(
        SoftmaxCPD([0, 0.5, -0.3], {"a": ODDS_A, "b": ODDS_B}, labels=["low", "middle", "high"]),
        {"a": die(0.2, 0.5, 0.3), "b": bell(2.0, 1.5)},
        lambda y, a, b: softmax(*([0, 0.5, -0.3], [[0, 0, 0], *ODDS_A][a], [b * w for w in ODDS_B]))[y],
    ),
    "softmax of discrete parents": Example(
        SoftmaxCPD([0, 0.5, -0.3], {"a": ODDS_A, "b": [ODDS_B]}, labels=["low", "middle", "high"]),
        {"a": die(0.2, 0.5, 0.3), "b": coin(0.4)},
        lambda y, a, b: softmax(*([0, 0.5, -0.3], [[0, 0, 0], *ODDS_A][a], [b * w for w in ODDS_B]))[y],
    ),
    "sigmoid": Example(
        SigmoidCPD(-0.5, {"a": 1.5, "b": -1.0}, labels=["off", "on"], continuous=["b"]),
        {"a": coin(0.3), "b": bell(1.0, 0.8)},
        lambda y, a, b: logistic((2 * y - 1) * (-0.5 + 1.5 * a - 1.0 * b)),
    ),
    "noisy-or": Example(
        NoisyOrCPD({"a": 0.7, "b": 0.4}, leak=0.1, labels=["off", "on"]),
        {"a": coin(0.4), "b": coin(0.5)},
        lambda y, a, b: switched(1 - 0.9 * 0.3**a * 0.6**b, y),
    ),
    "formula": Example(
        FormulaCPD(FORMULA),
        {"a": coin(0.4), "b": coin(0.5)},
        lambda y, b, a: switched(1 - (1 - 0.7 * a) * (1 - 0.1) if b else 0.2 * a + 0.8 * 0.1, y),
    ),
    "tree": Example(
        TreeCPD(TREE, labels=["low", "middle", "high"], parents={"a": ["no", "yes"], "b": []}),
        {"a": coin(0.4), "b": bell(2.0, 1.5)},
        lambda y, a, b: ([0.6, 0.25, 0.15] if not a else [0.1, 0.2, 0.7] if b <= 2.5 else [0.05, 0.9, 0.05])[
            y
        ],
        parameters=lambda cpd: cpd.probabilities.ravel(),  # a threshold is found faster than at 1/√n
        sizes=(1_000, 8_000, 64_000),
    ),
    "tree of discrete parents": Example(
        TreeCPD(STATES_TREE, labels=["low", "high"], parents={"a": ["s0", "s1", "s2"], "b": ["no", "yes"]}),
        {"a": die(0.2, 0.5, 0.3), "b": coin(0.4)},
        lambda y, a, b: switched(0.75 if a == 1 else [0.5, 0.1][b], y),
        fit=partial(TreeCPD.fit, splits="one-value"),
    ),
    "conditional-gaussian": Example(
        ConditionalGaussianCPD([1.0, -1.0], {"b": [0.5, 2.0]}, variances=[0.25, 1.0], regimes=["a"]),
        {"a": coin(0.4), "b": bell(1.0, 2.0)},
        lambda y, a, b: normal(y, [1.0 + 0.5 * b, -1.0 + 2.0 * b][a], [0.25, 1.0][a]),
    ),
    "additive-gaussian": Example(
        AdditiveGaussianCPD(1.0, {"b": 0.5}, shifts={"a": [0.0, 2.0, -1.0]}, variance=0.25),
        {"a": die(0.2, 0.5, 0.3), "b": bell(1.0, 2.0)},
        lambda y, a, b: normal(y, 1.0 + [0.0, 2.0, -1.0][a] + 0.5 * b, 0.25),
        sizes=(1_000, 8_000, 64_000),
    ),
    "gaussian-tree": Example(
        GaussianTreeCPD(
            Split("b", [(1.0, 0.25), Split("a", [(3.0, 1.0), (6.0, 2.0)])], at=0.5), parents=MIXED
        ),
        {"a": coin(0.4), "b": bell(1.0, 2.0)},
        lambda y, a, b: normal(y, *((1.0, 0.25) if b <= 0.5 else [(3.0, 1.0), (6.0, 2.0)][a])),
        parameters=lambda cpd: np.concatenate([cpd.means, cpd.variances]),
    ),
}
REPEATS = 4
DRAWS = 20_000
SURPRISE = 1e-4


@pytest.fixture(params=EXAMPLES.values(), ids=EXAMPLES.keys())
def example(request):
    return request.param


def rows_of(example, n, seed):
    """Drawn values of the node and of its parents."""
    data = example.network().sample(n, random_state=seed)
    columns = {column.name: column for column in data.columns}
    rows = [columns[name] for name in (CHILD, *example.cpd.parents)]
    child, *parents = (c.codes if isinstance(c, DiscreteColumn) else c.values for c in rows)
    return child, parents


def test_every_kind_has_an_example():
    assert {example.cpd.form for example in EXAMPLES.values()} == set(CPDS) - {"point"}  # nothing to estimate


def test_it_is_a_cpd_of_its_own_form(example):
    assert isinstance(example.cpd, CPD)
    assert CPDS[example.cpd.form] is type(example.cpd)


def test_its_parameters_are_recovered_from_its_own_samples_with_an_error_of_one_over_root_n(example):
    model, truth = example.network(), example.parameters(example.cpd)
    errors = []
    for n in example.sizes:
        draws = [model.sample(n, random_state=seed) for seed in range(REPEATS)]
        distances = [example.parameters(example.refit(data)) - truth for data in draws]
        errors.append(math.sqrt(np.mean(np.square(distances))))

    scaled = np.array(errors) * np.sqrt(example.sizes)
    # The scaled errors are those of REPEATS · parameters numbers: alike but for chance.
    assert scaled.max() < 3 * scaled.min()
    assert errors[0] > errors[1] > errors[2]


def test_rows_of_weight_0_say_nothing(example):
    data, strange = (example.network().sample(n, random_state=n) for n in (300, 1000))
    columns = [_joined(own, other) for own, other in zip(data.columns, strange.columns, strict=True)]
    weighted = Dataset.from_columns(columns, weights=np.repeat([1.0, 0.0], [300, 1000]))

    known, alone = example.refit(weighted), example.refit(data)

    assert known.n_parameters == alone.n_parameters
    np.testing.assert_allclose(numbers_of(known), numbers_of(alone), rtol=1e-7, atol=1e-9)


def _joined(own, other):
    """One column below the other, of which every second number lies far out."""
    if isinstance(own, DiscreteColumn):
        return replace(own, codes=np.concatenate([own.codes, other.codes]))
    far = np.where(np.arange(other.n_rows) % 2, 7.0 + 3.0 * other.values, other.values)
    return replace(own, values=np.concatenate([own.values, far]))


def test_its_log_probabilities_are_those_by_hand(example):
    child, parents = rows_of(example, 300, seed=1)

    found = example.cpd.log_probability(child, parents)

    rows = zip(child.tolist(), *(values.tolist() for values in parents), strict=True)
    by_hand = [math.log(example.by_hand(*row)) for row in rows]
    np.testing.assert_allclose(found, by_hand, rtol=1e-10, atol=1e-12)


def test_a_number_whose_square_is_no_float_has_density_0(example):
    if example.cpd.kind == "continuous":
        _, parents = rows_of(example, 1, seed=1)

        assert example.cpd.log_probability(np.array([1e200]), parents).tolist() == [-math.inf]


def test_the_log_likelihood_of_a_network_adds_its_own(example):
    data = example.network().sample(50, random_state=2)
    child, parents = rows_of(example, 50, seed=2)

    others = sum(root.log_probability(rows, []).sum() for root, rows in roots(example, parents))

    total = example.cpd.log_probability(child, parents).sum() + others
    assert example.network().log_likelihood(data) == pytest.approx(total, rel=1e-12)


def roots(example, parents):
    return zip((example.parents[name] for name in example.cpd.parents), parents, strict=True)


@pytest.mark.parametrize("row", range(4))
def test_its_draws_follow_its_probabilities(example, row):
    _, parents = rows_of(example, 4, seed=3)
    fixed = [np.full(DRAWS, values[row]) for values in parents]

    drawn = example.cpd.sample(fixed, DRAWS, np.random.default_rng(row))

    observed, expected = histogram(example.cpd, drawn, fixed)
    assert chisquare(observed, expected).pvalue > SURPRISE


def histogram(cpd, drawn, parents):
    """How many draws fall into each state, or twentieth of the density, and how many should."""
    if cpd.kind == "discrete":
        states = np.arange(len(cpd.labels))
        shares = np.exp(cpd.log_probability(states, [values[: len(states)] for values in parents]))
        assert np.bincount(drawn, minlength=len(states))[shares == 0].sum() == 0
        possible = shares > 0
        return np.bincount(drawn, minlength=len(states))[possible], DRAWS * shares[possible]
    grid = np.linspace(drawn.min() - 5 * drawn.std(), drawn.max() + 5 * drawn.std(), 40_001)
    density = np.exp(cpd.log_probability(grid, [np.full(len(grid), values[0]) for values in parents]))
    rising = np.concatenate([[0.0], np.cumsum((density[1:] + density[:-1]) / 2 * np.diff(grid))])
    assert rising[-1] == pytest.approx(1, abs=1e-6)
    inner = np.interp(np.arange(1, 20) / 20, rising, grid)
    return np.bincount(np.searchsorted(inner, drawn), minlength=20), np.full(20, DRAWS / 20)


def test_the_same_seed_draws_the_same_rows(example):
    _, parents = rows_of(example, 100, seed=4)

    one, two = (example.cpd.sample(parents, 100, np.random.default_rng(5)) for _ in range(2))

    np.testing.assert_array_equal(one, two)


def test_a_dense_table_has_the_same_probabilities(example):
    table = example.cpd.as_table()
    if table is None:
        assert "continuous" in {example.cpd.kind, *(root.kind for root in example.parents.values())}
        return
    states = np.indices(table.shape).reshape(table.ndim, -1)

    np.testing.assert_allclose(table.sum(axis=-1), 1, rtol=1e-12)
    found = np.exp(example.cpd.log_probability(states[-1], list(states[:-1])))
    np.testing.assert_allclose(table.ravel(), found, rtol=1e-12, atol=1e-15)


def test_json_and_pickle_give_an_equal_cpd_back(example):
    written = json.dumps(example.cpd.to_dict(), allow_nan=False)

    assert type(example.cpd).from_dict(json.loads(written)) == example.cpd
    again = pickle.loads(pickle.dumps(example.cpd))  # noqa: S301, our own bytes
    assert again == example.cpd
    assert hash(again) == hash(example.cpd)


def test_a_parent_of_another_kind_or_size_is_refused_by_a_network(example):
    levels = {name: len(root.labels) for name, root in example.parents.items()}

    example.cpd.check(CHILD, levels)
    if example.cpd.parent_kind != "continuous":
        first = example.cpd.parents[0]
        with pytest.raises(ValueError, match=first):
            example.cpd.check(CHILD, {**levels, first: levels[first] + 3})
