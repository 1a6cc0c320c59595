"""Linear systems run as their closed forms say."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm

from structlearn.numerics import linear_systems
from structlearn.numerics.linear_systems import growth_factor, growth_rate, steps, trajectory

MATRIX = np.array([[-1.0, 0.5, 0.0], [0.0, -0.3, 0.8], [0.2, 0.0, -0.7]])
TIMES = np.array([0.0, 0.5, 0.6, 2.0, 2.5])


def test_a_trajectory_is_the_solution_of_the_differential_equation():
    constant, start = np.array([0.1, -0.2, 0.3]), np.array([1.0, -1.0, 2.0])

    found = trajectory(MATRIX, constant, start, TIMES)

    peer = solve_ivp(
        lambda _, x: MATRIX @ x + constant, (0, 2.5), start, t_eval=TIMES, rtol=1e-10, atol=1e-12
    )
    assert found == pytest.approx(peer.y.T, abs=1e-8)


def test_nodes_apart_from_all_others_go_straight_beside_them():
    matrix, others = np.zeros((5, 5)), [0, 2, 4]
    matrix[np.ix_(others, others)] = MATRIX
    constant, start = np.array([0.1, 1.0, -0.2, 0.0, 0.3]), np.array([1.0, 4.0, -1.0, 3.0, 2.0])
    slopes = np.array([[0, 0, 1, 2, 0], [1, 0, 0, 0, 0], [0, 0, 0, -1, 0], [0, 0, 0, 0, 0]], dtype=float)

    found = trajectory(matrix, constant, start, TIMES, slopes=slopes)

    assert found[:, 1] == pytest.approx(4.0 + TIMES)
    assert found[:, 3] == pytest.approx([3.0, 4.0, 4.0, 2.6, 2.6])
    alone = trajectory(MATRIX, constant[others], start[others], TIMES, slopes=slopes[:, others])
    assert found[:, others] == pytest.approx(alone, rel=1e-12)


def test_what_is_pushed_moves_by_the_push_in_each_step():
    slopes = np.array([[0, 2, 0], [0, 0, 0], [0, -1, 0], [0, 0, 0]], dtype=float)

    found = trajectory(np.zeros((3, 3)), np.zeros(3), np.zeros(3), TIMES, slopes=slopes)

    assert found[:, 1] == pytest.approx([0, 1.0, 1.0, -0.4, -0.4])
    assert not found[:, [0, 2]].any()


def test_one_node_decays_as_the_exponential():
    found = trajectory(np.array([[-2.0]]), np.zeros(1), np.ones(1), TIMES)

    assert found[:, 0] == pytest.approx(np.exp(-2.0 * TIMES))


def test_equal_steps_share_one_exponential(monkeypatch):
    lengths = []
    exponential = linear_systems.linalg.expm
    counted = lambda a: lengths.append(-a[0, 0] / 2.0) or exponential(a)  # noqa: E731
    monkeypatch.setattr(linear_systems.linalg, "expm", counted)

    trajectory(np.array([[-2.0]]), np.zeros(1), np.ones(1), 0.1 * np.arange(1000))

    assert lengths == pytest.approx([0.1])


@pytest.mark.parametrize("share", [0.01, 1.0])
def test_many_nodes_in_a_few_steps_run_as_whole_exponentials_say(share):
    rng = np.random.default_rng(0)
    matrix = np.where(rng.random((200, 200)) < share, rng.normal(size=(200, 200)), 0.0) / 14.0 - np.eye(200)
    constant, start = rng.normal(size=(2, 200))

    found = trajectory(matrix, constant, start, TIMES)

    rest = np.linalg.solve(matrix, -constant)
    closed_form = [rest + expm(time * matrix) @ (start - rest) for time in TIMES]
    assert found == pytest.approx(np.array(closed_form), rel=1e-10)


def test_steps_are_powers_of_the_matrix():
    found = steps(MATRIX, np.zeros(3), np.ones(3), 3)

    assert found[3] == pytest.approx(np.linalg.matrix_power(MATRIX, 3) @ np.ones(3))
    pushed = steps(MATRIX, np.ones(3), np.zeros(3), 1, pushes=np.array([[0.0, 1.0, 0.0]]))
    assert pushed[1].tolist() == [1.0, 2.0, 1.0]


def test_growth_is_read_off_the_eigenvalues():
    rotation = np.array([[0.0, -2.0], [2.0, 0.0]])

    assert growth_rate(rotation) == pytest.approx(0.0)
    assert growth_factor(rotation) == pytest.approx(2.0)
    assert growth_rate(np.diag([-1.0, 0.25])) == 0.25
