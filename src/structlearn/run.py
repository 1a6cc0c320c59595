"""One run of a method: its clock, its interruptions and its progress bar."""

import math
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from enum import Enum
from types import FrameType, TracebackType
from typing import Any, Self

from structlearn.compile import seconds_of_compiling, telling
from structlearn.errors import needing, warn

# Within what people take for "at once", and long enough to climb among the few arcs that tests leave.
SECONDS_TO_ROUND_OFF = 0.1
SECONDS_AT_ONCE = 0.05  # between two looks at the clock: a time limit may end a few of them late


MustStop = Callable[[], bool]


def never() -> bool:
    """For callers without a clock."""
    return False


class OutOfTime(Exception):  # noqa: N818, no error: whoever takes the steps has the last whole one
    """Raised within a step that has to end."""


class Status(Enum):
    """How a run ended; the value is the sentence people read."""

    COMPLETE = "The method ran to its end."
    INEXACT = "The solver ended before the accuracy asked for: the graph is that of its best point so far."
    OUT_OF_TIME = "Stopped at time_limit: this is the best graph found so far."
    INTERRUPTED = "Interrupted: this is the best graph found so far."


class Run:
    """Tells a method when to stop, and a person how far it is.

    The first Ctrl-C asks the method to end with its best graph so far; a second one raises
    KeyboardInterrupt as usual. A program that ignores Ctrl-C goes on ignoring it. Runs within a run, in its
    thread or in others, end with it.

    Parameters
    ----------
    owner : str
        The name beside the progress bar.
    time_limit_s : float or None
        How long the method may take, without the time in which its kernels are compiled.
    progress : bool or None
        Whether to show a bar on stderr; None shows it where stderr is a terminal.
    stops : bool
        Whether the method looks at `must_stop`; where it does not, Ctrl-C is an interrupt as usual.
    """

    def __init__(
        self,
        owner: str,
        *,
        time_limit_s: float | None = None,
        progress: bool | None = None,
        stops: bool = True,
    ) -> None:
        self.owner = owner
        self._stops = stops
        self._deadline = None if time_limit_s is None else _clock() + time_limit_s
        self._last_moment = -math.inf
        self._shows = sys.stderr.isatty() if progress is None else progress
        self._bar: Any = None
        self._task: Any = None
        self._text = owner
        # A notebook is no terminal, but somebody sits before it.
        self._says = self._shows or (progress is None and "ipykernel" in sys.modules)
        self._open = ExitStack()
        self._interrupted = False
        self._outer: Run | None = None  # that of a method that runs others, whom Ctrl-C is for as well
        self._previous: Callable[[int, FrameType | None], Any] | int | None = None
        self.status = Status.COMPLETE
        self._warnings: list[str] = []
        self.notes: list[str] = []

    def __enter__(self) -> Self:
        if self._says:
            self._open.enter_context(telling(self._say_compiling))
        previous = signal.getsignal(signal.SIGINT)
        outer = getattr(previous, "__self__", None)
        self._outer = outer if isinstance(outer, Run) else None
        if not self._stops or threading.current_thread() is not threading.main_thread():
            return self
        # Shells start what they put in the background with Ctrl-C ignored: so it stays.
        if previous not in (signal.SIG_IGN, None):
            self._previous = previous
            signal.signal(signal.SIGINT, self._note_interruption)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        if self._previous is not None:
            signal.signal(signal.SIGINT, self._previous)
            if self._outer is not None:
                self._outer._interrupted |= self._interrupted  # noqa: SLF001, one of its kind
        self._open.close()
        if self._bar is not None:
            self._bar.stop()

    def __reduce__(self) -> tuple[Any, ...]:
        """In another process a run has the time that is left, and no bar and no Ctrl-C."""
        return _elsewhere, (self.owner, None if self._deadline is None else self._deadline - _clock())

    def must_stop(self) -> bool:
        """Whether the method has to end now; then `status` says why."""
        if self._is_interrupted():
            self.status = Status.INTERRUPTED
        elif self._deadline is not None and _clock() >= self._deadline:
            self.status = Status.OUT_OF_TIME
        return self.status is not Status.COMPLETE and _clock() >= self._last_moment

    def has_time_for(self, times: float, trial: Callable[[], object]) -> bool:
        """Whether work that takes so many times as long as a trial would end in time; if not, stop."""
        if self._deadline is None:
            return not self.must_stop()
        trial()  # which may load what is loaded at first use
        started = _clock()
        trial()
        return self._ends_in_time(times * (_clock() - started))

    def takes_less(self, share: float, times: float, trial: Callable[[], object]) -> bool:
        """Whether work of so many trials takes less than a share of the time left; it stops nothing."""
        if self._deadline is None:
            return True
        trial()  # which may load what is loaded at first use
        started = _clock()
        trial()
        return times * (_clock() - started) < share * (self._deadline - _clock())

    def part(self, share: float) -> MustStop:
        """A `must_stop` for a part of the work that may take a share of the time left; it stops no other."""
        end = math.inf if self._deadline is None else _clock() + share * (self._deadline - _clock())
        return lambda: self.must_stop() or _clock() >= end

    def before_steps(self) -> MustStop:
        """A `must_stop` to ask before each step: also where one as long as the longest would end too late."""
        longest, last = 0.0, _clock()

        def must_stop() -> bool:
            nonlocal longest, last
            longest, last = max(longest, _clock() - last), _clock()
            return not self._ends_in_time(longest)

        return must_stop

    def _ends_in_time(self, seconds: float) -> bool:
        is_late = self._deadline is not None and _clock() + seconds > self._deadline
        if is_late and self.status is Status.COMPLETE:
            self.status = Status.OUT_OF_TIME
        return not self.must_stop()

    def round_off(self) -> None:
        """Give a method that has to end a moment more, to make a graph of what its first half found."""
        self._last_moment = _clock() + SECONDS_TO_ROUND_OFF

    def warn(self, message: str) -> None:
        """Keep a warning about the data; whoever began the run says each of them once, at its end."""
        said = f"{self.owner}: {message}"
        if said not in self._warnings:
            self._warnings.append(said)

    def note(self, sentence: str) -> None:
        """Keep what a person should know of how the method went about it; the status ends with it."""
        self.notes.append(sentence)

    def say_warnings(self) -> None:
        """Warn of what was kept, each once."""
        for message in self._warnings:
            warn(message)
        self._warnings.clear()

    def show(self, note: str, done: float | None = None, total: float | None = None) -> None:
        """Move the progress bar, where there is one; of a known total it has the share and the time left."""
        if not self._shows:
            return
        self._text = f"{self.owner}: {note}"
        share = "" if total is None else f"{(done or 0) / max(total, 1):.0%}"
        self._update(self._text, completed=done or 0, total=total, share=share)

    def _update(self, text: str, **values: Any) -> None:
        if self._bar is None:
            self._start_bar()
        self._bar.update(self._task, description=text, **values)

    def _say_compiling(self, kernel: str | None) -> None:
        """Say what keeps people waiting, in place of what the method does; None ends it."""
        text = f"{self.owner}: compiling, once on this machine: {kernel} …"
        if self._shows and (kernel or self._bar is not None):
            self._update(text if kernel else self._text)
        elif kernel:
            sys.stderr.write(f"{text}\n")

    def _start_bar(self) -> None:
        with needing("rich", "progress=True"):
            from rich.console import Console  # noqa: PLC0415, slow to load and only for terminals
            from rich.progress import (  # noqa: PLC0415, as above
                BarColumn,
                Progress,
                TextColumn,
                TimeElapsedColumn,
                TimeRemainingColumn,
            )

        self._bar = Progress(
            TextColumn("{task.description}", markup=False),  # names of columns may have brackets
            BarColumn(),
            TextColumn("{task.fields[share]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
        )
        self._task = self._bar.add_task(self.owner, total=None, share="")
        self._bar.start()

    def _is_interrupted(self) -> bool:
        return self._interrupted or (self._outer is not None and self._outer._is_interrupted())  # noqa: SLF001, as above

    def _note_interruption(self, _number: int, _frame: FrameType | None) -> None:
        if self._interrupted:
            raise KeyboardInterrupt
        self._interrupted = True


class Pace:
    """How many pieces of work to do between two looks at the clock: as many as take a moment.

    What comes of the work may not depend on it. `n_at_once` is `first` at the beginning, and always from
    `fewest` to `most`.
    """

    def __init__(self, first: int, *, fewest: int = 1, most: int) -> None:
        self.n_at_once, self._fewest, self._most = first, fewest, most

    def slow_down(self, times: int) -> None:
        """Do fewer from now on: each may take so many times as long."""
        self.n_at_once = max(self.n_at_once // times, self._fewest)

    @contextmanager
    def keep(self, n_done: int) -> Iterator[None]:
        """Take the time of so many pieces of work; at most four times as many are the next."""
        started = _clock()
        yield
        in_a_moment = n_done * SECONDS_AT_ONCE / max(_clock() - started, 1e-9)
        most = min(4 * self.n_at_once, self._most)
        self.n_at_once = int(min(max(in_a_moment, self._fewest), most))


def _clock() -> float:
    """Seconds that pass, but not while kernels are compiled: on a first use that could be all of them."""
    return time.monotonic() - seconds_of_compiling()


def _elsewhere(owner: str, seconds_left: float | None) -> Run:
    return Run(owner, time_limit_s=seconds_left, progress=False, stops=False)
