"""Probabilistic relational models."""

from collections.abc import Sequence
from functools import partial
from typing import ClassVar, Literal

from structlearn.data import Knowledge
from structlearn.data.relational import AGGREGATES, Aggregate, Database, Schema
from structlearn.data.relational.keys import refuse_cycle
from structlearn.errors import OptionError
from structlearn.learners.network.relational.database_learner import DatabaseLearner
from structlearn.learners.network.relational.fitting import class_graph, edge_evidence, fitted_model
from structlearn.learners.network.relational.search import Plan, Search
from structlearn.learners.option_groups import Formed, Limited
from structlearn.options import Between, Flag, ListOf, OneOf, OrNone, Whole, option
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.scores import SCORE, Score
from structlearn.scores.tree_form import score_of_form


class RelationalModel(Formed, Limited, DatabaseLearner):
    """Learn from a database on what the attributes of its objects depend, also by way of other objects."""

    max_parents = 4
    score: str | Score = option(
        SCORE,
        'What to maximise. "bdeu", "bic", another name of `structlearn.scores` for discrete columns, or any '
        "object with a `local` method.",
        default="bdeu",
    )
    max_chain: int = option(Whole(0), "The most references to follow from an object to a parent.", default=2)
    aggregates: Sequence[Aggregate] = option(
        ListOf(str),
        'What to make of the values of several objects. Some of "mode", "count", "mean", "min", "max", '
        '"median" and "exists"; those after "count" but for the last need states with an order.',
        default=("mode", "count", "mean"),
    )
    acyclic: Sequence[str] | None = option(
        OrNone(ListOf(str), "none"),
        'References that together lead from no object back to itself. ["Person.mother", "Person.father"]; an '
        "attribute may then depend on itself along them.",
        default=None,
    )
    extend: Literal["all", "used"] = option(
        OneOf(("all", "used")),
        "Which chains of references are tried. All, or only those that go on from one that is used already.",
        default="all",
    )
    pairs: bool = option(
        Flag(),
        "Whether two parents are tried together where none helps alone. It takes a table for each pair.",
        default=False,
    )
    smoothing: float = option(
        Between(0, 1e12), "The number of pseudo-objects spread over each table of the model.", default=1.0
    )

    def _learn_from(self, database: Database, schema: Schema, knowledge: Knowledge, run: Run) -> Outcome:
        search = Search(database, schema, self._plan(database, schema), knowledge, run)
        try:
            search.climb()
            graph = class_graph(schema, search.structure)
            model = fitted_model(
                schema, search, graph, cpd=self.cpd, score=self.score, smoothing=self.smoothing
            )
            return Outcome(
                graph=graph,
                status=run.status,
                score=search.score(),
                trace=search.trace(),
                evidence=edge_evidence(search),
                extra={"model": model, "schema": schema},
            )
        finally:
            search.close()

    def _plan(self, database: Database, schema: Schema) -> Plan:
        unknown = [word for word in self.aggregates if word not in AGGREGATES]
        if unknown:
            raise OptionError(
                f"RelationalModel(aggregates=…): there is no {unknown[0]!r}; choose some of "
                f"{', '.join(AGGREGATES)}."
            )
        for name in self.acyclic or ():
            refuse_cycle(database, schema.slot(name))
        return Plan(
            score=partial(score_of_form, "RelationalModel", self.score, self.cpd),
            aggregates=tuple(self.aggregates),
            max_chain=self.max_chain,
            extend=self.extend,
            max_parents=self.max_parents,
            pairs=self.pairs,
            acyclic=frozenset(self.acyclic or ()),
            bins=self.bins,
        )

    details: ClassVar[str] = """
    Attributes
    ----------
    graph_ : Graph
        A node for each attribute, as "Student.intelligence", with its class as its group; an arrow from each
        parent, whose chain is a fact of the child. Counts of objects are nodes of their own. It has cycles
        only where `acyclic` references break them.
    model_ : ProbabilisticRelationalModel
        The parents of each attribute, as chains and aggregates, with their distributions.
    schema_ : Schema
        Classes, attributes with their states, references, and why columns were left out.
    score_ : float
        The score of the graph: the sum over the attributes, each of the objects that have it.
    trace_ : dict of arrays
        The score after each move, with the chain length of its stage.
    evidence_ : dict
        What the score would lose without each arrow.

    Notes
    -----
    Counts are made by GROUP BY inside the database; no rows leave it and nothing is written to it. Numbers
    with many values are cut at quantiles. An object that sees nothing at the end of a chain (no reference,
    nobody who refers to it, no value there) has the state "none". Where a chain leads to several objects each
    way to one counts. The class graph is kept so that no database can have a cycle between objects.

    References
    ----------
    .. [1] Friedman, Getoor, Koller and Pfeffer (1999), Learning probabilistic relational models,
       International Joint Conference on Artificial Intelligence 16.
    .. [2] Getoor, Friedman, Koller, Pfeffer and Taskar (2007), Probabilistic relational models, in:
       Introduction to Statistical Relational Learning, MIT Press.

    Examples
    --------
    >>> import structlearn as sl
    >>> students = {"id": [1, 2, 3, 4], "clever": ["yes", "yes", "no", "no"]}
    >>> exams = {"student": [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4], "grade": list("AAAABACCCCBC")}
    >>> learner = sl.RelationalModel(keys={"exam.student": "student.id"}, max_chain=1)
    >>> learner.fit({"student": students, "exam": exams}).graph_.parents("exam.grade")
    ('student.clever',)
    >>> learner.model_.dependencies["exam.grade"].parents[0].name
    'student.clever'
    """
