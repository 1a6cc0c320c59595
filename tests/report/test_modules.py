"""The page and the picture show modules: samples by leaf, regulators above, a line at every split."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.plots import plot_module
from structlearn.plots.modules import module_picture
from structlearn.report import write_report


def fitted():
    rng = np.random.default_rng(0)
    table = {"r": rng.normal(size=60), "s": rng.normal(size=60)}
    mean = np.where(table["r"] > 0.2, 1.0, np.where(table["s"] > 0.0, 0.0, -1.5))
    table |= {f"x{i}": mean + 0.2 * rng.normal(size=60) for i in range(4)}
    learner = sl.ModuleNetwork(n_modules=1, regulators=["r", "s"], assign_regulators=False)
    return learner.fit(table), table


def test_samples_stand_by_leaf_from_left_to_right():
    learner, table = fitted()

    drawn = module_picture(learner, table, "module 1")

    # Low r and low s, then low r and high s, then high r; both lines are where the table changes sides.
    is_low, is_cold = table["r"] <= 0.2, table["s"] <= 0.0
    assert drawn.ends == (int((is_low & is_cold).sum()), int(is_low.sum()))
    assert drawn.regulators == ("r", "s")
    assert drawn.regulator_values.shape == (2, 60)
    assert (np.diff(drawn.means) > 0).all()
    order = np.argsort(drawn.values.mean(axis=0), kind="stable")
    assert (np.sort(order[: drawn.ends[0]]) == np.arange(drawn.ends[0])).all()


def test_the_picture_has_a_line_at_every_split_and_all_names():
    learner, table = fitted()

    above, below, *_ = plot_module(learner, table, "module 1").axes

    assert [text.get_text() for text in above.get_yticklabels()] == ["r", "s"]
    assert [text.get_text() for text in below.get_yticklabels()] == ["x0", "x1", "x2", "x3"]
    assert len(above.lines) == len(below.lines) == 2


def test_the_page_has_the_modules_their_programmes_and_pictures(tmp_path):
    learner, table = fitted()

    text = write_report(tmp_path / "page.html", learner, sl.Dataset(table)).read_text(encoding="utf-8")

    assert "1 module of 4 columns" in text
    assert "module 1: 60 samples by leaf, regulators above, a line at every split" in text
    assert "├─ r ≤" in text
    assert text.count("stroke: currentColor") == 2


def test_a_module_that_is_not_there_and_a_table_without_its_columns_are_refused():
    learner, table = fitted()

    with pytest.raises(sl.OptionError, match="no module 'module 7'; there are 'module 1'"):
        plot_module(learner, table, "module 7")
    with pytest.raises(sl.DataError, match="the table has no column 'x3'"):
        plot_module(learner, {name: table[name] for name in table if name != "x3"}, "module 1")
    with pytest.raises(sl.DataError, match="call fit first"):
        plot_module(sl.ModuleNetwork(), table, "module 1")
