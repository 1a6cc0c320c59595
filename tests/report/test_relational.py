"""The section about a database, and the picture of its tables."""

from copy import copy

import pytest

import structlearn as sl
from structlearn.models import Split, TreeCPD
from structlearn.models.relational import Dependency
from structlearn.plots.dot_text import dot
from structlearn.report import Source, write_report

KEYS = {"exam.student": "student.id"}
SCHOOL = {
    "student": {"id": [1, 2, 3, 4], "clever": ["yes", "yes", "no", "no"], "name": list("abcd")},
    "exam": {"student": [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4], "grade": list("AAAABACCCCBC")},
}


@pytest.fixture(scope="module")
def learner():
    return sl.RelationalModel(keys=KEYS, max_chain=1, smoothing=0).fit(SCHOOL)


def test_the_page_shows_tables_references_columns_left_out_and_chances(learner, tmp_path):
    page = write_report(tmp_path / "page.html", learner, source=Source("school.duckdb")).read_text()

    assert "2 tables with 16 rows" in page
    assert "<td>exam.student</td><td>student</td><td>0</td><td>0</td>" in page
    assert "<td>student.name</td><td>text with many different values</td>" in page
    assert "exam.grade depends on student.clever" in page
    # Five A and one B of the clever, one B and five C of the others.
    assert "<td>no</td><td>0</td><td>0.167</td><td>0.833</td>" in page
    assert "data = &#x27;school.duckdb&#x27;" in page


def test_a_page_about_one_table_has_no_section_of_a_database(tmp_path):
    learner = sl.HillClimbing().fit(sl.example("cancer").sample(100, random_state=0))

    assert 'id="database"' not in write_report(tmp_path / "page.html", learner).read_text()


def test_a_tree_is_shown_as_one(learner, tmp_path):
    tree = TreeCPD(
        Split("clever", [[0.9, 0.1], [0.2, 0.8]]), labels=["x", "y"], parents={"clever": ["no", "yes"]}
    )
    changed = copy(learner)
    changed.model_ = copy(learner.model_)
    changed.model_.dependencies = {"exam.grade": Dependency((), tree)}

    page = write_report(tmp_path / "page.html", changed).read_text()

    assert "└─ clever = yes: 0.2, 0.8" in page


def test_a_picture_has_boxes_for_tables_and_chains_at_arrows(learner):
    text = dot(learner.graph_)

    assert 'label="exam"' in text
    assert 'label="grade"' in text  # its box says the rest
    assert 'label=" student.clever "' in text


def test_arrows_within_a_table_need_no_chain():
    columns = {"a": ["x", "y"] * 20, "b": ["u", "v"] * 20}
    graph = sl.RelationalModel().fit({"thing": columns}).graph_

    assert len(graph.edges) == 1
    assert dot(graph).count('fontsize="8"') == 0
