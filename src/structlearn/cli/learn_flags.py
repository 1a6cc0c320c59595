"""The flags of `structlearn learn`, as its help shows them.

A flag says what the option of the learners says; a test compares them, so that help loads no learner.
"""

from pathlib import Path
from typing import Annotated

import typer

METHOD, KNOWN, OUTPUT = "Method", "What is known", "Output"

Method = Annotated[
    str, typer.Option("--method", "-m", help="See `structlearn methods`.", rich_help_panel=METHOD)
]
Score = Annotated[
    str | None,
    typer.Option(
        help="What to maximise: bic, ebic, aic, loglik, mdl, bdeu, bde (bdeu here: a prior network is for "
        "Python), bds, bdj, k2, laplace, bge, bic-g, bic-cg, or pnal for tables with gaps.",
        rich_help_panel=METHOD,
    ),
]
Test = Annotated[
    str | None,
    typer.Option(
        help="The test of independence: g2, chi2, mutual-information, permutation, fisher-z, t, "
        "conditional-gaussian, for rows in the order of time effective-z, for curves kci, rcot or gcm, for "
        "two columns alone distance-correlation or projection-correlation.",
        rich_help_panel=METHOD,
    ),
]
Alpha = Annotated[
    float | None, typer.Option(help="The significance level of each test.", rich_help_panel=METHOD)
]
Regulators = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Which genes each regulator acts on, for the methods that need it, or which columns regulate: a "
        ".csv or .tsv file with a regulator and a gene in each line, or only a regulator; or the same as "
        ".json.",
        rich_help_panel=KNOWN,
    ),
]
Targets = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="What was set or shifted from outside in which rows: the column with its names, several with "
        "commas, nothing where nothing was set. It becomes no node.",
        rich_help_panel=KNOWN,
    ),
]
Time = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="The column with the time of each row. For methods in time.",
        rich_help_panel=KNOWN,
    ),
]
Series = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="The column that says which series a row belongs to. For methods in time.",
        rich_help_panel=KNOWN,
    ),
]
Lags = Annotated[
    str | None,
    typer.Option(
        metavar="N",
        help="How many steps back a cause may be, or which steps: 1,7; of columns: x=3,y=1; bic chooses. For "
        "methods in time.",
        rich_help_panel=METHOD,
    ),
]
MaxParents = Annotated[
    int | None, typer.Option(help="The most parents a node may have.", rich_help_panel=METHOD)
]
Tabu = Annotated[
    int | None,
    typer.Option(help="How many of the last graphs may not be visited again.", rich_help_panel=METHOD),
]
Restarts = Annotated[
    int | None,
    typer.Option(help="How often to shake the best graph and climb again.", rich_help_panel=METHOD),
]
Prove = Annotated[
    bool | None,
    typer.Option(
        "--prove",
        help="Whether to hand the graph to an exact solver at the end, which proves it to be the best, finds "
        "a better one, or says how far from the best it may be.",
        rich_help_panel=METHOD,
    ),
]
TimeLimit = Annotated[
    float | None,
    typer.Option(help="Seconds after which the best graph so far is returned.", rich_help_panel=METHOD),
]
Missing = Annotated[
    str | None,
    typer.Option(
        metavar="WAY",
        help="What to do about missing values: error, drop, and by method testwise, familywise or em.",
        rich_help_panel=METHOD,
    ),
]
Seed = Annotated[int | None, typer.Option(help="The seed of all randomness.", rich_help_panel=METHOD)]
Jobs = Annotated[
    int | None, typer.Option(help="How many threads share the work; -1 for all.", rich_help_panel=METHOD)
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Any other option of the method; `structlearn methods NAME` lists them. Repeat for more.",
        rich_help_panel=METHOD,
    ),
]
KnowledgeFile = Annotated[
    Path | None,
    typer.Option(
        "--knowledge",
        metavar="FILE",
        help="What is known, in a file: .knowledge in plain lines, or .txt as Tetrad has it.",
        rich_help_panel=KNOWN,
    ),
]
Require = Annotated[
    list[str] | None,
    typer.Option(
        metavar='"A->B"', help="An arrow that must be there. Repeat for more.", rich_help_panel=KNOWN
    ),
]
Forbid = Annotated[
    list[str] | None,
    typer.Option(
        metavar='"A->B"', help="An arrow that must not be there. Repeat for more.", rich_help_panel=KNOWN
    ),
]
Tiers = Annotated[
    list[str] | None,
    typer.Option(
        metavar='"A,B;C,D"',
        help="Groups of columns, the earliest first, with semicolons between them; or repeat the flag "
        "for each group. No arrow goes back to an earlier group.",
        rich_help_panel=KNOWN,
    ),
]
Outputs = Annotated[
    list[Path] | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Where to write the graph; the ending says how: .json, .graphml, .dot, .bif (with the "
        "distributions fitted to the table), or a picture, .svg, .png, .pdf. Repeat for more.",
        rich_help_panel=OUTPUT,
    ),
]
Layout = Annotated[
    str,
    typer.Option(
        help="How pictures place the nodes: auto, dot (layers), sfdp or neato (springs), circo (circles).",
        rich_help_panel=OUTPUT,
    ),
]
CertificateFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE.json",
        help="Write what the fit proves, for `structlearn check`: with --prove, of an exact search, a "
        "graphical lasso or PC.",
        rich_help_panel=OUTPUT,
    ),
]
Report = Annotated[
    Path | None,
    typer.Option(metavar="FILE.html", help="Write a page about the result.", rich_help_panel=OUTPUT),
]
Confidence = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Learn from N resamples of the rows, and say which share of them has each edge; the graph has "
        "what most of them agree on.",
        rich_help_panel=METHOD,
    ),
]
Whys = Annotated[
    list[str] | None,
    typer.Option(
        "--why",
        metavar="A,B",
        help="Say what speaks for and against an edge between A and B. Repeat for more pairs.",
        rich_help_panel=OUTPUT,
    ),
]
Progress = Annotated[
    bool | None,
    typer.Option(
        "--progress/--no-progress",
        help="Show a progress bar on stderr; by default only in a terminal.",
        rich_help_panel=OUTPUT,
    ),
]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="Print only warnings and errors.", rich_help_panel=OUTPUT)
]
