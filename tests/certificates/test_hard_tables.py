"""Certificates of tables, options and files that are not as usual, and cuts worked out by hand."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.certificates import Certificate, Finding, Verdict
from structlearn.certificates.bounds import bounded_by_cuts
from structlearn.certificates.bounds import raises as raises_rank
from structlearn.independence.chi2 import Chi2
from tests.certificates.claims import priced

rng = np.random.default_rng(5)
NORMAL = rng.normal(size=(40, 4))


def checked(learner, data, judge=None):
    return learner.fit(data).certificate().check(data, judge)


@pytest.fixture
def with_gaps():
    table = {
        name: list(column)
        for name, column in sl.example("cancer").sample(200, random_state=0).to_dict().items()
    }
    table["Smoker"][:20] = [None] * 20
    return table


# a loses 3 without b, and b loses 2 without a; both cannot be had, so that the best DAG loses 2.
EACH_WANTS_THE_OTHER = {
    "table": {"columns": ["a", "b"]},
    "families": {"a": [[0.0, ["b"]], [-3.0, []]], "b": [[0.0, ["a"]], [-2.0, []]]},
}


@pytest.mark.parametrize(
    ("prices", "bound", "is_proven"),
    [
        ([[2.0]], -2.0, True),
        ([[2.0]], -2.1, False),
        ([[1.0]], -1.0, True),
        ([[1.0]], -2.0, False),  # a without parents is out now: 1 and 3 - 1 are more than 2
        ([[1.0], [2.0]], -2.0, True),
        ([[-5.0]], -0.1, False),
        ([[0.0]], 0.0, True),
    ],
)
def test_a_cluster_of_two_proves_what_the_cheaper_of_them_loses(prices, bound, is_proven):
    cuts = priced([(["ab"], 1)], prices)

    assert bounded_by_cuts({**EACH_WANTS_THE_OTHER, **cuts, "bound": bound}) == is_proven


@pytest.mark.parametrize(
    ("rank", "child", "parents", "raises"),
    [
        (1, 0, [], True),
        (1, 0, [1], False),
        (2, 0, [1], True),
        (2, 0, [1, 2], False),  # two classes are met already
        (2, 0, [3], False),  # 3 is of the class of 0
        (2, 0, [4], True),  # 4 is outside
        (3, 0, [1, 2], True),
        (3, 4, [], False),
    ],
)
def test_a_family_raises_the_rank_where_its_child_meets_a_class_more(rank, child, parents, raises):
    members = np.array([[*parents, -1, -1][:2]])

    assert raises_rank(np.array([0, 1, 2, 0, -1]), rank, np.array([child]), members).tolist() == [raises]


@pytest.mark.parametrize("learner", [sl.ExactSearch(missing="drop"), sl.PC(missing="testwise")])
def test_rows_with_gaps_are_treated_as_the_fit_did(learner, with_gaps):
    assert checked(learner, with_gaps).holds


@pytest.mark.parametrize(
    "learner", [sl.ExactSearch(score="pnal", missing="familywise"), sl.PC(missing="testwise")]
)
def test_rows_without_any_value_are_left_out_as_the_fit_did(learner, with_gaps):
    more = {name: [None, *column, None] for name, column in with_gaps.items()}

    assert checked(learner, more).holds


def test_completed_tables_have_no_proof_as_nobody_else_has_them(with_gaps):
    with pytest.raises(sl.OptionError, match=r"prove=True, missing='em'\): a proof is about one table"):
        sl.BOSS(prove=True, missing="em").fit(with_gaps)


def test_given_scores_have_no_certificate():
    lists = sl.ExactSearch().fit(NORMAL).local_scores_
    with pytest.raises(sl.DataError, match="no given scores"):
        sl.ExactSearch().fit_scores(lists).certificate()


@pytest.mark.parametrize("candidates", [None, {"x0": ["x1"], "x1": ["x2"], "x2": [], "x3": ["x0"]}])
def test_continuous_columns_and_candidates_are_checked_too(candidates):
    verdict = checked(sl.ExactSearch(candidates=candidates), NORMAL)

    assert [finding.holds for finding in verdict.findings] == [True] * 6
    n_families = 4 * 2**3 if candidates is None else 2 + 2 + 1 + 2
    assert f"of all {n_families} families" in str(verdict)


@pytest.mark.filterwarnings("ignore:.*single value")
@pytest.mark.parametrize(
    "rows",
    [
        np.column_stack([NORMAL, np.ones(40)]),
        NORMAL * [1e-6, 1.0, 1e6, 1e3],
        NORMAL.T[:, :] @ rng.normal(size=(40, 9)),
        NORMAL + 1e4,
    ],
    ids=["a constant column", "other scales", "more columns than rows", "far from zero"],
)
def test_a_lasso_of_a_hard_table_is_checked(rows):
    verdict = checked(sl.GraphicalLasso(penalty=0.3), rows)

    assert [finding.holds for finding in verdict.findings] == [True] * 4


def test_pairs_that_knowledge_forbids_are_said_to_have_neither_edge_nor_set():
    data = sl.example("asia").sample(400, random_state=1)
    knowledge = sl.Knowledge(forbidden=[("lung", "either"), ("either", "lung")])

    assert "; 1 neither, by knowledge" in str(checked(sl.PC(knowledge=knowledge), data))


@pytest.mark.parametrize(
    ("n_rows", "form"), [(200, "VariancesByChance(score="), (20, "Extended(score=VariancesByChance(score=")]
)
def test_the_form_of_a_score_for_long_tails_and_many_columns_is_known_by_its_name(n_rows, form):
    rng = np.random.default_rng(0)
    data = {f"group {i}": rng.choice(["a", "b"], n_rows) for i in range(3)}
    data |= {f"tail {i}": rng.lognormal(sigma=2.0, size=n_rows) for i in range(3)}
    learner = sl.ExactSearch(max_parents=2)

    verdict = checked(learner, data)

    assert form in str(verdict)
    assert {finding.holds for finding in verdict.findings} == {True}


@pytest.mark.parametrize("risk", ["0.0", "nan", "1e", "-1.0", "1.0)", "much"])
def test_a_risk_that_is_none_leaves_the_score_open(risk):
    data = sl.example("asia").sample(400, random_state=1)
    certificate = sl.ExactSearch(max_parents=1, score="bic").fit(data).certificate()
    wrong = Certificate(certificate.content | {"score": f"Extended(score=BIC(), risk={risk})"})

    assert "has no name; give it as judge" in str(wrong.check(data))


def test_a_test_with_options_of_its_own_is_left_open_unless_it_is_given():
    data, own = sl.example("asia").sample(400, random_state=1), Chi2(dof="full")
    assert "has no name; give it as judge" in str(checked(sl.PC(test=own), data))
    assert "separating sets have the p-value written" in str(checked(sl.PC(test=own), data, own))


def test_columns_of_another_kind_are_refused():
    certificate = sl.PC().fit({"a": [0, 1, 0, 1] * 10, "b": [1, 1, 0, 0] * 10}).certificate()
    with pytest.raises(sl.DataError, match="'a' is continuous here, and was discrete"):
        certificate.check({"a": NORMAL[:, 0], "b": [1, 1, 0, 0] * 10})


def test_a_verdict_holds_unless_a_claim_fails():
    right, wrong, unchecked = Finding(True, "a."), Finding(False, "b."), Finding(None, "c.")  # noqa: FBT003, as told

    assert Verdict([right, unchecked]).holds
    assert not Verdict([right, wrong]).holds
    assert str(Verdict([right, wrong, unchecked])) == "holds: a.\nFAILS: b.\nopen: c."


def test_files_that_cannot_be_read_or_written_are_told(tmp_path):
    certificate = sl.GraphicalLasso(penalty=0.3).fit(NORMAL).certificate()
    with pytest.raises(sl.DataError, match="cannot be written"):
        certificate.save(tmp_path)
    with pytest.raises(sl.DataError, match=r"none\.json: there is no such file"):
        Certificate.load(tmp_path / "none.json")
    with pytest.raises(sl.DataError, match="cannot be read: File name too long"):
        Certificate.load("n" * 1000)


@pytest.mark.parametrize(
    "learner",
    [sl.ExactSearch(max_parents=1), sl.PC()],
    ids=["an exact search", "pc"],
)
def test_columns_of_both_kinds_are_checked(learner):
    coin = np.tile([0, 1, 1, 0, 1], 8)
    table = {"coin": coin, "wide": NORMAL[:, 0] + 2 * coin, "other": NORMAL[:, 1]}
    certificate = learner.fit(table).certificate()

    assert certificate.check(table).holds
    assert certificate.content["table"]["kinds"] == ["discrete", "continuous", "continuous"]
    assert certificate.content["table"]["columns"] == ["coin", "other", "wide"]


def test_the_order_of_columns_and_further_columns_do_not_matter():
    table = {name: NORMAL[:, j] for j, name in enumerate("abcd")}
    certificate = sl.ExactSearch().fit(table).certificate()
    turned = {name: table[name] for name in "dcba"} | {"more": NORMAL[:, 0] ** 2}

    assert certificate.check(turned).holds
    assert not certificate.check(turned | {"a": NORMAL[::-1, 0]}).holds


def test_a_certificate_is_that_of_the_fit_whatever_options_are_set_later():
    learner = sl.GraphicalLasso(penalty=0.3).fit(NORMAL)
    before = learner.certificate()
    learner.set_params(penalty=0.1, standardise=False)

    assert learner.certificate().content == before.content
    assert before.content["penalty"] == 0.3
    assert before.content["method"] == "GraphicalLasso"
