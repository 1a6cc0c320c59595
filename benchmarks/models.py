"""`python -m benchmarks.models`: loading, fitting, sampling and asking models, beside other libraries."""

import argparse
import itertools
import logging
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import structlearn as sl
from benchmarks.machine import described
from benchmarks.model_work import LIBRARIES, Library, Question, library
from benchmarks.workloads import NETWORKS, SEED

RESULTS = Path(__file__).parent / "results" / "models.md"
LOADED = ("alarm.bif", "hailfinder.bif", "andes.bif", "link.bif", "munin1.bif")
ASKED = ("alarm.bif", "hailfinder.bif", "andes.bif")
N_QUESTIONS = 1_000
N_DRAWN = 1_000_000
PREDICTED = "CATECHOL"
N_FITTED = 100_000
MOST_EVIDENCE = 5


@dataclass(frozen=True)
class Result:
    """The CPU seconds of a library's work, and how it compares in what it gave."""

    seconds: float
    quality: str = ""


def main() -> None:
    """Print the table, line by line as it is measured, and write it."""
    options = _options()
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    libraries = {name: found for name in LIBRARIES if (found := library(name)) is not None}
    lines = [f"| {' | '.join(line)} |" for line in _rows(libraries, options)]
    page = f"# models\n\n{described(libraries, 'python -m benchmarks.models')}\n\n" + "\n".join(lines) + "\n"
    if not options.quick:
        RESULTS.write_text(page, encoding="utf-8")
    print(page)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.models", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a hundredth of the work; writes nothing")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for the questions of a library")
    return parser.parse_args()


def _rows(libraries: dict[str, Library], options: argparse.Namespace) -> Iterator[list[str]]:
    yield ["work", *(f"{name}, CPU s" for name in libraries), "fastest peer / ours", "agreement"]
    yield ["---"] * (len(libraries) + 3)
    share = 100 if options.quick else 1
    for title, work in _works(share, options.limit):
        results = {name: _tried(work, found, name) for name, found in libraries.items()}
        row = _row(title, results)
        print(*row, sep=" | ", file=sys.stderr, flush=True)
        yield row


def _works(share: int, limit_s: float) -> Iterator[tuple[str, Callable[[Library], Result]]]:
    for name in LOADED:
        yield f"load {name}", lambda found, name=name: _loading(found, NETWORKS / name)
    frame = pd.DataFrame(
        sl.load(NETWORKS / "alarm.bif").sample(N_FITTED // share, random_state=SEED).to_dict()
    )
    yield (
        f"fit alarm, {len(frame):,} rows, from a frame",
        lambda found: _fitting(found, frame, prepared=False),
    )
    yield f"fit alarm, {len(frame):,} rows, prepared", lambda found: _fitting(found, frame, prepared=True)
    yield (
        f"predict {PREDICTED} of alarm, {len(frame):,} rows",
        lambda found: _predicting(found, frame, limit_s),
    )
    n = N_DRAWN // share
    yield f"sample alarm, {n:,} rows", lambda found: _sampling(found, n)
    for name in ASKED:
        asked = questions(sl.load(NETWORKS / name), N_QUESTIONS // share)
        title = f"{len(asked):,} questions, {name}"
        yield title, lambda found, name=name, asked=asked: _asking(found, name, asked, limit_s)


def _loading(found: Library, path: Path) -> Result:
    return Result(_best(lambda: found.load(path))[0])


def _fitting(found: Library, frame: pd.DataFrame, *, prepared: bool) -> Result:
    model = found.load(NETWORKS / "alarm.bif")
    if not prepared:
        return Result(_best(lambda: found.fit(found.prepare(frame, model), model))[0])
    # Anew each time, because a library may keep what it counted.
    fits = [partial(found.fit, found.prepare(frame, model), model) for _ in range(4)]
    return Result(_best(lambda: fits.pop()())[0])


def _predicting(found: Library, frame: pd.DataFrame, limit_s: float) -> Result:
    model = found.load(NETWORKS / "alarm.bif")
    predict = found.predict
    if predict is None:
        others = frame.drop(columns=PREDICTED)
        asked = [
            Question(PREDICTED, {str(k): str(v) for k, v in row.items()}) for row in others.to_dict("records")
        ]
        return _asking(found, "alarm.bif", asked, limit_s)
    rows = found.prepare(frame, model)
    return Result(_best(lambda: predict(model, rows, PREDICTED))[0])


def _sampling(found: Library, n: int) -> Result:
    model = found.load(NETWORKS / "alarm.bif")
    found.sample(model, 10)
    return Result(_best(lambda: found.sample(model, n), times=1)[0])


def _asking(found: Library, name: str, asked: list[Question], limit_s: float) -> Result:
    """All questions, or as many as the limit allows, scaled to all."""
    engine = found.ready(found.load(NETWORKS / name))
    found.answer(engine, asked[0])
    begun, answers = time.process_time(), []
    for question in asked:
        answers.append(np.asarray(found.answer(engine, question)))
        if time.process_time() - begun > limit_s:
            break
    seconds = (time.process_time() - begun) * len(asked) / len(answers)
    model = sl.load(NETWORKS / name)
    apart = max(
        float(np.abs(answer - model.query([q.node], q.evidence).probabilities).max())
        for answer, q in zip(answers, asked, strict=False)
    )
    return Result(seconds, f"{apart:.0e}")


def questions(model: sl.BayesianNetwork, n: int) -> list[Question]:
    """Random nodes, given up to five states of a drawn row, so that the evidence is possible."""
    rng = np.random.default_rng(SEED)
    rows = model.sample(n, random_state=rng).to_dict()
    asked = []
    for i in range(n):
        node, *known = rng.permutation(list(model.nodes))[: 1 + rng.integers(MOST_EVIDENCE + 1)].tolist()
        asked.append(Question(node, {name: str(rows[name][i]) for name in known}))
    return asked


def _best(work: Callable[[], Any], times: int = 3) -> tuple[float, Any]:
    """The least CPU seconds of a few runs, after one that compiles and reads ahead."""
    work()
    seconds = []
    for _ in range(times):
        begun = time.process_time()
        made = work()
        seconds.append(time.process_time() - begun)
    return min(seconds), made


def _tried(work: Callable[[Library], Result], found: Library, name: str) -> Result | None:
    try:
        return work(found)
    except Exception as error:  # noqa: BLE001, a peer's failure is a result
        print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr)
        return None


def _row(title: str, results: dict[str, Result | None]) -> list[str]:
    cells = ["failed" if result is None else f"{result.seconds:.3g}" for result in results.values()]
    ours, *peers = results.values()
    finished = [peer.seconds for peer in peers if peer is not None]
    ratio = f"{min(finished) / ours.seconds:.2g}" if ours is not None and finished else ""
    named = itertools.compress(results.items(), [result is not None for result in results.values()])
    quality = [f"{name} {result.quality}" for name, result in named if result and result.quality]
    return [title, *cells, ratio, ", ".join(quality)]


if __name__ == "__main__":
    main()
