"""The table of first uses has what was measured, beside the rows of other methods."""

from benchmarks import first_use


def test_every_fit_is_timed_on_a_table_that_the_method_takes(monkeypatch):
    monkeypatch.setattr(first_use, "TABLES", {"asia": 100})

    for name in ("chow-liu", "shrinkage-partial-correlation"):
        seconds = first_use.timed(name, "asia", 2)

        assert len(seconds) == 2
        assert all(each > 0.0 for each in seconds)


def test_rows_of_other_methods_stay_and_new_ones_take_their_place(tmp_path, monkeypatch):
    page = tmp_path / "first_use.md"
    page.write_text(
        f"{first_use.HEAD}\n| --- | --- |\n| pc | asia | 9 | 9 | 9 |\n| sgs | asia | 3 | 2 | 1 |\n"
    )
    before = tmp_path / "before.md"
    before.write_text("| pc | asia | 8 | 7 | 6 |\n")
    monkeypatch.setattr(first_use, "PAGE", page)
    monkeypatch.setattr(first_use, "BEFORE", before)
    monkeypatch.setattr(first_use, "_fits", lambda _method, table, n, _folder: [1.0 + (table == "asia")] * n)

    first_use.main(["pc"])

    rows = [line for line in page.read_text().splitlines() if line.startswith(("| pc", "| sgs"))]
    assert rows == [
        "| pc | alarm | 1.00 | 1.00 | 1.000 | | | |",
        "| sgs | asia | 3 | 2 | 1 | | | |",
        "| pc | asia | 2.00 | 2.00 | 2.000 | 8 | 7 | 6 |",
    ]


def test_a_method_over_the_limit_says_so(monkeypatch):
    def over(*_):
        raise first_use.subprocess.TimeoutExpired("fit", first_use.LIMIT_S)

    monkeypatch.setattr(first_use, "_fits", over)

    assert (
        first_use._row(first_use.CATALOG["sgs"], "asia")
        == f"| sgs | asia | over {first_use.LIMIT_S:.0f} | | |"
    )
