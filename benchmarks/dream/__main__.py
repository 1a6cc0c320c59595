"""`STRUCTLEARN_DATA=folder python -m benchmarks.dream` measures, and writes the page."""

import argparse
import os
from pathlib import Path

from benchmarks.dream.contestants import SEARCH_S
from benchmarks.dream.networks import networks
from benchmarks.dream.page import PAGE, page
from benchmarks.dream.results import kept, race

parser = argparse.ArgumentParser(prog="python -m benchmarks.dream")
parser.add_argument("--only", default="", help="kinds of data that have this in their names")
parser.add_argument("--limit", type=int, default=45, help="CPU seconds for one method on one network")
parser.add_argument("--search", type=float, default=SEARCH_S, help="seconds of a search; more if others work")
parser.add_argument("--page", action="store_true", help="only write the page, from the figures that are kept")
options = parser.parse_args()
if not options.page:
    if "STRUCTLEARN_DATA" not in os.environ:
        parser.error("set STRUCTLEARN_DATA to the folder with dream3, dream4, irma, ecoli_sos and spellman")
    race(
        (n for n in networks(Path(os.environ["STRUCTLEARN_DATA"])) if options.only in n.kind),
        limit_s=options.limit,
        search_s=options.search,
    )
PAGE.write_text(page(kept()), encoding="utf-8")
