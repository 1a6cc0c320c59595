"""Rows with gaps by their definition: the joint table, cut by what is known in each row."""

import numpy as np

from structlearn.data import ContinuousColumn, Dataset, DiscreteColumn
from tests.oracles import inference as oracle


def with_gaps(dataset, share, seed):
    """The same table with a share of all values taken out at random."""
    rng = np.random.default_rng(seed)
    columns = []
    for column in dataset.columns:
        missing = rng.random(dataset.n_rows) < share
        missing = missing if missing.any() else None
        made = (
            DiscreteColumn(column.name, column.codes, column.labels, missing)
            if isinstance(column, DiscreteColumn)
            else ContinuousColumn(column.name, column.values, missing)
        )
        columns.append(made)
    return Dataset.from_columns(columns)


def known(dataset):
    """What is known in each row, a dict of labels or numbers."""
    rows = [{} for _ in range(dataset.n_rows)]
    for column in dataset.columns:
        for row, value in enumerate(column.decoded().tolist()):
            if column.missing is None or not column.missing[row]:
                rows[row][column.name] = value
    return rows


def whole_table(model):
    """The probability of every joint state of a discrete model, directed or not."""
    if hasattr(model, "cpds"):
        return oracle.joint(model)
    levels = {node: len(states) for node, states in model.labels.items()}
    whole = oracle.joint_of_factors(list(model.labels), levels, model.factors())
    return whole / whole.sum()


def shares(model, dataset, name):
    """P(name | what is known of the others) in each row."""
    whole, nodes = whole_table(model), list(model.labels)
    found = []
    for row in known(dataset):
        row.pop(name, None)
        table = oracle.summed_onto(oracle.weighted(whole, nodes, model.labels, row), nodes, [name])
        found.append(table / table.sum())
    return np.array(found)


def probability(model, row):
    """The probability of a row, or of part of one."""
    nodes = list(model.labels)
    return float(oracle.weighted(whole_table(model), nodes, model.labels, row).sum())


def highest_probability(model, row):
    """That of the most probable row which agrees with what is known."""
    return float(oracle.weighted(whole_table(model), list(model.labels), model.labels, row).max())


def conditional_normal(mean, covariance, row, asked):
    """The mean and covariance of some positions given numbers at others, by the textbook."""
    given = list(row)
    apart = np.array([row[k] - mean[k] for k in given])
    across = covariance[np.ix_(asked, given)]
    inverse = np.linalg.inv(covariance[np.ix_(given, given)])
    return mean[asked] + across @ inverse @ apart, covariance[
        np.ix_(asked, asked)
    ] - across @ inverse @ across.T
