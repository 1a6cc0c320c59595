"""The section of the page that says why."""

import structlearn as sl
from structlearn.report.sections import why
from structlearn.report.subject import Subject

DATA = sl.example("earthquake").sample(2000, random_state=0)


def page_part(learner):
    found = why.section(Subject(learner, None, "title"))
    return None if found is None else str(found.body)


def test_every_edge_and_the_closest_separations_are_answered():
    learner = sl.PC().fit(DATA)
    body = page_part(learner)
    assert body.count("<details") == len(learner.graph_.edges) + len(learner.separating_sets_)
    edge = learner.graph_.edges[0]
    assert f"<summary>{edge.source} and {edge.target}</summary>" in body
    near = min(learner.separating_sets_.items(), key=lambda item: item[1].p_value)[0]
    first_absent = body.index("<summary>not ")
    assert body.startswith(f"<summary>not {near[0]} and {near[1]}</summary>", first_absent)


def test_resamples_name_the_pairs_that_nearly_have_an_edge():
    learner = sl.EdgeConfidence(sl.HillClimbing(), n_resamples=6, threshold=1.0, random_state=0).fit(DATA)
    below = [pair for pair, share in learner.confidence_.items() if share.edge < 1]
    body = page_part(learner)
    for a, b in below:
        assert f"<summary>not {a} and {b}</summary>" in body


def test_a_long_list_is_cut_and_says_so(monkeypatch):
    monkeypatch.setattr(why, "SHOWN_EDGES", 1)
    learner = sl.HillClimbing().fit(DATA)
    assert f"Not shown: {len(learner.graph_.edges) - 1} weaker edges." in page_part(learner)


def test_an_empty_graph_of_a_method_that_says_no_more_has_no_such_section():
    assert page_part(sl.HillClimbing(max_parents=0).fit(DATA)) is None
