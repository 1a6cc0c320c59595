"""Resamples on disk: a run that was killed goes on where it stopped."""

import io
import json
import os
import time
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from structlearn.errors import DataError
from structlearn.learners.ensemble.identity import Identity
from structlearn.learners.ensemble.pattern import Pattern
from structlearn.whole_files import path_of, write_whole

FORMAT = "structlearn resamples 1"
SECONDS_BETWEEN_WRITES = 1.0
START_AGAIN = "Delete it to start again, or give another path."
DAMAGE = (OSError, ValueError, KeyError, IndexError, TypeError, EOFError, zipfile.BadZipFile, zlib.error)

Draws = dict[int, list[Pattern]]


class Checkpoint:
    """The patterns of the draws done so far, by number, kept in a file where there is a path.

    Parameters
    ----------
    path : path or None
        The file; with None nothing is written.
    identity : mapping
        What the resamples are made of; a file of others is refused.
    seed : int or None
        The seed of all draws; None takes that of the file, or a new one.
    """

    def __init__(self, path: str | Path | None, identity: Identity, seed: int | None) -> None:
        self._path = None if path is None else path_of(path)
        self._identity = identity
        self.draws: Draws = {}
        self.entropy = _fresh_entropy() if seed is None else seed
        if self._path is not None and self._path.exists():
            if not self._path.is_file():  # a pipe or a device could be read for ever
                raise DataError(f"The checkpoint {self._path} is not a regular file. Give another path.")
            self._resume(self._path, seed)
        self.write()

    def add(self, number: int, patterns: list[Pattern]) -> None:
        """Keep what a draw has given; on disk within about a second."""
        self.draws[number] = patterns
        if time.monotonic() - self._written > SECONDS_BETWEEN_WRITES:
            self.write()

    def write(self) -> None:
        """Bring the file up to date; it is never half written."""
        self._written = time.monotonic()
        if self._path is None:
            return
        about = {"format": FORMAT, "entropy": str(self.entropy), "identity": dict(self._identity)}
        write_whole(self._path, _packed(about, self.draws))

    def _resume(self, path: Path, seed: int | None) -> None:
        about, self.draws = _read(path)
        there, here = dict(about["identity"]), dict(self._identity)
        if seed is not None:
            there["random_state"], here["random_state"] = about["entropy"], str(seed)
        for what, found in here.items():
            if there.get(what) != found:
                raise DataError(
                    f"The checkpoint {path} holds resamples of another {what}: there {there.get(what)}, here "
                    f"{found}. {START_AGAIN}"
                )
        self.entropy = int(about["entropy"])


def _fresh_entropy() -> int:
    return int.from_bytes(os.urandom(16), "little")


def _packed(about: Mapping[str, Any], draws: Draws) -> bytes:
    patterns = [(number, pattern) for number, found in draws.items() for pattern in found]
    content = io.BytesIO()
    np.savez(
        content,
        about=np.array(json.dumps(about)),
        numbers=np.array([number for number, _ in patterns], dtype=np.int64),
        sizes=np.array([(len(p.arrows), len(p.lines)) for _, p in patterns], dtype=np.int64).reshape(-1, 2),
        edges=np.concatenate([np.zeros((0, 2), dtype=np.int32), *(ends for _, p in patterns for ends in p)]),
    )
    return content.getvalue()


def _read(path: Path) -> tuple[dict[str, Any], Draws]:
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as content:
            about = json.loads(str(content["about"]))
            if about["format"] != FORMAT:
                raise ValueError(f"its format is {about['format']!r}")
            return about, _unpacked(content["numbers"], content["sizes"], content["edges"])
    except DAMAGE as error:
        raise DataError(
            f"{path} is no checkpoint of resamples, or it is damaged ({error}). {START_AGAIN}"
        ) from None


def _unpacked(numbers: Any, sizes: Any, edges: Any) -> Draws:
    if sizes.sum() != len(edges):
        raise ValueError("edges are missing")
    parts = iter(np.split(edges.astype(np.int64), sizes.ravel().cumsum()[:-1]))
    draws: Draws = {}
    for number in numbers.tolist():
        draws.setdefault(number, []).append(Pattern(next(parts), next(parts)))
    return draws
