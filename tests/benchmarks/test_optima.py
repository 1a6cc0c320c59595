"""The table of gaps: what it says of a search is what an exact search finds."""

import pytest

import structlearn as sl
from benchmarks import optima


def test_gaps_are_to_the_proven_optimum_and_boss_has_none():
    data = sl.example("asia").sample(300, random_state=0)
    best = sl.ExactSearch(max_parents=3).fit(data).score_
    climbed = sl.HillClimbing(max_parents=3).fit(data).score_

    rows = {row.search: row for row in optima.gaps(data, "asia", n_seeds=2, limit_s=60.0)}

    assert rows["BOSS"].worst == pytest.approx(0.0, abs=1e-6)
    assert rows["HillClimbing"].mean == pytest.approx(best - climbed, abs=1e-6)
    assert all(row.is_proven and row.seconds >= 0.0 for row in rows.values())


def test_a_row_is_printed_for_every_search(monkeypatch, capsys):
    monkeypatch.setattr(optima, "published", sl.example)

    optima.main(["--networks", "cancer", "--rows", "200", "--seeds", "1"])

    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 + len(optima.SEARCHES)
    assert all(line.startswith("| cancer, 200 rows | ") and line.endswith("| proven |") for line in lines[2:])
