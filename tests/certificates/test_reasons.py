"""Each reason for which a script that knows nothing of us refuses a file is that of a false certificate."""

import ast
import itertools
import json
import math
import re

import numpy as np
import pytest

import structlearn as sl
from structlearn.independence.g2 import G2
from tests.certificates.claims import TOOLS, ending_of_script

pytest.importorskip("highspy", reason="needs the `exact` extra")

SCRIPTS = ("families", "best_dag", "sparse_precision", "separations")  # that of cuts has one reason


def parity():
    """Three columns of words, the last of which is mostly whether the others differ."""
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 2, (2, 60))
    codes = {"a": a, "b": b, "c": a ^ b ^ (rng.random(60) < 0.1)}
    return {name: np.where(column == 1, "yes", "no") for name, column in codes.items()}


def chain():
    rng = np.random.default_rng(0)
    a, b, c = rng.normal(size=(3, 100))
    return {"a": a, "b": a + b, "c": a + b + c}


def many():
    """More columns than all sets of them can be gone through; the first two are nearly the same."""
    codes = np.random.default_rng(0).integers(0, 2, (40, 23))
    codes[:38, 1] = codes[:38, 0]
    return {f"c{j:02}": np.where(column == 1, "yes", "no") for j, column in enumerate(codes.T)}


TRUE = {
    "families": (parity, sl.ExactSearch(score="bic", max_parents=2)),
    "best_dag": (parity, sl.ExactSearch(score="bic", max_parents=2)),
    "sparse_precision": (chain, sl.GraphicalLasso(penalty=0.1, weights={("a", "c"): math.inf})),
    "separations": (chain, sl.PC()),
    "words": (parity, sl.PC(test=G2(sparse="asymptotic"))),
    "many": (many, sl.ExactSearch(score="bic", max_parents=1, solver="ilp")),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("claims")


@pytest.fixture(scope="module")
def true_claims(folder):
    found = {}
    for name, (table, learner) in TRUE.items():
        rows = zip(*(map(str, column.tolist()) for column in table().values()), strict=True)
        path = folder / f"{name}.csv"
        path.write_text("\n".join([",".join(table()), *map(",".join, rows)]) + "\n")
        found[name] = learner.fit(path).certificate().content
    return found


def said_of(content, name, folder):
    (folder / "c.json").write_text(json.dumps(content))
    script = {"words": "separations", "many": "cuts"}.get(name, name)
    return ending_of_script(f"check_{script}", folder / "c.json", folder / f"{name}.csv")


def put(*way, value):
    """A change of one place; a function is told what is there."""

    def change(content):
        *before, last = way
        for step in before:
            content = content[step]
        content[last] = value(content[last]) if callable(value) else value

    return change


def lowered_by(amount):
    return lambda number: number - amount


def best_of_each(content):
    """Every column has its best parents, which is a cycle."""
    total = sum(families[0][0] for families in content["families"].values())
    graph = {v: families[0][1] for v, families in content["families"].items()}
    content.update(graph=graph, total=total, bound=total)


def no_arcs(content):
    """A graph that scores what is written, and a bound that others exceed."""
    total = sum(score for each in content["families"].values() for score, parents in each if not parents)
    content.update(graph={v: [] for v in content["graph"]}, total=total, bound=total)


def without_cuts(content):
    content.update(cuts=[], branches={"prices": [[]], "arc": None})


def no_arcs_though_one_is_required(content):
    """What c scores with b alone is listed, as it has to be."""
    no_arcs(content)
    rows = list(zip(parity()["b"], parity()["c"], strict=True))
    shares = [rows.count(row) / sum(b == row[0] for b, _ in rows) for row in rows]
    content["families"]["c"].append([sum(map(math.log, shares)) - math.log(60), ["b"]])
    content["required"] = [["b", "c"]]


def arc_forbidden(content):
    child = next(v for v, parents in content["graph"].items() if parents)
    parent = content["graph"][child][0]
    content["forbidden"] = [[parent, child]]
    families = content["families"][child]
    families[:] = [family for family in families if parent not in family[1]]


def entry(*at, value):
    def change(content):
        (found,) = [each for each in content["precision"] if tuple(each[:2]) == at]
        found[2] = value(found[2])

    return change


def another_entry(*at):
    return put("precision", value=lambda entries: [*entries, [*at, 0.5]])


def written_as_it_is(content):
    """The objective of a matrix that is not the best one, with the gap of the best."""
    entry(0, 0, value=lambda number: 1.01 * number)(content)
    matrix = np.zeros((3, 3))
    for i, j, number in content["precision"]:
        matrix[i, j] = matrix[j, i] = number
    price = 0.1 * np.abs(matrix - np.diag(np.diag(matrix))).sum()
    fit = np.sum(np.corrcoef(list(chain().values())) * matrix) - np.linalg.slogdet(matrix)[1]
    content["primal objective"] = float(fit + price)


def edge_as_separation(content):
    a, b = content["edges"].pop()
    content["separations"].append([a, b, [], sl.test_independence(chain(), a, b).p_value])


def separation_as_edge(content):
    a, b, *_ = content["separations"].pop()
    content["edges"].append([a, b])


ANOTHER_SEARCH = "This script is for BIC of exact searches."
NO_BOUND = "The bound is below what the graph scores, or no number."
NO_SEARCH = "This script is for exact searches."
NO_LASSO, NO_PC = "This script is for graphical lassos.", "This script is for the separating sets of PC."
NO_CUTS = "As far as cuts tell, a DAG of the listed families may score more than the bound."
TWICE = "{} has a family twice, or one not allowed."
NO_PAIRS = "A pair is there twice, or has neither an edge nor a separating set."
NOT_INSIDE = "The dual point exceeds a penalty."
NOT_DEFINITE = "The matrix or its dual point is not definite."
NO_TEST = "This script does not have this test."
NO_ENTRY = "An entry of a matrix is there twice, or not below its diagonal."
FALSE = [
    ("families", put("kind", value="sparse-precision"), ANOTHER_SEARCH),
    ("families", put("score", value="BDeu()"), ANOTHER_SEARCH),
    ("families", put("table", "rows", value=61), "The table is another one."),
    ("families", put("table", "columns", 0, value="other"), "The table is another one."),
    ("families", put("table", "levels", 0, value=3), "The table is another one."),
    ("families", put("families", "a", 0, 1, value=["a"]), TWICE.format("a")),
    ("families", put("families", "a", value=lambda each: [*each, each[0]]), TWICE.format("a")),
    ("families", put("families", "b", 0, 0, value=lowered_by(1e-5)), "Parents of b score otherwise."),
    ("families", put("families", "c", value=lambda each: each[1:]), "A family of c is missing: ['a', 'b']."),
    ("families", put("max parents", value=1), TWICE.format("a")),
    ("families", no_arcs_though_one_is_required, TWICE.format("c")),
    ("best_dag", put("kind", value="sparse-precision"), NO_SEARCH),
    ("best_dag", put("graph", value={"a": []}), "These are other columns."),
    ("best_dag", put("families", value={"a": []}), "These are other columns."),
    ("best_dag", put("families", "a", value=[]), "The graph has a family that is not listed."),
    ("best_dag", arc_forbidden, "The graph has a family that is not listed."),
    ("best_dag", put("total", value=lowered_by(1e-5)), "The graph does not score what is written."),
    ("best_dag", put("bound", value=math.inf), NO_BOUND),
    ("best_dag", put("bound", value=lowered_by(1e-5)), NO_BOUND),
    ("best_dag", best_of_each, "The graph has a cycle."),
    ("best_dag", no_arcs, "Another DAG scores more than the bound."),
    ("many", put("kind", value="sparse-precision"), NO_SEARCH),
    ("many", no_arcs, NO_CUTS),
    ("many", put("cuts", 0, "rank", value=math.nan), NO_CUTS),
    ("many", put("branches", "prices", value=[[[0, -1.0]]]), NO_CUTS),
    ("many", put("branches", "prices", value=[[[0, 1e308]]]), NO_CUTS),
    ("many", put("bound", value=math.nan), NO_CUTS),
    ("many", put("families", "c00", 0, 0, value=math.nan), NO_CUTS),
    ("many", without_cuts, NO_CUTS),
    ("sparse_precision", put("kind", value="best-dag"), NO_LASSO),
    ("sparse_precision", put("table", "rows", value=99), "The table is another one."),
    ("sparse_precision", another_entry(0, 0), NO_ENTRY),
    ("sparse_precision", another_entry(0, 1), NO_ENTRY),
    ("sparse_precision", put("penalty", value=-0.1), NOT_INSIDE),
    ("sparse_precision", another_entry(2, 0), "The objective is not what is written."),
    ("sparse_precision", put("dual", 1, 0, value=lowered_by(0.3)), NOT_INSIDE),
    ("sparse_precision", entry(1, 1, value=lambda number: -number), NOT_DEFINITE),
    ("sparse_precision", put("dual", 2, 0, value=2.0), NOT_DEFINITE),
    (
        "sparse_precision",
        entry(0, 0, value=lambda number: 1.01 * number),
        "The objective is not what is written.",
    ),
    ("sparse_precision", put("dual objective", value=lowered_by(0.1)), "The bound is not what is written."),
    ("sparse_precision", written_as_it_is, "The gap is larger than what is written."),
    ("separations", put("kind", value="best-dag"), NO_PC),
    ("separations", put("test", value="ExactT()"), NO_TEST),
    ("words", put("test", value=lambda test: test.replace("asymptotic", "permutation")), NO_TEST),
    ("words", put("test", value=lambda test: test.replace("adjusted", "full")), NO_TEST),
    ("words", put("test", value=lambda test: test.replace("None", "5.0")), NO_TEST),
    ("separations", put("table", "rows", value=99), "The table is another one."),
    ("separations", put("edges", value=lambda edges: edges[1:]), NO_PAIRS),
    ("separations", put("edges", value=lambda edges: [*edges, edges[0][::-1]]), NO_PAIRS),
    ("separations", put("required", value=[["a", "c"]]), NO_PAIRS),
    ("separations", put("forbidden", value=[["a", "b"]]), NO_PAIRS),
    ("separations", put("separations", 0, 2, value=["a"]), "a, c and what separates them are not apart."),
    (
        "separations",
        put("separations", 0, 3, value=lowered_by(1e-6)),
        "a and c are not separated as written.",
    ),
    ("separations", edge_as_separation, "b and c are not separated as written."),
    (
        "separations",
        put("max conditions", value=-1),
        "The level or the most conditions are none.",
    ),
    (
        "separations",
        put("end", value=False),
        "The search did not come to its end: every edge may be one too many.",
    ),
    ("separations", separation_as_edge, "a and c are separated by ['b']."),
]


@pytest.mark.parametrize("name", TRUE)
def test_what_is_true_is_accepted(name, true_claims, folder):
    assert re.search(
        "none is missing|[nN]o DAG of the listed|that of no matrix|others by no",
        said_of(true_claims[name], name, folder),
    )


def test_the_bound_of_more_columns_than_all_sets_can_be_tried_of_is_left_to_the_cuts(true_claims, folder):
    (folder / "c.json").write_text(json.dumps(true_claims["many"]))

    said = ending_of_script("check_best_dag", folder / "c.json")

    assert said == f"The graph scores {true_claims['many']['total']:.4f}. Of the bound: check_cuts.py."


@pytest.mark.parametrize(("name", "change", "reason"), FALSE)
def test_a_false_certificate_is_refused_for_what_is_false_in_it(name, change, reason, true_claims, folder):
    content = json.loads(json.dumps(true_claims[name]))
    change(content)

    assert said_of(content, name, folder) == reason


@pytest.mark.parametrize(
    ("script", "other"),
    [
        *itertools.product(["best_dag", "cuts"], ["sparse_precision", "separations"]),
        *itertools.permutations(["families", "sparse_precision", "separations"], 2),
    ],
)
def test_a_certificate_of_another_kind_is_refused_as_one(script, other, true_claims, folder):
    path = folder / "c.json"
    path.write_text(json.dumps(true_claims[other]))

    said = ending_of_script(f"check_{script}", path, folder / "families.csv")

    assert said in {ANOTHER_SEARCH, NO_SEARCH, NO_LASSO, NO_PC}


@pytest.mark.parametrize("script", SCRIPTS)
def test_every_reason_that_a_script_can_give_is_tried(script):
    tree = ast.parse((TOOLS / f"check_{script}.py").read_text(encoding="utf-8"))
    calls = [each for each in ast.walk(tree) if isinstance(each, ast.Call)]
    reasons = [pattern_of(each.args[1]) for each in calls if getattr(each.func, "id", "") == "insist"]
    untried = [each for each in reasons if not any(re.fullmatch(each, reason) for _, _, reason in FALSE)]

    assert len(reasons) >= 4
    assert not untried


def pattern_of(text):
    """What a text in a program looks like once names are put in."""
    parts = [text] if isinstance(text, ast.Constant) else text.values
    return "".join(re.escape(part.value) if isinstance(part, ast.Constant) else ".*" for part in parts)
