"""How well models predict votes that they were not learnt from.

`python -m benchmarks.votes` measures, and writes docs/benchmarks/votes.md.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import sys
import time
import warnings
from pathlib import Path

import numpy as np
import polars as pl

import structlearn as sl
from benchmarks.machine import described
from structlearn.data import DiscreteColumn

ROOT = Path(__file__).parents[1]
VOTES = ROOT / "docs" / "data" / "senate109_votes.csv.gz"
PAGE = ROOT / "docs" / "benchmarks" / "votes.md"
STATES = ("nay", "yea", "absent")
ABSENT = 2
CODES = {"0": 0, "1": 1, None: ABSENT}
MOST_ABSENCES = 8
N_FOLDS = 5


def votes():
    """The names of the columns, and the votes as codes of STATES: a row for each roll call."""
    frame = pl.read_csv(VOTES, infer_schema=False).drop("vote")
    codes = np.array([[CODES[vote] for vote in frame[name]] for name in frame.columns]).T
    return frame.columns, codes


def dataset(names, codes, n_states):
    return sl.Dataset.from_columns(
        [
            DiscreteColumn(name, column.astype(np.uint8), STATES[:n_states])
            for name, column in zip(names, codes.T, strict=True)
        ]
    )


def dependency_network(**options):
    """Each senator by a distribution of their own."""

    def learn(table):
        model = sl.DependencyNetwork(**options).fit(table).model_
        return lambda rows: {name: np.log(shares) for name, shares in model.predict_proba(rows).items()}

    return learn


def bayesian_network(cpd="table", **options):
    """A senator by the product of all distributions that they are in, normalised."""

    def learn(table):
        graph = sl.HillClimbing(cpd=cpd, **options).fit(table).graph_
        model = sl.BayesianNetwork(graph, dict.fromkeys(graph.nodes, cpd)).fit(table, smoothing=1.0)
        return lambda rows: {name: given_the_rest(model, rows, name) for name in rows.names}

    return learn


def given_the_rest(model, rows, name):
    codes = {column.name: column.codes.astype(np.int64) for column in rows.columns}
    sums = []
    for state in range(len(model.labels[name])):
        here = codes | {name: np.full(rows.n_rows, state)}
        cpds = {node: model.cpds[node] for node in (name, *model.graph.children(name))}
        sums.append(
            sum(cpd.log_probability(here[n], [here[p] for p in cpd.parents]) for n, cpd in cpds.items())
        )
    logs = np.stack(sums, axis=1)
    return logs - np.logaddexp.reduce(logs, axis=1, keepdims=True)


METHODS = {
    "`DependencyNetwork()`": dependency_network(),
    '`DependencyNetwork(learner="l1")`': dependency_network(learner="l1"),
    "`HillClimbing()`, a table each": bayesian_network(),
    '`HillClimbing(score="bdeu")`, a table each': bayesian_network(score="bdeu"),
    "no other senator known": dependency_network(max_depth=0),
}


def measured(names, codes, learn):
    """The mean loss of a vote in nats, the share predicted right, and the CPU seconds of a fit."""
    fold = np.random.default_rng(0).permutation(len(codes)) % N_FOLDS
    losses, is_right, seconds, n_states = [], [], [], int(codes.max()) + 1
    for k in range(N_FOLDS):
        held_out = codes[fold == k]
        start = time.process_time()
        predict = learn(dataset(names, codes[fold != k], n_states))
        seconds.append(time.process_time() - start)
        for column, logs in enumerate(predict(dataset(names, held_out, n_states)).values()):
            losses.append(-logs[np.arange(len(held_out)), held_out[:, column]])
            is_right.append(logs.argmax(axis=1) == held_out[:, column])
    return np.concatenate(losses).mean(), np.concatenate(is_right).mean(), min(seconds)


def results(names, codes):
    """A table of what was measured, a line for each method."""
    yield "| learnt by | loss of a vote, nats | predicted right | CPU s of a fit |\n| --- | --- | --- | --- |"
    for name, learn in METHODS.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", sl.DataWarning)
            loss, right, seconds = measured(names, codes, learn)
        line = f"| {name} | {loss:.4f} | {100 * right:.2f} % | {seconds:.1f} |"
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
        yield line


def main():
    names, codes = votes()
    said = described(["structlearn"], "python -m benchmarks.votes")
    often = (codes == ABSENT).sum(axis=0) <= MOST_ABSENCES
    whole = (codes[:, often] != ABSENT).all(axis=1)
    present = [name for name, is_often in zip(names, often, strict=True) if is_often]
    parts = {
        "binary": "\n".join(results(present, codes[whole][:, often])),
        "all": "\n".join(results(names, codes)),
        "shape": f"{int(whole.sum())} roll calls, {len(present)} senators",
        "shape_of_all": f"{len(codes)} roll calls, {len(names)} columns",
    }
    PAGE.write_text(TEXT.format(said=said, n_folds=N_FOLDS, most=MOST_ABSENCES, **parts), encoding="utf-8")


TEXT = """# Votes that were not learnt from

{said}

Roll calls of the 109th Senate of the United States (2005 and 2006). In each of {n_folds} folds of the roll
calls, learnt from the others, every vote is predicted from all other votes of its roll call. A
[dependency network](../methods/dependency-network.md) has the distribution that this takes; of a Bayesian
network it is the product of the distributions of the node and of its children, fitted with one pseudo-row
each. The loss is minus the logarithm of the probability that the vote had.

## Yea or nay

Senators who were absent {most} times at most, and the roll calls that have all of them: {shape}.

{binary}

## Yea, nay or absent

All senators and the position of the President: {shape_of_all}.

{all}
"""

if __name__ == "__main__":
    main()
