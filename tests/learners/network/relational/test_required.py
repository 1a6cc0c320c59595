"""Required arrows are in the result, however long their chains, or they are refused with a reason."""

import numpy as np
import pytest

import structlearn as sl

KEYS = {"b.a": "a.id", "c.b": "b.id"}
PATHS = [("c.z", "a.x", "c.w"), ("c.w", "a.x", "c.z"), ("c.z", "b.y", "c.w"), ("c.w", "b.y", "c.z")]


@pytest.fixture(scope="module")
def tables():
    """A chain of three classes; in the last one attribute is nearly the other, so that an arrow is found."""
    rng = np.random.default_rng(0)
    z = rng.choice(["r", "s"], 200)
    return {
        "a": {"id": np.arange(20), "x": rng.choice(["u", "v"], 20), "same": ["one"] * 20},
        "b": {"id": np.arange(60), "a": rng.integers(0, 20, 60), "y": rng.choice(["p", "q"], 60)},
        "c": {
            "b": rng.integers(0, 60, 200),
            "z": z,
            "w": np.where(rng.random(200) < 0.95, z, "r"),
        },
    }


def learnt(tables, required, **options):
    knowledge = sl.Knowledge(required=required)
    return sl.RelationalModel(keys=KEYS, knowledge=knowledge, **options).fit(tables)


@pytest.mark.parametrize("path", PATHS, ids=" ".join)
def test_what_a_stage_finds_does_not_close_a_cycle_with_what_is_required(tables, path):
    required = [path[:2], path[1:]]

    assert set(learnt(tables, required).graph_.directed) >= set(required)


@pytest.mark.parametrize("options", [{"extend": "used"}, {"time_limit": 1e-9}, {"max_parents": 0}], ids=str)
@pytest.mark.parametrize("arrow", [("a.x", "c.z"), ("c.z", "a.x")], ids=" ".join)
def test_a_required_arrow_along_two_references_is_there_whatever_ends_the_search(tables, arrow, options):
    assert arrow in learnt(tables, [arrow], **options).graph_.directed


@pytest.mark.parametrize(
    ("arrow", "options", "reason"),
    [
        (
            ("a.x", "c.z"),
            {"max_chain": 1},
            r"no 'c' sees 'a\.x' along at most 1 references .* Raise max_chain",
        ),
        (
            ("c.z", "b.y"),
            {"aggregates": ("mean", "min")},
            r"with the aggregates 'mean', 'min'\. .* add aggreg",
        ),
        (("a.same", "b.y"), {}, r"a\.same → b\.y is required, but 'a\.same' has a single state"),
    ],
)
def test_a_required_arrow_that_cannot_be_is_refused_with_the_reason(tables, arrow, options, reason):
    with pytest.raises(sl.OptionError, match=reason):
        learnt(tables, [arrow], **options)
