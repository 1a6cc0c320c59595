"""The page and the picture show modules: samples by leaf, regulators above, a line at every split."""

import re

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


def test_the_page_lists_every_module_and_says_which_have_no_regulators(tmp_path):
    rng = np.random.default_rng(1)
    table = {"r": rng.normal(size=40)}
    table |= {f"x{i:02}": 2.0 * (table["r"] > 0) + 0.2 * rng.normal(size=40) for i in range(14)}
    table |= {f"y{i}": rng.normal(size=40) for i in range(2)}
    learner = sl.ModuleNetwork(n_modules=2, regulators=["r"]).fit(table)

    text = write_report(tmp_path / "page.html", learner, sl.Dataset(table)).read_text(encoding="utf-8")

    assert "2 modules of 17 columns" in text
    assert "x00, x01, x02, x03, x04, x05, x06, x07, x08, x09, x10, x11, …" in text  # a dozen of 14
    rows = re.findall(r"<tr><td>(module \d)</td><td>(\d+)</td><td>([^<]*)</td><td>([^<]*)</td></tr>", text)
    assert [row[:2] for row in rows] == [("module 1", "14"), ("module 2", "3")]
    assert rows[0][2].startswith("r (")
    assert rows[1][2:] == ("none", "r, y0, y1")
    assert "<h3>module 1</h3>" in text
    assert "<h3>module 2</h3>" not in text  # without regulators there is no tree to show


def test_without_data_or_with_very_many_samples_the_page_has_trees_but_no_pictures(tmp_path):
    learner, table = fitted()
    many = sl.Dataset({name: np.tile(column, 4) for name, column in table.items()})

    for data in (None, many):
        text = write_report(tmp_path / "page.html", learner, data).read_text(encoding="utf-8")
        assert "├─ r ≤" in text
        assert "regulators above, a line at every split" not in text


def test_colours_are_standard_units_of_each_column_and_stop_at_two():
    learner, table = fitted()

    above, below, *_ = plot_module(learner, table, "module 1").axes

    drawn = np.asarray(below.images[0].get_array())
    assert below.images[0].get_clim() == above.images[0].get_clim() == (-2.0, 2.0)
    for row, name in zip(drawn, ["x0", "x1", "x2", "x3"], strict=True):
        standard = (table[name] - table[name].mean()) / table[name].std()
        assert np.sort(row) == pytest.approx(np.sort(standard))
    ends = [line.get_xdata()[0] + 0.5 for line in below.lines]
    assert ends == list(module_picture(learner, table, "module 1").ends)
    regulator = np.asarray(above.images[0].get_array())[0]
    assert regulator[: int(ends[1])].max() < regulator[int(ends[1]) :].min()  # all of low r stand left


def test_a_module_without_regulators_and_new_samples_are_drawn_too():
    rng = np.random.default_rng(0)
    table = {name: rng.normal(size=20) for name in ("r", "a", "b")}
    learner = sl.ModuleNetwork(n_modules=1, regulators=["r"], assign_regulators=False).fit(table)
    new = {"a": np.array([1.0, 2.0, 3.0]), "b": np.array([5.0, 5.0, 5.0])}

    drawn = module_picture(learner, new, "module 1")

    assert (drawn.regulators, drawn.ends) == ((), ())
    assert drawn.values.tolist() == [pytest.approx([-(1.5**0.5), 0.0, 1.5**0.5]), [0.0, 0.0, 0.0]]
    above, below, *_ = plot_module(learner, new, "module 1").axes
    assert above.get_yticklabels() == []
    assert below.get_xlabel() == "3 samples, by leaf of the programme"
