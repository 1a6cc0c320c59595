"""BIF files are read as their grammar says, or refused with the line; and written to be read back."""

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.errors import DataError
from structlearn.formats import bif
from structlearn.graphs import Graph
from structlearn.models import LinearGaussianCPD, TableCPD
from tests.oracles import models as oracle

# Names with spaces, marks of the grammar, keywords, digits, other scripts and line ends.
NAMES = st.one_of(
    st.text(max_size=6).filter(lambda name: '"' not in name),
    st.sampled_from(
        ["table", "default", "property", "probability", "0", "1e-5", "a b", "//", "/*", "{;}", "é"]
    ),
)

CANCER = """\
network unknown {
}
variable Smoker {
  type discrete [ 2 ] { True, False };
}
variable Cancer {
  type discrete [ 2 ] { True, False };
}
probability ( Smoker ) {
  table 0.3, 0.7;
}
probability ( Cancer | Smoker ) {
  (True) 0.03, 0.97;
  (False) 0.001, 0.999;
}
"""


def two_nodes(block, *, states="{ t, f }"):
    declared = "".join(f"variable {name} {{ type discrete [ 2 ] {states}; }}\n" for name in "ab")
    return f"{declared}probability ( a ) {{ table 0.2, 0.8; }}\n{block}\n"


def test_a_small_network_is_read_as_it_stands():
    model = bif.read(CANCER)

    assert model.graph == Graph(["Smoker", "Cancer"], directed=[("Smoker", "Cancer")])
    assert model.cpds == {
        "Smoker": TableCPD([0.3, 0.7], labels=["True", "False"]),
        "Cancer": TableCPD([[0.03, 0.97], [0.001, 0.999]], labels=["True", "False"], parents=["Smoker"]),
    }


def test_it_is_written_as_the_repositories_write_it():
    assert bif.write(bif.read(CANCER)) == CANCER


@settings(deadline=None, max_examples=60)
@given(model=oracle.networks(NAMES))
def test_any_network_of_tables_comes_back_exactly(model):
    assert bif.read(bif.write(model)) == model


def test_comments_properties_quotes_and_missing_commas_are_understood():
    model = bif.read(
        """
        // the dog problem, in the manner of JavaBayes
        network "Dog; {problem}" { property "version 1.0; by hand" ; property author = (x, y); }
        probability ( "light on" | "family-out" ) { /* before its
                                                        variable */
            table 0.6 0.05 0.4 0.95;   // the states of light-on vary slowest
        }
        variable "family-out" { type discrete[2] { "true" "false" }; property position = (112, 69); }
        variable "light on" { property "a comment // inside quotes"; type discrete[2] { "true" "false" }; }
        probability ( "family-out" ) { table 15e-2 .85; }
        """
    )

    assert model.graph.directed == (("family-out", "light on"),)
    assert model.cpds["family-out"].probabilities.tolist() == [0.15, 0.85]
    assert model.cpds["light on"].probabilities.tolist() == [[0.6, 0.4], [0.05, 0.95]]


def test_a_table_with_two_parents_lists_the_last_parent_fastest():
    model = bif.read(
        """
        variable c { type discrete [ 2 ] { c0, c1 }; }
        variable p { type discrete [ 2 ] { p0, p1 }; }
        variable q { type discrete [ 3 ] { q0, q1, q2 }; }
        probability ( p ) { table 0.5, 0.5; }
        probability ( q ) { table 0.2, 0.3, 0.5; }
        probability ( c | p, q ) { table 0.1, 0.2, 0.3, 0.4, 0.5, 0.6,   0.9, 0.8, 0.7, 0.6, 0.5, 0.4; }
        """
    )

    table = model.cpds["c"].probabilities
    assert table[:, :, 0].tolist() == [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]]
    assert table[:, :, 1].tolist() == [[0.9, 0.8, 0.7], [0.6, 0.5, 0.4]]


def test_default_gives_the_rows_that_are_not_listed():
    model = bif.read(two_nodes("probability ( b | a ) { default 0.5, 0.5; (f) 0.1, 0.9; }"))

    assert model.cpds["b"].probabilities.tolist() == [[0.5, 0.5], [0.1, 0.9]]


def test_a_row_that_was_rounded_is_normalised_and_an_exact_one_is_kept():
    model = bif.read(two_nodes("probability ( b | a ) { (t) 0.3333, 0.6666; (f) 0.1, 0.9; }"))

    table = model.cpds["b"].probabilities
    assert table[0].tolist() == pytest.approx([0.3333 / 0.9999, 0.6666 / 0.9999], rel=1e-15)
    assert table[1].tolist() == [0.1, 0.9]


@pytest.mark.parametrize(
    ("block", "line", "reason"),
    [
        ("", 5, "the file ends, and the variable 'b' has no probability block"),
        ("probability ( b | a ) {\n (t) 0.1, 0.9;\n}", 4, r"no row for \('f',\) and no default"),
        ("probability ( b | a ) {\n (t) 0.1, 0.9;\n (t) 0.1, 0.9;\n}", 6, "second row"),
        ("probability ( b | a ) {\n (x) 0.1, 0.9;\n}", 5, "'x' is no state of 'a'"),
        ("probability ( b | a ) {\n (t, t) 0.1, 0.9;\n}", 5, "names 2 states for 1 parents"),
        ("probability ( b | a ) {\n\n table 0.1, 0.9;\n}", 6, "expected 4 probabilities, found 2"),
        ("probability ( b ) {\n table 0.1, 0.8;\n}", 5, "sum to 0.9"),
        ("probability ( b ) {\n table -0.1, 1.1;\n}", 5, "from 0 to 1"),
        ("probability ( b ) {\n table nan, nan;\n}", 5, "from 0 to 1"),
        ("probability ( b ) {\n table 0.1,, 0.9;\n}", 5, "not a list of numbers"),
        ("probability ( b ) {\n table 0.1, 0.9\n}", 5, "expected numbers and then ';'"),
        ("probability ( b ) {\n table 0_1, 0.9;\n}", 5, "not a list of numbers"),
        (
            "probability ( b ) { table 0.1, 0.9; }\nprobability ( b ) { table 0.1, 0.9; }",
            5,
            "second probability",
        ),
        ("probability ( b ) { table 0.1, 0.9;\n table 0.1, 0.9; }", 5, "second 'table'"),
        (
            "probability ( b | a ) {\n table 0.1, 0.1, 0.9, 0.9; default 0.1, 0.9; }",
            5,
            "one of them is enough",
        ),
        ("probability ( b | c ) { default 0.1, 0.9; }", 4, "'c' is not declared"),
        ("probability ( b | b ) { default 0.1, 0.9; }", 4, "appears twice"),
        ("probability ( b a | a ) { default 0.1, 0.9; }", 4, r"expected a parent or '\)', found '\|'"),
        ("probability ( b ) { table 0.1, 0.9; }\nvariable a { }", 5, "declared a second time"),
        ("probability ( b ) { table 0.1, 0.9; }\nvariable c { }", 5, "no 'type discrete'"),
        ("variable c {\n type continuous; }", 5, "expected 'discrete', found 'continuous'"),
        ("variable c {\n type discrete [ 3 ] { x, y }; }", 5, "should have 3 states, and 2 are listed"),
        ("variable c {\n type discrete [ 2 ] { x, x }; }", 5, "listed twice"),
        ("variable c {\n type discrete [ 0 ] { }; }", 5, "should have 0 states"),
        ("variable c {\n type discrete [ " + "9" * 5000 + " ] { x }; }", 5, "should have 999"),
        ("nonsense {}", 4, "expected 'network' or 'variable' or 'probability', found 'nonsense'"),
        ("\n/* never closed", 5, "no end"),
        ('variable "never closed {}', 4, "expected the name of a variable"),
        ("probability ( b ) {", 5, "found the end of the file"),
    ],
)
def test_what_is_wrong_is_refused_with_its_line(block, line, reason):
    with pytest.raises(DataError, match=reason) as raised:
        bif.read(two_nodes(block))

    assert f"line {line}: " in str(raised.value)


def test_an_empty_file_and_a_cycle_are_refused():
    with pytest.raises(DataError, match="without having declared a variable"):
        bif.read("network unknown {\n}\n")
    cycle = CANCER.replace(
        "probability ( Smoker ) {\n  table", "probability ( Smoker | Cancer ) {\n  default"
    )
    with pytest.raises(DataError, match="cycle"):
        bif.read(cycle)


def test_a_table_too_large_for_memory_is_refused_before_it_is_made():
    names = [f"v{i}" for i in range(40)]
    declared = "".join(f"variable {name} {{ type discrete [ 2 ] {{ t, f }}; }}\n" for name in names)
    block = f"probability ( v0 | {', '.join(names[1:])} ) {{ default 0.5, 0.5; }}\n"
    others = "".join(f"probability ( {name} ) {{ table 0.5, 0.5; }}\n" for name in names[1:])

    with pytest.raises(DataError, match=rf"line 41: .*{2**40:,} cells"):
        bif.read(declared + block + others)


@pytest.mark.parametrize("seed", range(300))
def test_a_damaged_file_is_read_or_refused_with_a_line_and_never_crashes(seed):
    rng = random.Random(seed)  # noqa: S311, no secrets here
    text = bif.write(oracle.random_tables(seed % 5))
    for _ in range(rng.randint(1, 3)):
        text = damaged(text, rng)

    try:
        model = bif.read(text)
    except DataError as error:
        assert str(error).startswith("line ") or "cycle" in str(error)  # noqa: PT017, either end will do
    else:
        assert all(np.isfinite(cpd.probabilities).all() for cpd in model.cpds.values())


def damaged(text, rng):
    start = rng.randrange(len(text) or 1)
    end = min(len(text), start + rng.choice([1, 1, 5, 40]))
    rubbish = rng.choice(
        ["", '"', "/*", "//", "{", "}", ";", ",", "(", "|", "é", "\x00", "9" * 400, "-", "nan"]
    )
    return rng.choice(
        [
            text[:start],
            text[:start] + text[end:],
            text[:start] + rubbish + text[start:],
            text[:start] + rubbish + text[end:],
            text[:end] + text[start:],
        ]
    )


@pytest.mark.parametrize("rubbish", ["/*", '"', "(", "property ", "variable x {", "table 1,", "/* *"])
def test_a_long_run_of_one_mistake_is_refused_at_once(rubbish):
    with pytest.raises(DataError):
        bif.read(CANCER + rubbish * 200_000)


def test_labels_that_are_numbers_become_text():
    model = oracle.network({"x": TableCPD([0.25, 0.75], labels=[0, 1])})

    assert bif.read(bif.write(model)).labels == {"x": ("0", "1")}


@pytest.mark.parametrize(
    ("cpd", "name", "reason"),
    [
        (TableCPD([0.5, 0.5], labels=[1, "1"]), "x", "read the same"),
        (TableCPD([1.0], labels=['a"b']), "x", "double quote"),
        (TableCPD([1.0], labels=["a"]), 'a"b', "double quote"),
        (LinearGaussianCPD(0.0, {}, variance=1.0), "x", "tables only, and 'x' has a LinearGaussianCPD"),
    ],
)
def test_what_bif_cannot_hold_is_refused(cpd, name, reason):
    with pytest.raises(DataError, match=reason):
        bif.write(oracle.network({name: cpd}))


def test_a_bare_graph_is_refused_with_what_to_do():
    with pytest.raises(DataError, match=r"fit BayesianNetwork\(graph\) first"):
        bif.write(Graph(["a"]))


def test_small_probabilities_keep_every_digit():
    tiny = math.pi * 1e-300
    model = oracle.network({"x": TableCPD([tiny, 1 / 3, 2 / 3], labels=["a", "b", "c"])})

    assert bif.read(bif.write(model)).cpds["x"].probabilities.tolist() == [tiny, 1 / 3, 2 / 3]
