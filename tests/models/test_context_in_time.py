"""What never changes within a series is drawn once: beside the list of all courses, and joint normals."""

from itertools import product

import numpy as np
import pytest

import structlearn as sl
from structlearn.graphs.lags import lag_facts, slice_name
from structlearn.models import LinearGaussianCPD, TableCPD
from structlearn.models.dynamic_model import DynamicModel

# y follows from the context c, said to act at two lags, and from itself; first steps of both have c too.
ARCS = [("c[t]", "y[t]"), ("c[t-2]", "y[t]"), ("y[t-1]", "y[t]")]
FIRST = [("c[0]", "y[0]"), ("c[0]", "y[1]"), ("y[0]", "y[1]")]


def treated(*, normal, seed=0):
    rng = np.random.default_rng(seed)
    facts = lag_facts("cy", (0, 1, 2))

    def cpd(parents):
        if normal:
            weights = {parent: rng.normal() for parent in parents}
            return LinearGaussianCPD(rng.normal(), weights, variance=rng.uniform(0.5, 2.0))
        return TableCPD(
            rng.dirichlet([1.0, 1.0], size=(2,) * len(parents)), labels=["no", "yes"], parents=parents
        )

    def network(graph):
        return sl.BayesianNetwork(graph, {node: cpd(graph.parents(node)) for node in graph.nodes})

    transition = network(sl.Graph(facts, directed=ARCS, facts=facts))
    return DynamicModel(transition, network(sl.Graph(["c[0]", "y[0]", "y[1]"], directed=FIRST)), ["c"])


def families(model, n_steps):
    """Of c and each y its distribution, and where the parents stand: c is 0, y of a step is one more."""
    now, place = model.transition.cpds["y[t]"], {"c[t]": lambda _: 0, "c[t-2]": lambda _: 0, "y[t-1]": int}
    at = {"c[0]": 0, "y[0]": 1, "y[1]": 2}
    for name, own in at.items():
        cpd = model.initial.cpds[name]
        yield own, cpd, [at[parent] for parent in cpd.parents]
    for step in range(2, n_steps):
        yield step + 1, now, [place[parent](step) for parent in now.parents]


def by_courses(model, seen, n_steps):
    """The probability of what was seen, and of "yes" for c and each y given it, from all courses."""
    total, yes = 0.0, np.zeros(n_steps + 1)
    for course in product((0, 1), repeat=n_steps + 1):
        if all(course[at] == value for at, value in seen.items()):
            weight = np.prod(
                [
                    cpd.probabilities[(*(course[p] for p in parents), course[own])]
                    for own, cpd, parents in families(model, n_steps)
                ]
            )
            total, yes = total + weight, yes + weight * np.array(course)
    return np.log(total), yes / total, None


def by_joint_normal(model, seen, n_steps):
    """The log density of what was seen, and the means and variances given it, from the joint distribution."""
    mean, root = np.zeros(n_steps + 1), np.zeros((n_steps + 1, n_steps + 1))
    for own, cpd, parents in families(model, n_steps):
        weights = np.array(list(cpd.coefficients.values()))
        mean[own] = cpd.intercept + weights @ mean[parents]
        root[own] = weights @ root[parents]
        root[own, own] = np.sqrt(cpd.variance)
    covariance, at = root @ root.T, list(seen)
    error = np.array(list(seen.values())) - mean[at]
    gain = np.linalg.solve(covariance[np.ix_(at, at)], covariance[at]).T
    density = -0.5 * (
        error @ np.linalg.solve(covariance[np.ix_(at, at)], error)
        + np.linalg.slogdet(2 * np.pi * covariance[np.ix_(at, at)])[1]
    )
    return density, mean + gain @ error, np.diag(covariance - gain @ covariance[at])


SEEN = {  # of c, of y
    "nothing of it": ([None] * 5, [1, None, 0, None, 1]),
    "at the first step": ([1, None, None, None, None], [1, None, 0, None, 1]),
    "at all steps": ([0] * 5, [1, None, 0, None, 1]),
    "at a later step": ([None, None, None, 1, None], [1, None, 0, None, 1]),
    "and nothing else": ([None, 1, None, None, None], [None] * 5),
}


@pytest.mark.parametrize("normal", [False, True], ids=["states", "numbers"])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("c", "y"), SEEN.values(), ids=SEEN.keys())
def test_what_stays_is_drawn_once(normal, seed, c, y):
    model, n = treated(normal=normal, seed=seed), len(c)
    said = {"c": c, "y": y} if normal else {v: [_word(x) for x in seen] for v, seen in (("c", c), ("y", y))}
    exact = by_joint_normal if normal else by_courses
    filtered, smooth, later = model.filter(said), model.smooth(said), model.forecast(said, 2)

    def known(until):
        first = [value for value in c[:until] if value is not None][:1]
        return dict.fromkeys([0][: len(first)], *first or [0]) | {
            step + 1: value for step, value in enumerate(y[:until]) if value is not None
        }

    def agree(course, step, at_step, until):
        _, means, variances = exact(model, known(until), max(n, at_step + 1, 2))
        for variable, place in (("c", 0), ("y", at_step + 1)):
            if normal:
                assert course.means[variable][step] == pytest.approx(means[place], abs=1e-10)
                assert course.variances[variable][step] == pytest.approx(variances[place], abs=1e-10)
            else:
                assert course.probabilities[variable][step, 1] == pytest.approx(means[place], abs=1e-10)

    whole = exact(model, known(n), n)[0]
    assert filtered.log_likelihood == pytest.approx(whole, abs=1e-10)
    assert smooth.log_likelihood == pytest.approx(whole, abs=1e-10)
    for step in range(n):
        if known(step + 1):
            agree(filtered, step, step, step + 1)
        agree(smooth, step, step, n)
    for step in range(2):
        agree(later, step, n + step, n)
    evidence = {slice_name(*(("c", 0) if at == 0 else ("y", at - 1))): v for at, v in known(n).items()}
    unrolled = model.unrolled(n)
    assert set(unrolled.nodes) == {"c[0]", *(f"y[{step}]" for step in range(n))}
    if not normal:
        evidence = {name: _word(value) for name, value in evidence.items()}
    assert unrolled.log_evidence(evidence) == pytest.approx(whole, abs=1e-10)


def _word(value):
    return None if value is None else ["no", "yes"][value]


@pytest.mark.parametrize("normal", [False, True], ids=["states", "numbers"])
def test_what_stays_and_was_seen_to_change_is_refused(normal):
    seen = [None, 1.5, 2.5] if normal else [None, "no", "yes"]

    for ask in (treated(normal=normal).filter, treated(normal=normal).smooth):
        with pytest.raises(sl.DataError, match=r"evidence\['c'\]: it never changes within a series, and"):
            ask({"c": seen})


def many_series(kind, n_series, n_steps=8):
    """An arm that stays, and y with a level of its own in each; mixed, of states and numbers."""
    rng = np.random.default_rng(0)
    arm = np.repeat(rng.permutation(np.arange(n_series) % 2), n_steps)
    y = 3.0 * arm + rng.normal(size=n_series * n_steps)
    return {
        "id": np.repeat(np.arange(n_series), n_steps),
        "arm": arm + 0.5 if kind == "continuous" else np.array(["a", "b"])[arm],
        "y": np.where(y > 1.5, "high", "low") if kind == "discrete" else y,
    }


@pytest.mark.parametrize("n_series", [8, 30])  # too few to learn how series begin, and enough
@pytest.mark.parametrize("lags", [1, 2])
@pytest.mark.parametrize("kind", ["discrete", "continuous", "mixed"])
@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
def test_a_learned_model_keeps_the_arm_of_a_series(kind, lags, n_series):
    table = many_series(kind, n_series)
    learner = sl.DynamicNetwork(series="id", lags=lags, no_own_past=True).fit(table)

    model = learner.model(table)

    arm = 1.5 if kind == "continuous" else "b"
    of_b = table["arm"] == arm
    later = model.forecast({"arm": [arm] * 2, "y": [table["y"][of_b][0], None]}, 6)
    blind = model.forecast({"y": [*table["y"][of_b][:4]]}, 6)  # from its y the arm is known
    for course in (later, blind):
        if kind == "continuous":
            assert course.variances["arm"] == pytest.approx(np.full(6, course.variances["arm"][0]))
            assert course.means["arm"] == pytest.approx(np.full(6, 1.5), abs=0.3)
        else:
            assert course.probabilities["arm"] == pytest.approx(np.tile([0.0, 1.0], (6, 1)), abs=0.05)
        if kind == "discrete":
            high = (table["y"][of_b] == "high").mean()
            assert course.probabilities["y"][:, 0] == pytest.approx(np.full(6, high), abs=0.05)
        else:
            assert course.means["y"] == pytest.approx(np.full(6, table["y"][of_b].mean()), abs=0.5)


def test_a_model_of_its_own_at_each_step_has_one_arm_for_all():
    table = many_series("discrete", 30)
    model = sl.DynamicNetwork(series="id").fit(table).model_by_step(table, 3)

    assert set(model.nodes) == {"arm[0]", "y[0]", "y[1]", "y[2]"}
    third = np.arange(240) % 8 == 2
    share = (table["y"][third & (table["arm"] == "b")] == "high").mean()
    assert model.query("y[2]", {"arm[0]": "b"}).probabilities[0] == pytest.approx(share)
