"""Probabilistic relational models."""

from typing import ClassVar

from structlearn.data import Knowledge
from structlearn.data.relational import Database, Schema
from structlearn.learners.network.relational.chain_search import ChainSearch
from structlearn.learners.network.relational.fitting import (
    class_graph,
    edge_evidence,
    fitted_model,
    refuse_taken_names,
)
from structlearn.learners.network.relational.search import Search
from structlearn.options import Between, option
from structlearn.outcome import Outcome
from structlearn.run import Run


class RelationalModel(ChainSearch):
    """Learn from a database on what the attributes of its objects depend, also by way of other objects."""

    smoothing: float = option(
        Between(0, 1e12), "The number of pseudo-objects spread over each table of the model.", default=1.0
    )

    def _learn_from(self, database: Database, schema: Schema, knowledge: Knowledge, run: Run) -> Outcome:
        plan = self._plan(database, schema, run)
        refuse_taken_names(schema, plan)
        search = Search(database, schema, plan, knowledge, run)
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
