"""The page says how large the penalty is, why, and what others would have given."""

import re
from html import unescape

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.catalog import CATALOG
from structlearn.report import write_report
from structlearn.report.sections.penalty import OBJECTIVES, REASONS
from structlearn.report.wording import number


@pytest.fixture(scope="module")
def rows():
    made = np.random.default_rng(0).normal(size=(200, 6))
    made[:, 1] += made[:, 0]
    made[:, 3] += made[:, 2]
    return made


@pytest.fixture(scope="module")
def asia():
    return sl.example("asia").sample(1000, random_state=0)


def penalty_section(tmp_path, learner):
    html = write_report(tmp_path / "report.html", learner).read_text(encoding="utf-8")
    found = re.search(r'<section id="penalty".*?</section>', html, flags=re.DOTALL)
    return None if found is None else unescape(found[0])


def dots(html):
    return [
        (float(y), int(size)) for y, size in re.findall(r'<circle cx="[\d.]+" cy="([\d.]+)" r="(\d)"', html)
    ]


def test_a_penalty_that_was_given_is_named_with_its_gap(tmp_path, rows):
    learner = sl.GraphicalLasso(penalty=0.3).fit(rows)

    said = penalty_section(tmp_path, learner)

    assert "<strong>0.3</strong>. It was given." in said
    assert number(learner.gap_) in said
    assert OBJECTIVES["GraphicalLasso"] in said
    assert "<svg" not in said


@pytest.mark.parametrize("rule", REASONS)
def test_each_rule_is_told_in_words_with_the_path_that_it_followed(tmp_path, rows, rule):
    learner = sl.GraphicalLasso(penalty=rule, n_penalties=8, random_state=0).fit(rows)

    said = penalty_section(tmp_path, learner)

    assert f"<strong>{number(learner.penalty_)}</strong>. It {REASONS[rule]}" in said
    assert f"{len(learner.path_)} penalties were tried" in said


def test_the_dots_are_the_edges_along_the_path_and_the_large_one_is_the_penalty_taken(tmp_path, rows):
    learner = sl.NeighborhoodSelection(penalty="stars", n_penalties=9, random_state=0).fit(rows)

    drawn = dots(penalty_section(tmp_path, learner))

    n_edges = learner.path_["n_edges"]
    heights = -np.array([y for y, _ in drawn])
    np.testing.assert_allclose(
        (heights - heights.min()) / np.ptp(heights), (n_edges - n_edges.min()) / np.ptp(n_edges), atol=1e-3
    )
    (large,) = [i for i, (_, size) in enumerate(drawn) if size == max(size for _, size in drawn)]
    assert learner.path_["penalty"][large] == learner.penalty_


def test_penalties_of_their_own_are_told_as_a_range_and_none_is_marked(tmp_path, rows):
    learner = sl.NeighborhoodSelection(penalty="ebic", n_penalties=9).fit(rows)

    said = penalty_section(tmp_path, learner)

    assert f"{number(learner.penalty_.min())} to {number(learner.penalty_.max())}</strong>" in said
    assert f"Each {REASONS['ebic']}" in said
    assert len({size for _, size in dots(said)}) == 1


def test_theory_says_its_level_where_it_has_one(tmp_path, rows, asia):
    assert "about 0.01 at most" in penalty_section(tmp_path, sl.NeighborhoodSelection(alpha=0.01).fit(rows))
    assert "√(log p / n)" in penalty_section(tmp_path, sl.IsingNeighborhoods().fit(asia))


@pytest.mark.filterwarnings("ignore:.*the smallest penalty of the path was chosen")
def test_the_features_of_a_log_linear_model_are_counted_along_its_path(tmp_path, asia):
    data = asia.select(["bronc", "dysp"])
    learner = sl.LogLinearMRF(penalty="cv", n_penalties=3, smallest_share=1e-4, random_state=0).fit(data)

    said = penalty_section(tmp_path, learner)

    assert learner.path_["n_features"].tolist() == [0, 1, 1]
    assert "with 0 features down to" in said
    assert "with 1 feature." in said
    assert f"up to {number(learner.kkt_residual_)} per row" in said


@pytest.mark.parametrize("learner", [sl.RegressionDAGGaussian(mode="jeffreys"), sl.HillClimbing()], ids=repr)
def test_a_method_without_a_penalty_has_no_such_section(tmp_path, rows, learner):
    assert penalty_section(tmp_path, learner.fit(rows)) is None


def test_every_regression_learner_says_where_its_penalty_stands():
    learners = {method.learner for method in CATALOG.values() if method.family == "regression"}

    assert set(OBJECTIVES) == learners - {"ConvexDAG"}  # its arcs have prices, its weights a ridge


def test_a_penalty_that_was_left_to_the_method_was_not_given(tmp_path):
    rows = np.random.default_rng(0).normal(size=(60, 2))
    rows[1:, 1] += rows[:-1, 0]

    left = penalty_section(tmp_path, sl.SparseVAR().fit(rows))
    given = penalty_section(tmp_path, sl.SparseVAR(penalty=0.1).fit(rows))

    assert "Each was left to the method: by the extended BIC, for each variable." in left
    assert "Each was given." in given


@pytest.mark.parametrize("method", [sl.NOTEARS, sl.DAGMA])
def test_the_penalty_of_smooth_optimisation_is_what_chance_reaches_where_rows_are_few(tmp_path, method):
    learner = method().fit(np.random.default_rng(0).normal(size=(40, 3)))

    assert learner.penalty_ == pytest.approx(np.sqrt(2 * np.log(3) / 40))
    assert "or √(2 ln p / n) where rows are few." in penalty_section(tmp_path, learner)
