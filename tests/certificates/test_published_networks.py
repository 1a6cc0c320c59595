"""Scripts that know nothing of us accept what is claimed of samples of published networks.

Proofs of the best DAG, the separating sets of PC, and the dual points of graphical lassos.
"""

import csv
import math
from pathlib import Path

import pytest

import structlearn as sl
from structlearn.independence.g2 import G2
from tests.certificates.claims import ALL_FAMILIES, ending_of_script
from tests.oracles.network_json import network_from_json

pytest.importorskip("highspy", reason="needs the `exact` extra")
pytestmark = pytest.mark.filterwarnings("ignore::structlearn.DataWarning")

NETWORKS = Path(__file__).parents[1] / "data" / "networks"
with (NETWORKS / "INDEX.csv").open(encoding="utf-8") as lines:
    KINDS = {row["name"]: row["kind"] for row in csv.DictReader(lines) if int(row["nodes"]) <= 64}
BY_SCRIPT = [name for name, kind in KINDS.items() if kind != "conditional_gaussian"]
GAUSSIAN = [name for name, kind in KINDS.items() if kind == "gaussian"]
SMALL = ["cancer", "earthquake", "asia", "sachs", "bnrep-titanic", "bnrep-lexical", "bnrep-expenditure"]
MIXED = [name for name, kind in KINDS.items() if kind == "conditional_gaussian"]


def sample_of(name, n_rows, folder):
    """A file of rows: what is not seen in it is no level."""
    path = next(NETWORKS.glob(f"{name}.*"))
    model = network_from_json(path) if path.suffix == ".json" else sl.load(path)
    table = folder / "table.csv"
    model.sample(n_rows, random_state=0).save(table)
    return table


def proven(table, max_parents, **options):
    return sl.ExactSearch(solver="ilp", max_parents=max_parents, score="bic", **options).fit(table)


def assert_accepted(found, table, folder):
    """Small networks by all sets of their columns too."""
    found.certificate().save(folder / "c.json")
    assert ending_of_script("check_families", folder / "c.json", table) == ALL_FAMILIES
    said = ending_of_script("check_best_dag", folder / "c.json")
    assert said.startswith(f"The graph scores {found.score_:.4f}")
    if len(found.graph_.nodes) <= 20:
        assert said.endswith(f", and no DAG of the listed families more than {found.bound_:.4f}.\n")
    said = ending_of_script("check_cuts", folder / "c.json")
    assert said == f"No DAG of the listed families scores more than {found.bound_:.4f}.\n"


def assert_separated(name, table, folder):
    """Tables are tested without a rule for sparse ones, which the script does not have."""
    test = None if name in GAUSSIAN else G2(sparse="asymptotic")
    found = sl.PC(test=test).fit(table)
    found.certificate().save(folder / "c.json")
    n_edges, n_pairs = len(found.graph_.edges), math.comb(len(found.graph_.nodes), 2)
    said = ending_of_script("check_separations", folder / "c.json", table)
    assert said == f"{n_pairs - n_edges} pairs are separated at 0.05, {n_edges} others by no neighbours.\n"


def assert_least(table, folder):
    found = sl.GraphicalLasso(penalty=0.1).fit(table)
    found.certificate().save(folder / "c.json")
    said = ending_of_script("check_sparse_precision", folder / "c.json", table)
    assert said.startswith(f"The objective is {found.objective_:.8f}, and that of no matrix is below ")


@pytest.mark.parametrize("name", SMALL)
def test_the_script_accepts_the_best_dag_of_a_small_network(name, tmp_path):
    table = sample_of(name, 300, tmp_path)

    found = proven(table, 2)

    assert found.gap_ == 0.0
    assert_accepted(found, table, tmp_path)


@pytest.mark.parametrize("name", SMALL)
def test_the_script_accepts_the_separating_sets_of_a_small_network(name, tmp_path):
    assert_separated(name, sample_of(name, 300, tmp_path), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", BY_SCRIPT)
def test_the_script_accepts_the_separating_sets_of_every_network(name, tmp_path):
    assert_separated(name, sample_of(name, 1_000, tmp_path), tmp_path)


@pytest.mark.parametrize("name", GAUSSIAN)
def test_the_script_accepts_the_lasso_of_every_gaussian_network(name, tmp_path):
    assert_least(sample_of(name, 300, tmp_path), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("n_rows", [1_000, 10_000])
@pytest.mark.parametrize("name", BY_SCRIPT)
def test_the_script_accepts_what_is_proven_of_every_network(name, n_rows, tmp_path):
    """Where time runs out there is a bound above the score, proven as well."""
    table = sample_of(name, n_rows, tmp_path)

    assert_accepted(proven(table, 3, time_limit=60), table, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", MIXED)
def test_networks_of_both_kinds_are_checked_by_us(name, tmp_path):
    table = sample_of(name, 1_000, tmp_path)

    verdict = proven(table, 2, time_limit=60).certificate().check(table)

    assert [finding.holds for finding in verdict.findings] == [True] * 6
