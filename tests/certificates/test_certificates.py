"""A certificate of a fit holds on its table, and one that was tampered with fails."""

import copy
import itertools
import json
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import structlearn as sl
from structlearn.certificates import Certificate, best_dag
from structlearn.certificates.bounds import best_total, bounded_by_cuts
from structlearn.cli import app
from structlearn.learners.order.exact import proof
from structlearn.scores import BDeu
from tests.certificates.claims import priced

SCRIPT = Path(__file__).parents[2] / "tools" / "check_best_dag.py"
runner = CliRunner()


@pytest.fixture(scope="module")
def asia():
    return sl.example("asia").sample(600, random_state=0)


@pytest.fixture(scope="module")
def numbers():
    rows = np.random.default_rng(0).normal(size=(100, 5))
    rows[:, 1] += rows[:, 0]
    rows[:, 2] -= rows[:, 1]
    return {f"x{j}": column for j, column in enumerate(rows.T)}


@pytest.fixture(scope="module")
def exact(asia):
    return sl.ExactSearch(max_parents=2).fit(asia).certificate()


@pytest.fixture(scope="module")
def lasso(numbers):
    return sl.GraphicalLasso(penalty=0.2).fit(numbers).certificate()


@pytest.fixture(scope="module")
def pc(asia):
    return sl.PC(alpha=0.01).fit(asia).certificate()


def tampered(certificate, change):
    content = json.loads(json.dumps(certificate.content))
    change(content)
    return Certificate(content)


def failing(certificate, data):
    return [finding.claim for finding in certificate.check(data).findings if finding.holds is False]


def answers(verdict):
    return [finding.holds for finding in verdict.findings]


@pytest.mark.parametrize(
    "learner", [sl.ExactSearch(), sl.BOSS(prove=True, patience=0), sl.ExactSearch(score="bdeu")]
)
def test_everything_that_an_exact_search_claims_holds(learner, asia, tmp_path):
    fitted = copy.deepcopy(learner.fit(asia))
    fitted.certificate().save(tmp_path / "c.json")
    verdict = Certificate.load(tmp_path / "c.json").check(asia)

    assert answers(verdict) == [True] * 6
    assert f"scores more than {fitted.score_:.10g}" in str(verdict)


def test_what_a_lasso_claims_holds_by_a_computation_of_ones_own(lasso, numbers):
    """Formulas of the primal and the dual as in every text on convex optimisation."""
    known = lasso.content
    covariance = np.corrcoef(np.array(list(numbers.values())))
    precision, dual = np.zeros((5, 5)), np.zeros((5, 5))
    for i, j, value in known["precision"]:
        precision[i, j] = precision[j, i] = value
    for i, row in enumerate(known["dual"]):
        dual[i, : i + 1] = dual[: i + 1, i] = row
    penalties = 0.2 * (1 - np.eye(5))
    primal = (
        np.sum(covariance * precision)
        + np.sum(penalties * np.abs(precision))
        - np.linalg.slogdet(precision).logabsdet
    )

    assert (np.abs(dual - covariance) <= penalties + 1e-12).all()
    assert known["primal objective"] == pytest.approx(primal, abs=1e-10)
    assert known["dual objective"] == pytest.approx(np.linalg.slogdet(dual).logabsdet + 5, abs=1e-10)
    assert known["gap"] < 1e-6
    assert answers(lasso.check(numbers)) == [True] * 4


@pytest.mark.parametrize(
    "options",
    [
        {"standardise": False},
        {"penalise_diagonal": True},
        {"weights": {("x0", "x1"): 0.0, ("x1", "x2"): math.inf, ("x3", "x4"): 0.5}},
    ],
)
def test_a_lasso_with_other_penalties_or_units_has_a_certificate_too(options, numbers, tmp_path):
    fitted = sl.GraphicalLasso(penalty=0.1, **options).fit(numbers)
    fitted.certificate().save(tmp_path / "c.json")

    assert answers(Certificate.load(tmp_path / "c.json").check(numbers)) == [True] * 4


def test_every_pair_that_pc_left_out_is_tested_again(pc, asia):
    verdict = pc.check(asia)

    assert answers(verdict) == [True] * 4
    assert len(pc.content["edges"]) + len(pc.content["separations"]) == 28
    for a, b, given, p_value in pc.content["separations"]:
        assert sl.test_independence(asia, a, b, given).p_value == pytest.approx(p_value, abs=1e-12)


def test_where_no_pair_is_separated_all_edges_are_tested_again():
    numbers = np.random.default_rng(0).normal(size=(2, 100))
    table = {"a": numbers[0], "b": numbers[0] + numbers[1]}

    assert answers(sl.PC().fit(table).certificate().check(table)) == [True] * 4


def test_a_p_value_that_is_not_that_of_the_data_fails(pc, asia):
    def raise_it(content):
        content["separations"][0][3] = 0.9876

    n = len(pc.content["separations"])
    (claim,) = failing(tampered(pc, raise_it), asia)
    assert claim.startswith(f"{n - 1} of {n} separating sets have the p-value written, above 0.01")


def test_a_pair_with_an_edge_and_a_separating_set_fails(pc, asia):
    both = tampered(pc, lambda content: content["edges"].append(content["separations"][0][:2]))

    assert "none both" in failing(both, asia)[0]


def test_a_dual_point_outside_the_penalties_fails(lasso, numbers):
    def move(content):
        content["dual"][1][0] -= 1e-4

    assert "within the penalties" in failing(tampered(lasso, move), numbers)[0]


def test_a_precision_matrix_that_is_not_the_best_fails(lasso, numbers):
    def move(content):
        content["precision"][0][2] *= 1.5

    claims = failing(tampered(lasso, move), numbers)
    assert "has the objective" in claims[0]
    assert "no precision matrix" in claims[1]


def test_a_family_with_a_wrong_score_a_lost_family_and_a_low_bound_fail(exact, asia):
    node = next(name for name, parents in exact.content["graph"].items() if parents)

    def lower(content):
        content["families"][node][0][0] -= 5.0

    def lose(content):
        del content["families"][node][0]

    def bind(content):
        content["bound"] -= 1.0

    assert "listed families score" in failing(tampered(exact, lower), asia)[0]
    assert any("none is better than the listed" in claim for claim in failing(tampered(exact, lose), asia))
    assert "no DAG of the listed families" in failing(tampered(exact, bind), asia)[0]


def test_a_cycle_fails(exact, asia):
    def close(content):
        content["graph"] |= {"asia": ["tub"], "tub": ["asia"]}

    assert "is a DAG" in failing(tampered(exact, close), asia)[0]


def test_other_rows_and_other_columns_are_told(exact, numbers):
    other = sl.example("asia").sample(500, random_state=1)
    assert "this one has 500 rows" in failing(exact, other)[0]
    with pytest.raises(sl.DataError, match="another table: this one lacks 'asia'"):
        exact.check(numbers)


def random_lists(rng, names="abcd"):
    families = {
        v: [
            [float(rng.normal()), list(parents)]
            for size in range(4)
            for parents in itertools.combinations([u for u in names if u != v], size)
        ]
        for v in names
    }
    return {"table": {"columns": list(names)}, "families": families}


def random_cuts(rng, n_cuts, names="abc"):
    """Classes that may share columns, and a rank."""
    return [
        ([rng.choice(list(names), rng.integers(4)).tolist() for _ in range(3)], int(rng.integers(1, 4)))
        for _ in range(n_cuts)
    ]


def best_of_all_orders(known):
    def along(order):
        return sum(
            max(score for score, parents in known["families"][v] if set(parents) <= set(order[:i]))
            for i, v in enumerate(order)
        )

    return max(map(along, itertools.permutations(known["families"])))


def test_the_best_total_is_that_of_all_orders():
    known = random_lists(np.random.default_rng(3))

    assert best_total(known) == pytest.approx(best_of_all_orders(known), abs=1e-12)


def test_no_cuts_at_any_prices_prove_what_is_wrong_and_some_prove_what_is_right():
    rng = np.random.default_rng(0)
    proven = 0
    for _ in range(300):
        known, n_cuts = random_lists(rng, "abc"), int(rng.integers(5))
        known |= priced(
            random_cuts(rng, n_cuts),
            rng.exponential(0.3, size=(4, n_cuts)).tolist(),
        )
        best = best_of_all_orders(known)
        assert not bounded_by_cuts({**known, "bound": best - 1e-6})
        proven += bounded_by_cuts({**known, "bound": best + 0.5})
    assert proven > 20


@pytest.mark.parametrize("price", [math.nan, math.inf, 1e308, 1e20])
def test_prices_that_are_no_prices_prove_nothing(price):
    known = random_lists(np.random.default_rng(1))
    cuts = priced([(["abcd"], 1), (["ad", "b", "c"], 2)], [[price, price]] * 3)
    with np.errstate(all="ignore"):
        assert not bounded_by_cuts({**known, **cuts, "bound": best_of_all_orders(known) - 0.01})


def test_cuts_prove_the_bound_of_integer_programming(asia, monkeypatch):
    pytest.importorskip("highspy")
    certificate = sl.ExactSearch(max_parents=2, solver="ilp").fit(asia).certificate()
    assert best_total(certificate.content) == pytest.approx(certificate.content["bound"], abs=1e-6)

    def unpriced(content):
        content["branches"]["prices"] = []

    monkeypatch.setattr(best_dag, "MOST_COLUMNS", 1)
    assert f"by the prices of {len(certificate.content['cuts'])} cuts" in str(certificate.check(asia))
    assert certificate.check(asia).holds
    assert "the cuts do not show it" in failing(tampered(certificate, unpriced), asia)[0]
    without = tampered(certificate, lambda content: content.update(cuts=[])).check(asia)
    assert answers(without) == [True] * 5 + [None]


def test_what_was_learned_in_an_engine_holds_of_the_file(asia, tmp_path):
    asia.save(tmp_path / "asia.csv")

    exact = sl.ExactSearch().fit(sl.source(tmp_path / "asia.csv", where="engine"))

    assert exact.certificate().content["table"]["rows"] == asia.n_rows
    assert set(answers(exact.certificate().check(tmp_path / "asia.csv"))) == {True}


def test_knowledge_is_part_of_the_claim(asia):
    knowledge = sl.Knowledge(required=[("xray", "smoke")], forbidden=[("lung", "either")])
    certificate = sl.ExactSearch(max_parents=2, knowledge=knowledge).fit(asia).certificate()

    assert answers(certificate.check(asia)) == [True] * 6
    assert "honours 1 required and 1 forbidden arcs" in str(certificate.check(asia))
    free = tampered(certificate, lambda content: content.update(forbidden=[], required=[]))
    assert any("none is better" in claim for claim in failing(free, asia))


def test_a_score_without_a_name_is_left_open_unless_it_is_given(asia):
    certificate = sl.ExactSearch(max_parents=1, score=BDeu(ess=7.0)).fit(asia).certificate()

    assert answers(certificate.check(asia)) == [True, True, None, True]
    assert answers(certificate.check(asia, BDeu(ess=7.0))) == [True] * 6


@pytest.mark.parametrize(
    "learner", [sl.BOSS(patience=0), sl.PC()], ids=["not asked to prove", "of an oracle"]
)
def test_where_there_is_nothing_to_check_an_error_says_what_it_takes(learner, asia):
    with pytest.raises(sl.DataError, match="nothing to certify before fit"):
        learner.certificate()
    learner.fit(sl.Oracle(sl.example("asia").graph) if isinstance(learner, sl.PC) else asia)
    with pytest.raises(sl.DataError, match="A certificate takes a table"):
        learner.certificate()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "it is cut off in line 1"),
        ('{"format": "structlearn certifi', "it is cut off in line 1"),
        ("a,b\n1,2\n", "line 1, character 1: it is not JSON. Pass a file that"),
        (" \n", "c.json is empty"),
        ("[" * 100_000, "it is not JSON"),
        ("[]", 'it lacks "format"'),
        ('{"format": "structlearn certificate", "version": 1, "kind": "best-dag"}', "has version 1"),
        (
            '{"format": "structlearn certificate", "version": 2, "kind": "best-dag"}',
            "not whole: it has no 'table'",
        ),
    ],
)
def test_a_file_that_is_no_certificate_is_refused(text, reason, tmp_path, asia):
    path = tmp_path / "c.json"
    path.write_text(text)
    with pytest.raises(sl.DataError, match=reason):
        Certificate.load(path).check(asia)


def test_the_command_says_what_holds_and_its_exit_code_what_fails(tmp_path):
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    table = sl.example("asia").sample(5000, random_state=0)
    found = sl.ExactSearch(max_parents=1).fit(table).certificate()
    found.save(good)
    tampered(found, lambda content: content.update(bound=content["bound"] - 2.0)).save(bad)

    answer = runner.invoke(app, ["check", str(good), "example:asia"])
    assert answer.exit_code == 0, answer.stderr
    assert answer.stdout.count("  holds: ") == 6
    assert answer.stdout.endswith("Of 6 claims, 6 hold, 0 fail and 0 were not checked.\n")
    answer = runner.invoke(app, ["check", str(bad), "example:asia"])
    assert answer.exit_code == 1
    assert "  FAILS: no DAG of the listed families" in answer.stdout


def run_script(certificate, folder):
    """What the independent script answers."""
    path = folder / "c.json"
    certificate.save(path)
    return subprocess.run([sys.executable, SCRIPT, path], capture_output=True, text=True, check=False)


def test_learning_proves_writes_the_certificate_and_says_what_cannot_be_proven(tmp_path):
    path = tmp_path / "c.json"
    learn = ["learn", "example:asia", "--max-parents", "2", "--quiet", "--certificate", str(path)]

    answer = runner.invoke(app, [*learn, "--prove"])
    assert answer.exit_code == 0, answer.stderr
    assert runner.invoke(app, ["check", str(path), "example:asia"]).exit_code == 0
    for wrong, reason in [
        (learn, "Add --prove"),
        ([*learn, "--method", "hill-climbing"], "HillClimbing proves nothing"),
        ([*learn[:-1], str(tmp_path / "c.txt"), "--prove"], "must end in .json"),
        ([*learn, "--prove", "--method", "hill-climbing"], "prove"),
    ]:
        answer = runner.invoke(app, wrong)
        assert answer.exit_code != 0
        assert reason in answer.stderr


def test_a_certificate_says_what_shows_its_bound(exact, asia):
    assert exact.content["bound is shown by"] == "the families alone"
    pytest.importorskip("highspy")
    by_cuts = sl.ExactSearch(max_parents=2, solver="ilp").fit(asia).certificate()
    assert by_cuts.content["bound is shown by"] == "the cuts, at their prices"


def test_what_dynamic_programming_found_is_shown_by_cuts_where_it_cannot_be_done_again(asia, monkeypatch):
    pytest.importorskip("highspy")
    found = sl.ExactSearch(max_parents=2, solver="dp").fit(asia)
    monkeypatch.setattr(best_dag, "MOST_COLUMNS", 7)

    certificate = found.certificate()
    assert certificate.content["bound is shown by"] == "the cuts, at their prices"
    assert answers(certificate.check(asia)) == [True] * 6

    monkeypatch.setattr(proof, "MOST_SECONDS", 0.0)
    assert found.certificate().content["cuts"] == []
    monkeypatch.undo()
    monkeypatch.setattr(best_dag, "MOST_COLUMNS", 7)
    monkeypatch.setattr(proof, "find_spec", lambda _: None)
    assert answers(found.certificate().check(asia)) == [True] * 5 + [None]


def test_a_script_that_knows_nothing_of_us_comes_to_the_same(exact, tmp_path):
    def run(certificate):
        return run_script(certificate, tmp_path)

    assert "import structlearn" not in SCRIPT.read_text()
    assert f"no DAG of the listed families more than {exact.content['bound']:.4f}" in run(exact).stdout
    assert "below what the graph" in run(tampered(exact, lambda c: c.update(bound=c["bound"] - 1))).stderr
    assert "not listed" in run(tampered(exact, lambda c: c["graph"].update(smoke=["asia"]))).stderr
