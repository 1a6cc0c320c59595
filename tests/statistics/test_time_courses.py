"""Courses of a long table: sorted, averaged, never joined."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.statistics import from_dataset
from structlearn.statistics.time_courses import steps_of, time_courses


def courses(table, **options):
    return time_courses("Somebody", from_dataset(sl.Dataset(table)), **options)


LONG = {
    "id": ["b", "a", "b", "a", "a", "b"],
    "t": [2.5, 1.0, 0.0, 0.5, 1.0, 1.0],
    "x": [20.0, 4.0, 25.0, 3.0, 6.0, 21.0],
    "y": [0.5, 0.25, 0.0, -1.0, 0.75, 9.0],
}


def test_each_series_is_a_course_in_the_order_of_time_with_its_replicates_averaged():
    first, second = courses(LONG, time="t", series="id")

    assert (first.series, second.series) == ("a", "b")
    assert first.times.tolist() == [0.5, 1.0]
    assert first.states.tolist() == [[3.0, -1.0], [5.0, 0.5]]
    assert first.n_replicates.tolist() == [1, 2]
    assert second.times.tolist() == [0.0, 1.0, 2.5]
    assert second.states[:, 0].tolist() == [25.0, 21.0, 20.0]


def test_without_a_series_all_rows_are_of_one_course():
    (course,) = courses({name: LONG[name] for name in "txy"}, time="t")

    assert course.series is None
    assert course.times.tolist() == [0.0, 0.5, 1.0, 2.5]
    assert course.states[2].tolist() == pytest.approx([31.0 / 3.0, 10.0 / 3.0])


def test_without_a_time_the_rows_are_in_order_with_equal_steps():
    (course,) = courses({name: LONG[name] for name in "xy"})
    first, second = courses({name: LONG[name] for name in ("id", "x")}, series="id")

    assert course.times.tolist() == [0, 1, 2, 3, 4, 5]
    assert course.states[:, 0].tolist() == LONG["x"]
    assert first.states[:, 0].tolist() == [4.0, 3.0, 6.0]
    assert second.times.tolist() == [0, 1, 2]


def test_no_step_leads_from_one_course_to_another():
    steps = steps_of(courses(LONG, time="t", series="id"))

    assert steps.before[:, 0].tolist() == [3.0, 25.0, 21.0]
    assert steps.after[:, 0].tolist() == [5.0, 21.0, 20.0]
    assert steps.durations.tolist() == [0.5, 1.0, 1.5]


@pytest.mark.filterwarnings("ignore:column 't' rises:structlearn.DataWarning")  # as some orders have it
@settings(deadline=None)
@given(st.permutations(range(12)), st.integers(0, 5))
def test_the_order_of_the_rows_does_not_matter_to_the_last_bit(order, seed):
    rng = np.random.default_rng(seed)
    table = {
        "id": rng.integers(0, 2, 12).astype(str),
        "t": rng.integers(0, 3, 12),
        "x": rng.normal(size=12),
    }
    shuffled = {name: column[list(order)] for name, column in table.items()}

    for course, again in zip(
        courses(table, time="t", series="id", fewest_times=1),
        courses(shuffled, time="t", series="id", fewest_times=1),
        strict=True,
    ):
        assert course.times.tolist() == again.times.tolist()
        assert course.states.tolist() == again.states.tolist()


def test_whole_numbers_that_repeat_are_times_and_series_too():
    found = courses(
        {"id": [7, 7, 3, 3], "t": [10, 2, 2, 10], "x": [1.5, 2.5, 3.5, 4.5]}, time="t", series="id"
    )

    assert [course.series for course in found] == [3, 7]
    assert [course.times.tolist() for course in found] == [[2, 10], [2, 10]]
    assert found[1].states[:, 0].tolist() == [2.5, 1.5]


def test_discrete_states_are_codes():
    (course,) = courses({"t": [2.5, 0.5, 1.0], "on": ["no", "yes", "yes"]}, time="t")

    assert course.states[:, 0].tolist() == [1.0, 1.0, 0.0]


def test_replicates_of_a_discrete_column_must_agree():
    table = {"t": [0.5, 1.5, 1.5], "id": ["u", "u", "u"], "on": ["no", "yes", "yes"]}

    assert courses(table, time="t", series="id")[0].states[:, 0].tolist() == [0.0, 1.0]
    with pytest.raises(sl.DataError, match=r"time 1.5 of series 'u' have different states in column 'on'"):
        courses(table | {"on": ["no", "yes", "no"]}, time="t", series="id")


def test_case_weights_weigh_replicates_and_a_row_of_no_weight_is_not_there():
    table = sl.Dataset({"t": [0.0, 0.5, 0.5, 0.7], "x": [1.0, 2.0, 5.0, 9.0]}, weights=[1.0, 2.0, 1.0, 0.0])

    (course,) = time_courses("Somebody", from_dataset(table), time="t")

    assert course.times.tolist() == [0.0, 0.5]
    assert course.states[:, 0].tolist() == [1.0, 3.0]


def test_a_short_course_is_refused_by_its_series():
    table = {"id": ["a", "a", "b"], "t": [0.5, 1.5, 0.5], "x": [1.0, 2.0, 3.5]}

    with pytest.raises(sl.DataError, match="of series 'b' has 1 time point, and 2 or more are needed"):
        courses(table, time="t", series="id")
    with pytest.raises(sl.DataError, match="of series 'a' has 2 time points, and 4 or more"):
        courses(table, time="t", series="id", fewest_times=4)
    assert len(courses(table, time="t", series="id", fewest_times=1)) == 2


def test_times_that_are_not_numbers_are_refused():
    for times in (["0 h", "1 h"], [True, False]):
        with pytest.raises(sl.DataError, match=r"Somebody\(time='t'\): a time is a number"):
            courses({"t": times, "x": [1.5, 2.5]}, time="t")


def test_a_column_that_is_not_there_is_refused_by_the_option_that_names_it():
    with pytest.raises(sl.OptionError, match=r"\(time='hour'\): there is no column 'hour'"):
        courses(LONG, time="hour")
    with pytest.raises(sl.OptionError, match=r"\(series='run'\): there is no column 'run'"):
        courses(LONG, time="t", series="run")
    with pytest.raises(sl.OptionError, match="one column cannot be both"):
        courses(LONG, time="t", series="t")
    with pytest.raises(sl.DataError, match="no columns to learn from"):
        courses({name: LONG[name] for name in ("id", "t")}, time="t", series="id")


def test_many_times_are_sorted_whatever_their_number():
    rng = np.random.default_rng(0)
    times = rng.permutation(5000) / 7.0

    (course,) = courses({"t": times, "x": times * 2.0}, time="t")

    assert all(a < b for a, b in pairwise(course.times.tolist()))
    assert (course.states[:, 0] == 2.0 * course.times).all()
