"""The section on the local distributions of a dependency network."""

import re

import numpy as np

import structlearn as sl
from structlearn.report import write_report


def text_of(learner, folder):
    page = write_report(folder / "page.html", learner).read_text(encoding="utf-8")
    found = re.search(r'<section id="dependencies".*?</section>', page, re.DOTALL)
    return "" if found is None else re.sub(r"<[^>]+>", " ", found[0])


def chain(n_columns, n_rows=400):
    rng = np.random.default_rng(0)
    columns = [rng.integers(0, 2, n_rows)]
    for _ in range(n_columns - 1):
        columns.append(columns[-1] ^ (rng.random(n_rows) < 0.1))
    return {f"x{j:02}": column for j, column in enumerate(columns)}


def test_each_column_is_shown_with_what_predicts_it_strongest_first(tmp_path):
    learner = sl.DependencyNetwork().fit(chain(3))

    text = text_of(learner, tmp_path)

    gains = {a: learner.evidence_[a, "x01"].score_gain for a in ("x00", "x02")}
    first, second = sorted(gains, key=lambda name: -gains[name])
    assert re.search(rf"x01\s+tree\s+{first} \([\d.]+\), {second} \([\d.]+\)", text)
    assert "not what causes" in text
    total = learner.model_.consistency().total
    assert f"{total:.3g}"[:4] in text


def test_many_joint_states_are_not_summed_over(tmp_path):
    assert "need not agree" in text_of(sl.DependencyNetwork().fit(chain(13)), tmp_path)


def test_other_methods_have_no_such_section(tmp_path):
    assert text_of(sl.HillClimbing().fit(chain(3)), tmp_path) == ""
