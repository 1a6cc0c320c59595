"""The page of growth has what the results have, each once and in its place."""

from benchmarks import growth

HEAD = "task,data,library,method,trouble,warm_s\n"
LAPS = """search,"alarm, 10,000 rows",ours,boss,,0.25
search,"alarm, 1,000 rows",ours,boss,,0.0301
search,"alarm, 1,000 rows",other,climb,> 120 s,
search,"alarm, 10,000 rows",other,climb,"not run: > 120 s on alarm, 1,000 rows",
search,"andes, 10,000 rows",ours,boss,,7
"""


def test_a_method_has_a_row_and_tables_grow_to_the_right(tmp_path):
    (tmp_path / "search.csv").write_text(HEAD + LAPS, encoding="utf-8")

    lines = list(growth.table_of(growth.GROWTHS[0], tmp_path))

    assert lines == [
        "| library: method | alarm, 1,000 rows | alarm, 10,000 rows |",
        "| --- | ---: | ---: |",
        "| ours: boss | 0.0301 | 0.25 |",
        "| other: climb | > 120 s | – |",
    ]
