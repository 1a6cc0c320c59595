"""Without a package all that does not need it works, and the rest says in a sentence what to install."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
MODULES = {"scikit-learn": "sklearn"}
FRAMES = ["pandas", "polars", "pyarrow"]
ALWAYS_THERE = {"joblib", "narwhals", "numba", "numpy", "scipy", "threadpoolctl", "typer"}
"""Without these nothing can be learnt, or no command can be read."""

DECLARED = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["exact"], *FRAMES]
NAMES = {re.split("[><=]", line)[0] for line in DECLARED}
PACKAGES = sorted(MODULES.get(name, name) for name in NAMES - ALWAYS_THERE)

WITHOUT = """
import json, sys, warnings

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in missing:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

missing = json.loads(sys.argv[1])
sys.meta_path.insert(0, Missing())
warnings.simplefilter("ignore")
import structlearn as sl
from structlearn.formats import save
from structlearn.plots import plot_trace
from structlearn.report import write_report
from structlearn.cli import app
from typer.testing import CliRunner

table = {"a": ["x", "y", "y", "x"] * 20, "b": ["x", "y", "x", "x"] * 20, "c": ["x", "x", "y", "y"] * 20}
graph = sl.Graph("abc", directed=["ab", "bc"])
network = sl.BayesianNetwork(graph).fit(table)
learner = sl.HillClimbing().fit(table)
many = "abcdefghijklmnopq"
wide = sl.BayesianNetwork(sl.Graph(many)).fit({name: ["x", "y"] for name in many})

def write_and_read(name):
    network.save(name)
    assert sl.load(name) in (network, graph)

def run(*words):
    result = CliRunner().invoke(app, words)
    if result.exit_code:
        raise ImportError(result.stderr) from result.exception

found = {}
for line in json.loads(sys.argv[2]):
    try:
        eval(line)
        found[line] = ""
    except BaseException as error:
        found[line] = f"{type(error).__name__}: {error}"
print(json.dumps(found))
"""

NEEDED = {
    "sl.learn(table)": [],
    "sl.learn(table, method='pc')": [],
    "sl.learn({'a': [.1, .5, .3, .9], 'b': [.2, .4, .8, .1]}, method='graphical-lasso')": [],
    "sl.learn(table, method='grow-shrink')": [],
    "sl.ExactSearch().fit(table)": [],
    "sl.ExactSearch(solver='ilp').fit(table)": ["highspy"],
    "sl.example('asia').sample(10)": [],
    "sl.example('wine')": ["sklearn"],
    "write_and_read('net.json')": [],
    "write_and_read('net.json.gz')": [],
    "write_and_read('net.bif')": [],
    "write_and_read('net.net')": [],
    "write_and_read('net.dot')": [],
    "network.numbered().save('net.uai')": [],
    "network.save('written.xdsl')": [],
    "write_and_read('net.xdsl')": ["defusedxml"],
    "write_and_read('net.xmlbif')": ["defusedxml"],
    "write_and_read('net.graphml')": ["defusedxml"],
    "network.sample(5).save('table.csv')": ["duckdb"],
    "sl.Dataset('given.csv')": [],
    "network.sample(5).save('table.parquet')": ["duckdb"],
    "network.log_likelihood(table)": [],
    "network.query('a', {'c': 'x'})": [],
    "wide.query(list(wide.nodes))": ["opt_einsum"],
    "sl.MarkovNetwork(sl.Graph('abc', undirected=['ab', 'bc'])).fit(table)": [],
    "write_and_read('net.csv')": [],
    "write_and_read('net.txt')": [],
    "graph.to_frame()": ["pandas"],
    "graph.to_frame('polars')": ["polars"],
    "graph.to_networkx()": ["networkx"],
    "graph.compare(graph)": [],
    "graph.plot('graph.svg')": ["pygraphviz"],
    "write_report('report.html', learner)": ["pygraphviz"],
    "plot_trace(learner.trace_)": ["matplotlib"],
    "run('methods')": [],
    "run('convert', 'net.bif', 'net.json')": [],
    "run('convert', 'net.bif', 'net.png')": ["pygraphviz"],
    "run('learn', 'given.csv')": [],
    "sl.HillClimbing(progress=True).fit(table)": ["rich"],
    "sl.learn(__import__('pandas').DataFrame(table))": ["pandas"],
    "sl.learn(__import__('polars').DataFrame(table))": ["polars"],
    "sl.learn(__import__('pyarrow').table(table))": ["pyarrow"],
}


def check(missing, folder):
    """Run every line where packages are missing: it works, or says which one it needs."""
    (folder / "given.csv").write_text("a,b\n" + "x,y\ny,x\nx,x\n" * 10)
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, json.dumps(missing), json.dumps(list(NEEDED))],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        capture_output=True,
        text=True,
        check=True,
    )
    for line, error in json.loads(done.stdout).items():
        lacking = set(NEEDED[line]) & set(missing)
        for package in lacking - set(FRAMES):  # who has no such library has no frame of it
            assert re.match(rf"(Package|Import)Error: (structlearn: )?\S.* needs .*{package}", error), line
            assert "pip install" in error
        assert lacking or error == "", line


def test_without_all_packages_the_rest_works_and_each_line_says_which_one_it_needs(tmp_path):
    check(PACKAGES, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("package", PACKAGES)
def test_without_one_package_only_what_needs_it_complains(package, tmp_path):
    check([package], tmp_path)


def test_every_package_is_needed_by_something():
    assert {name for names in NEEDED.values() for name in names} == set(PACKAGES)
