"""What workers tell, on its way up a tree."""

import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self

from structlearn.errors import DataError

FAN = 8  # answers joined at once: a tree of three levels for 512 parts


@dataclass(frozen=True, slots=True)
class Told:
    """An answer, or the error in its place, and how many bytes travelled for it so far."""

    answer: Any
    n_bytes: int

    @classmethod
    def by(cls, work: Callable[..., Any], *about: Any) -> Self:
        """What some work tells; what it refuses is an answer too, and no reason to try again."""
        refused = [error for error in about if isinstance(error, DataError)]
        try:
            answer = refused[0] if refused else work(*about)
        except DataError as error:
            answer = error
        return cls(answer, _n_bytes(answer))

    @classmethod
    def joined(cls, join: Callable[[Sequence[Any]], Any], parts: Sequence[Self]) -> Self:
        """What several workers tell together: the first error, if there is one."""
        answers, travelled = [part.answer for part in parts], sum(part.n_bytes for part in parts)
        errors = [answer for answer in answers if isinstance(answer, DataError)]
        found = Told.by(join, answers) if not errors else Told(errors[0], 0)
        return cls(found.answer, travelled + found.n_bytes)


def _n_bytes(answer: Any) -> int:
    buffers: list[pickle.PickleBuffer] = []
    head = pickle.dumps(answer, protocol=5, buffer_callback=buffers.append)
    return len(head) + sum(buffer.raw().nbytes for buffer in buffers)
