"""The section about rules shows truth tables, what is open, and where the network settles."""

import numpy as np

import structlearn as sl
from structlearn.report import write_report


def page_of(learner, folder):
    return write_report(folder / "report.html", learner).read_text(encoding="utf-8")


def test_rules_and_attractors_are_on_the_page(tmp_path):
    table = {"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "a+": [0, 1, 0, 1], "b+": [0, 0, 1, 1]}
    learner = sl.BooleanNetwork(method="reveal", after={"a": "a+", "b": "b+"}).fit(table)

    page = page_of(learner, tmp_path)

    assert "0 → 0; 1 → 1" in page
    assert "cycle of 2" in page
    assert "01 → 10" in page
    assert page.count("fixed point") == 2


def test_several_solutions_and_patterns_that_were_not_seen_are_said(tmp_path):
    before = np.array([[0, 0, 0], [0, 1, 1], [1, 0, 0], [1, 0, 1]])
    names = list("abc")
    table = dict(zip(names, before.T, strict=True)) | {
        f"{name}+": before[:, 0] | before[:, 1] for name in names
    }
    learner = sl.BooleanNetwork(method="reveal", after={name: f"{name}+" for name in names})
    learner.fit(sl.Dataset(table, kinds=dict.fromkeys(table, "discrete")))

    page = page_of(learner, tmp_path)

    assert "could follow other inputs as well" in page
    assert "→ ?" in page


def test_other_methods_have_no_rules(tmp_path):
    learner = sl.HillClimbing().fit(sl.example("asia").sample(200, random_state=0))

    assert 'id="rules"' not in page_of(learner, tmp_path)
