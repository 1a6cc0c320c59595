"""The page: sections, style and script in one file that needs nothing else."""

import base64
import hashlib
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from structlearn import __version__
from structlearn.data import Dataset
from structlearn.errors import DataError
from structlearn.formats.files import write_text
from structlearn.graphs import Graph
from structlearn.learners.base import Learner
from structlearn.models import BayesianNetwork
from structlearn.naming import listed
from structlearn.report.markup import Markup, joined, tag
from structlearn.report.sections import (
    account,
    beliefs,
    clusters,
    comparison,
    conflicts,
    data,
    dependencies,
    distributions,
    edges,
    experiments,
    factors,
    graph,
    model,
    modules,
    options,
    penalty,
    proof,
    ranking,
    relational,
    reproduce,
    rules,
    separations,
    summary,
    trace,
    trajectories,
    why,
)
from structlearn.report.subject import Section, Source, Subject
from structlearn.report.wording import counted, number
from structlearn.run import Status
from structlearn.statistics.source import opened
from structlearn.whole_files import path_of

SECTIONS: tuple[Callable[[Subject], Section | None], ...] = (
    graph.section,
    edges.section,
    proof.section,
    summary.section,
    comparison.section,
    ranking.section,
    conflicts.section,
    trajectories.section,
    penalty.section,
    rules.section,
    dependencies.section,
    clusters.section,
    factors.section,
    modules.section,
    trace.section,
    why.section,
    separations.section,
    model.section,
    beliefs.section,
    distributions.section,
    relational.section,
    data.section,
    experiments.section,
    account.section,
    options.section,
    reproduce.section,
)
SCRIPTS = ("zoom.js", "highlight.js", "strength.js", "tables.js", "beliefs.js")


def write_report(  # noqa: PLR0913, what a page may tell, each by name
    path: str | Path,
    learner: Learner,
    dataset: Any = None,
    *,
    title: str | None = None,
    model: BayesianNetwork | None = None,
    truth: Graph | None = None,
    source: Source | None = None,
    warnings: Sequence[str] = (),
) -> Path:
    """Write one HTML page about a fitted learner: graph, evidence, data, options, how to repeat it.

    The page opens in any browser, loads nothing from elsewhere, and appears whole or not at all.

    Parameters
    ----------
    path : str or Path
        The file; an earlier one is replaced.
    learner : Learner
        A learner after `fit`.
    dataset : table, optional
        What it learned from, as `fit` takes it; without its rows the page has no summary of the data.
    title : str, optional
        The heading; by default the method and the size of its graph.
    model : BayesianNetwork, optional
        The graph with its distributions.
    truth : Graph, optional
        The graph to compare with; edges are coloured by what they have right and wrong.
    source : Source, optional
        Where the rows came from, for the lines that repeat the run.
    warnings : sequence of str
        What was said about the data while learning.

    Returns
    -------
    Path
        Where the page is.

    Examples
    --------
    >>> import structlearn as sl
    >>> from tempfile import TemporaryDirectory
    >>> data = sl.example("cancer").sample(1000, random_state=0)
    >>> with TemporaryDirectory() as folder:
    ...     page = write_report(f"{folder}/report.html", sl.HillClimbing().fit(data), data)
    ...     page.read_text(encoding="utf-8").startswith("<!doctype html>")
    True
    """
    _refuse_unfitted(learner)
    title = title or _usual_title(learner)
    subject = Subject(learner, _rows(learner, dataset), title, model, truth, source, tuple(warnings))
    path = path_of(path)
    write_text(path, page(subject))
    return path


def _refuse_unfitted(learner: object) -> None:
    if not isinstance(learner, Learner):
        raise DataError(
            f"write_report(path, learner, data): a report is about a fitted learner, not a "
            f"{type(learner).__name__}."
        )
    if not hasattr(learner, "graph_"):
        raise DataError(
            f"write_report: this {type(learner).__name__} has learned nothing yet; call fit first."
        )


def _rows(learner: Learner, table: Any) -> Dataset | None:
    """The table in memory; None of rows that stay in an engine."""
    source = None if table is None else opened(table, aside=learner.columns_aside())
    if source is not None:
        learned_from = set(getattr(learner, "feature_names_in_", ())) - {*learner.columns_aside().values()}
        if lacking := [name for name in learned_from if name not in source.names]:
            raise DataError(
                f"write_report: this is not the table that was learned from: it has no column "
                f"{listed(sorted(lacking))}."
            )
    return source if isinstance(source, Dataset) else None


def page(subject: Subject) -> str:
    """Give the text of the page."""
    sections = [section for section in (make(subject) for make in SECTIONS) if section is not None]
    script = "\n".join(_asset("assets", name) for name in SCRIPTS)
    return Template(_asset("templates", "page.html")).substitute(
        title=joined([subject.title]),
        version=__version__,
        style=_asset("assets", "page.css"),
        script=script,
        script_hash=_hash(script),
        facts=_facts(subject),
        status=_status(subject),
        navigation=joined(tag("a", section.heading, href=f"#{section.name}") for section in sections),
        sections=joined((_framed(section) for section in sections), "\n"),
    )


def _usual_title(learner: Learner) -> str:
    found: Graph = learner.graph_
    return f"{type(learner).__name__}: {counted(len(found), 'node')}, {counted(len(found.edges), 'edge')}"


def _framed(section: Section) -> Markup:
    heading = tag("h2", section.heading, id=f"{section.name}-heading")
    return tag("section", heading, section.body, id=section.name, aria_labelledby=f"{section.name}-heading")


def _facts(subject: Subject) -> Markup:
    learner = subject.learner
    facts = {
        "method": subject.method,
        "nodes": f"{len(subject.graph):,}",
        "edges": f"{len(subject.graph.edges):,}",
    }
    if getattr(learner, "score_", None) is not None:
        facts["score"] = number(float(learner.score_))
    n_tests = getattr(learner, "n_tests_", None)
    if n_tests is not None:
        facts["tests"] = f"{n_tests:,}"
    if subject.dataset is not None:
        facts["rows"] = f"{subject.dataset.n_rows:,}"
    facts["seconds"] = f"{learner.seconds_:.3g}"
    return tag(
        "dl", *(tag("div", tag("dt", name), tag("dd", text)) for name, text in facts.items()), class_="facts"
    )


def _status(subject: Subject) -> Markup:
    """Say how the run ended, and what was said about the data on the way."""
    status = str(subject.learner.status_)
    ended = "ended" if status.startswith(Status.COMPLETE.value) else "ended partial"
    warned = [tag("p", tag("strong", "Warning: "), said, class_="warned") for said in subject.warnings]
    parity = getattr(subject.learner, "parity_", None)
    searched = [tag("p", str(parity))] if parity is not None and parity.n_sets else []
    return joined([tag("p", status, class_=ended), *searched, *warned])


def _asset(folder: str, name: str) -> str:
    return (files("structlearn.report") / folder / name).read_text(encoding="utf-8")


def _hash(script: str) -> str:
    """Name the one script that the page's security policy lets run."""
    digest = hashlib.sha256(f"\n{script}\n".encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
