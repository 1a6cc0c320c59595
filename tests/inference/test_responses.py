"""Effects along curves: averages of predictions by definition, known curves, tables that tell nothing."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LinearRegression
from sklearn.metrics.pairwise import rbf_kernel

import structlearn as sl
from structlearn.numerics.averaged_curves import RIDGES, WIDTHS

DAG = sl.Graph("xyz", directed=["zx", "zy", "xy"])


def table(n_rows, seed=0, curve=np.square):
    z, for_x, for_y = np.random.default_rng(seed).normal(size=(3, n_rows))
    x = z + for_x
    return {"x": x, "y": curve(x) + 2 * z + for_y, "z": z}


def fitted(inputs, target, at, width, ridge):
    """A line, then ridge regression of what it leaves: predictions of rows, and of each at every value."""
    rows, n = inputs / inputs.std(axis=0), len(target)
    line = LinearRegression().fit(rows, target)
    model = KernelRidge(alpha=ridge * n, kernel="rbf", gamma=1 / (2 * width**2))
    model.fit(rows, target - line.predict(rows))
    everywhere = []
    for value in at:
        points = rows.copy()
        points[:, 0] = value / inputs[:, 0].std()
        everywhere.append(line.predict(points) + model.predict(points))
    return line.predict(rows) + model.predict(rows), np.array(everywhere)


def chosen(inputs, target):
    """The width and a tenth of the ridge of the least criterion, and what the smoother leaves of the rows."""
    rows, n = inputs / inputs.std(axis=0), len(target)
    bent, tried = target - LinearRegression().fit(rows, target).predict(rows), {}
    for width in np.multiply(WIDTHS, np.median(pdist(rows))):
        for i, ridge in enumerate(RIDGES):
            model = KernelRidge(alpha=ridge * n, kernel="rbf", gamma=1 / (2 * width**2))
            smoother = model.fit(rows, np.eye(n)).predict(rows)
            missed, n_free = bent - smoother @ bent, n - np.trace(smoother)
            tried[width, i] = (missed @ missed) / n_free**2, n_free
    width, i = min(tried, key=tried.get)
    return width, RIDGES[i], RIDGES[i - 2], tried[width, i - 2][1]


def smoothed_away(inputs, at, width, ridge):
    """Of a Gaussian process with variance 1: the covariance of its means less those of its smoothed rows."""
    rows, n = inputs / inputs.std(axis=0), len(inputs)
    points = [np.column_stack([np.full(n, value / inputs[:, 0].std()), rows[:, 1:]]) for value in at]
    process = rbf_kernel(np.concatenate([*points, rows]), gamma=1 / (2 * width**2))
    model = KernelRidge(alpha=ridge * n, kernel="rbf", gamma=1 / (2 * width**2)).fit(rows, np.eye(n))
    smoothed = np.array([model.predict(each).mean(axis=0) for each in points])
    missed = np.column_stack([np.kron(np.eye(len(at)), np.full(n, 1 / n)), -smoothed])
    return missed @ process @ missed.T


@pytest.mark.parametrize("curve", [np.square, np.sin, np.tanh])
def test_means_and_their_covariance_are_those_of_the_definition(curve):
    drawn, at, n = table(40, curve=curve), [-1.0, 0.0, 0.5], 40
    inputs, target = np.column_stack([drawn["x"], drawn["z"]]), drawn["y"]

    found = sl.response(DAG, drawn, "x", "y", at=at)

    width, best, ridge, n_free = chosen(inputs, target)
    predicted, everywhere = fitted(inputs, target, at, width, ridge)
    of_rows = np.array([fitted(inputs, one, at, width, ridge)[1].mean(axis=1) for one in np.eye(n)]).T
    left = target - predicted
    covariance = (of_rows * left) @ (of_rows * left).T * n / (n_free - 3) + np.cov(everywhere) / n
    covariance += smoothed_away(inputs, at, width, ridge) * (left @ left / (n_free - 3)) / (best * n)
    assert found.means == pytest.approx(everywhere.mean(axis=1), rel=1e-5, abs=1e-6)
    assert found.covariance == pytest.approx(covariance, rel=1e-4)
    assert found.given == ("z",)
    low, high = found.intervals[1]
    assert (high - low) / 2 == pytest.approx(1.959964 * np.sqrt(covariance[1, 1]), rel=1e-4)
    value, (low, high) = found.change(-1.0, 0.5)
    assert value == pytest.approx(found.means[2] - found.means[0])
    error = np.sqrt(covariance[0, 0] + covariance[2, 2] - 2 * covariance[0, 2])
    assert (high - low) / 2 == pytest.approx(1.959964 * error, rel=1e-4)


def test_a_parabola_is_found_beside_a_common_cause_and_lies_elsewhere_without_it():
    drawn = table(300)

    found = sl.response(DAG, drawn, "x", "y", at=[-1, 0, 1])
    naive = sl.response(sl.Graph("xyz", directed=["xy"]), drawn, "x", "y", at=[-1, 0, 1])

    errors = np.sqrt(np.diag(found.covariance))
    assert (np.abs(np.subtract(found.means, [1, 0, 1])) < 3 * errors).all()
    assert errors.max() < 0.25
    assert naive.means[2] - naive.means[0] > 1.0  # 2 of 2 z, of which x tells half
    assert abs(found.change(-1, 1)[0]) < 0.25
    assert "The mean of y where x is set, given 'z':" in str(found)


@pytest.mark.parametrize("unit", [1e-9, 1e9])
def test_units_change_the_numbers_alone(unit):
    drawn, plain = table(60), sl.response(DAG, table(60), "x", "y", at=[-1, 1])
    measured = {name: unit * column + unit for name, column in drawn.items()}

    found = sl.response(DAG, measured, "x", "y", at=[0.0, 2 * unit])

    assert (np.array(found.means) - unit) / unit == pytest.approx(plain.means, rel=1e-5)
    assert found.covariance / unit**2 == pytest.approx(plain.covariance, rel=1e-5)


def test_by_default_the_curve_runs_through_the_middle_of_the_rows_and_takes_some_of_many():
    drawn = table(2000)

    found = sl.response(DAG, drawn, "x", "y", max_rows=50)

    assert found.at == pytest.approx(np.quantile(drawn["x"][::40], np.linspace(0.1, 0.9, 9)))


def test_what_is_no_effect_has_the_same_mean_everywhere():
    found = sl.response(DAG, table(50), "y", "x", at=[0, 1])

    assert found.means == pytest.approx([table(50)["x"].mean()] * 2)
    assert found.change(0, 1) == (0.0, (0.0, 0.0))
    assert found.notes == ("By the graph y is not a cause of x.",)


def test_columns_that_repeat_others_and_gaps_are_no_obstacle():
    drawn = table(60)
    graph = sl.Graph("xyzw", directed=["zx", "zy", "xy", "wy", "wx"])
    twice = sl.response(graph, drawn | {"w": drawn["z"]}, "x", "y", at=[0, 1])
    drawn["y"][3] = np.nan

    assert np.isfinite(twice.means).all()
    assert np.isfinite(twice.covariance).all()
    assert np.isfinite(sl.response(DAG, drawn, "x", "y", at=[0], missing="drop").means).all()


@pytest.mark.parametrize(
    ("graph", "columns", "options", "message"),
    [
        (DAG.to_cpdag(), table(40), {}, "No adjustment gives the effect"),
        (DAG, table(19), {}, "19 rows are too few for a curve; at least 20"),
        (DAG, table(40) | {"x": np.ones(40)}, {}, "'x' does not vary"),
        (DAG, table(40), {"at": [99.0]}, "as 'x' was observed"),
        (DAG, table(40), {"at": []}, "as 'x' was observed"),
        (DAG, table(40), {"given": []}, r"response\(given=\[\]\): this set does not give the effect"),
        (DAG, table(40), {"level": 1.0}, "between 0 and 1"),
        (DAG, sl.Dataset(table(40), weights=np.arange(1.0, 41.0)), {}, "no weights"),
    ],
)
def test_what_tells_no_curve_is_refused(graph, columns, options, message):
    with pytest.raises(ValueError, match=message):
        sl.response(graph, columns, "x", "y", **options)


def test_a_change_is_between_values_of_the_curve():
    with pytest.raises(sl.OptionError, match=r"5 is none of the values \[0.0, 1.0\]"):
        sl.response(DAG, table(40), "x", "y", at=[0, 1]).change(0, 5)


def test_whole_numbers_far_from_0_are_those_of_the_table():
    far = 2**60  # beyond 2^53, and beside it 1024 is exact: as nanoseconds since 1970 are
    rng = np.random.default_rng(0)
    time = rng.integers(0, 10**9, 120) * 1024
    value = time / 1e12 + 0.1 * rng.normal(size=120)
    at = [int(time.min()), 512 * 1024 * 10**6, int(time.max())]
    ahead, back = sl.Graph("tv", directed=["tv"]), sl.Graph("tv", directed=["vt"])

    def shifted(by):
        return sl.Dataset({"t": time + by, "v": value}, kinds={"t": "continuous"})

    near, moved = sl.response(ahead, shifted(0), "t", "v", at=at), [place + far for place in at]
    found = sl.response(ahead, shifted(far), "t", "v", at=moved)
    assert found.at == tuple(map(float, moved))
    assert found.means == pytest.approx(near.means, abs=1e-6)
    usual = sl.response(ahead, shifted(far), "t", "v").at
    assert np.subtract(usual, far) == pytest.approx(sl.response(ahead, shifted(0), "t", "v").at, abs=1e3)
    means = sl.response(back, shifted(far), "v", "t", at=[0.5]).means
    expected = sl.response(back, shifted(0), "v", "t", at=[0.5]).means
    assert np.subtract(means, far) == pytest.approx(expected, abs=1e4)
    with pytest.raises(sl.OptionError, match=r"numbers from 1\.15292e\+18 to 1\.15292e\+18"):
        sl.response(ahead, shifted(far), "t", "v", at=at)
