"""A bound that needed branches is proven by the file, and no branches prove what is wrong."""

import itertools
import json
import signal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.certificates import Certificate, bounds
from structlearn.certificates import best_dag as best_dag_claims
from structlearn.certificates.bounds import best_total, bounded_by_cuts
from structlearn.learners.order.exact import integer_programme
from structlearn.learners.order.exact.family_programme import FamilyProgramme
from structlearn.learners.order.exact.rank_cuts import CutSearch
from structlearn.run import Run, Status
from structlearn.search.local_scores import Branch, LocalScores, PricedCuts, greedy_rows
from structlearn.search.parent_sets import ScoredSets
from tests.certificates.claims import ending_of_script, lists_content
from tests.oracles import best_dag

NAMES = tuple("abcdef")


class Halted(Run):
    """A run that must stop at the given look at the clock."""

    def __init__(self, n_looks):
        super().__init__("test")
        self.n_left = n_looks

    def must_stop(self):
        self.n_left -= 1
        if self.n_left < 0:
            self.status = Status.OUT_OF_TIME
        return super().must_stop()


def random_lists(seed):
    """Random scores of all families; all columns want parents, so that they are in each other's way."""
    rng = np.random.default_rng(seed)
    sets = []
    for child in range(len(NAMES)):
        families = [parents for node, parents in best_dag.every_family(len(NAMES)) if node == child]
        members = np.array([[*parents, *[-1] * (len(NAMES) - 1 - len(parents))] for parents in families])
        sets.append(ScoredSets.of(members, rng.normal(size=len(families)) + 0.5 * (members >= 0).sum(1)))
    return LocalScores(NAMES, tuple(sets))


def branch_at_once(monkeypatch):
    """Know clusters alone, and branch before they are used up."""
    monkeypatch.setattr(CutSearch, "_of_higher_rank", lambda *_: [])
    monkeypatch.setattr(integer_programme, "_is_stuck", lambda _: True)


def claims_of(lists, found):
    content = {**lists_content(lists), "bound": found.bound, **bounds.cuts_content(NAMES, found.cuts)}
    return json.loads(json.dumps(content))


def solved_by_branches(monkeypatch, seed, n_looks):
    """What integer programming ends with that branches at once."""
    pytest.importorskip("highspy", reason="needs the `exact` extra")
    branch_at_once(monkeypatch)
    lists = random_lists(seed)
    with Halted(n_looks) as run:
        found = integer_programme.solve(lists, lists.parents(greedy_rows(lists)), run)
    return lists, found


@pytest.mark.parametrize("n_looks", [0, 3, 5, 8, 1000])
def test_what_branches_prove_is_proven_by_the_file_wherever_the_solver_stopped(n_looks, monkeypatch):
    n_parted = 0
    for seed in range(3, 10):
        lists, found = solved_by_branches(monkeypatch, seed, n_looks)
        if found.cuts is None:
            continue
        known = claims_of(lists, found)
        n_parted += known["branches"]["arc"] is not None
        assert found.bound >= best_total(known) - 1e-9
        assert found.bound > lists.bound - 1e-9 or bounded_by_cuts(known)
        assert not bounded_by_cuts({**known, "bound": best_total(known) - 1e-6})
    assert n_parted > 2 or n_looks < 8


def random_branch(rng, n_cuts, depth):
    """Random prices, and with some luck two branches more."""
    rounds = list(rng.exponential(0.3, size=(rng.integers(3), n_cuts)))
    if depth == 0:
        return Branch(rounds)
    arc = tuple(rng.choice(len(NAMES), 2, replace=False).tolist())
    return Branch(rounds, arc, (random_branch(rng, n_cuts, depth - 1), random_branch(rng, n_cuts, depth - 1)))


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 10_000))
def test_no_branches_at_any_prices_prove_what_is_wrong(seed):
    rng = np.random.default_rng(seed)
    lists = random_lists(seed)
    classes, ranks = rng.integers(-1, 3, size=(6, len(NAMES))), rng.integers(1, 4, size=6)
    cuts = PricedCuts(classes, ranks, random_branch(rng, 6, 3))
    known = {**lists_content(lists), **bounds.cuts_content(NAMES, cuts)}

    assert not bounded_by_cuts({**known, "bound": best_total(known) - 1e-6})


# Each wants both others, so that every DAG loses 3: one column 2, another 1.
EACH_WANTS_BOTH = {
    "table": {"columns": ["a", "b", "c"]},
    "families": {
        v: [[0.0, [u for u in "abc" if u != v]], *[[-1.0, [u]] for u in "abc" if u != v], [-2.0, []]]
        for v in "abc"
    },
    "cuts": [{"classes": [["a", "c"]], "rank": 1}, {"classes": [["b", "c"]], "rank": 1}],
}
# Whether a → b or not, one of these two loses 1; the clusters {a, c} and {b, c} ask 1 each on top of it.
FREE, PAID = {"prices": [[]], "arc": None}, {"prices": [[[0, 1.0], [1, 1.0]]], "arc": None}


@pytest.mark.parametrize(
    ("with_arc", "without_arc", "bound", "is_proven"),
    [
        (FREE, FREE, -1.0, True),
        (FREE, FREE, -1.1, False),
        (PAID, PAID, -3.0, True),
        (PAID, PAID, -3.1, False),
        (PAID, FREE, -3.0, False),
        (FREE, PAID, -3.0, False),
    ],
)
def test_a_bound_needs_the_proof_of_both_branches(with_arc, without_arc, bound, is_proven):
    branches = {"prices": [], "arc": ["a", "b"], "with": with_arc, "without": without_arc}
    known = {**EACH_WANTS_BOTH, "branches": branches, "bound": bound}

    assert best_total(known) == -3.0
    assert bounded_by_cuts(known) == is_proven


@pytest.fixture(scope="module")
def branched(tmp_path_factory):
    """A table, and a certificate with several branches of its best DAG."""
    pytest.importorskip("highspy", reason="needs the `exact` extra")
    table = tmp_path_factory.mktemp("branched") / "table.csv"
    sl.example("asia").sample(500, random_state=0).save(table)
    with pytest.MonkeyPatch.context() as patch:
        branch_at_once(patch)
        found = sl.ExactSearch(solver="ilp", max_parents=2).fit(table)
    return table, found.certificate().content


def answers(content, table):
    """What our check says of the bound without dynamic programming, and what the script ends with."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(best_dag_claims, "MOST_COLUMNS", 1)
        try:
            bounded = Certificate(content).check(table).findings[-1].holds
        except sl.DataError as error:
            bounded = str(error)
    path = table.with_name("c.json")
    path.write_text(json.dumps(content))
    return bounded, ending_of_script("check_cuts", path)


def test_a_certificate_with_branches_is_accepted(branched):
    table, content = branched

    bounded, said = answers(content, table)

    assert content["branches"]["arc"] is not None
    assert bounded is True
    assert said == f"No DAG of the listed families scores more than {content['bound']:.4f}.\n"


def leave_out_the_branches(content):
    content["branches"]["arc"] = None


def swap_the_branches(content):
    root = content["branches"]
    root["with"], root["without"] = root["without"], root["with"]


def forget_the_prices(branch):
    branch["prices"] = []
    if branch["arc"]:
        forget_the_prices(branch["with"])
        forget_the_prices(branch["without"])


def claim_a_lower_bound(content):
    content["bound"] -= 0.01
    content["total"] -= 0.01


@pytest.mark.parametrize(
    "change",
    [
        leave_out_the_branches,
        swap_the_branches,
        lambda content: forget_the_prices(content["branches"]),
        lambda content: content["branches"]["arc"].reverse(),
        claim_a_lower_bound,
    ],
)
def test_branches_that_prove_something_else_are_refused(change, branched):
    table, content = branched
    false = json.loads(json.dumps(content))
    change(false)

    bounded, said = answers(false, table)

    assert bounded is False
    assert "No DAG of the listed families" not in said


def test_a_branch_that_is_not_there_is_told(branched):
    table, content = branched
    false = json.loads(json.dumps(content))
    del false["branches"]["without"]

    bounded, said = answers(false, table)

    assert bounded.startswith("The certificate is not whole: it has no 'without'.")
    assert "No DAG of the listed families" not in said


def test_ctrl_c_in_the_middle_leaves_a_bound_that_the_certificate_proves(branched, monkeypatch):
    table, _ = branched
    branch_at_once(monkeypatch)
    monkeypatch.setattr(best_dag_claims, "MOST_COLUMNS", 1)  # so that cuts are all there is
    solve, calls = FamilyProgramme.solve, itertools.count(1)

    def interrupted(programme, allowed):
        if next(calls) == 2:
            signal.raise_signal(signal.SIGINT)
        return solve(programme, allowed)

    monkeypatch.setattr(FamilyProgramme, "solve", interrupted)
    found = sl.ExactSearch(solver="ilp", max_parents=2).fit(table)

    best = sl.ExactSearch(solver="dp", max_parents=2).fit(table).score_
    assert found.status_.startswith("Interrupted")
    assert found.proof_.startswith(
        f"Not proven: the best DAG with at most 2 parents a node may score up to {found.gap_:.4g}"
    )
    assert found.score_ <= best + 1e-9 < found.bound_
    assert found.gap_ == pytest.approx(found.bound_ - found.score_)
    assert [finding.holds for finding in found.certificate().check(table).findings] == [True] * 6
