"""A small part of the page on the DREAM challenges, measured again."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from benchmarks.dream import baselines
from benchmarks.dream.contestants import contestants
from benchmarks.dream.networks import networks
from benchmarks.dream.page import PAGE, page
from benchmarks.dream.results import Row, kept, measured
from tests.data_files import HOME

NETWORKS = {(network.kind, network.name): network for network in networks(HOME / "tables")}
KNOCK_OUTS = [network for network in NETWORKS.values() if network.wild_type is not None]
CHEAP = ("correlation", "z-scores of knock-outs", "correlation with the next change")


def graph(network, name):
    return dict(contestants(network))[name](network)


def test_the_small_networks_are_there():
    assert sorted({kind for kind, _ in NETWORKS}) == [
        "DREAM3 time courses, 10 genes",
        "DREAM4 time courses, 10 genes",
        "knock-outs, 10 genes",
        "multifactorial, 10 genes",
    ]
    assert len(NETWORKS) == 12
    assert [len(network.truth.edges) for network in KNOCK_OUTS] == [15, 15, 13]


@pytest.mark.parametrize("network", KNOCK_OUTS, ids=lambda network: network.name)
def test_the_gene_that_is_knocked_out_is_at_zero(network):
    assert not np.diag(network.values).any()


@pytest.mark.parametrize("network", KNOCK_OUTS, ids=lambda network: network.name)
def test_scores_are_those_of_scikit_learn(network):
    strength, pairs = baselines.z_scores(network), ~np.eye(10, dtype=bool)
    is_true = np.array([[(a, b) in network.truth.directed for b in network.genes] for a in network.genes])
    found = graph(network, "z-scores of knock-outs").compare_ranking(network.truth)
    assert found.auroc == pytest.approx(roc_auc_score(is_true[pairs], strength[pairs]))


def test_knock_outs_say_more_by_z_scores_than_by_correlations():
    for name in ("auroc", "aupr"):
        better, worse = (
            np.mean([getattr(graph(n, who).compare_ranking(n.truth), name) for n in KNOCK_OUTS])
            for who in ("z-scores of knock-outs", "correlation")
        )
        assert better > worse


def test_no_step_leads_from_one_course_to_another():
    network = NETWORKS["DREAM4 time courses, 10 genes", "1"]
    before, after = baselines.steps(network)
    assert len(before) == len(after) == 5 * 20
    assert np.array_equal(before[20], network.values[21])


def test_lagged_regressions_find_the_network_behind_time_courses():
    network = NETWORKS["DREAM4 time courses, 10 genes", "4"]
    found = graph(network, "SystemIdentification, var-lasso").compare_ranking(network.truth)
    assert found.auroc > 0.7
    assert found.aupr > 3 * found.chance_aupr


def test_the_figures_that_are_kept_come_out_again():
    again = [row for row in kept() if (row.kind, row.network) in NETWORKS and row.method in CHEAP]
    assert len(again) == 15
    for row in again:
        found = graph(NETWORKS[row.kind, row.network], row.method).compare_ranking(
            NETWORKS[row.kind, row.network].truth
        )
        assert (f"{found.auroc:.4f}", f"{found.aupr:.4f}") == (row.auroc, row.aupr)


def test_the_page_is_that_of_the_figures():
    assert PAGE.read_text(encoding="utf-8") == page(kept())


def test_what_is_no_better_than_chance_is_said():
    rows = [
        Row("knock-outs", "1", name, auroc, "0.1", "0.1", "1") for name, auroc in (("A", "0.4"), ("B", "0.5"))
    ]
    text = page([*rows, Row("knock-outs", "1", "C", note="refuses: no")])
    assert "Worse than chance by AUROC: A;" in text
    assert "No better than chance: B;" in text
    assert "Refuse this data: C." in text


def test_a_method_that_does_not_end_is_stopped():
    def endless(_):
        while True:
            pass

    assert measured(KNOCK_OUTS[0], "endless", endless, limit_s=1).note == "more than 1 s"


def test_a_method_that_breaks_is_noted_and_the_race_goes_on():
    def broken(_):
        raise SystemExit(3)

    assert measured(KNOCK_OUTS[0], "broken", broken, limit_s=1).note == "fails: ended with 3"
