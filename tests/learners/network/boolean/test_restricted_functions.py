"""Rules that have to be canalising, weighted sums above a limit, or monotone."""

from itertools import combinations, product

import numpy as np
import pytest
from scipy.optimize import linprog

import structlearn as sl
from structlearn.learners.network.boolean.functions import functions_of
from structlearn.learners.network.boolean.kernels.input_sets import ONE_ERROR
from structlearn.learners.network.boolean.restricted import RestrictedSearch
from structlearn.run import Run
from tests.learners.network.boolean.test_input_sets import pairs_of, plain_costs
from tests.oracles.boolean_networks import counts_by_pattern

KINDS = ("canalising", "threshold", "monotone")


def is_canalising(table, k):
    patterns = list(product((0, 1), repeat=k))
    halves = [
        {out for pattern, out in zip(patterns, table, strict=True) if pattern[i] == s}
        for i in range(k)
        for s in (0, 1)
    ]
    return any(len(half) == 1 for half in halves)


def is_monotone(table, k):
    outputs = dict(zip(product((0, 1), repeat=k), table, strict=True))
    for i in range(k):
        signs = {outputs[(*p[:i], 1, *p[i + 1 :])] - outputs[p] for p in outputs if p[i] == 0}
        if {1, -1} <= signs:
            return False
    return True


def is_threshold(table, k):
    """Whether a linear programme finds weights: sums at least 1 where the output is on, at most -1 else."""
    signs = 2 * np.array(table) - 1
    patterns = np.array(list(product((0, 1), repeat=k))).reshape(2**k, k)
    rows = -signs[:, None] * np.column_stack([patterns, np.ones(2**k)])
    return linprog(np.zeros(k + 1), A_ub=rows, b_ub=-np.ones(2**k), bounds=(None, None)).status == 0


DEFINITIONS = {"canalising": is_canalising, "threshold": is_threshold, "monotone": is_monotone}


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_the_functions_are_those_of_the_definition(kind, k):
    expected = [table for table in product((0, 1), repeat=2**k) if DEFINITIONS[kind](table, k)]

    assert functions_of(kind, k).astype(int).tolist() == [list(table) for table in expected]


# docs/references/boolean-networks.md#functions
@pytest.mark.parametrize(("kind", "count"), [("canalising", 3514), ("threshold", 1882), ("monotone", 2170)])
def test_of_four_inputs_there_are_as_many_as_published(kind, count):
    assert len(functions_of(kind, 4)) == count


@pytest.mark.parametrize("size", [0, 1, 2, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_the_sets_with_fewest_errors_of_such_a_function_are_all_found(kind, size):
    rng = np.random.default_rng(size)
    before, after = rng.integers(0, 2, (2, 12, 5))
    search = RestrictedSearch(pairs_of(before, after), np.zeros((5, 5), dtype=np.int8), Run("Test"), 1, kind)

    found = search.of_size(size, np.arange(5), plain_costs(5))

    tables = [dict(zip(product((0, 1), repeat=size), t, strict=True)) for t in functions_of(kind, size)]
    for target in range(5):
        errors = {}
        for inputs in combinations(range(5), size):
            seen = counts_by_pattern(before, after, inputs, target)
            errors[inputs] = min(sum(n[not table[p]] for p, n in seen.items()) for table in tables)
        least = min(errors.values())
        assert found.costs[target, 0] == least * ONE_ERROR
        assert [tuple(s) for s in found.sets[target].tolist()] == [s for s, e in errors.items() if e == least]
        others = [e for e in errors.values() if e > least]
        if others:
            assert found.costs[target, 1] == min(others) * ONE_ERROR
            assert errors[tuple(found.next_sets[target].tolist())] == min(others)


def every_state(rule):
    """The states of three nodes and what follows them, where `rule` makes the first."""
    states = np.array(list(product((0, 1), repeat=3)) * 2)
    following = [rule(*state) for state in states]
    table = dict(zip("abc", states.T, strict=True))
    return table | {"x": following, "y": table["b"], "z": table["c"]}, dict(zip("abc", "xyz", strict=True))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("method", ["reveal", "consistency", "best-fit"])
def test_what_no_such_function_explains_has_no_rule(kind, method):
    alike, after = every_state(lambda a, b, _: int(a == b))  # none of the three kinds
    both, _ = every_state(lambda a, b, _: a & b)
    options = {"method": method, "after": after, "functions": kind, "max_inputs": 2}

    assert sl.BooleanNetwork(**options).fit(both).solutions_["a"] == (("a", "b"),)
    assert sl.BooleanNetwork(**options).fit(both).rules_["a"].errors == 0
    assert ("a", "b") not in sl.BooleanNetwork(**options).fit(alike).solutions_["a"]
    assert sl.BooleanNetwork(**options | {"functions": "any"}).fit(alike).solutions_["a"] == (("a", "b"),)


def test_a_rule_is_the_best_of_the_functions_that_it_may_be():
    table, after = every_state(lambda _, b, c: int(b == c))
    knowledge = sl.Knowledge(required=[("b", "a"), ("c", "a")])
    learner = sl.BooleanNetwork(after=after, functions="monotone", max_inputs=2, knowledge=knowledge).fit(
        table
    )

    rule = learner.rules_["a"]
    assert rule.errors == 4  # one pattern of four, in 16 pairs
    assert is_monotone(list(rule.table.values()), 2)
    assert learner.rules("a")[0].table == rule.table


def test_five_inputs_and_three_states_are_refused():
    with pytest.raises(sl.OptionError, match=r"functions='threshold'\): nodes have at most 4 inputs"):
        sl.BooleanNetwork(functions="threshold", max_inputs=5).fit(
            dict(zip("abcdef", np.random.default_rng(0).integers(0, 2, (6, 40)), strict=True))
        )
    with pytest.raises(sl.DataError, match="nodes have two states, and 'b' has 3"):
        sl.BooleanNetwork(functions="threshold").fit({"a": [0, 1, 0, 1, 1, 0, 1], "b": [0, 1, 2, 0, 1, 2, 0]})
