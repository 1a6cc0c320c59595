"""The section on experiments: what was set together, in how many rows, and nothing without."""

from types import SimpleNamespace

import pytest

from structlearn.report.sections.experiments import section


def shown(experiments):
    return section(SimpleNamespace(learner=SimpleNamespace(experiments_=experiments)))


def cells(text):
    """The texts between tags, without the empty ones."""
    parts = [part.split(">")[-1].strip() for part in text.split("<")]
    return [part for part in parts if part]


def test_every_set_has_a_line_with_its_rows_and_none_comes_first():
    found = shown({("b", "c"): 1500, (): 2000, ("a",): 3})
    said, *table = cells(str(found.body))

    assert (found.name, found.heading) == ("experiments", "Experiments")
    assert said.startswith("In 1,503 of 3,503 rows something was set from outside.")
    assert table == ["set", "rows", "nothing", "2,000", "a", "3", "b, c", "1,500"]


@pytest.mark.parametrize(
    ("experiments", "said"),
    [
        ({("a",): 1}, "In 1 of 1 row something"),
        ({("a",): 4, ("b",): 2}, "In 6 of 6 rows something"),
        ({(): 7}, "In 0 of 7 rows something"),
    ],
)
def test_rows_are_counted_as_they_are(experiments, said):
    assert said in str(shown(experiments).body)


def test_names_are_text_and_no_markup():
    text = str(shown({("<b>", "R&D"): 2}).body)

    assert "<b>" not in text
    assert "&lt;b&gt;, R&amp;D" in text


@pytest.mark.parametrize("learner", [SimpleNamespace(), SimpleNamespace(experiments_={})])
def test_without_experiments_there_is_no_section(learner):
    assert section(SimpleNamespace(learner=learner)) is None
