"""LiNGAM recovers whole DAGs from noise that is not Gaussian, and says where it cannot."""

import numpy as np
import pytest

import structlearn as sl
from tests.oracles.lingam import linear_table

BOTH = pytest.mark.parametrize("learner", [sl.DirectLiNGAM, sl.ICALiNGAM])


def named(rows):
    return {f"x{j}": column for j, column in enumerate(rows.T)}


def true_graph(effects):
    names = [f"x{j}" for j in range(len(effects))]
    return sl.Graph(names, directed=[(names[j], names[i]) for i, j in np.argwhere(effects)])


@BOTH
def test_the_dag_and_its_effects_are_recovered(learner):
    rows, effects = linear_table(np.random.default_rng(5), 2000, 6, "uniform", 0.4)

    found = learner().fit(named(rows))

    assert found.graph_ == true_graph(effects)
    assert found.coefficients_ == pytest.approx(effects, abs=0.1)
    assert found.total_effects_ == pytest.approx(np.linalg.inv(np.eye(6) - effects) - np.eye(6), abs=0.2)
    assert (found.normality_ < 0.05).all()
    assert found.graph_.to_cpdag() != found.graph_  # more than a score can tell


@pytest.mark.filterwarnings("ignore:.*did not settle:structlearn.DataWarning")
@BOTH
def test_gaussian_noise_is_warned_of_with_the_columns(learner):
    rows, _ = linear_table(np.random.default_rng(0), 500, 3, "gaussian")

    with pytest.warns(sl.DataWarning, match=r"noise of [23] columns may be Gaussian \(x0, .*either way"):
        learner().fit(named(rows))


@pytest.mark.filterwarnings(
    "ignore::structlearn.DataWarning"
)  # an order that is wrong leaves dependent noise
@pytest.mark.parametrize("n_rows", [200, 1000])
def test_dags_are_right_in_nine_of_ten_tables(n_rows):
    rng = np.random.default_rng(7)
    n_right = {"uniform": 0, "laplace": 0}
    for noise in n_right:
        for _ in range(20):
            rows, effects = linear_table(rng, n_rows, 5, noise)
            place = {name: at for at, name in enumerate(sl.DirectLiNGAM().fit(named(rows)).order_)}
            n_right[noise] += all(place[f"x{j}"] < place[f"x{i}"] for i, j in np.argwhere(effects))

    assert min(n_right.values()) >= 18


def test_a_hidden_common_cause_shows_in_what_is_left():
    rng = np.random.default_rng(0)
    hidden, *noise = rng.laplace(size=(4, 2000))
    table = {name: 1.5 * hidden + of_it for name, of_it in zip("abc", noise, strict=True)}

    with pytest.warns(sl.DataWarning, match="is not independent .* a common cause may be missing"):
        sl.DirectLiNGAM().fit(table)


@pytest.mark.filterwarnings("ignore:.*not independent:structlearn.DataWarning")
def test_a_column_with_one_value_in_most_rows_is_warned_of():
    rng = np.random.default_rng(0)
    a, b = rng.uniform(size=(2, 200))

    with pytest.warns(sl.DataWarning, match="more than half of the rows have one value in 'b'"):
        sl.DirectLiNGAM().fit({"a": a, "b": np.where(rng.random(200) < 0.6, 0.5, b + a)})


@BOTH
def test_tiers_settle_the_order_and_forbidden_arcs_do_not(learner):
    rows, _ = linear_table(np.random.default_rng(4), 800, 4, "uniform", 1.0)
    backwards = learner().fit(named(rows)).order_[::-1]

    tiers = sl.Knowledge(tiers=[[name] for name in backwards])
    with pytest.warns(sl.DataWarning, match="not independent"):
        assert learner(knowledge=tiers).fit(named(rows)).order_ == backwards
    # That the first is no direct cause of the last leaves it first.
    forbidden = sl.Knowledge(forbidden=[(backwards[-1], backwards[0])])
    found = learner(knowledge=forbidden)
    with pytest.warns(sl.DataWarning, match="not independent"):
        found.fit(named(rows))
    assert found.order_ == backwards[::-1]
    assert found.graph_.edge(backwards[-1], backwards[0]) is None


def test_required_arcs_against_tiers_through_a_free_column_count_first():
    rows, _ = linear_table(np.random.default_rng(4), 300, 3, "uniform", 0.5)
    known = sl.Knowledge(tiers=[["x0"], ["x2"]], required=[("x2", "x1"), ("x1", "x0")])

    assert sl.DirectLiNGAM(knowledge=known).fit(named(rows)).order_ == ("x2", "x1", "x0")


@pytest.mark.filterwarnings("ignore:.*may be Gaussian:structlearn.DataWarning")
def test_more_columns_than_rows_have_no_place_behind_as_many_as_rows():
    rows = np.random.default_rng(0).laplace(size=(30, 40))

    with pytest.warns(sl.DataWarning, match="30 rows are few: after 29 of 40 columns nothing is left"):
        found = sl.DirectLiNGAM().fit(named(rows))

    assert all(found.graph_.parents(name) == () for name in found.order_[29:])


def test_parents_that_others_make_needless_are_dropped():
    """The cause of a cause comes in first where it is the stronger of two, and goes when both are there."""
    rng = np.random.default_rng(0)
    root, one, two, last = rng.uniform(-1.7, 1.7, size=(4, 3000))
    left, right = root + 0.3 * one, root + 0.3 * two

    found = sl.DirectLiNGAM().fit({"root": root, "left": left, "right": right, "last": left + right + last})

    assert found.graph_.parents("last") == ("left", "right")


def test_units_of_extreme_columns_are_in_the_effects():
    rng = np.random.default_rng(0)
    x, noise = rng.uniform(size=(2, 400))

    found = sl.DirectLiNGAM().fit({"x": 1e-120 * x, "y": 1e120 * (2.0 * x + noise)})

    assert found.coefficients_[1, 0] == pytest.approx(2e240, rel=0.1)


def test_at_most_so_many_parents():
    rows, _ = linear_table(np.random.default_rng(4), 500, 6, "uniform", 1.0)

    with pytest.warns(sl.DataWarning):
        graph = sl.DirectLiNGAM(max_parents=2).fit(named(rows)).graph_

    assert max(len(graph.parents(name)) for name in graph.nodes) == 2


@pytest.mark.slow
@pytest.mark.filterwarnings(
    "ignore:.*not independent:structlearn.DataWarning"
)  # by chance, once in a hundred
@pytest.mark.parametrize("noise", ["uniform", "laplace"])
def test_two_columns_are_put_in_order_in_all_of_three_hundred_tables(noise):
    rng = np.random.default_rng(0)
    for _ in range(300):
        x, e = {"uniform": rng.uniform(-1, 1, (2, 300)), "laplace": rng.laplace(size=(2, 300))}[noise]
        assert sl.DirectLiNGAM().fit({"y": 0.8 * x + e, "x": x}).order_ == ("x", "y")


@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
@pytest.mark.parametrize("weights", [None, np.tile([1.0, 2.5], 30)], ids=["plain", "weighted"])
@BOTH
def test_the_order_of_rows_changes_nothing_where_noise_is_gaussian(learner, weights):
    for seed in range(8):
        rng = np.random.default_rng(seed)
        rows = linear_table(rng, 60, 5, "gaussian", 0.6)[0]
        expected = learner().fit(sl.Dataset(named(rows), weights=weights)).graph_

        order = rng.permutation(60)
        shuffled = sl.Dataset(named(rows[order]), weights=None if weights is None else weights[order])

        assert learner().fit(shuffled).graph_ == expected
