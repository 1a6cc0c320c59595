"""Renamed tables hold what they held, and the page says how searches end on them."""

import numpy as np

import structlearn as sl
from benchmarks import renamings
from benchmarks.entries import ENTRIES
from benchmarks.tables import Table


def small_table():
    data = sl.example("cancer").sample(200, random_state=0)
    values = np.column_stack([column.codes for column in data.columns])
    labels = tuple(tuple(map(str, column.labels)) for column in data.columns)
    return Table(data.names, values, labels, list(sl.example("cancer").graph.directed), 0.01)


def test_a_renamed_table_has_the_same_columns_under_other_names():
    table = small_table()
    other = renamings.renamed(table, seed=3)

    truth, renamed_truth = (
        sl.score(sl.Graph(each.names, directed=each.truth), sl.Dataset(each.frame()), "bic")
        for each in (table, other)
    )
    assert renamed_truth == truth
    assert set(other.names) == {"v000", "v001", "v002", "v003", "v004"}
    assert {column.tobytes() for column in other.values.T.copy()} == {
        column.tobytes() for column in table.values.T.copy()
    }


def test_the_page_has_the_mean_and_the_worst_of_our_searches(monkeypatch, tmp_path, capsys):
    workload = renamings.Workload("cancer", "discrete", 200, 5, small_table)
    monkeypatch.setattr(renamings, "network", lambda *_: workload)
    monkeypatch.setattr(renamings, "ENTRIES", [entry for entry in ENTRIES if entry.is_ours])

    renamings.main(["--networks", "asia", "--renamings", "2", "--output", str(tmp_path / "page.md")])

    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| asia")]
    assert len(rows) == 2
    assert all(row in (tmp_path / "page.md").read_text(encoding="utf-8") for row in rows)
    best = sl.ExactSearch().fit(sl.Dataset(small_table().frame())).score_
    assert all(f" {best:,.1f} | {best:,.1f} | {best:,.1f} |" in row for row in rows)
