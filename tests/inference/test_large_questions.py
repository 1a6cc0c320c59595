"""Long chains, grids and what is refused before it fills the memory."""

import math

import numpy as np
import pytest

from structlearn.errors import DataError
from structlearn.inference import elimination, log_partition, most_probable, query
from structlearn.inference.contraction import TooLargeError, refuse_large
from structlearn.models import NoisyOrCPD, TableCPD
from tests.oracles import inference as oracle
from tests.oracles.models import network


@pytest.mark.parametrize(
    ("coupling", "field", "log_z"), [(0.4, 0.1, 57.0823978690), (0.2, 0.0, 46.6663234256)]
)
@pytest.mark.parametrize("quick_cells", [1, 2**16], ids=["opt_einsum", "compiled"])
def test_the_partition_function_of_an_eight_by_eight_grid(monkeypatch, coupling, field, log_z, quick_cells):
    monkeypatch.setattr(elimination, "QUICK_CELLS", quick_cells)
    model = oracle.FactorsOnly(oracle.ising_factors((8, 8), coupling, field))

    assert log_partition(model) == pytest.approx(log_z, abs=1e-9)


@pytest.mark.parametrize("quick_cells", [1, 2**16], ids=["opt_einsum", "compiled"])
def test_a_posterior_in_a_grid_is_a_ratio_of_partition_functions(monkeypatch, quick_cells):
    monkeypatch.setattr(elimination, "QUICK_CELLS", quick_cells)
    factors = oracle.ising_factors((8, 8), 0.4, 0.1, np.random.default_rng(0))
    model = oracle.FactorsOnly(factors)
    without = log_partition(model)
    fixed = log_partition(oracle.FactorsOnly([*factors, (("s3_4",), np.array([0.0, 1.0]))]))

    answer = query(model, "s3_4")

    assert answer[1] == pytest.approx(math.exp(fixed - without), abs=1e-10)


def test_a_ten_by_ten_grid_is_solved():
    model = oracle.FactorsOnly(oracle.ising_factors((10, 10), 0.3, 0.05))

    assert log_partition(model) == pytest.approx(oracle.log_partition_of_grid(10, 10, 0.3, 0.05), abs=1e-9)


def test_a_thirty_by_thirty_grid_is_refused_with_its_width():
    model = oracle.FactorsOnly(oracle.ising_factors((30, 30), 0.3, 0.05))

    with pytest.raises(DataError, match=r'width of [345]\d\).*GiB.*method="loopy", "gibbs" or "weighting"'):
        query(model, "s0_0")
    with pytest.raises(DataError, match="width of"):
        most_probable(model)


def test_the_limit_is_an_option():
    model = oracle.FactorsOnly(oracle.ising_factors((6, 6), 0.3, 0.05))

    with pytest.raises(TooLargeError, match="cell_limit of 8"):
        query(model, "s0_0", cell_limit=8)
    assert query(model, "s0_0", cell_limit=2**10)[1] > 0.5


def chain(n, seed):
    rng = np.random.default_rng(seed)
    cpds = {"x0": TableCPD(rng.dirichlet(np.ones(3)), labels=list("abc"))}
    for k in range(1, n):
        table = rng.dirichlet(np.ones(3), size=3)
        cpds[f"x{k}"] = TableCPD(table, labels=list("abc"), parents=[f"x{k - 1}"])
    return network(cpds)


@pytest.mark.parametrize("quick_cells", [1, 2**16], ids=["opt_einsum", "compiled"])
def test_a_chain_of_a_thousand_nodes_is_filtered_forwards_and_backwards(monkeypatch, quick_cells):
    monkeypatch.setattr(elimination, "QUICK_CELLS", quick_cells)
    model = chain(1000, 0)
    evidence = {f"x{k}": "abc"[k % 3] for k in range(0, 1000, 7)}
    ahead, log_scale = np.ones(3), 0.0
    for k in range(1000):
        table = model.cpds[f"x{k}"].probabilities
        ahead = table if k == 0 else ahead @ table
        if f"x{k}" in evidence:
            ahead = ahead * (np.arange(3) == "abc".index(evidence[f"x{k}"]))
        log_scale += math.log(ahead.sum())
        ahead = ahead / ahead.sum()

    last = model.query("x999", evidence)

    np.testing.assert_allclose(last.probabilities, ahead, atol=1e-10)
    assert last.log_evidence == pytest.approx(log_scale, abs=1e-8)


def test_the_most_probable_path_of_a_long_chain_is_viterbis():
    model = chain(400, 1)
    score = np.log(model.cpds["x0"].probabilities)
    for k in range(1, 400):
        score = (score[:, None] + np.log(model.cpds[f"x{k}"].probabilities)).max(axis=0)

    best = model.map()

    assert best.log_probability == pytest.approx(score.max(), abs=1e-9)
    row = {name: [state] for name, state in best.states.items()}
    assert model.log_likelihood(row) == pytest.approx(score.max(), abs=1e-9)


def test_what_the_evidence_cuts_off_costs_nothing():
    """A column of known sites parts a wide grid: the far side is not summed."""
    model = oracle.FactorsOnly(oracle.ising_factors((4, 60), 0.3, 0.05))
    wide = oracle.FactorsOnly([*model.factors(), *_clique(24)])

    answer = query(wide, "s0_0", {"s0_2": 0, "s1_2": 0, "s2_2": 1, "s3_2": 1}, cell_limit=2**10)

    near = oracle.FactorsOnly(oracle.ising_factors((4, 3), 0.3, 0.05))
    expected = query(near, "s0_0", {"s0_2": 0, "s1_2": 0, "s2_2": 1, "s3_2": 1})
    np.testing.assert_allclose(answer.probabilities, expected.probabilities, atol=1e-12)


def _clique(n):
    table = np.exp(np.array([[0.1, 0.0], [0.0, 0.1]]))
    return [((f"c{i}", f"c{j}"), table) for i in range(n) for j in range(i)]


def test_the_narrower_of_two_orders_decides(monkeypatch):
    """Where opt_einsum's order needs too large a table, that of the compiled engine is tried."""
    model = oracle.FactorsOnly(oracle.ising_factors((6, 6), 0.3, 0.05))
    expected = query(model, "s2_2").probabilities

    def refused(*_args, **_options):
        raise TooLargeError

    monkeypatch.setattr(elimination, "QUICK_CELLS", 1)
    monkeypatch.setattr(elimination, "contracted", refused)

    np.testing.assert_allclose(query(model, "s2_2").probabilities, expected, atol=1e-12)
    with pytest.raises(TooLargeError):
        query(model, "s2_2", cell_limit=2**7)


def test_numbers_too_small_for_floats_are_summed_in_logarithms(monkeypatch):
    monkeypatch.setattr(elimination, "QUICK_CELLS", 1)
    weak, strong = np.array([[1.0, 1e-200], [1e-200, 1.0]]), np.array([1e-200, 1.0])
    factors = [(("a", "b"), weak), (("b", "c"), weak), (("a",), strong), (("c",), strong[::-1])]

    answer = query(oracle.FactorsOnly(factors), "b")

    np.testing.assert_allclose(answer.probabilities, [0.5, 0.5], rtol=1e-9)


def test_a_table_of_as_many_cells_as_the_limit_is_no_more_than_it():
    scopes, sizes = [(0,), (0, 1)], {0: 3, 1: 4}

    refuse_large(scopes, sizes, 12)
    with pytest.raises(TooLargeError, match=r"a table of 2 nodes at once.*12 cells"):
        refuse_large(scopes, sizes, 11)


PARENTS = [f"p{i}" for i in range(30)]
LABELS = ("no", "yes")


def many_causes():
    """A noisy-or of 30 parents, whose table would have 2^31 cells."""
    roots = {parent: TableCPD([0.9, 0.1], labels=LABELS) for parent in PARENTS}
    return network({**roots, "y": NoisyOrCPD(dict.fromkeys(PARENTS, 0.3), leak=0.01, labels=LABELS)})


def test_weighting_needs_no_table_however_many_parents_there_are():
    model = many_causes()
    answers = [model.query("y", method="weighting", n=20_000, random_state=k)["no"] for k in range(4)]

    off = 0.99 * 0.97**30  # each parent is off, or on and fails: 0.9 + 0.1 · 0.7
    assert np.mean(answers) == pytest.approx(off, abs=4 * 0.5 / math.sqrt(80_000))


def test_a_node_without_a_table_does_not_matter_where_nothing_known_comes_after_it():
    model = many_causes()

    np.testing.assert_allclose(model.query("p0", {"p1": "yes"}).probabilities, [0.9, 0.1])
    assert model.do({"p0": "yes"}).cpds["p0"].probabilities.tolist() == [0.0, 1.0]


def test_evidence_makes_a_large_table_small_enough_for_an_exact_answer():
    model, known = many_causes(), dict.fromkeys(PARENTS[:25], "no")
    off = 0.99 * 0.97**5

    np.testing.assert_allclose(model.query("y", known).probabilities, [off, 1 - off])
    found = model.log_evidence({**known, "y": "yes"})
    assert found == pytest.approx(25 * math.log(0.9) + math.log(1 - off), rel=1e-12)
    on = 0.1 * (1 - 0.99 * 0.7 * 0.97**4) / (1 - off)
    assert model.query("p29", {**known, "y": "yes"})["yes"] == pytest.approx(on)


def test_what_needs_the_large_table_is_refused_with_the_way_out():
    with pytest.raises(DataError, match=r'2,147,483,648 cells, .* Use method="weighting"'):
        many_causes().query("y")


def test_full_rows_are_predicted_by_probabilities_of_their_own():
    model, rows = many_causes(), {parent: ["no", "yes"] for parent in PARENTS}

    np.testing.assert_allclose(model.predict_proba(rows, "y")["y"][:, 0], [0.99, 0.99 * 0.7**30])
    assert model.predict(rows, "y")["y"].tolist() == ["no", "yes"]
    partly = model.predict_proba({"p0": ["yes"]}, "y")["y"][0, 0]  # by 10,000 weighted rows
    assert partly == pytest.approx(0.99 * 0.7 * 0.97**29, abs=0.02)
