"""The command line: one file per command, gathered here."""

import sys
from io import TextIOWrapper
from typing import Annotated

import typer

from structlearn import __version__
from structlearn.cli.check import check
from structlearn.cli.compare import compare
from structlearn.cli.convert import convert
from structlearn.cli.demo import demo
from structlearn.cli.describe import describe
from structlearn.cli.fit import fit
from structlearn.cli.impute import impute
from structlearn.cli.learn import learn
from structlearn.cli.methods import methods
from structlearn.cli.own_words import keeping_words
from structlearn.cli.predict import predict
from structlearn.cli.query import query
from structlearn.cli.sample import sample
from structlearn.cli.warmup import warmup

app = typer.Typer(
    name="structlearn",
    help="Learn the structure of graphical models from data.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (
    learn,
    methods,
    describe,
    fit,
    sample,
    query,
    predict,
    impute,
    compare,
    check,
    convert,
    demo,
    warmup,
):
    app.command()(keeping_words(command))


def main() -> None:
    """Run the command line; the console script `structlearn` calls this."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without arrows shows question marks
    app()


def _say_version(asked: bool) -> None:
    if asked:
        typer.echo(f"structlearn {__version__}")
        raise typer.Exit


@app.callback()
def _start(
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version and exit.", is_eager=True, callback=_say_version),
    ] = False,
) -> None:
    """Learn the structure of graphical models from data."""
