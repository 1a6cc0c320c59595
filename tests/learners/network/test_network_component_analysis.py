"""Network component analysis: what is refused, what is found, how sure it is, and new samples."""

from types import SimpleNamespace

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.network.components import fitted
from structlearn.numerics.factorization.known_patterns import Components
from structlearn.run import Run

GENES = [f"g{i}" for i in range(1, 7)]
STRENGTHS = np.array(
    [(1.0, 0.0, 0.0), (0.5, 1.0, 0.0), (0.0, 1.0, 0.8), (0.0, 0.0, 1.0), (0.7, 0.0, 0.3), (0.0, 0.4, 0.0)]
)
ACTIVITIES = np.array([(1, -1, 2, 0, 0.5), (0, 1, 1, -1, 2), (2, 0, -1, 1, 1)])
KNOWN = {"R1": ["g1", "g2", "g5"], "R2": ["g2", "g3", "g6"], "R3": ["g3", "g4", "g5"]}
SCALES = {"R1": 2.2 / 3, "R2": 0.8, "R3": 0.7}  # the mean size of the strengths of each


def table_of(activities, noise=0.0, seed=0):
    rng = np.random.default_rng(seed)
    rows = STRENGTHS @ activities
    return dict(zip(GENES, rows + noise * rng.normal(size=rows.shape), strict=True))


def many_samples(n_rows=40, noise=0.1, seed=0):
    activities = np.random.default_rng(seed + 100).normal(size=(3, n_rows))
    return activities, table_of(activities, noise, seed)


def analysis(**options):
    return sl.NetworkComponentAnalysis(**{"regulators": KNOWN, "n_resamples": 0, "restarts": 2} | options)


def test_exact_data_give_back_strengths_and_activities():
    learner = analysis().fit(table_of(ACTIVITIES))

    assert learner.strengths_["R1"] == pytest.approx(
        {"g1": 1.3636363636, "g2": 0.6818181818, "g5": 0.9545454545}, abs=1e-8
    )
    assert learner.strengths_["R2"] == pytest.approx({"g2": 1.25, "g3": 1.25, "g6": 0.5}, abs=1e-8)
    assert learner.strengths_["R3"] == pytest.approx(
        {"g3": 1.1428571429, "g4": 1.4285714286, "g5": 0.4285714286}, abs=1e-8
    )
    for name, activity in zip(KNOWN, ACTIVITIES, strict=True):
        assert learner.activities_[name] == pytest.approx(activity * SCALES[name], abs=1e-7)
    assert learner.residual_ < 1e-12


def test_the_graph_has_an_arrow_from_each_regulator_to_its_genes():
    graph = analysis().fit(table_of(ACTIVITIES)).graph_

    assert graph.nodes == (*GENES, "R1", "R2", "R3")
    assert {name: sorted(graph.children(name)) for name in KNOWN} == KNOWN
    assert graph.edge("R2", "g6").weight == pytest.approx(0.5)


def test_a_graph_of_arrows_says_the_same_as_a_mapping():
    arrows = sl.Graph([*GENES, *KNOWN], directed=[(name, gene) for name in KNOWN for gene in KNOWN[name]])
    table = table_of(ACTIVITIES)

    assert analysis(regulators=arrows).fit(table).graph_ == analysis().fit(table).graph_


def test_a_pattern_that_does_not_identify_is_refused_with_criterion_and_regulator():
    rows = ("110", "110", "111", "001", "101", "110")
    known = {f"R{k + 1}": [g for g, row in zip(GENES, rows, strict=True) if row[k] == "1"] for k in range(3)}

    with pytest.raises(sl.DataError, match=r"Criterion 2 fails for 'R1':.*repair=True"):
        analysis(regulators=known).fit(table_of(ACTIVITIES))


def test_a_regulator_of_all_genes_is_refused_or_left_out_by_repair():
    known = KNOWN | {"all": GENES}
    _, table = many_samples()

    with pytest.raises(sl.DataError, match="Criterion 2 fails for 'all'"):
        analysis(regulators=known).fit(table)
    with pytest.warns(sl.DataWarning, match="repair leaves out 'all'"):
        repaired = analysis(regulators=known, repair=True).fit(table)
    assert set(repaired.strengths_) == set(KNOWN)


def test_more_regulators_than_samples_are_refused():
    few = {name: column[:2] for name, column in table_of(ACTIVITIES).items()}

    with pytest.raises(sl.DataError, match=r"3 regulators and 2 rows. More regulators than samples"):
        analysis().fit(few)


@pytest.mark.parametrize(
    ("known", "message"),
    [
        ({}, "there is no regulator"),
        ({"R1": []}, "'R1' has no gene"),
        ({"R1": ["g1", "nobody"]}, "'R1' acts on 'nobody', and the table has no such column"),
        ({"R1": ["z", "y", "x", "w", "v", "u", "b", "g1"]}, "'R1' acts on 'b'"),  # the first of the strange
        ({"R1": "g1"}, "a mapping from regulators to lists"),
        (["R1"], "a mapping from regulators to lists"),
    ],
    ids=str,
)
def test_regulators_that_make_no_sense_are_refused(known, message):
    with pytest.raises(sl.OptionError, match=message):
        analysis(regulators=known).fit(table_of(ACTIVITIES))


def test_genes_without_a_regulator_are_left_out_and_reported():
    table = table_of(ACTIVITIES) | {"other": np.array([0.3, 1.0, -2.0, 0.1, 0.9])}

    learner = analysis().fit(table)

    assert learner.graph_.adjacent("other") == ()
    assert "No regulator acts on 1 columns, such as 'other'" in learner.status_
    assert learner.strengths_["R2"]["g6"] == pytest.approx(0.5, abs=1e-8)


def test_activities_of_new_samples_are_predicted():
    _, table = many_samples(noise=0.0)
    learner = analysis().fit(table)
    new, samples = many_samples(n_rows=7, noise=0.0, seed=9)

    found = learner.predict_activities(samples)

    for name, activity in zip(KNOWN, new, strict=True):
        assert found[name] == pytest.approx(activity * SCALES[name], abs=1e-6)


def test_new_samples_without_a_gene_are_refused():
    learner = analysis().fit(table_of(ACTIVITIES))
    samples = table_of(ACTIVITIES)
    del samples["g4"]

    with pytest.raises(sl.DataError, match="no column 'g4'"):
        learner.predict_activities(samples)
    with pytest.raises(sl.DataError, match="call fit first"):
        analysis().predict_activities(samples)


def test_means_are_taken_off_where_asked_also_in_new_samples():
    _, table = many_samples(noise=0.0)
    shifted = {name: column + 5.0 for name, column in table.items()}
    centred = {name: column - column.mean() for name, column in table.items()}

    learner, expected = analysis(center=True).fit(shifted), analysis().fit(centred)

    assert learner.strengths_["R1"] == pytest.approx(expected.strengths_["R1"], abs=1e-6)
    found = learner.predict_activities(shifted)
    assert found["R1"] == pytest.approx(learner.activities_["R1"], abs=1e-5)


def test_standard_errors_are_about_the_spread_over_new_tables():
    # What the bootstrap estimates, seen directly: the same activities with other noise and other samples.
    spread = [analysis().fit(many_samples(seed=seed)[1]).strengths_["R2"]["g6"] for seed in range(25)]
    errors = [
        analysis(n_resamples=25, restarts=1).fit(many_samples(seed=seed)[1]).errors_["R2"]["g6"]
        for seed in range(4)
    ]

    assert np.mean(errors) == pytest.approx(np.std(spread), rel=0.5)


def test_an_edge_that_is_not_there_is_dropped_by_its_p_value():
    _, table = many_samples(noise=0.2, seed=3)
    known = KNOWN | {"R1": [*KNOWN["R1"], "g4"]}  # R1 does nothing to g4

    learner = analysis(regulators=known, n_resamples=40).fit(table)

    assert learner.graph_.edge("R1", "g4") is None
    assert learner.graph_.edge("R1", "g1").p_value < 0.01
    assert analysis(regulators=known, n_resamples=40, alpha=1.0).fit(table).graph_.edge("R1", "g4")


def analysed(monkeypatch, solver, expression, n_regulators, **options):
    """What comes of fits by this solver."""
    monkeypatch.setattr(fitted, "solver_of", lambda *_: solver)
    pattern = np.ones((len(expression), n_regulators), dtype=bool)
    run, rng = Run("test", progress=False), np.random.default_rng(0)
    return fitted.analysed(expression, pattern, pattern, SimpleNamespace(**options), rng, run)


def ending_with(*ends):
    """A solver for one regulator whose fits end with these strengths and costs."""
    fits = iter(ends)

    def solver(expression, *_):
        strengths, costs = next(fits)
        activities = np.ones((1, expression.shape[1]))
        return Components(np.array(strengths)[:, None], activities, costs, has_ridge=False)

    return solver


def test_the_start_that_ends_with_the_smallest_cost_counts(monkeypatch):
    solver = ending_with(([1, 3], [5.0, 2.0]), ([3, 1], [3.0, 2.5]))

    found = analysed(monkeypatch, solver, np.ones((2, 4)), 1, restarts=2, n_resamples=0)

    assert found.strengths.ravel().tolist() == [0.5, 1.5]
    assert found.share_left == 2.0  # the second gene is 3 in place of 1: four squares of 2 for eight of 1


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_errors_are_deviations_of_strengths_whose_signs_were_made_to_agree(sign, monkeypatch):
    solver = ending_with(
        ([1.8, 0.2], [1.0]), ([1.8 * sign, 0.2 * sign], [1.0]), ([0.2 * sign, 1.8 * sign], [1.0])
    )

    found = analysed(monkeypatch, solver, np.ones((2, 4)), 1, restarts=1, n_resamples=2)

    assert found.errors.ravel() == pytest.approx([0.8, 0.8])


@pytest.mark.parametrize(("n_regulators", "fewest"), [(2, {2, 3, 4, 5}), (9, {6})])
def test_resamples_have_as_many_samples_as_regulators_or_more_than_half(n_regulators, fewest, monkeypatch):
    seen = set()

    def solver(expression, *_):
        seen.add(len(set(expression[0].tolist())))
        return Components(np.ones((2, n_regulators)), np.ones((n_regulators, 10)), [1.0], has_ridge=False)

    analysed(monkeypatch, solver, np.vstack([np.arange(10.0)] * 2), n_regulators, restarts=1, n_resamples=300)

    assert min(seen) in fewest


def test_a_ridge_that_was_needed_is_said_and_one_that_was_asked_for_is_not():
    activities = ACTIVITIES.copy()
    activities[2] = activities[0] + activities[1]  # so that a gene of all three has no strengths of its own
    table, known = table_of(activities), KNOWN | {"R3": ["g2", "g3", "g4", "g5"]}

    assert "a small ridge was added" in analysis(regulators=known).fit(table).status_
    assert "ridge" not in analysis(regulators=known, ridge=0.01).fit(table).status_
    assert "ridge" not in analysis(regulators=known).fit(table_of(ACTIVITIES)).status_


def test_a_regulator_may_be_a_column_too():
    _, table = many_samples()
    known = {"g4": KNOWN["R1"], "R2": KNOWN["R2"], "R3": KNOWN["R3"]}

    graph = analysis(regulators=known).fit(table).graph_

    assert graph.nodes == (*GENES, "R2", "R3")
    assert sorted(graph.children("g4")) == KNOWN["R1"]


def test_the_same_seed_gives_the_same_result():
    _, table = many_samples()
    first, second = (analysis(n_resamples=5, random_state=4).fit(table) for _ in range(2))

    assert first.errors_ == second.errors_
    assert first.graph_ == second.graph_


def test_a_function_of_the_columns_may_say_who_acts_on_whom():
    table = table_of(ACTIVITIES)

    assert analysis(regulators=lambda _: KNOWN).fit(table).graph_ == analysis().fit(table).graph_
    with pytest.raises(sl.OptionError, match="the function gave 'g1', and no mapping"):
        analysis(regulators=min).fit(table)


def test_forbidden_arrows_leave_the_pattern_and_required_ones_stay_whatever_their_p_value():
    _, table = many_samples(noise=0.2, seed=3)
    known = {"g4": ["g1", "g2", "g5"], "R2": KNOWN["R2"]}
    knowledge = sl.Knowledge(forbidden=[("g4", "g1")], required=[("g1", "g4")])

    learner = analysis(regulators=known, knowledge=knowledge, n_resamples=10).fit(table)

    assert learner.graph_.edge("g4", "g1") is None
    assert "g1" not in learner.strengths_["g4"]
    assert learner.graph_.edge("g1", "g4").kind == "directed"


def test_a_regulator_whose_genes_do_not_vary_is_reported():
    table = table_of(ACTIVITIES) | {"still": np.ones(5)}

    with pytest.warns(sl.DataWarning, match="'still' has a single value"):
        learner = analysis(regulators=KNOWN | {"R0": ["still"]}).fit(table)

    assert set(learner.strengths_) == set(KNOWN)
    assert "No gene of 'R0' is left" in learner.status_


@pytest.mark.parametrize("unit", [1e-100, 1e100])
def test_a_table_in_other_units_has_the_same_strengths_and_activities_in_these_units(unit):
    _, table = many_samples()
    expected = analysis(n_resamples=5).fit(table)

    found = analysis(n_resamples=5).fit({name: unit * column for name, column in table.items()})

    for name, targets in expected.strengths_.items():
        assert found.strengths_[name] == pytest.approx(targets)
        assert found.errors_[name] == pytest.approx(expected.errors_[name])
        assert found.activities_[name] == pytest.approx(unit * expected.activities_[name])


def test_genes_in_units_far_apart_count_alike_and_strengths_are_in_the_units_of_each():
    _, table = many_samples(noise=0.0)
    units = {gene: 1e150 if gene in {"g1", "g4"} else 1e-120 for gene in table}

    learner = analysis().fit({name: units[name] * column for name, column in table.items()})

    for k, name in enumerate(KNOWN):
        sizes = {gene: STRENGTHS[GENES.index(gene), k] * units[gene] for gene in KNOWN[name]}
        mean = sum(sizes.values()) / len(sizes)
        assert learner.strengths_[name] == pytest.approx(
            {gene: sizes[gene] / mean for gene in sizes}, rel=1e-6
        )


def test_genes_that_share_a_regulator_are_joined_by_the_correlation_that_goes_through_it():
    _, table = many_samples(noise=0.0)

    learner = analysis(reading="genes").fit(table)

    pairs = {frozenset(pair) for pair in learner.graph_.undirected}
    assert pairs == {frozenset((a, b)) for genes in KNOWN.values() for a in genes for b in genes if a != b}
    through = 0.4 * 1.0 * np.square(many_samples(noise=0.0)[0][1]).sum()  # g6 and g2 share R2
    lengths = np.linalg.norm(table["g2"]) * np.linalg.norm(table["g6"])
    assert learner.graph_.edge("g2", "g6").weight == pytest.approx(through / lengths, abs=1e-6)


def test_knowledge_of_pairs_of_genes_is_honoured_and_of_directions_refused():
    _, table = many_samples()
    both = sl.Knowledge(forbidden=[("g2", "g6"), ("g6", "g2")])

    assert analysis(reading="genes", knowledge=both).fit(table).graph_.edge("g2", "g6") is None
    with pytest.raises(sl.OptionError, match="no direction"):
        analysis(reading="genes", knowledge=sl.Knowledge(required=[("g2", "g6")])).fit(table)


def test_a_penalty_removes_links_that_are_not_there():
    _, table = many_samples(noise=0.1, seed=3)
    known = KNOWN | {"R1": [*KNOWN["R1"], "g4"]}  # R1 does nothing to g4

    learner = analysis(regulators=known, penalty=0.1).fit(table)

    assert "g4" not in learner.strengths_["R1"]
    assert set(learner.strengths_["R2"]) == set(KNOWN["R2"])


def test_a_penalty_spares_links_that_are_certain():
    _, table = many_samples(noise=0.1, seed=3)
    known = KNOWN | {"R1": [*KNOWN["R1"], "g4"]}

    learner = analysis(regulators=known, penalty=0.1, certain={"R1": ["g4"]}).fit(table)

    assert "g4" in learner.strengths_["R1"]
    with pytest.raises(sl.OptionError, match="'R1' acts on 'g6' for sure, and `regulators` does not"):
        analysis(penalty=0.1, certain={"R1": ["g6"]}).fit(table)
    with pytest.raises(sl.OptionError, match=r"give penalty=… too"):
        analysis(certain={"R1": ["g1"]}).fit(table)


def test_replicates_are_averaged():
    _, table = many_samples(noise=0.3)
    sample = np.repeat(np.arange(10), 4)
    means = {gene: [column[sample == k].mean() for k in range(10)] for gene, column in table.items()}

    learner = analysis(replicates="sample").fit(table | {"sample": [f"s{k}" for k in sample]})
    expected = analysis().fit(means)

    assert "sample" not in learner.graph_.nodes
    for name, genes in expected.strengths_.items():
        assert learner.strengths_[name] == pytest.approx(genes, abs=1e-5)
        assert learner.activities_[name] == pytest.approx(expected.activities_[name][sample], abs=1e-5)


@pytest.mark.parametrize("center", [True, False])
def test_a_sample_counts_as_often_as_it_has_replicates(center):
    _, table = many_samples(n_rows=12, noise=0.3)
    sample = np.repeat(np.arange(12), np.arange(12) % 3 + 1)
    repeated = {gene: column[sample] for gene, column in table.items()}

    learner = analysis(replicates="sample", center=center).fit(repeated | {"sample": sample})
    expected = analysis(center=center).fit(repeated)

    for name, genes in expected.strengths_.items():
        assert learner.strengths_[name] == pytest.approx(genes, abs=1e-5)
        assert learner.activities_[name] == pytest.approx(expected.activities_[name], abs=1e-5)


def test_strengths_that_may_not_be_negative_are_not():
    _, table = many_samples(noise=0.3, seed=1)
    turned = table | {"g2": -table["g2"]}
    free, bound = (analysis(nonnegative=what, restarts=3).fit(turned) for what in (None, "strengths"))

    assert min(min(genes.values()) for genes in free.strengths_.values()) < 0.0
    assert min(min(genes.values()) for genes in bound.strengths_.values()) >= 0.0
    assert bound.residual_ >= free.residual_


def test_a_ridge_is_for_least_squares():
    with pytest.raises(sl.OptionError, match="without nonnegative= and penalty="):
        analysis(ridge=0.1, penalty=0.1).fit(table_of(ACTIVITIES))
