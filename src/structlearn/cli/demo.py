"""structlearn demo: the whole way on a small network."""

from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from structlearn.cli.answers import answering
from structlearn.cli.models import open_model
from structlearn.cli.tables import open_table
from structlearn.errors import OptionError

if TYPE_CHECKING:
    from structlearn.graphs import Graph

SIGNS = {"xray": "yes", "dysp": "yes"}


def demo(
    folder: Annotated[Path, typer.Option(help="Where the pictures go; made if it is not there.")] = Path(
        "demo"
    ),
    report: Annotated[Path, typer.Option(help="Where the page goes.")] = Path("report.html"),
) -> None:
    """Learn the network "asia" from 5,000 rows drawn from it, compare it with the truth, and ask it."""
    with answering():
        from structlearn.cli.destinations import check_outputs  # noqa: PLC0415, keeps --help quick
        from structlearn.learners.score.hill_climbing import HillClimbing  # noqa: PLC0415, as above
        from structlearn.models import BayesianNetwork  # noqa: PLC0415, as above
        from structlearn.plots import plot_graph  # noqa: PLC0415, as above
        from structlearn.report import write_report  # noqa: PLC0415, as above

        try:
            folder.mkdir(parents=True, exist_ok=True)  # the page may go there too
        except OSError as error:
            raise OptionError(f"--folder {folder}: no folder can be made there: {error.strerror}.") from None
        check_outputs([], report)
        opened = open_table("example:asia")
        learner = HillClimbing().fit(opened.dataset)
        assert opened.truth is not None  # noqa: S101, asia is a network
        typer.echo(f"Hill-climbing on asia: {opened.note}, in {learner.seconds_:.2f} s.\n")
        typer.echo(_side_by_side(learner.graph_.to_cpdag(), opened.truth.to_cpdag()))
        typer.echo(f"\n{learner.graph_.compare(opened.truth)}\n")

        model = BayesianNetwork(learner.graph_).fit(opened.dataset, smoothing=1.0)
        truth = open_model("example:asia")
        found, true = (network.query("lung", SIGNS)["yes"] for network in (model, truth))
        typer.echo(f"P(lung | xray, dysp): {found:.3f} in the fitted network, {true:.3f} in the true one.\n")

        model.save(folder / "asia.bif")
        pictures = [folder / "asia.svg", folder / "asia.png"]
        for picture in pictures:
            plot_graph(learner.graph_, picture, truth=opened.truth)
        write_report(
            report,
            learner,
            opened.dataset,
            title="Asia, learned",
            model=model,
            truth=opened.truth,
            source=opened.source,
        )
        typer.echo(f"Model:    {folder / 'asia.bif'}")
        typer.echo(f"Pictures: {', '.join(map(str, pictures))}")
        typer.echo(f"Report:   {report} (open it in a browser)")


def _side_by_side(learned: "Graph", truth: "Graph") -> str:
    """Write the edges of both equivalence classes in two columns, equal ones on one line."""
    ours, theirs = [str(edge) for edge in learned.edges], [str(edge) for edge in truth.edges]
    both = [text for text in ours if text in theirs]
    left = [text for text in ours if text not in both]
    right = [text for text in theirs if text not in both]
    rows = [(text, text) for text in both] + list(zip_longest(left, right, fillvalue=""))
    width = max(len(text) for text, _ in [("learned", ""), *rows])
    return "\n".join(f"  {a:<{width}}   {b}".rstrip() for a, b in [("learned", "truth"), *rows])
