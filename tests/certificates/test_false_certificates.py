"""Certificates that claim too much are refused, by us and by the script that knows nothing of us."""

import itertools
import json
import math
from functools import reduce

import numpy as np
import pytest

import structlearn as sl
from structlearn.certificates import Certificate, best_dag
from tests.certificates.claims import ALL_FAMILIES, ending_of_script, priced

NAMES = ["a", "b", "c"]


def codes_of(rows):
    """A table of words from whole numbers."""
    return {name: [f"s{code}" for code in column] for name, column in zip(NAMES, rows.T, strict=True)}


def bic_by_hand(rows, child, parents):
    """Sums over rows of the log of the share of the child's state among rows with the same parents."""
    total = 0.0
    for row in rows:
        alike = [other for other in rows if all(other[p] == row[p] for p in parents)]
        total += math.log(sum(other[child] == row[child] for other in alike) / len(alike))
    return total - math.log(len(rows)) / 2 * 2 ** len(parents)


@pytest.fixture(scope="module")
def rows():
    """Three binary columns of which the last is, mostly, whether the others differ."""
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 2, 60), rng.integers(0, 2, 60)
    return np.column_stack([a, b, a ^ b ^ (rng.random(60) < 0.1)])


@pytest.fixture(scope="module")
def true_claims(rows):
    """A certificate that is written by hand: all families, and the best of all orders."""
    families = {
        NAMES[v]: sorted(
            (
                [bic_by_hand(rows, v, parents), [NAMES[p] for p in parents]]
                for size in range(3)
                for parents in itertools.combinations([u for u in range(3) if u != v], size)
            ),
            reverse=True,
        )
        for v in range(3)
    }
    best = max(
        (
            [
                max(family for family in families[v] if set(family[1]) <= set(order[:i]))
                for i, v in enumerate(order)
            ]
            + [order]
            for order in itertools.permutations(NAMES)
        ),
        key=lambda found: sum(score for score, _ in found[:3]),
    )
    total = sum(score for score, _ in best[:3])
    return {
        "format": "structlearn certificate",
        "version": 2,
        "kind": "best-dag",
        "method": "by hand",
        "table": {
            "rows": 60,
            "columns": NAMES,
            "kinds": ["discrete"] * 3,
            "levels": [2] * 3,
            "missing": "error",
        },
        "score": "BIC()",
        "max parents": 2,
        "required": [],
        "forbidden": [],
        "graph": {v: parents for v, (_, parents) in zip(best[3], best[:3], strict=True)},
        "total": total,
        "bound": total,
        "cuts": [],
        "branches": None,
        "families": families,
    }


@pytest.fixture
def script(rows, tmp_path):
    """What the scripts of families and of a best DAG say of a certificate."""
    lines = [",".join(NAMES), *(",".join(f"s{code}" for code in row) for row in rows)]
    (tmp_path / "table.csv").write_text("\n".join(lines) + "\n")

    def run(content):
        (tmp_path / "c.json").write_text(json.dumps(content))
        said = ending_of_script("check_families", tmp_path / "c.json", tmp_path / "table.csv")
        return ending_of_script("check_best_dag", tmp_path / "c.json") if said == ALL_FAMILIES else said

    return run


@pytest.fixture
def script_of_cuts(tmp_path):
    """What the script of bounds says of a certificate."""

    def run(content):
        (tmp_path / "c.json").write_text(json.dumps(content))
        return ending_of_script("check_cuts", tmp_path / "c.json")

    return run


def changed(content, change):
    copy = json.loads(json.dumps(content))
    change(copy)
    return copy


def is_accepted(content, rows):
    """Whether our own check accepts a certificate; it may also say that it is not whole."""
    try:
        return Certificate(content).check(codes_of(rows)).holds
    except sl.DataError:
        return False


def one_cut(classes, rank, price):
    return priced([(classes, rank)], [[price]] * 3)


def test_what_was_computed_by_hand_holds(true_claims, rows, script):
    verdict = Certificate(true_claims).check(codes_of(rows))

    assert [finding.holds for finding in verdict.findings] == [True] * 6
    assert f"scores {true_claims['total']:.4f}, and no DAG of the listed families more" in script(true_claims)


def empty_graph(content):
    content.update(graph={}, total=0.0)


def graph_without_a_column(content):
    lost = content["graph"].popitem()
    content["total"] -= next(score for score, parents in content["families"][lost[0]] if parents == lost[1])


def fewer_families_than_the_graph_has(content):
    """All claims about families of one parent are true, and the graph has two."""
    content["max parents"] = 1
    for v, families in content["families"].items():
        content["families"][v] = [family for family in families if len(family[1]) < 2]
    content["bound"] = sum(max(families)[0] for families in content["families"].values())


def fewer_parents_than_the_graph_has(content):
    content["max parents"] = 1


def bound_that_is_no_number(content):
    content.update(one_cut(["abc"], 1, 1.0), bound=math.nan)


def score_that_is_no_number(content):
    content["families"]["b"][2][0] = math.nan


def family_listed_twice(content):
    content["families"]["a"].append(content["families"]["a"][0])


def parent_of_itself(content):
    content["graph"]["a"] = ["a"]


def cycle(content):
    """With families of the lists, and the sum of their scores."""
    graph = {v: max(families)[1] for v, families in content["families"].items()}
    total = sum(max(families)[0] for families in content["families"].values())
    content.update(graph=graph, total=total, bound=total)


def unbounded(content):
    content.update(bound=math.inf)


def other_levels(content):
    content["table"]["levels"][0] = 3


def other_rows(content):
    content["table"]["rows"] += 1


def column_twice(content):
    content["table"]["columns"].append("a")


def arc_that_is_forbidden(content):
    child = next(v for v, parents in content["graph"].items() if parents)
    content["forbidden"].append([content["graph"][child][0], child])


def required_arc_that_is_missing(content):
    child = next(v for v, parents in content["graph"].items() if not parents)
    parent = next(v for v in NAMES if v != child)
    content["required"].append([parent, child])


def more_parents_than_listed(content):
    for v, families in content["families"].items():
        content["families"][v] = [family for family in families if len(family[1]) < 2]
    content["graph"] = {v: [] for v in NAMES}
    content["total"] = sum(
        score for families in content["families"].values() for score, parents in families if not parents
    )
    content["bound"] = sum(max(families)[0] for families in content["families"].values())


@pytest.mark.parametrize(
    "change",
    [
        empty_graph,
        graph_without_a_column,
        fewer_families_than_the_graph_has,
        fewer_parents_than_the_graph_has,
        bound_that_is_no_number,
        score_that_is_no_number,
        family_listed_twice,
        parent_of_itself,
        cycle,
        unbounded,
        other_levels,
        other_rows,
        column_twice,
        arc_that_is_forbidden,
        required_arc_that_is_missing,
        more_parents_than_listed,
    ],
)
def test_a_graph_that_is_not_what_the_bound_is_about_is_refused(change, true_claims, rows, script):
    false = changed(true_claims, change)

    assert not is_accepted(false, rows)
    assert "and no DAG" not in script(false)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("by", [1e-3, -1e-3])
def test_every_number_of_every_family_is_looked_at(name, by, true_claims, rows, script):
    for place in range(4):

        def move(content, place=place):
            content["families"][name][place][0] += by

        false = changed(true_claims, move)
        (failing, *_) = [each for each in Certificate(false).check(codes_of(rows)).findings if not each.holds]
        assert failing.claim == "11 of 12 listed families score what is written."
        assert script(false) == f"Parents of {name} score otherwise."


def test_a_family_that_is_missing_is_missed_though_the_graph_does_not_use_it(true_claims, rows, script):
    for name in NAMES:
        place = next(i for i, (_, parents) in enumerate(true_claims["families"][name]) if not parents)
        false = changed(
            true_claims, lambda content, name=name, place=place: content["families"][name].pop(place)
        )
        verdict = Certificate(false).check(codes_of(rows))
        claims = [finding.claim for finding in verdict.findings if finding.holds is False]
        assert any("none is better than the listed ones within it" in claim for claim in claims)
        assert script(false) == f"A family of {name} is missing: []."


def other_codes(rows):
    return np.where(np.arange(60)[:, None] == 7, 1 - rows, rows)


def exchanged(rows):
    return rows[:, [0, 2, 1]]


@pytest.mark.parametrize("other", [other_codes, exchanged, lambda rows: rows[1:]])
def test_another_table_is_refused(other, true_claims, rows, script, tmp_path):
    lines = [",".join(NAMES), *(",".join(f"s{code}" for code in row) for row in other(rows))]
    assert "and no DAG" in script(true_claims)
    (tmp_path / "table.csv").write_text("\n".join(lines) + "\n")

    assert not is_accepted(true_claims, other(rows))
    assert "and no DAG" not in script(true_claims)


def test_whatever_is_written_in_a_place_the_check_says_what_it_makes_of_it(true_claims, rows):
    """A verdict or an error of ours: nothing else, and nothing that runs for ever."""
    places = list(places_in(priced_claims(true_claims)))
    rng = np.random.default_rng(0)
    for place in [places[i] for i in rng.permutation(len(places))[:40]]:
        for other in (None, math.inf, -1, 10**400, "x", [], {}, [[]], True):
            false = json.loads(json.dumps(priced_claims(true_claims)))
            *way, last = place
            reduce(lambda part, step: part[step], way, false)[last] = other
            with np.errstate(all="ignore"):
                is_accepted(false, rows)


def priced_claims(content):
    return {**content, **one_cut("abc", 2, 1.0)}


def places_in(content, way=()):
    """The way to every part of a certificate."""
    steps = content.items() if isinstance(content, dict) else enumerate(content)
    for step, part in steps:
        yield (*way, step)
        if isinstance(part, dict | list):
            yield from places_in(part, (*way, step))


# Cuts that would prove any bound, if their ranks were counted as they are written.
TOO_STRONG = {
    "classes of no columns": one_cut(["", "", ""], 3, 1e3),
    "a rank above the classes": one_cut(["abc"], 3, 1e3),
    "a rank that is no number": one_cut("abc", math.nan, 1e3),
    "a column that is not there": one_cut(["abcd"], 1, 1e3),
    "a column in every class": one_cut(["abc", "abc", "abc"], 3, 1e3),
    "a price too many": priced([("abc", 1)], [[1e3, 1e3]]),
    "a price below nothing": one_cut("abc", 2, -1e3),
    "a price that is no number": one_cut("abc", 2, math.nan),
    "a price beyond all numbers": one_cut("abc", 2, 1e308),
    "no price": priced([("abc", 2)], []),
}


@pytest.mark.parametrize("cuts", TOO_STRONG.values(), ids=TOO_STRONG)
def test_a_cut_that_is_too_strong_proves_nothing(cuts, true_claims, rows, script_of_cuts, monkeypatch):
    monkeypatch.setattr(best_dag, "MOST_COLUMNS", 1)  # so that cuts are all there is
    empty = sum(score for v in NAMES for score, parents in true_claims["families"][v] if not parents)
    bound = (empty + true_claims["total"]) / 2  # which the graph does not reach, and others exceed
    false = {**true_claims, "graph": {v: [] for v in NAMES}, "total": empty, "bound": bound, **cuts}

    assert empty < bound - 1.0
    with np.errstate(all="ignore"):
        assert not is_accepted(false, rows)
    assert "No DAG of the listed families" not in script_of_cuts(false)


def test_a_sound_cut_proves_a_bound_at_its_price_and_not_below_it(
    true_claims, rows, script_of_cuts, monkeypatch
):
    """Along any DAG two columns at least have less than two parents, and lose what that costs."""
    monkeypatch.setattr(best_dag, "MOST_COLUMNS", 1)
    families = true_claims["families"]
    best = sum(max(families[v])[0] for v in NAMES)
    price = min(
        max(families[v])[0] - score for v in NAMES for score, parents in families[v] if len(parents) < 2
    )
    bound = max(best - 2 * price, true_claims["total"])
    proven = {**true_claims, "bound": bound, **one_cut("abc", 2, price)}
    unproven = {**proven, **one_cut("abc", 2, 0.9 * price)}

    assert price > 0.5
    assert is_accepted(proven, rows)
    assert not is_accepted(unproven, rows)
    assert "No DAG of the listed families scores more" in script_of_cuts(proven)
    assert "may score more than the bound" in script_of_cuts(unproven)
