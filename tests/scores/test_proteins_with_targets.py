"""Scores of the proteins of Sachs et al. (2005), with what was set in each cell and without.

The numbers are in docs/references/scores.md#rows-in-which-columns-were-set.
"""

import pytest

import structlearn as sl
from structlearn.scores import BDeu
from tests.data_files import data_file

NAMES = ["raf", "mek", "plc", "pip2", "pip3", "erk", "akt", "pka", "pkc", "p38", "jnk"]
SHARED = (
    "erk akt, pka akt, mek erk, pka erk, pka jnk, pkc jnk, pka mek, pkc mek, raf mek, pka p38, pkc p38, "
    "pip3 pip2, plc pip2, pkc pka, pka raf, pkc raf"
)
OF_17 = f"{SHARED}, plc pip3"
OF_20 = f"{SHARED}, pip2 pkc, pip3 akt, pip3 plc, plc pkc"


def graph(arcs=""):
    return sl.Graph(NAMES, directed=[tuple(arc.split()) for arc in arcs.split(", ") if arc])


@pytest.fixture(scope="module")
def cells():
    data = sl.Dataset(data_file("tables/sachs-interventional.csv.gz"), kinds=dict.fromkeys(NAMES, "discrete"))
    assert data.n_rows == 5400
    return data


@pytest.mark.parametrize(
    ("arcs", "with_targets", "ignored"),
    [
        (OF_17, (-34507.979679, -34400.109971, -34693.251602), -39323.889553),
        (OF_20, (-34609.665931, -34444.286232, -34885.779823), -38848.540279),
    ],
)
def test_the_two_graphs_of_the_field_have_the_known_scores(cells, arcs, with_targets, ignored):
    found = [sl.score(graph(arcs), cells, score, targets="target") for score in (BDeu(1), BDeu(10), "bic")]

    assert found == pytest.approx(with_targets, abs=1e-5)
    assert sl.score(graph(arcs), cells.select(NAMES), BDeu(1)) == pytest.approx(ignored, abs=1e-5)


@pytest.mark.parametrize(
    ("arc", "gain"),
    [("pkc jnk", 722.1029), ("jnk pkc", 40.1689), ("mek erk", 493.4691), ("erk mek", 349.2427)],
)
def test_what_was_set_tells_the_direction_of_an_arc(cells, arc, gain):
    without = sl.score(graph(), cells, BDeu(1), targets="target")

    assert without == pytest.approx(-45955.088034, abs=1e-5)
    assert sl.score(graph(arc), cells, BDeu(1), targets="target") - without == pytest.approx(gain, abs=1e-3)


def test_without_targets_the_directions_tie(cells):
    alone = cells.select(NAMES)
    none, *gained = (sl.score(graph(arcs), alone, BDeu(1)) for arcs in ("", "pkc jnk", "jnk pkc"))

    assert [score - none for score in gained] == pytest.approx([722.1029] * 2, abs=1e-3)
