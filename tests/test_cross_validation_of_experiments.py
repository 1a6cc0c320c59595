"""Rows in which something was set: each fold learns by what was set in its own rows, and is judged so."""

import numpy as np
import pytest
from scipy import stats

import structlearn as sl
from structlearn.errors import DataError, OptionError
from tests.contracts.conftest import chain_with_targets

NODES = "dbac"
CHAIN = sl.Graph(NODES, directed=[("d", "b"), ("b", "a"), ("a", "c")])


def shuffled(kind):
    """The chain with rows in a random order, so that each fold has rows of both sorts."""
    table, order = chain_with_targets(kind), np.random.default_rng(3).permutation(600)
    table = {name: column[order] for name, column in table.items()}
    return {name: table[name] for name in NODES}, table["set"]


def ways_to_say(cells):
    is_set = np.array([cell == "b" for cell in cells])
    return {"cells": cells.tolist(), "mask": {"b": is_set}, "positions": {"b": np.flatnonzero(is_set)}}


def gaussian_terms(table, is_set, training, held_out):
    """The log density of each column given its parent; of b from, and in, rows in which it was not set."""
    total = np.zeros(len(held_out))
    for child, parent in zip(NODES, (None, *NODES), strict=False):
        rows = training[~is_set[training]] if child == "b" else training
        y, x = table[child], np.ones(600) if parent is None else table[parent]
        design = np.column_stack([np.ones(600), x])[:, : 1 if parent is None else 2]
        slopes = np.linalg.lstsq(design[rows], y[rows], rcond=None)[0]
        left = y - design @ slopes
        logs = stats.norm.logpdf(left[held_out], scale=np.sqrt(np.mean(left[rows] ** 2)))
        total += np.where(is_set[held_out], 0.0, logs) if child == "b" else logs
    return total


@pytest.mark.parametrize("way", ["column", "cells", "mask", "positions"])
def test_each_fold_uses_what_was_set_in_its_own_rows(way):
    table, cells = shuffled("continuous")
    is_set = np.array([cell == "b" for cell in cells])
    if way == "column":
        learner, data = sl.HillClimbing(targets="set"), table | {"set": cells}
    else:
        learner, data = sl.HillClimbing(targets=ways_to_say(cells)[way]), table
    found = sl.cross_validate({"learner": learner, "graph": CHAIN}, data, cv=3)

    for place, held_out in enumerate(found.folds):
        training = np.setdiff1d(np.arange(600), held_out)
        expected = gaussian_terms(table, is_set, training, held_out).mean()
        assert found.measures["graph"]["log-likelihood"][place] == pytest.approx(expected)
        assert found.measures["learner"]["log-likelihood"][place] == pytest.approx(expected)


def tables_of(table, is_set, training, smoothing=1.0):
    """The probability of each state of a child given that of its parent, [parent, child]."""
    found = {}
    for child, parent in zip("bac", "dba", strict=True):
        rows = training[~is_set[training]] if child == "b" else training
        n = [len(set(table[name].tolist())) for name in (parent, child)]
        counts = np.full(n, smoothing / n[0] / n[1])
        np.add.at(counts, (table[parent][rows], table[child][rows]), 1.0)
        found[child] = counts / counts.sum(axis=1, keepdims=True)
    return found


def test_what_was_set_says_nothing_of_its_causes_and_is_not_predicted():
    table, cells = shuffled("discrete")
    table = {name: np.unique(column, return_inverse=True)[1] for name, column in table.items()}
    is_set = np.array([cell == "b" for cell in cells])
    learner = sl.HillClimbing(targets={"b": is_set})
    causes, itself = (sl.cross_validate(learner, table, cv=3, target=target) for target in "db")

    for place, held_out in enumerate(causes.folds):
        training = np.setdiff1d(np.arange(600), held_out)
        tables = tables_of(table, is_set, training)
        n_levels = len(tables["b"])
        of_d = (np.bincount(table["d"][training], minlength=n_levels) + 1 / n_levels) / (len(training) + 1)
        losses = []
        for row in held_out:
            shares = of_d * (1.0 if is_set[row] else tables["b"][:, table["b"][row]])
            losses.append(-np.log(shares[table["d"][row]] / shares.sum()))
        assert causes.measures["HillClimbing"]["log loss"][place] == pytest.approx(np.mean(losses))
        losses = []
        for row in held_out[~is_set[held_out]]:
            shares = tables["b"][table["d"][row]] * tables["a"][:, table["a"][row]]
            losses.append(-np.log(shares[table["b"][row]] / shares.sum()))
        assert itself.measures["HillClimbing"]["log loss"][place] == pytest.approx(np.mean(losses))


def test_rows_with_gaps_are_judged_by_what_they_have_given_what_was_set():
    table, cells = shuffled("discrete")
    table = {name: np.unique(column, return_inverse=True)[1] for name, column in table.items()}
    is_set = np.array([cell == "b" for cell in cells])
    gone = np.random.default_rng(4).random(600) < 0.1
    known = [None if is_gone else code for code, is_gone in zip(table["c"].tolist(), gone, strict=True)]
    gaps = table | {"c": known}
    found = sl.cross_validate(sl.HillClimbing(targets={"b": is_set}, missing="drop"), gaps, cv=3)

    for place, held_out in enumerate(found.folds):
        training = np.setdiff1d(np.flatnonzero(~gone), held_out)
        tables = tables_of(table, is_set, training)
        n_levels = len(tables["b"])
        of_d = (np.bincount(table["d"][training], minlength=n_levels) + 1 / n_levels) / (len(training) + 1)
        logs = np.log(of_d[table["d"]]) + np.log(tables["a"][table["b"], table["a"]])
        logs += np.where(is_set, 0.0, np.log(tables["b"][table["d"], table["b"]]))
        logs += np.where(gone, 0.0, np.log(tables["c"][table["a"], table["c"]]))
        expected = logs[held_out].mean()
        assert found.measures["HillClimbing"]["log-likelihood"][place] == pytest.approx(expected)


def test_what_nobody_can_judge_is_refused_in_words():
    table, cells = shuffled("continuous")
    is_set = np.array([cell == "b" for cell in cells])
    learner = sl.HillClimbing(targets={"b": is_set})
    ring = sl.Graph(NODES, undirected=[("d", "b"), ("b", "a"), ("a", "c"), ("c", "d")])
    with pytest.raises(OptionError, match="learners have different targets"):
        sl.cross_validate([learner, sl.HillClimbing(targets={"a": is_set})], table)
    with pytest.raises(DataError, match="GaussianGraphicalModel does not say what follows from setting"):
        sl.cross_validate([learner, ring], table)
    with pytest.raises(OptionError, match="it says what was set in rows, and is not predicted"):
        sl.cross_validate(sl.HillClimbing(targets="set"), table | {"set": cells}, target="set")
    unknown = table | {"b": np.where(is_set & (np.arange(600) % 2 == 0), np.nan, table["b"])}
    with pytest.raises(DataError, match="'b' has no value in a row in which it was set"):
        sl.cross_validate(sl.HillClimbing(targets={"b": is_set}, missing="drop"), unknown)
