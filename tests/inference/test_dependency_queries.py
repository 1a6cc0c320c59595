"""The joint distribution of a dependency network: by its sampler, and exactly."""

import itertools

import numpy as np
import pytest
from scipy.special import expit

import structlearn as sl
from structlearn.models import (
    AdditiveGaussianCPD,
    DependencyModel,
    LinearGaussianCPD,
    SigmoidCPD,
    TableCPD,
)
from tests.oracles.dependency_networks import ising, left_eigenvector, sweep_matrix

BITS = [0, 1]
PAIR = sl.Graph(["x1", "x2"], directed=[("x2", "x1")], kind="cyclic")
PAIR_CPDS = {
    "x1": TableCPD([[0.8, 0.2], [0.2, 0.8]], labels=BITS, parents=["x2"]),
    "x2": TableCPD([0.5, 0.5], labels=BITS),
}
TRIPLE = sl.Graph(list("123"), directed=["21", "31", "12", "23"], kind="cyclic")
TRIPLE_CPDS = {
    "1": SigmoidCPD(0.0, {"2": 0.5, "3": -0.3}, labels=BITS),
    "2": SigmoidCPD(-0.5, {"1": 1.0}, labels=BITS),
    "3": SigmoidCPD(-0.2, {"2": 0.8}, labels=BITS),
}
FIELDS, PULLS = (0.3, -0.2, 0.1), {(0, 1): 0.8, (1, 2): -0.5, (0, 2): 0.4}


def pair(order):
    return DependencyModel(PAIR, PAIR_CPDS, order=order)


def ring(order=None):
    """The conditionals of an Ising model on a ring of three, which agree."""
    arcs = list(itertools.permutations("abc", 2))
    cpds = {}
    for i, name in enumerate("abc"):
        others = {k: w for pull, w in PULLS.items() for k in pull if i in pull and k != i}
        cpds[name] = SigmoidCPD(FIELDS[i], {"abc"[k]: others[k] for k in sorted(others)}, labels=BITS)
    return DependencyModel(sl.Graph("abc", directed=arcs, kind="cyclic"), cpds, order=order)


ORDERS = [(["x1", "x2"], [0.25, 0.25, 0.25, 0.25]), (["x2", "x1"], [0.4, 0.1, 0.1, 0.4])]


@pytest.mark.parametrize(("order", "joint"), ORDERS)
def test_two_nodes_that_disagree_have_a_joint_that_depends_on_the_order(order, joint):
    model = pair(order)

    exact = model.query(["x1", "x2"], method="exact")
    drawn = model.query(["x1", "x2"], random_state=0)

    np.testing.assert_allclose(exact.probabilities.ravel(), joint, atol=1e-12)
    assert exact.order == drawn.order == model.order == tuple(order)
    assert (np.abs(drawn.probabilities.ravel() - joint) < 4 * drawn.error.ravel()).all()
    assert drawn.error.max() < 0.01


@pytest.mark.parametrize(
    ("order", "marginals", "all_on"),
    [
        ("123", [0.5216056272, 0.5052916213, 0.5489456151], 0.2096305853),
        ("321", [0.5215171382, 0.5052699487, 0.5489413783], 0.1533135058),
        ("213", None, 0.1899904616),
    ],
)
def test_three_nodes_have_the_published_joints_in_each_order(order, marginals, all_on):
    # docs/references/dependency-networks.md#joints-that-depend-on-the-order
    model = DependencyModel(TRIPLE, TRIPLE_CPDS, order=order)

    assert model.query(list("123"), method="exact").probabilities[1, 1, 1] == pytest.approx(all_on, abs=1e-10)
    for name, share in zip("123", marginals or [], strict=False):
        exact, drawn = (model.query(name, method=m, **o) for m, o in (("exact", {}), ("gibbs", SEED)))
        assert exact[1] == pytest.approx(share, abs=1e-10)
        assert abs(drawn[1] - share) < 4 * drawn.error[1]


SEED = {"random_state": 1}


@pytest.mark.parametrize("order", ["123", "231"])
def test_the_exact_joint_is_the_left_eigenvector_of_the_product_of_transitions(order):
    formulas = [
        lambda s: [1 - expit(0.5 * s[1] - 0.3 * s[2]), expit(0.5 * s[1] - 0.3 * s[2])],
        lambda s: [1 - expit(s[0] - 0.5), expit(s[0] - 0.5)],
        lambda s: [1 - expit(0.8 * s[1] - 0.2), expit(0.8 * s[1] - 0.2)],
    ]
    _, matrix = sweep_matrix((2, 2, 2), formulas, [int(name) - 1 for name in order])

    found = DependencyModel(TRIPLE, TRIPLE_CPDS, order=order).query(list("123"), method="exact")

    np.testing.assert_allclose(found.probabilities.ravel(), left_eigenvector(matrix), atol=1e-12)


@pytest.mark.parametrize("order", list(map("".join, itertools.permutations("abc"))))
def test_conditionals_of_one_joint_give_it_in_every_order(order):
    model, joint = ring(order), ising(FIELDS, PULLS)

    np.testing.assert_allclose(
        model.query(list("abc"), method="exact").probabilities, joint, rtol=0, atol=1e-10
    )
    assert model.consistency().total == pytest.approx(0.0, abs=1e-12)
    conditional = joint[:, 1, :] / joint[:, 1, :].sum()
    np.testing.assert_allclose(
        model.query(["c", "a"], {"b": 1}, method="exact").probabilities, conditional.T, atol=1e-10
    )


def test_names_one_after_the_other_have_the_joint_where_the_conditionals_agree():
    model, joint = ring(), ising(FIELDS, PULLS)

    answer = model.query(["b", "c", "a"], method="factored", random_state=0)

    assert (np.abs(answer.probabilities - joint.transpose(1, 2, 0)) < 4 * answer.error + 1e-12).all()
    assert 0 < answer.error.max() < 0.01


def test_one_after_the_other_does_not_mind_the_order_of_the_sampler():
    # p(x2) · p(x1 | x2), both read off: the query of Heckerman et al. needs no chain here.
    for order, _ in ORDERS:
        answer = pair(order).query(["x1", "x2"], method="factored")
        np.testing.assert_allclose(answer.probabilities, [[0.4, 0.1], [0.1, 0.4]], atol=1e-12)
        assert not answer.error.any()
        assert answer.order == ()


def test_evidence_that_covers_the_parents_needs_no_chain():
    answer = ring().query("a", {"b": 1, "c": 0}, sweeps=4)

    assert answer.method == "direct"
    assert answer.order == ()
    assert answer[1] == pytest.approx(expit(0.3 + 0.8), abs=1e-12)
    assert not answer.error.any()


def test_what_is_known_has_its_state_for_sure():
    answer = ring().query(["b", "a"], {"b": 1}, random_state=0)

    assert answer.probabilities[0].tolist() == [0.0, 0.0]
    assert answer.probabilities[1].sum() == pytest.approx(1.0)


def test_chains_go_on_until_the_error_is_as_small_as_asked_for():
    short = ring().query("a", chains=8, sweeps=50, random_state=0)
    long = ring().query("a", chains=8, sweeps=50, error=0.002, random_state=0)

    assert short.error.max() > 0.002 >= long.error.max()
    assert long.n_sweeps > short.n_sweeps == 50
    with pytest.warns(sl.DataWarning, match="still above 1e-09"):
        ring().query("a", chains=2, sweeps=4, burn_in=0, error=1e-9, random_state=0)


def test_only_what_the_names_depend_on_is_drawn():
    answer = DependencyModel(TRIPLE, TRIPLE_CPDS).query("3", {"2": 1, "1": 0})
    assert answer.order == ()
    graph = sl.Graph("abc", directed=["ab", "bc"], kind="cyclic")
    table = TableCPD([[0.9, 0.1], [0.2, 0.8]], labels=BITS, parents=["a"])
    cpds = {"a": TableCPD([0.3, 0.7], labels=BITS), "b": table}
    cpds["c"] = TableCPD([[0.9, 0.1], [0.2, 0.8]], labels=BITS, parents=["b"])

    assert DependencyModel(graph, cpds).query("b", random_state=0, sweeps=8).order == ("a", "b")


def test_a_large_network_is_refused_by_the_exact_method_and_its_size_named():
    names = [f"n{i:02}" for i in range(13)]
    arcs = list(itertools.pairwise(names))
    flip = [[0.9, 0.1], [0.2, 0.8]]
    cpds = {b: TableCPD(flip, labels=BITS, parents=[a]) for a, b in arcs}
    cpds[names[0]] = TableCPD([0.5, 0.5], labels=BITS)
    model = DependencyModel(sl.Graph(names, directed=arcs, kind="cyclic"), cpds)

    with pytest.raises(sl.DataError, match=r"up to 4,096 joint states.*13 nodes with 8,192"):
        model.query(names[-1], method="exact")
    # Given the third, the rest is small; p(n04 = 1 | n02 = 1) = 0.8² + 0.2 · 0.1.
    assert model.query("n04", {"n02": 1}, method="exact")[1] == pytest.approx(0.66, abs=1e-12)


def test_zeros_are_warned_of_and_refused_where_the_end_depends_on_the_start():
    graph = sl.Graph("ab", directed=["ab", "ba"], kind="cyclic")
    copies = {
        "a": TableCPD(np.eye(2), labels=BITS, parents=["b"]),
        "b": TableCPD(np.eye(2), labels=BITS, parents=["a"]),
    }
    model = DependencyModel(graph, copies)

    with pytest.raises(sl.DataError, match="several distributions to end in"):
        model.query(["a", "b"], method="exact")
    with (
        pytest.warns(sl.DataWarning, match="a probability of 'a' is zero"),
        pytest.warns(sl.DataWarning, match="the chains disagree"),
    ):
        model.query(["a", "b"], sweeps=20, random_state=0)
    with pytest.warns(sl.DataWarning, match="a probability of 'a' is zero"):
        model.sample(5, random_state=0)
    # One state that is left for good and one that is not: there is a single end, without that state.
    copies["b"] = TableCPD([[1.0, 0.0], [0.5, 0.5]], labels=BITS, parents=["a"])
    ended = DependencyModel(graph, copies).query(["a", "b"], method="exact")
    np.testing.assert_allclose(ended.probabilities, [[1.0, 0.0], [0.0, 0.0]], atol=1e-12)


def test_rows_are_drawn_from_the_joint():
    rows = ring().sample(20_000, random_state=0).to_dict()

    found = np.zeros((2, 2, 2))
    np.add.at(found, tuple(rows[name] for name in "abc"), 1 / 20_000)

    joint = ising(FIELDS, PULLS)
    assert (np.abs(found - joint) < 4.5 * np.sqrt(joint * (1 - joint) / 20_000)).all()


def normals():
    """The two conditionals of a normal pair with correlation 0.6, means 5 and −100, deviations 1 and 10."""
    graph = sl.Graph("xy", directed=["xy", "yx"], kind="cyclic")
    cpds = {
        "x": LinearGaussianCPD(5.0 + 0.06 * 100, {"y": 0.06}, variance=0.64),
        "y": LinearGaussianCPD(-100.0 - 6.0 * 5, {"x": 6.0}, variance=64.0),
    }
    return DependencyModel(graph, cpds, starts={"x": (5.0, 1.0), "y": (-100.0, 10.0)})


def test_means_of_continuous_nodes_have_error_bars():
    answer = normals().query(["x", "y"], random_state=0)

    assert (np.abs(answer.mean - [5.0, -100.0]) < 4 * answer.standard_error).all()
    np.testing.assert_allclose(answer.covariance, [[1.0, 6.0], [6.0, 100.0]], rtol=0.08)
    direct = normals().query("y", {"x": 6.0})
    assert direct.method == "direct"
    assert direct.mean[0] == pytest.approx(-94.0)
    assert direct.covariance[0, 0] == pytest.approx(64.0)


def test_states_and_measurements_are_asked_for_together():
    graph = sl.Graph("sx", directed=["sx"], kind="cyclic")
    cpds = {"s": TableCPD([0.25, 0.75], labels=["lo", "hi"])}
    cpds["x"] = AdditiveGaussianCPD(1.0, {}, shifts={"s": [0.0, 2.0]}, variance=0.5)
    model = DependencyModel(graph, cpds, order="sx")

    answer = model.query(["s", "x"], random_state=0)

    assert abs(answer.mean[0] - 2.5) < 4 * answer.standard_error[0]
    assert answer.discrete["hi"] == pytest.approx(0.75)
    both = model.query(["s", "x"], {"s": "hi"}, random_state=0)
    assert abs(both.mean[0] - 3.0) < 4 * both.standard_error[0]


def test_consistency_is_the_divergence_of_one_more_draw():
    # π is uniform; after a draw of x1 the pair is (.4, .1, .1, .4): the mean of log(.25/.4) and log(.25/.1).
    found = pair(["x1", "x2"]).consistency()
    by_hand = 0.5 * np.log(0.25 / 0.4) + 0.5 * np.log(0.25 / 0.1)

    assert found.method == "exact"
    assert found.by_node["x1"] == pytest.approx(by_hand, abs=1e-12)
    assert found.by_node["x2"] == pytest.approx(0.0, abs=1e-12)
    assert found.worst == "x1"
    # Two nodes are one pair, so that rows of the sampler see all of it.
    assert pair(["x1", "x2"]).consistency("pairs").total == pytest.approx(by_hand, abs=0.03)
    assert ring().consistency("pairs").total < 0.001


def test_items_are_ranked_by_how_probable_they_are():
    model, joint = ring(), ising(FIELDS, PULLS)
    given = joint[1] / joint[1].sum()

    first, second = model.recommend({"a": 1, "b": None, "c": float("nan")}, random_state=0)

    shares = {"b": given[1].sum(), "c": given[:, 1].sum()}
    assert [first.name, second.name] == sorted(shares, key=lambda name: -shares[name])
    for item in (first, second):
        assert item.state == 1
        assert abs(item.probability - shares[item.name]) < 4 * item.error
    off = model.recommend({"a": 1}, 1, state=0, random_state=0)
    assert [item.name for item in off] == [second.name]


def test_items_that_were_not_taken_are_asked_for_given_all_others():
    (item,) = ring().recommend({"a": 0, "b": 1, "c": 1}, absent=0)

    assert item.name == "a"
    assert item.probability == pytest.approx(expit(0.3 + 0.8 + 0.4), abs=1e-12)
    assert item.error == 0.0


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda m: m.query("z"), "no node 'z'"),
        (lambda m: m.query(["a", "a"]), "different names"),
        (lambda m: m.query([]), "different names"),
        (lambda m: m.query("a", {"b": 7}), "'b' has no state 7"),
        (lambda m: m.query("a", {"b": {0: 0.5, 1: 0.5}}), "one state of 'b'"),
        (lambda m: m.query("a", ["b"]), "mapping of names"),
        (lambda m: m.recommend({"z": 1}), "no node 'z'"),
        (lambda m: m.recommend([1]), "as a mapping"),
        (lambda m: m.recommend({"a": 1}, absent="never"), "no item has this state"),
        (lambda m: m.recommend({"a": 1}, state="much"), "no state 'much'"),
        (lambda _: normals().query("x", {"y": "tall"}), "finite number, not 'tall'"),
        (lambda _: normals().query("x", method="exact"), "'x' is continuous"),
        (lambda _: normals().query("x", method="factored"), "discrete names"),
        (lambda _: normals().consistency(), "discrete nodes"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_words(ask, said):
    with pytest.raises(sl.DataError, match=said):
        ask(ring())


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda m: m.query("a", method="loopy"), "'gibbs', 'factored', 'exact'"),
        (lambda m: m.query("a", method="exact", sweeps=5), "'exact' has no option 'sweeps'"),
        (lambda m: m.query("a", colour=1), "no option 'colour'"),
        (lambda m: m.query("a", sweeps=1), "sweeps is how often"),
        (lambda m: m.recommend({"a": 1}, 0), "n is how many"),
        (lambda m: m.sample(0), "n is the number of rows"),
        (lambda m: m.consistency("triples"), "'exact', 'pairs' or None"),
        (lambda m: m.consistency(n=0), r"consistency\(n=0\): n is the number of rows"),
        (lambda m: m.consistency(sweeps="many"), "sweeps is how often"),
        (lambda m: m.consistency(random_state="today"), "consistency.*random_state"),
    ],
)
def test_options_that_are_none_are_refused_in_words(ask, said):
    with pytest.raises(sl.OptionError, match=said):
        ask(ring())


def test_too_many_runs_one_after_the_other_are_refused():
    names = [f"n{i}" for i in range(20)]
    ends = list(zip(names, names[1:] + names[:1], strict=True))
    flip = [[0.9, 0.1], [0.2, 0.8]]
    cpds = {b: TableCPD(flip, labels=BITS, parents=[a]) for a, b in ends}
    model = DependencyModel(sl.Graph(names, directed=ends, kind="cyclic"), cpds)

    with pytest.raises(sl.DataError, match="runs of the sampler"):
        model.query(names[::2], method="factored", sweeps=4)
