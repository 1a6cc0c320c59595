"""System identification: known systems come back, by every method, and bad input is refused."""

import warnings

import numpy as np
import pytest
from scipy import stats
from sklearn.base import clone

import structlearn as sl
from structlearn.learners.network.dynamics.side_tables import values_by_node
from tests.oracles.dynamics import course, f1, long_table, random_system

# Three experiments are enough for three nodes where nothing is noisy.
pytestmark = pytest.mark.filterwarnings("ignore:.*the table has [23] rows")
A = np.array([[-1.0, 0.0, 0.5], [0.4, -1.0, 0.0], [0.0, -0.6, -1.0]])
NAMES = ("g0", "g1", "g2")
# The three perturbed steady states of A: docs/references/dynamics.md, Perturbed steady states.
X = [[0.892857, -0.267857, 0.446429], [0.357143, 0.892857, 0.178571], [-0.214286, -0.535714, 0.892857]]


def by_name(rows, names=NAMES):
    return dict(zip(names, np.asarray(rows).T, strict=True))


def steady(matrix=A, pushes=None):
    """Experiments in rows: the steady states of each row of pushes."""
    pushes = np.eye(len(matrix)) if pushes is None else np.asarray(pushes)
    names = [f"g{j}" for j in range(len(matrix))]
    return by_name(-np.linalg.solve(matrix, pushes.T).T, names), by_name(pushes, names)


def nir(**options):
    states, pushes = steady()
    return sl.SystemIdentification(
        **{"method": "nir", "perturbations": pushes, "max_regulators": 2} | options
    ), states


@pytest.mark.parametrize("method", ["ode-lasso", "svd-l1"])
def test_measured_rates_without_noise_give_the_system_back(method):
    rng = np.random.default_rng(0)
    matrix = random_system(rng, p=6)
    states = rng.normal(size=(12, 6))
    names = [f"g{j}" for j in range(6)]
    table = by_name(states, names) | by_name(states @ matrix.T, [f"rate of {name}" for name in names])
    learner = sl.SystemIdentification(
        method=method,
        penalty=1e-12,
        rates={name: f"rate of {name}" for name in names},
        derivative="difference",
    )

    learner.fit(table)

    assert learner.matrix_ == pytest.approx(matrix, abs=1e-8)
    assert learner.graph_.nodes == tuple(names)
    assert learner.intercept_ == pytest.approx(np.zeros(6), abs=1e-8)


def mean_f1(noise, seeds, **options):
    found = []
    for seed in seeds:
        rng = np.random.default_rng(seed)
        matrix = random_system(rng)
        table = long_table(matrix, rng, noise=noise)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", sl.DataWarning)  # what is not stable is said so
            learner = sl.SystemIdentification(time="t", series="id", **options).fit(table)
        found.append(f1(learner.matrix_, matrix))
    return np.mean(found)


def test_two_sources_of_each_of_ten_nodes_are_found_in_five_noisy_courses():
    assert mean_f1(0.01, range(2), gamma=0.5) >= 0.77


@pytest.mark.slow
# docs/references/dynamics.md, Derivatives
@pytest.mark.parametrize(("noise", "reference"), [(0.0, 0.71), (0.01, 0.77), (0.05, 0.66)])
def test_simulated_systems_are_found_as_well_as_elsewhere(noise, reference):
    assert mean_f1(noise, range(10), gamma=0.5) >= reference


def test_the_order_of_the_courses_and_of_the_rows_changes_nothing():
    rng = np.random.default_rng(1)
    table = long_table(random_system(rng, p=4), rng, n_courses=3, noise=0.01)
    order = rng.permutation(len(table["t"]))
    renamed = table | {"id": np.repeat(["c", "a", "b"], 21)}
    learner = sl.SystemIdentification(time="t", series="id")

    first = clone(learner).fit(table).matrix_

    assert (
        clone(learner).fit({name: column[order] for name, column in table.items()}).matrix_ == first
    ).all()
    assert clone(learner).fit(renamed).matrix_ == pytest.approx(first)


def test_the_constrained_form_is_the_penalised_one_at_its_norm():
    rng = np.random.default_rng(2)
    matrix = random_system(rng, p=4)
    table = {name: c for name, c in long_table(matrix, rng, n_courses=1, noise=0.01).items() if name != "id"}
    for j in (1, 2, 3):  # one row only, so that one bound is meant
        table[f"g{j}"] = table.pop(f"g{j}")
    penalised = sl.SystemIdentification(time="t", penalty=0.05, refit=False, inputs=["g1", "g2", "g3"]).fit(
        table
    )
    spread = [np.std(table[f"g{j}"]) for j in range(4)]
    rates = sl.SystemIdentification(time="t", bound=1.0, inputs=["g1", "g2", "g3"])
    from scipy.interpolate import CubicSpline

    scale = np.std(CubicSpline(table["t"], table["g0"])(table["t"], 1))
    bound = sum(abs(penalised.matrix_[0, j]) * spread[j] for j in range(4)) / scale

    again = rates.set_params(bound=bound).fit(table)

    assert again.matrix_ == pytest.approx(penalised.matrix_, abs=1e-6)


def test_courses_left_out_choose_a_penalty_and_a_single_course_is_cut_into_blocks():
    rng = np.random.default_rng(3)
    matrix = random_system(rng, p=4)
    table = long_table(matrix, rng, n_courses=4, noise=0.01)
    one = {name: column[:21] for name, column in table.items() if name != "id"}

    whole = sl.SystemIdentification(time="t", series="id", penalty="cv").fit(table)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sl.DataWarning)
        single = sl.SystemIdentification(time="t", penalty="cv").fit(one)

    assert f1(whole.matrix_, matrix) >= 0.7
    assert np.isfinite(single.penalty_).all()


def test_a_system_in_steps_comes_back_and_unequal_steps_are_refused():
    rng = np.random.default_rng(0)
    matrix = np.array([[0.8, 0.0, 0.0], [0.5, 0.3, 0.0], [0.0, -0.6, 0.5]])
    states = [rng.normal(size=3)]
    for _ in range(200):
        states.append(matrix @ states[-1] + 0.2 * rng.normal(size=3))
    table = by_name(states)

    learner = sl.SystemIdentification(method="var-lasso").fit(table)

    assert ((learner.matrix_ != 0) == (matrix != 0)).all()
    assert learner.matrix_ == pytest.approx(matrix, abs=0.15)
    assert learner.stability_ == pytest.approx(np.abs(np.linalg.eigvals(learner.matrix_)).max())
    uneven = table | {"t": np.arange(201.0) ** 1.01}
    with pytest.raises(sl.DataError, match=r"steps last from 1 to .*ode-lasso"):
        clone(learner).set_params(time="t").fit(uneven)


@pytest.mark.parametrize("n_systems", [3, pytest.param(10, marks=pytest.mark.slow)])
def test_a_fitted_interpolation_runs_as_the_system_that_it_was_made_of(n_systems):
    errors = []
    for seed in range(n_systems):
        rng = np.random.default_rng(seed)
        matrix = random_system(rng, p=6)
        times = np.linspace(0, 5, 16)
        table = {"t": times} | by_name(course(matrix, rng.normal(size=6), times), [f"g{j}" for j in range(6)])
        learner = sl.SystemIdentification(
            method="interpolation", grid_regression="least-squares", grid_step=0.02, time="t"
        ).fit(table)
        errors.append(learner.trajectory_error_)

    assert max(errors) < 0.03
    assert learner.n_times_ == 16


def test_a_ridge_on_the_grid_makes_coefficients_smaller():
    times = np.linspace(0, 5, 30)
    table = {"t": times} | by_name(course(A, np.array([1.0, -1.0, 0.5]), times))

    def size(**options):
        learner = sl.SystemIdentification(method="interpolation", grid_step=0.1, time="t", **options).fit(
            table
        )
        return np.abs(learner.matrix_).sum()

    by_ridge = [size(grid_regression="ridge", ridge=ridge) for ridge in (0.01, 0.1, 1.0)]
    assert size(grid_regression="least-squares") > by_ridge[0] > by_ridge[1] > by_ridge[2] > 0.0


def test_steady_states_of_nodes_whose_decay_is_known_have_it_in_their_system():
    matrix = np.array([[-0.8, 0.5, 0.0], [0.0, -0.8, 0.3], [0.0, 0.0, -0.8]])
    states, pushes = steady(matrix, np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 0.0], [0.3, 0.2, 1.0]]))
    learner = sl.SystemIdentification(method="svd-l1", perturbations=pushes, decay=0.8, intercept=False)

    assert learner.fit(states).matrix_ == pytest.approx(matrix)


@pytest.mark.parametrize("method", ["var-lasso", "nir"])
def test_a_method_that_estimates_decay_refuses_to_be_told(method):
    learner = sl.SystemIdentification(method=method, decay=0.8, perturbations=by_name(np.eye(3)))

    with pytest.raises(sl.OptionError, match=rf"decay=0.8, method='{method}'\): this method estimates decay"):
        learner.fit(by_name(np.random.default_rng(0).normal(size=(3, 3))))


@pytest.mark.filterwarnings("ignore:.*the system is not stable")
def test_interpolation_warns_that_it_adds_no_information():
    rng = np.random.default_rng(0)
    table = {"t": np.arange(8.0)} | {f"g{j:02}": rng.normal(size=8) for j in range(20)}
    learner = sl.SystemIdentification(
        method="interpolation", grid_regression="ridge", time="t", intercept=False
    )

    with pytest.warns(sl.DataWarning, match="have rank 8, from 8 measured times, and 20 columns"):
        learner.fit(table)

    assert learner.rank_ == 8


def test_the_sparsest_system_is_found_from_fewer_rates_than_columns():
    rng = np.random.default_rng(0)
    p, names = 30, [f"g{j:02}" for j in range(30)]
    matrix = np.zeros((p, p))
    for i in range(p):
        matrix[i, rng.choice(p, 2, replace=False)] = rng.choice([-1, 1], 2) * rng.uniform(0.5, 1.5, 2)
    states = rng.normal(size=(18, p))
    table = by_name(states, names) | by_name(states @ matrix.T, [f"d{name}" for name in names])
    learner = sl.SystemIdentification(
        method="svd-l1", rates={name: f"d{name}" for name in names}, intercept=False
    )

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sl.DataWarning)
        learner.fit(table)

    right = np.isclose(learner.matrix_, matrix, atol=1e-6).all(axis=1).mean()
    assert right >= 0.9
    assert learner.rank_ == 18
    assert learner.is_unique_.mean() >= 0.9


@pytest.mark.filterwarnings("ignore:.*the system is not stable")
def test_noisy_rates_that_no_system_fits_are_said_so():
    rng = np.random.default_rng(0)
    names, rates = ["g0", "g1", "g2", "g3"], ["r0", "r1", "r2", "r3"]
    states = np.repeat(rng.normal(size=(3, 4)), 2, axis=0)
    table = by_name(states, names) | by_name(rng.normal(size=(6, 4)), rates)
    learner = sl.SystemIdentification(method="svd-l1", rates=dict(zip(names, rates, strict=True)))

    with pytest.raises(sl.DataError, match=r"no row fits the rates of 'g0'.* larger noise="):
        learner.fit(table)
    assert learner.set_params(noise=5.0).fit(table).status_ == "The method ran to its end."


@pytest.mark.parametrize("max_regulators", [2, 3])
def test_perturbed_steady_states_give_the_system_back(max_regulators):
    learner, states = nir(max_regulators=max_regulators)

    learner.fit(states)

    assert np.array([states[name] for name in NAMES]) == pytest.approx(np.array(X), abs=1e-6)
    assert learner.matrix_ == pytest.approx(A, abs=1e-10)
    assert learner.graph_.directed == (
        ("g0", "g0"),
        ("g0", "g1"),
        ("g1", "g1"),
        ("g1", "g2"),
        ("g2", "g0"),
        ("g2", "g2"),
    )


@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
def test_one_regulator_is_not_enough_in_any_row():
    learner, states = nir(max_regulators=1)

    learner.fit(states)

    left = np.array([states[name] for name in NAMES]).T @ learner.matrix_.T + np.eye(3)
    assert (np.abs(left).max(axis=0) > 0.01).all()
    assert (learner.p_values_ > 0.05).any()


def noisy_experiments(seed):
    rng = np.random.default_rng(seed)
    while True:
        matrix = -np.eye(9)
        for i in range(9):
            others = rng.choice([j for j in range(9) if j != i], 2, replace=False)
            matrix[i, others] = rng.choice([-1, 1], 2) * rng.uniform(0.3, 0.8, 2)
        if np.linalg.eigvals(matrix).real.max() < 0:
            break
    states = -np.linalg.inv(matrix).T
    states = states * (1 + 0.05 * rng.normal(size=(9, 9))) + 0.02 * rng.normal(size=(9, 9))
    names = [f"g{j}" for j in range(9)]
    return matrix, by_name(states, names), by_name(np.eye(9), names)


@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
def test_regulators_that_are_there_come_back_in_more_resamples():
    shares = {True: [], False: []}
    for seed in range(3):
        matrix, states, pushes = noisy_experiments(seed)
        learner = sl.SystemIdentification(
            method="nir", perturbations=pushes, max_regulators=4, n_resamples=10
        ).fit(states)
        for edge in learner.graph_.edges:
            source, target = int(edge.source[1:]), int(edge.target[1:])
            shares[bool(matrix[target, source])].append(edge.confidence)

    assert min(shares[True]) >= 0.5
    assert np.mean(shares[True]) > 0.95
    assert np.mean(shares[False]) < 0.8
    again = clone(learner).fit(states)
    assert again.evidence_ == learner.evidence_
    assert clone(learner).set_params(n_resamples=0).fit(states).graph_.edges[0].confidence is None


@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
@pytest.mark.parametrize("most", [3, 4, 5])
@pytest.mark.parametrize("n_seeds", [3, pytest.param(20, marks=pytest.mark.slow)])
def test_the_signs_of_regulators_are_recovered_from_noisy_experiments(most, n_seeds):
    hits, total = 0, 0
    for seed in range(n_seeds):
        matrix, states, pushes = noisy_experiments(seed)
        found = (
            sl.SystemIdentification(method="nir", perturbations=pushes, max_regulators=most)
            .fit(states)
            .matrix_
        )
        hits += (np.sign(found) == np.sign(matrix))[matrix != 0].sum()
        total += (matrix != 0).sum()

    assert hits / total >= 0.95


@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
def test_the_bic_and_the_tests_choose_fewer_regulators_than_allowed():
    _, states, pushes = noisy_experiments(0)
    sizes = {
        rule: np.count_nonzero(
            sl.SystemIdentification(method="nir", perturbations=pushes, max_regulators=5, regulators_by=rule)
            .fit(states)
            .matrix_
        )
        for rule in ("limit", "bic", "significance")
    }

    assert sizes["limit"] == 45
    assert sizes["significance"] < 45
    assert sizes["bic"] <= 45


def test_the_bic_takes_as_many_regulators_as_there_are():
    rng = np.random.default_rng(4)
    states, given = steady(pushes=rng.normal(size=(40, 3)))
    noisy = {name: column + 1e-3 * rng.normal(size=40) for name, column in states.items()}
    learner = sl.SystemIdentification(
        method="nir", perturbations=given, max_regulators=3, regulators_by="bic"
    ).fit(noisy)

    assert ((learner.matrix_ != 0.0) == (A != 0.0)).all()


def test_the_p_value_of_a_regulator_is_that_of_its_t_statistic():
    rng = np.random.default_rng(1)
    pushes = rng.normal(size=(20, 3))
    states, given = steady(pushes=pushes)
    noisy = {name: column + 0.05 * rng.normal(size=20) for name, column in states.items()}

    learner = sl.SystemIdentification(method="nir", perturbations=given, max_regulators=2).fit(noisy)

    assert len(learner.graph_.edges) >= 3
    for edge in learner.graph_.edges:
        node, regulator = NAMES.index(edge.target), NAMES.index(edge.source)
        t = abs(learner.matrix_[node, regulator]) / learner.standard_errors_[node, regulator]
        assert edge.p_value == pytest.approx(2 * stats.t.sf(t, 20 - 2), rel=1e-9)


def test_rows_that_are_not_significant_and_sets_that_were_not_looked_at_are_warned_of(monkeypatch):
    rng = np.random.default_rng(2)
    states = by_name(rng.normal(size=(8, 3)))
    learner = sl.SystemIdentification(
        method="nir", perturbations=by_name(rng.normal(size=(8, 3))), max_regulators=1, alpha=1e-9
    )

    def said():
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            learner.fit(states)
        return " ".join(str(warning.message) for warning in caught)

    assert "without a significant row at alpha = 1e-09: 'g0', 'g1', 'g2'." in said()
    assert "too many sets" not in said()
    monkeypatch.setattr("structlearn.learners.network.dynamics.subset_search.MOST_SETS", 0)
    assert "too many sets of regulators to look at all" in said()


@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
def test_known_errors_weigh_experiments_and_give_standard_errors_of_their_own():
    rng = np.random.default_rng(0)
    pushes = rng.normal(size=(40, 3))
    states, given = steady(pushes=pushes)
    bad = np.zeros((40, 3))
    bad[:8] = 3.0
    noise = {name: states[name] + bad[:, j] * rng.normal(size=40) for j, name in enumerate(NAMES)}
    errors = by_name(bad + 0.001)
    learner = sl.SystemIdentification(method="nir", perturbations=given, max_regulators=2)

    plain = clone(learner).fit(noise)
    weighted = (
        clone(learner)
        .set_params(state_errors=errors, perturbation_errors=by_name(np.full((40, 3), 1e-3)))
        .fit(noise)
    )

    assert np.abs(weighted.matrix_ - A).max() < 0.05 < np.abs(plain.matrix_ - A).max()
    assert (weighted.standard_errors_[weighted.matrix_ != 0] > 0).all()


def test_a_node_that_was_never_perturbed_is_known_but_for_its_scale():
    matrix = A + np.array([[0, 0, 0], [0, 0, 0], [0.3, 0, 0]])
    pushes = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [2.0, 0.5, 0.0], [0.3, 0.7, 0.0]])
    states, given = steady(matrix, pushes)
    del given["g2"]

    with pytest.warns(sl.DataWarning, match="never perturbed.*: 'g2'"):
        learner = sl.SystemIdentification(method="nir", perturbations=given, max_regulators=3).fit(states)

    assert learner.matrix_[2] == pytest.approx(matrix[2])
    assert learner.is_scaled_.tolist() == [False, False, True]


def test_a_compound_acts_where_it_was_made_to():
    rng = np.random.default_rng(0)
    states, pushes = steady(pushes=np.concatenate([np.eye(3)] * 4))
    noisy = {name: column + 0.02 * rng.normal(size=12) for name, column in states.items()}
    learner = sl.SystemIdentification(method="nir", perturbations=pushes, max_regulators=2).fit(noisy)

    actions = learner.predict_targets(by_name(-np.linalg.solve(A, [0.0, 1.0, 0.0])), errors=np.full(3, 0.02))

    assert actions["g1"].perturbation == pytest.approx(1.0, abs=0.1)
    assert actions["g1"].z_score > 10
    assert max(abs(actions[name].z_score) for name in ("g0", "g2")) < 4


def test_perturbations_may_stand_in_columns_of_the_table():
    states, pushes = steady(pushes=np.concatenate([np.eye(3), 2 * np.eye(3)]))
    learner, _ = nir(perturbations={name: f"u_{name}" for name in NAMES})

    learner.fit(states | {f"u_{name}": column for name, column in pushes.items()})

    assert learner.graph_.nodes == NAMES
    assert learner.matrix_ == pytest.approx(A, abs=1e-10)


def test_a_system_runs_as_it_was_fitted_and_says_how_stable_it_is():
    rng = np.random.default_rng(0)
    table = long_table(A, rng, n_courses=3)
    learner = sl.SystemIdentification(time="t", series="id").fit(table)

    run = learner.simulate({"g0": 1.0, "g1": -0.5, "g2": 0.0}, [0.0, 0.5, 2.0])

    expected = course(A, np.array([1.0, -0.5, 0.0]), np.array([0.0, 0.5, 2.0]))
    assert pytest.approx(expected, abs=0.01) == np.array([run[name] for name in NAMES]).T
    assert learner.stability_ == pytest.approx(np.linalg.eigvals(A).real.max(), abs=0.01)
    assert learner.trajectory_error_ < 0.01
    assert [each.series for each in learner.trajectories_] == ["run 0", "run 1", "run 2"]
    assert learner.trajectories_[1].measured["g2"] == pytest.approx(table["g2"][21:42])


def test_a_system_that_runs_away_is_warned_of():
    times = np.linspace(0, 3, 20)

    with pytest.warns(sl.DataWarning, match="not stable: its largest eigenvalue has real part 0.5"):
        sl.SystemIdentification(time="t").fit({"t": times, "a": np.exp(0.5 * times)})


def test_inputs_act_and_nothing_acts_on_them():
    times = np.linspace(0, 10, 200)
    pushed = np.sin(times)
    a = [0.3]
    for k in range(199):
        h = times[k + 1] - times[k]
        a.append(a[-1] + h * (-a[-1] + 2.0 * (pushed[k] + pushed[k + 1]) / 2))
    learner = sl.SystemIdentification(time="t", inputs=["u"]).fit({"t": times, "u": pushed, "a": np.array(a)})

    assert learner.graph_.directed == (("u", "a"), ("a", "a"))
    assert learner.matrix_ == pytest.approx(np.array([[0.0, 0.0], [2.0, -1.0]]), abs=0.06)
    assert learner.trajectory_error_ < 0.05


def test_known_decay_is_not_estimated_and_what_was_done_is_taken_off():
    times = np.linspace(0, 4, 60)
    table = {"t": times, "a": 1 - np.exp(-times) * (1 + times), "b": 1 - np.exp(-times), "u": np.ones(60)}

    learner = sl.SystemIdentification(time="t", decay=1.0, intercept=False, perturbations={"b": "u"}).fit(
        table
    )

    assert learner.matrix_ == pytest.approx(np.array([[-1.0, 1.0], [0.0, -1.0]]), abs=1e-3)
    assert learner.graph_.nodes == ("a", "b")


def by_trapezoids(matrix, pushes, times):
    """States whose mean rate over each step is that at the mean of both ends, what was done included."""
    states, one = [np.ones(len(matrix))], np.eye(len(matrix))
    for push, h in zip((pushes[:-1] + pushes[1:]) / 2.0, np.diff(times), strict=True):
        states.append(np.linalg.solve(one / h - matrix / 2.0, (one / h + matrix / 2.0) @ states[-1] + push))
    return np.array(states)


@pytest.mark.parametrize("method", ["ode-lasso", "svd-l1"])
@pytest.mark.parametrize("measured", [False, True])
def test_midpoints_take_what_was_done_and_measured_rates_at_the_midpoint(method, measured):
    matrix, times = np.array([[-1.0, 0.0], [0.7, -0.4]]), np.cumsum(np.linspace(0.2, 0.6, 30))
    pushes = np.column_stack([2.0 * np.sin(3.0 * times), np.zeros(30)])
    states = by_trapezoids(matrix, pushes, times)
    table = {"t": times, **by_name(states, "ab"), "u": pushes[:, 0]}
    table |= {"db": states @ matrix[1]} if measured else {}

    learner = sl.SystemIdentification(
        method=method,
        derivative="midpoint",
        time="t",
        perturbations={"a": "u"},
        rates={"b": "db"} if measured else None,
        intercept=False,
        noise=1e-9,
        penalty=1e-12,
    )

    assert learner.fit(table).matrix_ == pytest.approx(matrix, abs=1e-6)


@pytest.mark.parametrize("method", ["ode-lasso", "interpolation", "svd-l1"])
def test_what_is_set_from_outside_does_not_decay(method):
    times = np.linspace(0, 6, 80)  # da/dt = u − a with u = sin(t)
    a = (np.sin(times) - np.cos(times) + np.exp(-times)) / 2.0
    table = {"t": times, "u": np.sin(times), "a": a}
    options = {"time": "t", "inputs": ["u"], "decay": 1.0, "intercept": False, "noise": 0.05}

    learner = sl.SystemIdentification(method=method, **options).fit(table)

    assert learner.graph_.directed == (("u", "a"), ("a", "a"))
    assert learner.matrix_ == pytest.approx(np.array([[0.0, 0.0], [1.0, -1.0]]), abs=0.06)
    assert learner.trajectories_[0].fitted["u"] == pytest.approx(table["u"])
    assert learner.simulate({"u": 1.0, "a": 0.0}, [0.0, 3.0])["u"].tolist() == [1.0, 1.0]


@pytest.mark.filterwarnings("ignore:.*the system is not stable")
def test_prior_edges_cost_less_and_self_terms_may_be_free_or_left_out():
    rng = np.random.default_rng(0)
    table = long_table(A, rng, n_courses=2, noise=0.02)
    learner = sl.SystemIdentification(time="t", series="id", penalty=2.0)

    assert not clone(learner).fit(table).graph_.edges
    cheap = clone(learner).set_params(penalty_weights={("g0", "g1"): 0.01}).fit(table)
    assert cheap.graph_.directed == (("g0", "g1"),)
    free = clone(learner).set_params(self_term="free").fit(table)
    assert free.graph_.directed == tuple((name, name) for name in NAMES)
    none = clone(learner).set_params(self_term="none", penalty="ebic").fit(table)
    assert all(edge.source != edge.target for edge in none.graph_.edges)


def test_bad_input_has_one_clear_answer():
    states, pushes = steady()
    fit = {
        "steady states tell a system only with": (sl.OptionError, nir(perturbations=None)[0], states),
        "3 rows, and the table 2": (sl.DataError, nir()[0], {n: c[:2] for n, c in states.items()}),
        "no node 'g9'": (sl.OptionError, nir(perturbations={"g9": [0.0, 1.0, 0.5]})[0], states),
        "penalty_weights=….: there is no node 'g8'": (
            sl.OptionError,
            nir(penalty_weights={("g0", "g8"): 0.5})[0],
            states,
        ),
        "all are 0": (sl.DataError, nir(perturbations={"g0": [0.0, 0.0, 0.0]})[0], states),
        "holds something else than numbers": (
            sl.DataError,
            nir(perturbations={"g0": [True, False, True]})[0],
            states,
        ),
        "experiments cannot tell 3 regulators of 4": (
            sl.DataError,
            nir(max_regulators=3)[0],
            states | {"g3": [0.5, 0.1, 0.7]},
        ),
        "its rows are steady states": (sl.OptionError, nir(time="g0")[0], states),
        "a standard error is 0 or more": (
            sl.DataError,
            nir(state_errors={"g0": [-1.0, 0.5, 1.5]})[0],
            states,
        ),
        "for time courses it is a mapping": (
            sl.OptionError,
            sl.SystemIdentification(perturbations=pushes),
            states,
        ),
        "there is no column 'nothing'": (
            sl.OptionError,
            sl.SystemIdentification(rates={"g0": "nothing"}),
            states,
        ),
        "no node 'g7'": (sl.OptionError, sl.SystemIdentification(inputs=["g7"]), states),
        "costs -1": (sl.OptionError, sl.SystemIdentification(penalty_weights={("g0", "g1"): -1}), states),
    }
    for message, (kind, learner, table) in fit.items():
        with pytest.raises(kind, match=message):
            learner.fit(table)


def test_values_of_nodes_are_given_in_their_order_or_by_name_for_all():
    assert values_by_node("test", {"b": 2, "a": 1}, ["a", "b"]).tolist() == [1.0, 2.0]
    with pytest.raises(sl.DataError, match="there is no value for 'b'"):
        values_by_node("test", {"a": 1}, ["a", "b"])


def test_a_table_of_constants_has_no_edges_and_a_time_alone_no_nodes():
    constant = {"t": np.arange(6.0), "a": np.full(6, 2.5), "b": np.full(6, 1.5)}

    with pytest.warns(sl.DataWarning, match="'a', 'b' have a single value"):
        learner = sl.SystemIdentification(time="t").fit(constant)

    assert not learner.graph_.edges
    with pytest.raises(sl.DataError, match="no columns to learn from"):
        sl.SystemIdentification(time="t").fit({"t": np.arange(6.0)})
    with pytest.raises(sl.DataError, match="1 time point"):
        sl.SystemIdentification(time="t").fit({"t": [1.5, 1.5, 1.5], "a": [0.5, 1.5, 2.0]})


def test_what_is_asked_before_a_fit_or_of_another_method_is_refused():
    with pytest.raises(sl.DataError, match="call fit first"):
        sl.SystemIdentification().simulate([1.0], [0.0, 1.0])
    learner = sl.SystemIdentification(time="t").fit({"t": np.arange(6.0), "a": np.exp(-np.arange(6.0))})
    with pytest.raises(sl.DataError, match="method='nir'"):
        learner.predict_targets([1.0])
    with pytest.raises(sl.DataError, match="rising order"):
        learner.simulate([1.0], [1.0, 0.0])
    with pytest.raises(sl.DataError, match="a number for each of the 1 nodes"):
        learner.simulate([1.0, 2.0], [0.0, 1.0])


@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")  # these states are noise
def test_another_method_leaves_nothing_of_the_one_before():
    rng = np.random.default_rng(0)
    states = dict(zip("abc", rng.normal(size=(3, 12)), strict=True))
    learner = sl.SystemIdentification(
        method="nir", perturbations=dict(zip("abc", np.eye(3, 12), strict=True))
    )
    learner.fit(states).set_params(method="var-lasso", perturbations=None)

    assert not {"p_values_", "covariances_", "is_exact_"} & vars(learner.fit(states)).keys()


@pytest.mark.parametrize("method", ["ode-lasso", "var-lasso", "interpolation"])
def test_rows_left_out_of_courses_without_times_are_refused(method):
    table = {"x": np.exp(-0.3 * np.arange(12.0)), "y": 1.0 - np.exp(-0.2 * np.arange(12.0))}
    table["x"][4] = np.nan

    with pytest.raises(sl.DataError, match=r"as if there were no gap\. Name a column with the times"):
        sl.SystemIdentification(method=method, missing="drop").fit(table)
    table["x"][4] = 0.3
    with pytest.raises(sl.DataError, match="by missing='drop' or a weight of 0"):
        sl.SystemIdentification(method=method).fit(sl.Dataset(table, weights=np.arange(12) != 4))


def test_rows_whose_rates_were_measured_may_be_left_out():
    rng = np.random.default_rng(0)
    states = rng.normal(size=(40, 3))
    table = by_name(states) | {f"d{name}": rate for name, rate in by_name(states @ A.T).items()}
    gapped = {name: np.where(np.arange(40) == 7, np.nan, column) for name, column in table.items()}
    learner = sl.SystemIdentification(rates={name: f"d{name}" for name in NAMES}, missing="drop")

    found = learner.fit(gapped).matrix_

    whole = learner.fit({name: np.delete(column, 7) for name, column in table.items()}).matrix_
    np.testing.assert_allclose(found, whole)


@pytest.mark.parametrize("derivative", ["spline", "smoothing-spline", "difference", "midpoint"])
def test_the_unit_of_time_changes_rates_and_no_edges(derivative):
    rng = np.random.default_rng(0)
    times = np.tile(np.linspace(0.0, 6.0, 21), 3)
    starts = np.repeat([1.0, 2.0, -1.5], 21)
    table = {"a": starts * np.exp(-times), "b": starts * times * np.exp(-times), "c": np.ones(63)}
    table = {name: column + 0.05 * rng.normal(size=63) for name, column in table.items()}
    table |= {"s": np.repeat(["x", "y", "z"], 21)}

    fits = [
        sl.SystemIdentification(time="t", series="s", derivative=derivative).fit(table | {"t": unit * times})
        for unit in (1.0, 500.0)
    ]

    assert fits[0].graph_.directed == fits[1].graph_.directed
    assert fits[0].matrix_ == pytest.approx(500.0 * fits[1].matrix_, rel=1e-6, abs=1e-9)
