"""Loopy belief propagation is exact on trees, has known numbers on cycles, and says which it is."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.errors import DataError, DataWarning, OptionError
from structlearn.inference import query
from structlearn.models import LinearGaussianCPD, TableCPD
from tests.oracles import inference as oracle
from tests.oracles import models

SEEDS = st.integers(0, 2**32)
QUICK = settings(deadline=None, max_examples=50)


def propagated(model, names, evidence=None, **options):
    return query(model, names, evidence, method="loopy", **options)


def spins(couplings, fields):
    """An Ising model of states -1 and 1 as factors; its nodes are s0, s1, …"""
    spin = np.array([-1.0, 1.0])
    factors = [((f"s{i}",), np.exp(field * spin)) for i, field in enumerate(fields)]
    factors += [
        ((f"s{i}", f"s{j}"), np.exp(pull * np.outer(spin, spin))) for (i, j), pull in couplings.items()
    ]
    return oracle.FactorsOnly(factors)


GRID = [(i, i + 1) for i in range(9) if i % 3 < 2] + [(i, i + 3) for i in range(6)]
TREE = {(0, 1): 0.7, (1, 2): -0.4, (1, 3): 0.9, (3, 4): 0.3}
ALL_OF_FOUR = dict.fromkeys(itertools.combinations(range(4), 2), -2.0)
# From docs/references/inference.md#loopy-belief-propagation: couplings, fields, E[s], Bethe's log Z.
WORKED = [
    (TREE, [0.1, -0.2, 0.3, 0.0, 0.5],
     [-0.02832513, -0.15289281, 0.30617090, -0.04237701, 0.42081819], 4.3437529073),
    (dict.fromkeys([(0, 1), (1, 2), (2, 3), (0, 3)], 0.5), [0.3, 0.0, 0.0, 0.0],
     [0.31647465, 0.16973915, 0.12927235, 0.16973915], 3.3014173770),
    (dict.fromkeys([(0, 1), (1, 2), (0, 2)], 0.5), [0.3, 0.0, 0.0],
     [0.34800237, 0.21401431, 0.21401431], 2.4932817024),
    (dict.fromkeys(GRID, 0.2), [0.1] * 9,
     [0.16227951, 0.18647946, 0.16227951, 0.18647946, 0.21550971], 6.5579384294),
    (dict.fromkeys(GRID, 0.5), [0.1] * 9,
     [0.48920487, 0.56800507, 0.48920487, 0.56800507, 0.65646406], 7.9617759117),
    (ALL_OF_FOUR, [0.1] * 4, [0.00122947] * 4, 10.7228510),
]  # fmt: skip


@pytest.mark.parametrize(("couplings", "fields", "means", "log_z"), WORKED)
def test_spins_settle_where_they_should(couplings, fields, means, log_z):
    model = spins(couplings, fields)

    for i, mean in enumerate(means):
        answer = propagated(model, f"s{i}", tolerance=1e-10)
        assert answer[1] - answer[0] == pytest.approx(mean, abs=2e-8)
        assert answer.converged
        assert answer.log_z == pytest.approx(log_z, abs=1e-6)


def test_a_pair_of_the_cycle_has_the_correlation_of_the_references():
    answer = propagated(spins(*WORKED[1][:2]), ["s0", "s1"])

    assert answer[0, 0] + answer[1, 1] - answer[0, 1] - answer[1, 0] == pytest.approx(0.4692571034, abs=1e-7)


def test_a_tree_settles_within_its_diameter():
    answer = propagated(spins(*WORKED[0][:2]), "s0")

    assert answer.n_sweeps <= 5  # four, and one that sees that nothing changes
    assert answer.damping == 0.0


def test_messages_that_do_not_settle_are_damped_unless_told_otherwise():
    model = spins(*WORKED[5][:2])

    assert propagated(model, "s0").damping == 0.5
    with pytest.warns(DataWarning, match="the messages did not settle in 500 sweeps"):
        undamped = propagated(model, "s0", damping=0.0)
    assert not undamped.converged


def polytree(seed, zeros):
    """A network whose factor graph has no cycles: parents of a node are joined by it alone."""
    rng = np.random.default_rng(seed)
    n_nodes = int(rng.integers(2, 9))
    levels = rng.integers(1, 4, n_nodes)
    parts = {i: i for i in range(n_nodes)}
    parents = {i: [] for i in range(n_nodes)}
    for i, j in itertools.combinations(range(n_nodes), 2):
        if parts[i] != parts[j] and rng.random() < 0.5 and len(parents[j]) < 3:
            parents[j].append(i)
            parts = {node: parts[i] if part == parts[j] else part for node, part in parts.items()}
    cpds = {}
    for j in range(n_nodes):
        table = rng.dirichlet(np.ones(levels[j]), size=tuple(levels[parents[j]]))
        table = np.where(rng.random(table.shape) < zeros, 0.0, table)
        table[table.sum(axis=-1) == 0] = 1.0 / levels[j]
        table /= table.sum(axis=-1, keepdims=True)
        names = [f"x{i}" for i in parents[j]]
        cpds[f"x{j}"] = TableCPD(table, labels=[f"s{k}" for k in range(levels[j])], parents=names)
    return models.network(cpds)


@QUICK
@given(seed=SEEDS, zeros=st.sampled_from([0.0, 0.3]))
def test_it_is_exact_where_there_are_no_cycles(seed, zeros):
    model = polytree(seed, zeros)
    evidence = oracle.random_evidence(model, seed, soft=True)
    for name in model.nodes:
        exact, total = oracle.posterior(model, [name], evidence)

        answer = propagated(model, name, evidence)

        assert answer.converged
        np.testing.assert_allclose(answer.probabilities, exact, atol=1e-8)
        assert answer.log_evidence == pytest.approx(np.log(total), abs=1e-7)


@QUICK
@given(seed=SEEDS)
def test_a_family_of_a_tree_is_exact_in_any_order_of_its_names(seed):
    model = polytree(seed, 0.2)
    node = model.nodes[-1]
    names = np.random.default_rng(seed).permutation([node, *model.graph.parents(node)]).tolist()
    evidence = {k: v for k, v in oracle.random_evidence(model, seed).items() if k not in names[1:]}
    exact, _ = oracle.posterior(model, names, evidence)

    np.testing.assert_allclose(propagated(model, names, evidence).probabilities, exact, atol=1e-8)


@pytest.mark.filterwarnings("ignore:.*the messages did not settle")  # what they are then respects zeros too
@QUICK
@given(seed=SEEDS)
def test_cycles_with_zeros_leave_distributions_that_respect_them(seed):
    model = oracle.random_network(seed, most_nodes=7)
    evidence = oracle.random_evidence(model, seed)
    name = model.nodes[0]
    exact, _ = oracle.posterior(model, [name], evidence)

    answer = propagated(model, name, evidence, damping=0.3, sweeps=3000)

    assert answer.probabilities.sum() == pytest.approx(1.0)
    assert np.isfinite(answer.log_z)
    assert (exact[answer.probabilities == 0.0] == 0.0).all()


def test_the_evidence_of_an_undirected_tree_is_exact():
    model = spins(*WORKED[0][:2])
    names = list(model.labels)
    joint = oracle.joint_of_factors(names, dict.fromkeys(names, 2), model.factors())
    expected = joint[:, :, 1, :, 0].sum() / joint.sum()

    answer = propagated(model, "s1", {"s2": 1, "s4": 0})

    assert np.exp(answer.log_evidence) == pytest.approx(expected, rel=1e-8)


def test_asia_is_near_the_truth_but_not_on_it():
    """The two ways from smoke to dysp make a cycle."""
    answer = propagated(models.asia(), "lung", {"xray": "yes", "dysp": "yes"})

    assert answer.converged
    assert answer["yes"] == pytest.approx(0.6212527967, abs=0.02)
    assert abs(answer["yes"] - 0.6212527967) > 1e-4
    assert answer.log_evidence == answer.log_z


def test_actions_cut_the_causes():
    answer = query(models.asia(), "smoke", do={"lung": "yes"}, method="loopy")

    assert answer["yes"] == pytest.approx(0.5, abs=1e-9)


def test_known_names_need_no_messages():
    answer = propagated(models.asia(), "asia", {"asia": "yes"})

    assert answer.to_dict() == {"yes": 1.0, "no": 0.0}
    assert answer.log_evidence == pytest.approx(np.log(0.01), rel=1e-12)


def test_impossible_evidence_is_refused():
    for name in ("smoke", "lung", "asia"):
        with pytest.raises(DataError, match="probability 0"):
            propagated(models.asia(), name, {"lung": "yes", "either": "no"})
    with pytest.raises(DataError, match="probability 0"):
        propagated(models.asia(), "smoke", {"tub": "yes", "either": "no"})


def test_small_numbers_are_no_contradiction():
    """A thousand factors of 1e-200 are small together, and change nothing."""
    factors = [(("a",), np.array([1e-200, 3e-200])) for _ in range(1000)]
    model = oracle.FactorsOnly([*factors, (("a", "b"), np.array([[1e-300, 1e-300], [1e-300, 3e-300]]))])

    answer = propagated(model, "b", {"a": 1})

    assert answer[1] == pytest.approx(0.75, abs=1e-9)


def test_names_that_share_no_factor_are_refused_together():
    with pytest.raises(DataError, match="only where one factor has them all"):
        propagated(models.asia(), ["asia", "smoke"])


def test_continuous_nodes_and_wrong_options_are_refused():
    model = models.network({"x": LinearGaussianCPD(0.0, {}, variance=1.0)})

    with pytest.raises(DataError, match="'x' has no table of probabilities"):
        propagated(model, "x")
    with pytest.raises(OptionError, match="damping is the share of its last word"):
        propagated(models.asia(), "lung", damping=1.5)
