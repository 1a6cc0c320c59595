"""What PCMCI asks: the questions that a test hears, beside those of the definition written out."""

import numpy as np
import pytest
from scipy import stats

import structlearn as sl
from structlearn.learners.time.momentary.asked_links import LaggedParents

TABLE = dict(zip("xyz", np.random.default_rng(0).normal(size=(3, 120)), strict=True))
TWO = {name: TABLE[name] for name in "xy"}


class Heard:
    """A test that writes down what it is asked, and answers by the source alone."""

    def __init__(self, p_values):
        self.p_values, self.questions = p_values, []

    def __call__(self, x, y, given):
        past, now = (x, y) if y.endswith("[t]") else (y, x)
        self.questions.append((past, now, frozenset(given)))
        return self.p_values.get(past, self.p_values.get(past[0], 1.0))

    def about(self, past, now):
        return [given for source, target, given in self.questions if (source, target) == (past, now)]


def given(parents, source, lag, target, context=(), **options):
    """The conditions of a link as pairs of a variable and how many steps ago."""
    columns = [[len(parents) * lag + variable for variable, lag in each] for each in parents]
    found = LaggedParents.of(columns, np.isin(np.arange(len(parents)), context))
    asked = found.questions(np.array([[source, lag, target]]), **options)[0].tolist()
    assert asked[:2] == [len(parents) * lag + source, target]
    return [divmod(column, len(parents))[::-1] for column in asked[2:] if column >= 0]


def test_a_link_is_conditioned_on_the_parents_of_both_ends_but_not_on_itself():
    parents = [[(0, 1), (1, 2)], [(0, 2), (1, 1)]]

    assert given(parents, 0, 2, 1) == [(1, 1), (0, 3), (1, 4)]
    assert given(parents, 0, 2, 1, most_of_source=1) == [(1, 1), (0, 3)]
    assert given(parents, 0, 2, 1, most_of_source=0) == [(1, 1)]
    assert given(parents, 1, 1, 1) == [(0, 2), (0, 3), (1, 2)]
    assert given(parents, 0, 0, 1) == [(0, 2), (1, 1), (0, 1), (1, 2)]
    assert given([[(0, 1)], []], 1, 1, 0) == [(0, 1)]


def test_what_never_changes_is_no_condition_twice():
    parents = [[(0, 1), (2, 1)], [(1, 1), (2, 1)], []]

    assert given(parents, 0, 2, 1, context=[2]) == [(1, 1), (2, 1), (0, 3)]
    assert given(parents, 2, 1, 1, context=[2]) == [(1, 1)]


def test_where_all_depends_the_last_question_is_given_all_parents_of_both():
    heard = Heard({"y": 1e-6, "x": 1e-3})

    learner = sl.PCMCI(test=heard, correction="none").fit(TWO)

    assert learner.candidate_parents_ == dict.fromkeys("xy", ("y[t-1]", "x[t-1]"))
    levels = [set(), {"y[t-1]"}, {"y[t-1]", "y[t-2]", "x[t-2]"}]
    assert heard.about("x[t-1]", "y[t]") == [frozenset(level) for level in levels]
    levels = [set(), {"x[t-1]"}, {"x[t-1]", "y[t-2]", "x[t-2]"}]
    assert heard.about("y[t-1]", "y[t]") == [frozenset(level) for level in levels]
    assert learner.n_tests_ == len(heard.questions) == 3 * 4
    assert learner.p_values_[0].tolist() == [[1e-3, 1e-6]] * 2


@pytest.mark.parametrize(("most", "of_source"), [(0, set()), (1, {"y[t-2]"}), (None, {"y[t-2]", "x[t-2]"})])
def test_of_the_source_only_the_strongest_parents_are_given(most, of_source):
    heard = Heard({"y": 1e-6, "x": 1e-3})

    sl.PCMCI(test=heard, max_px=most).fit(TWO)

    assert heard.about("x[t-1]", "y[t]")[-1] == frozenset({"y[t-1]"} | of_source)


def test_what_is_independent_at_first_is_never_given():
    heard = Heard({"x": 1e-3, "z": 1e-4})  # y acts on nothing

    learner = sl.PCMCI(test=heard).fit(TABLE)

    assert {given for _, _, given in heard.questions if given & {"y[t-1]", "y[t-2]"}} == set()
    assert learner.candidate_parents_["y"] == ("z[t-1]", "x[t-1]")
    assert heard.about("y[t-1]", "x[t]") == [frozenset(), frozenset({"z[t-1]", "x[t-1]", "z[t-2]", "x[t-2]"})]
    assert {source for source, _ in learner.graph_.directed} == {"x[t-1]", "z[t-1]"}


def test_at_each_level_the_strongest_others_are_given_whatever_their_lag():
    heard = Heard({"x[t-2]": 1e-8, "x[t-1]": 1e-5, "y[t-2]": 1e-3})

    learner = sl.PCMCI(test=heard, lags=2).fit(TWO)

    assert learner.candidate_parents_["y"] == ("x[t-2]", "x[t-1]", "y[t-2]")
    asked = heard.about("y[t-2]", "y[t]")
    assert asked[:3] == [frozenset(), frozenset({"x[t-2]"}), frozenset({"x[t-2]", "x[t-1]"})]
    # The parents of y[t-2] are two steps earlier: x[t-4], x[t-3] and y[t-4].
    assert asked[3] == frozenset({"x[t-2]", "x[t-1]", "x[t-4]", "x[t-3]", "y[t-4]"})


@pytest.mark.parametrize(("correction", "by"), [("bh", "bh"), ("none", None)])
def test_p_values_are_corrected_over_all_links_at_all_lags(correction, by):
    raw = {"x[t-1]": 0.001, "x[t-3]": 0.02, "y[t-1]": 0.03, "y[t-3]": 0.3}

    learner = sl.PCMCI(test=Heard(raw), lags=[1, 3], correction=correction, alpha_pc=0.5).fit(TWO)

    plain = np.array([[[raw[f"{v}[t-{lag}]"] for v in "xy"]] * 2 for lag in (1, 3)])
    expected = plain if by is None else stats.false_discovery_control(plain.ravel(), method=by)
    expected = expected.reshape(2, 2, 2)
    assert learner.p_values_ == pytest.approx(expected)
    kept = {(f"{v}[t-{lag}]", f"{w}[t]") for v, lag in (("x", 1), ("x", 3), ("y", 1)) for w in "xy"}
    assert set(learner.graph_.directed) == kept
    assert learner.graph_.edge("x[t-3]", "y[t]").p_value == pytest.approx(expected[1, 1, 0])


def test_links_within_a_step_are_asked_given_neighbours_within_it_and_the_past_of_both():
    heard = Heard({"x[t]": 1e-3, "y[t]": 1e-3, "z[t]": 1e-3, "x[t-1]": 1e-4})

    learner = sl.PCMCI(test=heard, contemporaneous=True).fit(TABLE)

    past = {"x[t-1]"}  # at lag 0 both ends have the same past, that of x a step ago
    asked = {given for a, b, given in heard.questions if {a, b} == {"x[t]", "y[t]"}}
    assert asked == {frozenset(past), frozenset(past | {"z[t]"})}
    of_x = {frozenset({"x[t-2]"} | within) for within in (set(), {"y[t]"}, {"z[t]"}, {"y[t]", "z[t]"})}
    assert {given for given in heard.about("x[t-1]", "x[t]") if given} == of_x
    assert len(learner.graph_.undirected) == 3


def test_without_a_level_each_variable_has_the_candidates_with_most_aic():
    rng = np.random.default_rng(4)
    rows = rng.normal(size=(200, 4))
    rows[1:, 1] += 0.5 * rows[:-1, 0]
    rows[1:, 2] += 0.12 * rows[:-1, 3]
    table = {f"v{j}": rows[:, j] for j in range(4)}
    levels = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5)
    by_level = [sl.PCMCI(lags=2, alpha_pc=level).fit(table).candidate_parents_ for level in levels]
    lagged = {f"v{j}[t-{lag}]": rows[4 - lag : 200 - lag, j] for j in range(4) for lag in (1, 2)}

    def aic(target, parents):
        design = np.column_stack([np.ones(196), *(lagged[name] for name in parents)])
        y = rows[4:, int(target[1])]
        left = ((y - design @ np.linalg.lstsq(design, y)[0]) ** 2).sum()
        return -98 * np.log(left) - len(parents)

    found = sl.PCMCI(lags=2, alpha_pc=None).fit(table).candidate_parents_

    sizes = {len({each[name] for each in by_level}) for name in table}
    assert max(sizes) > 1  # the level matters
    for name in table:
        assert found[name] in {each[name] for each in by_level}
        assert aic(name, found[name]) == pytest.approx(max(aic(name, each[name]) for each in by_level))


def test_a_candidate_is_as_strong_as_the_weakest_answer_about_it():
    alone, with_others = {"x": 1e-8, "y": 1e-5, "z": 1e-3}, {"x": 1e-2, "y": 1e-5, "z": 1e-9}

    def answer(x, y, given):
        past = x if y.endswith("[t]") else y
        return (with_others if given else alone)[past[0]]

    found = sl.PCMCI(test=answer).fit(TABLE).candidate_parents_

    assert found == dict.fromkeys("xyz", ("y[t-1]", "z[t-1]", "x[t-1]"))


def test_pairs_within_a_step_are_conditioned_on_the_parents_of_both():
    heard = Heard({"y[t-1]": 1e-6, "x[t-1]": 1e-3})

    learner = sl.PCMCI(test=heard, correction="none", contemporaneous="undirected").fit(TWO)

    asked = [given for x, y, given in heard.questions if {x, y} == {"x[t]", "y[t]"}]
    assert asked == [frozenset({"x[t-1]", "y[t-1]"})]
    assert learner.p_values_.shape == (2, 2, 2)
    assert learner.p_values_[1].tolist() == [[1e-3, 1e-6]] * 2


def test_edges_within_a_step_have_a_direction_only_by_knowledge():
    rng = np.random.default_rng(0)
    x, y, z = rng.normal(size=(3, 500))
    table = {"x": x, "y": y + x, "z": z}

    def learned(**known):
        learner = sl.PCMCI(contemporaneous="undirected", alpha=0.01, knowledge=sl.Knowledge(**known))
        return learner.fit(table)

    free = learned()
    assert str(free.graph_).splitlines()[1:] == ["  x[t] — y[t]"]
    assert free.p_values_[0][0, 1] == free.p_values_[0][1, 0] < 1e-10
    assert str(learned(forbidden=[("x", "y")]).graph_).splitlines()[1:] == ["  y[t] → x[t]"]
    assert str(learned(tiers=[["x"], ["y", "z"]]).graph_).splitlines()[1:] == ["  x[t] → y[t]"]
    assert len(learned(forbidden=[("x", "y"), ("y", "x")]).graph_.edges) == 0
