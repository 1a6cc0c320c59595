"""Dependency networks: the distribution of each column given the others."""

import itertools

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import gammaln
from sklearn.linear_model import LinearRegression

import structlearn as sl
from structlearn.learners.regression.nodewise import penalty_search
from structlearn.models import SoftmaxCPD, Split
from tests.oracles.dependency_networks import ising, tree_of


def chain(n_rows, seed, n_columns=6, flip=0.15):
    """Binary columns, each the one before it but for some flips."""
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, 2, n_rows)]
    for _ in range(n_columns - 1):
        columns.append(columns[-1] ^ (rng.random(n_rows) < flip))
    return {f"x{j}": column for j, column in enumerate(columns)}


def neighbors_of_chain(n_columns=6):
    pairs = [(f"x{j}", f"x{j + 1}") for j in range(n_columns - 1)]
    return {*pairs, *((b, a) for a, b in pairs)}


def plain(tree, names):
    """A tree of the model as the oracle writes it."""
    if not isinstance(tree, Split):
        return list(tree)
    return (names.index(tree.parent), tree.at, *(plain(branch, names) for branch in tree.branches))


def states(seed, n_rows=120):
    """Columns of two and three states that depend on each other."""
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 3, n_rows)
    b = np.where(rng.random(n_rows) < 0.7, a, rng.integers(0, 3, n_rows))
    c = (a == 1) ^ (rng.random(n_rows) < 0.2)
    d = np.where(rng.random(n_rows) < 0.6, (b > 0) & c, rng.random(n_rows) < 0.5)
    return {"a": a, "b": b, "c": c.astype(int), "d": d.astype(int)}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("kappa", "prior_rows"), [(0.01, 1.0), (0.5, 0.5)])
def test_trees_are_those_that_grow_by_the_definition(seed, kappa, prior_rows):
    table = states(seed)
    rows = list(zip(*(column.tolist() for column in table.values()), strict=True))
    levels = (3, 3, 2, 2)

    learner = sl.DependencyNetwork(kappa=kappa, prior_rows=prior_rows, min_rows=1).fit(table)

    for child, name in enumerate(table):
        tree, gains = tree_of(rows, child, levels, kappa, prior_rows)
        found = learner.model_.cpds[name]
        assert plain_shape(plain(found.tree, list(table))) == plain_shape(tree)
        np.testing.assert_allclose(leaves(plain(found.tree, list(table))), leaves(tree))
        strengths = {list(table).index(p): learner.evidence_[p, name].score_gain for p in found.parents}
        assert strengths == pytest.approx(gains)


def plain_shape(tree):
    return None if isinstance(tree, list) else (tree[0], tree[1], *map(plain_shape, tree[2:]))


def leaves(tree):
    return tree if isinstance(tree, list) else [x for branch in tree[2:] for x in leaves(branch)]


def test_greedy_growth_keeps_one_leaf_where_no_single_test_pays():
    # The worked example of tree distributions: with kappa = 0.01 one leaf scores -69.112279 and the
    # best test -69.297960, although two tests together would have -66.408421.
    counts = {(0, 0): (18, 6), (0, 1): (17, 7), (1, 0): (5, 19), (1, 1): (22, 2)}
    rows = [(a, b, y) for (a, b), both in counts.items() for y, n in enumerate(both) for _ in range(n)]
    table = dict(zip("aby", np.array(rows).T, strict=True))
    forbidden = sl.Knowledge(forbidden=[("y", "a"), ("y", "b"), ("a", "b"), ("b", "a")])

    learner = sl.DependencyNetwork(knowledge=forbidden).fit(table)

    assert learner.graph_.directed == ()
    assert learner.scores_[2] == pytest.approx(-69.112279, abs=1e-6)
    split = sl.DependencyNetwork(knowledge=sl.Knowledge(required=[("b", "y")])).fit(table)
    assert ("b", "y") in split.graph_.directed
    assert split.scores_[2] == pytest.approx(-69.297960, abs=1e-6)
    assert split.evidence_["b", "y"].score_gain == pytest.approx(-69.297960 + 69.112279, abs=1e-6)


def recall_and_false_parents(n_rows, n_seeds, learner):
    true, found = neighbors_of_chain(), []
    for seed in range(n_seeds):
        arcs = set(sl.DependencyNetwork(learner=learner).fit(chain(n_rows, seed)).graph_.directed)
        found.append((len(arcs & true) / len(true), len(arcs - true)))
    return np.mean(found, axis=0)


def test_a_chain_of_binary_columns_is_found():
    recall, false = recall_and_false_parents(500, 3, "tree")

    assert recall == 1.0
    assert false <= 0.1


@pytest.mark.slow
@pytest.mark.parametrize("n_rows", [200, 500])
@pytest.mark.parametrize("learner", ["tree", "l1"])
def test_chains_of_binary_columns_are_found_over_many_seeds(n_rows, learner):
    recall, false = recall_and_false_parents(n_rows, 20, learner)

    # docs/references/dependency-networks.md#how-often-a-chain-is-found
    assert recall == 1.0
    assert false <= 0.1 if learner == "tree" else false <= 1.0


@pytest.mark.parametrize("learner", ["tree", "l1"])
def test_columns_in_another_order_give_the_same_network(learner):
    table = states(0)

    one, other = (
        sl.DependencyNetwork(learner=learner).fit(dict(items))
        for items in (table.items(), reversed(table.items()))
    )

    assert one.graph_ == other.graph_
    assert one.evidence_ == other.evidence_
    assert one.conditionals_ == other.conditionals_
    place = [list(other.graph_.nodes).index(name) for name in table]
    np.testing.assert_array_equal(one.strength_, other.strength_[np.ix_(place, place)])


@pytest.mark.parametrize("learner", ["tree", "l1"])
def test_every_distribution_sums_to_one_and_is_positive(learner):
    table = states(1)

    shares = sl.DependencyNetwork(learner=learner).fit(table).model_.predict_proba(table)

    for name, levels in zip("abcd", (3, 3, 2, 2), strict=True):
        assert shares[name].shape == (120, levels)
        np.testing.assert_allclose(shares[name].sum(axis=1), 1.0)
        assert (shares[name] > 0).all()


def test_a_copy_is_explained_by_one_test_of_the_other_and_a_constant_by_nothing():
    rng = np.random.default_rng(0)
    first = rng.integers(0, 2, 300)
    table = {"a": first, "b": first, "c": rng.integers(0, 2, 300), "k": np.zeros(300, dtype=int)}

    with pytest.warns(sl.DataWarning):
        learner = sl.DependencyNetwork().fit(table)

    assert set(learner.graph_.directed) == {("a", "b"), ("b", "a")}
    assert learner.model_.cpds["a"].n_leaves == 2
    assert learner.model_.cpds["k"].n_leaves == 1


def test_one_column_has_its_own_distribution():
    model = sl.DependencyNetwork().fit({"a": ["x", "x", "y"] * 4}).model_

    assert model.query("a").to_dict() == pytest.approx({"x": 9 / 14, "y": 5 / 14})


@pytest.mark.parametrize("constant", [["x"] * 12, [3.5] * 12])
@pytest.mark.parametrize("other", [list("uv") * 6, list("uvw") * 4, [0.5, 1.5, -2.0] * 4])
@pytest.mark.filterwarnings("ignore:.*single value:structlearn.DataWarning")
def test_regressions_beside_a_constant_warn_of_nothing_else(constant, other):
    found = sl.DependencyNetwork(learner="l1").fit({"a": constant, "b": other})

    assert found.graph_.edges == ()
    assert set(found.model_.predict({"b": other}, "a")["a"].tolist()) == {constant[0]}


def test_a_constant_measurement_stays_what_it_is():
    rng = np.random.default_rng(0)
    with pytest.warns(sl.DataWarning, match="single value"):
        model = sl.DependencyNetwork().fit({"x": rng.normal(size=50), "k": np.full(50, 2.5)}).model_

    assert model.predict({"x": [0.0]}, "k")["k"].tolist() == [2.5]


def test_trees_of_measurements_find_the_threshold_and_what_it_parts():
    rng = np.random.default_rng(0)
    x = rng.uniform(-1, 1, 400)
    y = np.where(x > 0.25, 3.0, -1.0) + 0.1 * rng.normal(size=400)

    cpd = sl.DependencyNetwork().fit({"x": x, "y": y}).model_.cpds["y"]

    assert cpd.n_leaves == 2
    assert cpd.tree.at == pytest.approx(0.25, abs=0.02)
    for leaf, part in zip(range(2), (x <= cpd.tree.at, x > cpd.tree.at), strict=True):
        assert cpd.means[leaf] == pytest.approx(y[part].mean())
        assert cpd.variances[leaf] == pytest.approx(y[part].var())


def test_the_strength_of_a_threshold_is_what_bic_gains_less_its_prices():
    rng = np.random.default_rng(1)
    x, n = rng.uniform(-1, 1, 200), 200
    y = np.where(x > 0.25, 3.0, -1.0) + 0.5 * rng.normal(size=n)

    learner = sl.DependencyNetwork(max_depth=1).fit({"x": x, "y": y})

    cut = learner.model_.cpds["y"].tree.at
    parts = y[x <= cut], y[x > cut]
    likelihood = sum(-0.5 * len(part) * np.log(part.var()) for part in parts) + 0.5 * n * np.log(y.var())
    price = 2 * (0.5 * np.log(n) - np.log(0.01)) + np.log(n - 1)
    assert learner.evidence_["x", "y"].score_gain == pytest.approx(likelihood - price)


def test_regressions_have_the_coefficients_of_scikit_learn_and_strengths_by_likelihood():
    rng = np.random.default_rng(0)
    a, b, noise = rng.normal(size=(3, 500))
    table = {"a": 10 + a, "b": b, "c": 3 + 2 * a - b + noise, "d": rng.normal(size=500)}

    learner = sl.DependencyNetwork(learner="l1").fit(table)

    cpd = learner.model_.cpds["c"]
    x = np.column_stack([table["a"], table["b"]])
    line = LinearRegression().fit(x, table["c"])
    assert list(cpd.coefficients.values()) == pytest.approx(line.coef_.tolist())
    assert cpd.intercept == pytest.approx(line.intercept_)
    left = table["c"] - line.predict(x)
    assert cpd.variance == pytest.approx(left.var())
    alone = table["c"] - LinearRegression().fit(x[:, :1], table["c"]).predict(x[:, :1])
    gain = 0.5 * 500 * np.log(alone.var() / left.var())
    assert learner.evidence_["b", "c"].score_gain == pytest.approx(gain)


def test_logistic_regressions_maximise_the_likelihood_but_for_a_row():
    table = chain(400, 0, n_columns=3)

    cpd = sl.DependencyNetwork(learner="l1").fit(table).model_.cpds["x1"]

    x, y = np.column_stack([table["x0"], table["x2"]]), table["x1"]

    def objective(w):
        linear = w[0] + x @ w[1:]
        middle = w[0] + x.mean(axis=0) @ w[1:]
        loss = (np.logaddexp(0, linear) - y * linear).sum() + np.logaddexp(0, middle) - 0.5 * middle
        # The weights of two states are half of the difference each, and their norm is √½ of it.
        return loss + (401 / 400) * np.sqrt(0.5) * np.abs(w[1:]).sum()

    best = minimize(objective, np.zeros(3), method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12})
    found = [cpd.intercepts[1], *(float(cpd.weights[name][0, 1]) for name in ("x0", "x2"))]
    assert isinstance(cpd, SoftmaxCPD)
    assert found == pytest.approx(best.x.tolist(), abs=1e-4)


def test_separated_states_have_finite_weights():
    first = np.repeat([0, 1], 100)

    with pytest.warns(sl.DataWarning, match="say the same"):
        model = sl.DependencyNetwork(learner="l1", penalty=0.01).fit({"a": first, "b": first}).model_

    assert 0.95 < model.predict_proba({"b": [1]}, "a")["a"][0, 1] < 1.0


@pytest.mark.parametrize("learner", ["tree", "l1"])
def test_knowledge_and_the_most_parents_are_honoured(learner):
    table = chain(500, 3)
    knowledge = sl.Knowledge(required=[("x5", "x0")], forbidden=[("x1", "x2")])

    arcs = set(sl.DependencyNetwork(learner=learner, knowledge=knowledge).fit(table).graph_.directed)
    few = sl.DependencyNetwork(learner=learner, max_parents=1, knowledge=knowledge).fit(table).graph_

    assert ("x5", "x0") in arcs
    assert ("x1", "x2") not in arcs
    assert {("x3", "x2"), ("x2", "x1"), ("x2", "x3")} <= arcs
    assert max(len(few.parents(name)) for name in few.nodes) == 1
    assert few.parents("x0") == ("x5",)


def test_the_strongest_parents_stay_where_few_are_allowed():
    rng = np.random.default_rng(0)
    a, b, c = (rng.random((3, 1000)) < 0.5).astype(int)
    y = (rng.random(1000) < 0.1 + 0.35 * a + 0.3 * b + 0.2 * c).astype(int)
    table = {"a": a, "b": b, "c": c, "y": y}

    every = sl.DependencyNetwork().fit(table).graph_
    few = sl.DependencyNetwork(max_parents=2).fit(table).graph_

    assert set(every.parents("y")) == {"a", "b", "c"}
    assert set(few.parents("y")) == {"a", "b"}


def test_leaves_and_depths_keep_their_limits():
    table = chain(300, 0)
    rows = sl.Dataset(table)

    cpds = sl.DependencyNetwork(min_rows=40, kappa=1).fit(rows).model_.cpds
    assert cpds["x2"].n_leaves > 2
    for name, cpd in cpds.items():
        inputs = [table[parent] for parent in cpd.parents]
        leaf = cpd.sample(inputs, 300, np.random.default_rng(0)) * 0  # shape only
        shares = np.round(np.exp(cpd.log_probability(leaf, inputs)), 12)
        _, sizes = np.unique(shares, return_counts=True)
        assert sizes.min() >= 40, name
    shallow = sl.DependencyNetwork(max_depth=1, kappa=1).fit(rows)
    assert max(cpd.n_leaves for cpd in shallow.model_.cpds.values()) == 2


def test_edges_without_directions_need_one_arc_or_both():
    learner = sl.DependencyNetwork(knowledge=sl.Knowledge(forbidden=[("x1", "x2")])).fit(chain(500, 0))

    either, both = learner.undirected(), learner.undirected("and")

    assert either.undirected == learner.graph_.skeleton().undirected
    # Without x1, x2 is explained by x0, which does not need it.
    assert set(either.undirected) - set(both.undirected) == {("x0", "x2"), ("x1", "x2")}
    weights = {(edge.source, edge.target): edge.weight for edge in both.edges}
    there = learner.evidence_["x0", "x1"].score_gain + learner.evidence_["x1", "x0"].score_gain
    assert weights["x0", "x1"] == pytest.approx(there)
    with pytest.raises(sl.OptionError, match="'or' or 'and'"):
        learner.undirected("xor")


def test_a_second_fit_has_a_model_of_its_own():
    learner = sl.DependencyNetwork().fit(chain(200, 0))
    first = learner.model_

    assert learner.fit(chain(200, 1)).model_ != first


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("learner", ["tree", pytest.param("l1", marks=pytest.mark.slow)])
def test_marginals_agree_with_those_of_the_markov_network_that_the_rows_came_from(seed, learner):
    fields, pulls = (0.2, -0.4, 0.1, 0.3), {(0, 1): 1.0, (1, 2): -0.8, (2, 3): 0.9, (0, 3): 0.7}
    joint = ising(fields, pulls)
    n_rows = 20_000
    cells = np.random.default_rng(seed).choice(16, size=n_rows, p=joint.ravel())
    table = dict(zip("abcd", np.unravel_index(cells, (2,) * 4), strict=True))

    model = sl.DependencyNetwork(learner=learner, kappa=1.0).fit(table).model_

    for names in [*"abcd", *itertools.combinations("abcd", 2)]:
        answer = model.query(list(names), random_state=seed)
        others = tuple(k for k, name in enumerate("abcd") if name not in names)
        truth = joint.sum(axis=others)
        # Chance in the rows that were learnt from, and in the chains.
        error = np.sqrt(truth * (1 - truth) / n_rows) + answer.error
        assert (np.abs(answer.probabilities - truth) < 4 * error).all()


def test_a_path_that_ends_where_nothing_gets_better_chooses_what_the_whole_path_does(monkeypatch):
    table = states(5, n_rows=150)
    ended = sl.DependencyNetwork(learner="l1").fit(table)
    monkeypatch.setattr(penalty_search, "PATIENCE", 1000)

    whole = sl.DependencyNetwork(learner="l1").fit(table)

    assert len(whole.graph_.edges) > 2
    assert ended.graph_ == whole.graph_
    assert ended.conditionals_ == whole.conditionals_


def test_case_weights_are_rows():
    table = states(2, n_rows=60)
    weights = np.random.default_rng(0).integers(0, 4, 60)
    doubled = {name: np.repeat(column, weights) for name, column in table.items()}

    for learner in ("tree", "l1"):
        one = sl.DependencyNetwork(learner=learner, penalty=0.05).fit(sl.Dataset(table, weights=weights))
        two = sl.DependencyNetwork(learner=learner, penalty=0.05).fit(doubled)
        assert one.graph_ == two.graph_
        assert one.score_ == pytest.approx(two.score_)


@pytest.mark.parametrize(("learner", "scale"), [("tree", 1e-8), ("tree", 1e8), ("l1", 1e8)])
def test_the_unit_of_a_measurement_does_not_matter(scale, learner):
    rng = np.random.default_rng(0)
    a = rng.normal(size=300)
    table = {"a": a, "b": a + rng.normal(size=300), "s": (a + rng.normal(size=300) > 0).astype(int)}

    one = sl.DependencyNetwork(learner=learner).fit(table)
    two = sl.DependencyNetwork(learner=learner).fit(table | {"a": scale * (a + 3)})

    assert one.graph_ == two.graph_
    for arc, known in one.evidence_.items():
        assert two.evidence_[arc].score_gain == pytest.approx(known.score_gain, rel=1e-4)


def test_the_evidence_of_a_leaf_is_that_of_its_counts():
    rows = np.array([0] * 7 + [1] * 3)

    score = sl.DependencyNetwork(kappa=0.01).fit({"a": rows}).score_

    by_hand = gammaln(8) + gammaln(4) - gammaln(12) + np.log(0.01)  # Γ(2)Γ(8)Γ(4)/Γ(12)
    assert score == pytest.approx(by_hand)
