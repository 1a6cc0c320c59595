"""No layer imports a later one; heavy libraries stay in their rooms."""

import ast
import functools
import subprocess
import sys
from pathlib import Path

import pytest

import structlearn
from structlearn import independence

ROOT = Path(structlearn.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
FLOW = [
    ["data"],
    ["statistics"],
    ["independence", "scores"],
    ["why"],
    ["numerics"],
    ["search"],
    ["certificates"],
    ["learners"],
    ["models"],
    ["inference"],
    ["formats", "plots"],
    ["report"],
    ["api"],
    ["forward_validation"],
    ["cross_validation"],
    ["cli"],
    ["__main__"],
]
LEAVES = {
    "errors",
    "garbage",
    "naming",
    "options",
    "compile",
    "special_functions",
    "steps",
    "rounding",
    "graphs",
    "gpu",
    "later",
    "unneeded",
    "run",
    "outcome",
    "reading",
    "whole_files",
    "shown",
}
# What is learnt, asked and kept needs no method that learns: only the layers below them.
WITHOUT_LEARNERS = {"models", "inference", "formats"}
# Methods that hand a thing over to a later layer, by an import inside the method (decision 16).
DOORS = {
    ("compile.py", "machine_code"),  # numba, once something is to be compiled
    ("data/knowledge.py", "formats"),
    ("graphs/doors.py", "formats"),
    ("graphs/doors.py", "plots"),
    ("graphs/doors.py", "why"),
    ("graphs/structure.py", "why"),
    ("learners/base.py", "plots"),
    ("learners/gaps/completions.py", "models"),
    ("learners/gaps/structural_em.py", "models"),
    ("learners/network/modules/fitted.py", "models"),
    ("learners/network/relational/fitting.py", "models"),
    ("learners/network/dependency/learner.py", "models"),
    ("learners/time/slices/fitted.py", "models"),
    ("models/bayesian_network.py", "inference"),
    ("models/dynamic_model.py", "inference"),
    ("models/dependency_doors.py", "inference"),
    ("models/drawn.py", "plots"),
    ("models/gaussian_queries.py", "inference"),
    ("models/predicted.py", "inference"),
    ("models/queried.py", "inference"),
    ("models/saved.py", "formats"),
}

# Which families of learners are made of methods of which others (decision 18).
FAMILIES = {
    "ensemble": {"time"},
    "score": {"gaps"},
    "order": {"score", "gaps"},
    "hybrid": {"constraint", "regression"},
    "network": {"regression"},
    "time": {"constraint", "order", "score", "gaps"},
}


def room(path):
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


ROOMS = sorted({room(path) for path in FILES} - {"__init__"})


@functools.cache
def imported_modules(path):
    """The names that a file imports of ours, each in parts; a name may be a module or something in one."""
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("structlearn."):
            modules += [f"{node.module}.{alias.name}" for alias in node.names]
        found += [module.split(".")[1:] for module in modules if module.startswith("structlearn.")]
    return found


def imported_rooms(path):
    return (parts[0] for parts in imported_modules(path))


def families_of_learners():
    return {path.name for path in (ROOT / "learners").iterdir() if (path / "__init__.py").exists()}


@pytest.mark.parametrize("here", ROOMS)
def test_no_import_runs_against_the_flow(here):
    level = next((i for i, rooms in enumerate(FLOW) if here in rooms), -1)
    allowed = {here, *LEAVES, *(other for rooms in FLOW[: max(level, 0)] for other in rooms)}
    if here in WITHOUT_LEARNERS:
        allowed.discard("learners")
    for path in (path for path in FILES if room(path) == here):
        for other in imported_rooms(path):
            is_door = (str(path.relative_to(ROOT)), other) in DOORS
            assert other in allowed or is_door, f"{path} imports {other}"


def test_only_hybrids_and_orders_are_made_of_other_families():
    families = families_of_learners()
    for path in sorted((ROOT / "learners").rglob("*.py")):
        here = path.relative_to(ROOT).parts[1]
        allowed = {here, *FAMILIES.get(here, ())}
        for layer, *parts in imported_modules(path):
            if layer == "learners" and parts[0] in families:
                assert parts[0] in allowed, f"{path} imports {parts[0]}"


def test_only_one_file_knows_numba_beside_those_for_graphics_cards():
    knowing = []
    for path in (path for path in FILES if room(path) != "gpu" and "numba" in path.read_text()):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            knowing += [path.name for name in names if name.split(".")[0] == "numba"]

    assert set(knowing) == {"machine_code.py"}


def test_importing_the_library_loads_nothing_heavy():
    code = "import sys, structlearn; print(*sorted({m.split('.')[0] for m in sys.modules}))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    assert not {"numpy", "numba", "scipy", "sklearn", "matplotlib", "duckdb", "pandas"} & set(loaded.split())


def test_a_method_loads_other_libraries_only_when_it_uses_them():
    code = (
        "import sys, structlearn as sl; [method.load() for method in sl.learners.catalog.CATALOG.values()]; "
        "print(*sorted({m.split('.')[0] for m in sys.modules}))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    heavy = {"joblib", "matplotlib", "networkx", "numba", "pandas", "scipy", "sklearn"}
    assert not heavy & set(loaded.split())


@pytest.mark.parametrize(
    ("method", "left_out"),
    [
        ("HillClimbing", ("independence.asking", "independence.g2", "independence.effective_z")),
        ("PC", ("independence.kci", "independence.permutation", "independence.effective_z")),
    ],
)
def test_a_fit_loads_no_tests_that_it_does_not_ask_and_not_all_of_scipy(method, left_out):
    code = (
        "import sys, numpy as np, structlearn as sl; draw = np.random.default_rng(0); "
        f"sl.{method}().fit(draw.integers(0, 2, (500, 3))); print(*sys.modules)"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    assert not {"scipy.special", *(f"structlearn.{name}" for name in left_out)} & set(loaded.split())


def test_every_name_of_the_tests_is_found_when_it_is_asked_for():
    assert all(getattr(independence, name) is not None for name in independence.__all__)
    assert dir(independence) == sorted(independence.__all__)
    with pytest.raises(AttributeError, match=r"'structlearn\.independence' has no attribute 'G3'"):
        _ = independence.G3
