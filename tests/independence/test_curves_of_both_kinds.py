"""Tests for curves where columns are of both kinds: their definitions, their level, and what they see."""

import numpy as np
import pytest
from scipy import stats
from scipy.spatial.distance import cdist

import structlearn as sl
from structlearn.data import Dataset
from structlearn.independence import G2, GCM, KCI, RCoT
from structlearn.independence.gcm import _chances
from structlearn.statistics import from_dataset

OF_CURVES = {"kci": KCI(), "rcot": RCoT(), "gcm": GCM()}
EACH = pytest.mark.parametrize("test", OF_CURVES.values(), ids=OF_CURVES)
WORDS = np.array(["blue", "green", "red", "white"])


def asked(test, *columns):
    """The answer about the first two columns given the others: statistic, p-value, and whether reliable."""
    table = {f"v{j}": column for j, column in enumerate(columns)}
    found = test.many(from_dataset(Dataset(table)), np.arange(len(columns))[None])
    return found.statistic[0], found.p_value[0], bool(found.is_reliable[0])


def columns_of(n_rows, seed=0, n_states=3):
    """x and z continuous, y and g discrete, all dependent."""
    rng = np.random.default_rng(seed)
    z = rng.normal(size=n_rows)
    g = rng.integers(0, 2, n_rows)
    x = z + g + rng.normal(size=n_rows)
    y = np.clip(np.round(z + g + rng.normal(size=n_rows)), 0, n_states - 1).astype(int)
    return x, WORDS[y], z, WORDS[g]


def same(states):
    return (states[:, None] == states).astype(float)


def gaussian(column, width=0.8):
    return np.exp(-cdist(column[:, None], column[:, None], "sqeuclidean") / (2 * width**2))


def test_kernels_of_states_are_one_where_they_are_the_same():
    x, y, z, g = columns_of(60)
    x, z = stats.zscore(x), stats.zscore(z)
    centring = np.eye(60) - 1 / 60
    left = 1e-3 * np.linalg.inv(centring @ (gaussian(z) * same(g)) @ centring + 1e-3 * np.eye(60))
    one = left @ centring @ (gaussian(x) * gaussian(z / 2) * same(g)) @ centring @ left
    other = left @ centring @ same(y) @ centring @ left

    assert asked(KCI(), x, y, z, g)[0] == pytest.approx(np.trace(one @ other), rel=1e-7)


def test_two_states_without_conditions_are_those_of_the_indicator():
    """The kernel of a column with two values is that of its indicator, but for a factor and a constant."""
    x, y, *_ = columns_of(60, n_states=2)
    table = Dataset({"x": x, "y": 0.5 + (y == "blue")}, kinds={"y": "continuous"})
    as_numbers = KCI().many(from_dataset(table), np.array([[0, 1]]))

    assert asked(KCI(), x, y)[1] == pytest.approx(as_numbers.p_value[0], rel=1e-9)


def less_means(column, groups):
    return column - np.array([column[groups == group].mean() for group in groups])


def test_products_of_what_groups_leave_of_a_column_and_an_indicator():
    x, y, _, g = columns_of(60, n_states=2)
    products = less_means(stats.zscore(x), g) * less_means(1.0 * (y == "blue"), g)
    expected = np.sqrt(58) * products.mean() / products.std()

    assert abs(asked(GCM(), x, y, g)[0]) == pytest.approx(abs(expected), rel=1e-9)
    assert asked(GCM(), x, y, g)[1] == pytest.approx(2 * stats.norm.sf(abs(expected)), rel=1e-9)


def test_of_several_states_the_largest_counts_beside_normals_as_correlated():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 4, 80)
    x = 0.5 * (y == 2) + rng.normal(size=80)
    products = np.array([stats.zscore(x) * ((y == state) - (y == state).mean()) for state in range(4)])
    largest = np.abs(np.sqrt(79) * products.mean(axis=1) / products.std(axis=1)).max()
    drawn = rng.multivariate_normal(np.zeros(4), np.corrcoef(products), size=20_000)
    expected = (np.abs(drawn).max(axis=1) >= largest).mean()

    statistic, p_value, _ = asked(GCM(), x, WORDS[y])

    assert statistic == pytest.approx(largest, rel=1e-9)
    assert p_value == pytest.approx(expected, abs=4 * np.sqrt(expected * (1 - expected) / 1999))


def test_p_values_beyond_all_draws_are_bounded_by_the_sum_of_all():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 200)
    statistic, p_value, _ = asked(GCM(), 3.0 * (y == 1) + rng.normal(size=200), WORDS[y])

    assert p_value == pytest.approx(3 * 2 * stats.norm.sf(statistic), rel=1e-9)
    assert p_value < 1e-6


@pytest.mark.parametrize("n_states", [3, 20])
def test_no_matrix_of_products_is_larger_than_the_rows(n_states, monkeypatch):
    rng, sizes, eigh = np.random.default_rng(4), [], np.linalg.eigh
    monkeypatch.setattr(np.linalg, "eigh", lambda matrix: (sizes.append(len(matrix)), eigh(matrix))[1])
    z = rng.normal(size=60)
    x, y = rng.integers(0, n_states, size=(2, 60))

    asked(GCM(), x.astype(str), y.astype(str), z)

    assert max(sizes, default=0) <= 60 // 5
    assert bool(sizes) == (n_states == 3)


def drawn_states(eta, n_states, rng):
    """States whose odds grow with eta."""
    odds = np.exp(np.outer(eta, np.linspace(-1, 1, n_states)))
    shares = np.cumsum(odds / odds.sum(axis=1, keepdims=True), axis=1)
    return (rng.random(len(eta))[:, None] > shares).sum(axis=1).astype(str)


@pytest.mark.parametrize("n_rows", [60, 500])
@pytest.mark.parametrize(("n_x", "n_y", "slope"), [(2, 2, 3.0), (3, 3, 3.0), (5, 5, 2.0), (2, 2, 0.5)])
def test_states_that_a_condition_all_but_decides_are_independent_given_it(n_x, n_y, slope, n_rows):
    """A polynomial is far from a steep chance; what it left of both states was correlated in most tables."""
    rng, answers = np.random.default_rng(0), []
    for _ in range(100):
        z = rng.normal(size=n_rows)
        x, y = (drawn_states(slope * z, n_states, rng) for n_states in (n_x, n_y))
        answers.append(asked(GCM(), x, y, z))

    assert sum(p_value <= 0.05 for _, p_value, _ in answers) <= stats.binom.ppf(0.9995, 100, 0.05)


@pytest.mark.parametrize("slope", [0.5, 3.0, 1e3])
def test_chances_are_where_the_likelihood_with_pseudo_rows_has_no_slope(slope):
    """Half a pseudo-row for each of three terms, 1.5 of 80 in all, has the share of the state."""
    rng = np.random.default_rng(0)
    z = rng.normal(size=80)
    state = (drawn_states(np.clip(slope * z, -300, 300), 2, rng) == "1").astype(float)
    basis = np.linalg.qr(np.column_stack([np.ones(80), z, z**2]))[0]

    chances = _chances(state, basis)

    slopes = basis.T @ ((state - chances) + 1.5 / 80 * (state.mean() - chances))
    assert slopes == pytest.approx(0.0, abs=1e-6)


def test_rare_states_that_no_row_shares_say_nothing():
    rng, answers = np.random.default_rng(0), []
    for _ in range(200):
        x, y = (rng.random(size=(2, 200)) < 0.05).astype(str)
        answers.append(asked(GCM(), x, y, rng.normal(size=200)))

    assert sum(p_value <= 0.05 for _, p_value, _ in answers) <= stats.binom.ppf(0.9995, 200, 0.05)
    assert not any(is_reliable for *_, is_reliable in answers)


def test_features_of_states_are_the_states_and_groups_have_regressions_of_their_own():
    x, y, z, g = columns_of(120)
    test, groups = RCoT(), [g == word for word in WORDS[:2]]
    x, z = stats.zscore(x)[:, None], stats.zscore(z)[:, None]
    given = np.column_stack([np.ones(120), z, test._features(z, 12, 2)])  # 120 rows, 2 groups, 5 for each
    design = np.column_stack([given * group[:, None] for group in groups])
    hat = design @ np.linalg.pinv(design, rcond=1e-5)
    states = stats.zscore(np.column_stack([1.0 * (y == word) for word in WORDS[:3]]))
    left = [each - hat @ each for each in (test._features(x, 5, 0), states)]

    expected = np.square(left[0].T @ left[1]).sum() / 120
    assert asked(test, x[:, 0], y, z[:, 0], g)[0] == pytest.approx(expected, rel=1e-4)


@EACH
def test_questions_about_states_alone_are_those_of_tables(test):
    _, y, z, g = columns_of(80)
    statistics = from_dataset(Dataset({"z": z, "y": y, "g": g}))
    found, expected = (each.many(statistics, np.array([[1, 2]])) for each in (test, G2()))

    assert (found.statistic, found.dof, found.p_value) == (
        expected.statistic,
        expected.dof,
        expected.p_value,
    )
    np.testing.assert_array_equal(found.log_p, expected.log_p)


@EACH
def test_names_of_states_do_not_matter(test):
    x, y, z, g = columns_of(90)
    other = {"blue": "z", "green": "a", "red": "k"}
    renamed = [np.array([other[word] for word in column]) for column in (y, g)]

    assert asked(test, x, renamed[0], z, renamed[1]) == pytest.approx(asked(test, x, y, z, g), rel=1e-7)


@EACH
def test_what_groups_determine_is_independent_given_them(test):
    _, y, z, g = columns_of(80)

    assert asked(test, z, g, y, g) == (0.0, 1.0, True)
    assert asked(test, np.where(g == "blue", 1.5, 2.0), z, g) == (0.0, 1.0, True)


@EACH
def test_more_groups_than_rows_allow_are_not_reliable(test):
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 60))
    groups = [WORDS[rng.integers(0, 4, 60)] for _ in range(3)]

    assert asked(test, x, y, *groups)[2] is False


def null_answers(test, n_rows, given, n_runs, seed=7):
    """P-values of x and y with three states, independent given z, given g or given both, on curves."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(n_runs):
        z, g = rng.normal(size=n_rows), rng.integers(0, 3, n_rows)
        x, latent = np.tanh(z) * (g - 1) + g, z**2 / 2 * (g - 1) - g
        if given == "g":
            x, latent = 1.0 * g, -1.0 * g
        elif given == "z":
            x, latent = np.tanh(z), z**2 / 2
        x = x + 0.5 * rng.normal(size=n_rows)
        y = WORDS[np.digitize(latent + rng.normal(size=n_rows), [-0.5, 0.7])]
        conditions = {"z": [z], "g": [WORDS[g]], "both": [z, WORDS[g]]}[given]
        found.append(asked(test, x, y, *conditions)[1])
    return np.array(found)


@EACH
@pytest.mark.parametrize("given", ["z", "g", "both"])
def test_few_of_sixty_independent_tables_are_rejected(test, given):
    p_values = null_answers(test, 100, given, 60)

    assert (p_values <= 0.05).sum() <= 9  # of 60 with a probability of 0.08, once in forty
    assert (p_values <= 0.5).sum() >= 12


@pytest.mark.slow
@EACH
@pytest.mark.parametrize("given", ["z", "g", "both"])
@pytest.mark.parametrize("n_rows", [100, 300])
def test_the_level_holds_in_a_thousand_tables_of_both_kinds(test, given, n_rows):
    p_values = null_answers(test, n_rows, given, 1000, seed=8)

    assert 0.02 <= (p_values <= 0.05).mean() <= 0.08
    assert (p_values <= 0.01).mean() <= 0.025


def test_states_along_a_wave_are_seen_by_kernels_and_features():
    rng = np.random.default_rng(0)
    x = rng.uniform(-3, 3, 200)
    y = WORDS[(np.sin(2 * x) + 0.3 * rng.normal(size=200) > 0).astype(int)]
    g = WORDS[rng.integers(0, 2, 200)]

    for test in (KCI(), RCoT()):
        assert asked(test, x, y)[1] < 1e-6
        assert asked(test, x, y, g)[1] < 1e-6


@EACH
def test_a_chain_through_groups_is_found(test):
    rng = np.random.default_rng(1)
    a = rng.normal(size=300)
    b = WORDS[np.digitize(a + 0.3 * rng.normal(size=300), [-0.5, 0.5])]
    c = np.array([{"blue": -2.0, "green": 0.0, "red": 2.0}[word] for word in b]) + rng.normal(size=300)

    found = sl.PC(test=test, alpha=0.01).fit({"a": a, "b": b, "c": c}).graph_.skeleton()

    assert set(found.undirected) == {("a", "b"), ("b", "c")}
