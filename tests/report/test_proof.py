"""The page states what is proven of a graph, and nothing where nothing is."""

import re
from html import unescape

import pytest

import structlearn as sl
from structlearn.report import write_report
from structlearn.report.wording import number


@pytest.fixture(scope="module")
def asia():
    return sl.example("asia").sample(500, random_state=0)


def proof_section(tmp_path, learner):
    html = write_report(tmp_path / "report.html", learner).read_text(encoding="utf-8")
    found = re.search(r'<section id="proof".*?</section>', html, flags=re.DOTALL)
    return None if found is None else unescape(found[0])


def test_a_proven_graph_has_its_score_the_bound_and_the_gap(tmp_path, asia):
    learner = sl.BOSS(prove=True, max_parents=2).fit(asia)

    said = proof_section(tmp_path, learner)

    assert learner.proof_.startswith("Proven optimal")
    assert learner.proof_ in said
    assert f"<td>no DAG scores more than</td><td>{number(learner.bound_)}</td>" in said
    assert "<td>gap</td><td>0</td>" in said
    assert "structlearn check" in said


def test_where_time_ran_out_the_page_says_that_nothing_is_proven(tmp_path, asia):
    learner = sl.ExactSearch(time_limit=1e-6).fit(asia)

    said = proof_section(tmp_path, learner)

    assert "Not proven" in said
    assert "no DAG scores more" not in said


def test_a_search_that_proves_nothing_has_no_such_section(tmp_path, asia):
    assert proof_section(tmp_path, sl.BOSS(patience=0).fit(asia)) is None
