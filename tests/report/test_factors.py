"""Factors and activities on the page, as colours."""

import re

import numpy as np
import pytest

import structlearn as sl
from structlearn.report.heat_map import heat_map
from structlearn.report.page import write_report


@pytest.fixture
def modules():
    rng = np.random.default_rng(0)
    rows = np.repeat(rng.normal(size=(60, 2)), 3, axis=1) + 0.3 * rng.normal(size=(60, 6))
    return dict(zip("abcdef", rows.T, strict=True))


def cells(text):
    return re.findall(r'fill="(#\w+)" fill-opacity="([\d.]+)"', text)


def test_a_cell_has_the_colour_of_its_sign_and_the_strength_of_its_size():
    drawn = heat_map("numbers", np.array([[1.0, -0.5], [0.0, 0.25]]), ["a", "b"], ["x", "y"])

    assert [float(strength) for _, strength in cells(drawn)] == [1.0, 0.5, 0.0, 0.25]
    assert len({colour for (colour, _), i in zip(cells(drawn), range(2), strict=False)}) == 2


def test_too_many_cells_are_not_drawn():
    assert heat_map("numbers", np.ones((100, 100)), ["a"] * 100, ["b"] * 100) is None


def test_the_page_shows_loadings(tmp_path, modules):
    learner = sl.FactorizationNetwork().fit(modules)

    text = write_report(tmp_path / "page.html", learner).read_text(encoding="utf-8")

    assert "2 factors of 6 columns" in text
    assert len(cells(text)) == 12


def test_the_page_shows_activities(tmp_path, modules):
    known = {"one": ["a", "b", "c"], "two": ["d", "e", "f"]}
    learner = sl.NetworkComponentAnalysis(regulators=known, n_resamples=0, restarts=1).fit(modules)

    text = write_report(tmp_path / "page.html", learner).read_text(encoding="utf-8")

    assert "2 regulators. They leave" in text
    assert len(cells(text)) == 120


def test_of_many_rows_the_first_are_shown(tmp_path):
    table = dict(zip("abcd", np.random.default_rng(0).normal(size=(4, 4000)), strict=True))
    known = {"one": ["a", "b"], "two": ["c", "d"]}
    learner = sl.NetworkComponentAnalysis(regulators=known, n_resamples=0, restarts=1).fit(table)

    text = write_report(tmp_path / "page.html", learner).read_text(encoding="utf-8")

    assert "The first 2 are shown, in the first 3,000 rows." in text
    assert len(cells(text)) == 6000
