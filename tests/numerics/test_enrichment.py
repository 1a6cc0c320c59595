"""Sets in groups against chance, by scipy's hypergeometric tail."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import false_discovery_control, hypergeom

from structlearn.numerics.enrichment import at_least, enrichments

names = st.sets(st.integers(0, 14).map("g{}".format), max_size=8)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 2), min_size=12, max_size=12), st.dictionaries(st.sampled_from("stu"), names))
def test_every_group_meets_every_known_set_with_the_tail_of_scipy(places, sets):
    groups = {f"m{k}": [f"g{i}" for i, place in enumerate(places) if place == k] for k in range(3)}

    rows = enrichments(groups, sets)

    known = {name: {gene for gene in each if int(gene[1:]) < 12} for name, each in sets.items()}  # of a group
    asked = {(group, name) for group in groups for name in known if known[name]}
    assert {(row.group, row.gene_set) for row in rows} == asked
    for row in rows:
        inside = set(groups[row.group])
        counts = len(inside & known[row.gene_set]), len(inside), len(known[row.gene_set])
        assert (row.n_shared, row.n_group, row.n_set) == counts
        expected = hypergeom.sf(row.n_shared - 1, 12, row.n_set, row.n_group)
        assert row.p_value == pytest.approx(expected, rel=1e-9)
    p_values = [row.p_value for row in rows]
    assert p_values == sorted(p_values)
    if rows:
        assert [row.q_value for row in rows] == pytest.approx(false_discovery_control(p_values))


def test_a_name_twice_counts_once_and_nothing_is_enriched_without_groups_or_sets():
    once, twice = (enrichments({"m": ["a", "b"], "k": ["c"]}, {"s": each}) for each in (["a"], ["a", "a"]))

    assert once == twice
    assert enrichments({"m": ["a"]}, {}) == ()
    assert enrichments({"m": ["a"]}, {"empty": [], "unknown": ["z"]}) == ()
    assert enrichments({}, {"s": ["a"]}) == ()


def test_tails_of_thousands_of_genes_keep_their_digits():
    # All 50 of a group of 50 are among 100 marked of 6,000: the product of 50 fractions.
    expected = np.prod([(100 - i) / (6000 - i) for i in range(50)])

    assert at_least(50, 6000, 100, 50) == pytest.approx(expected, rel=1e-9)
    assert at_least(0, 6000, 100, 50) == 1.0
