"""Options that people give to a learner, and that belong to its score or its test."""

import inspect
from collections.abc import Callable, Collection, Iterator
from typing import Any

from structlearn.independence.registry import BY_NAME as TESTS
from structlearn.scores.registry import BY_NAME as SCORES


def whose_option(name: str, value: Any, options: Collection[str]) -> str:
    """Where an option belongs that a learner with these `options` has not, and how to give it there."""
    for part, where, makers in (("score", "scores", _scores()), ("test", "independence", TESTS.values())):
        maker = next((each for each in makers if name in inspect.signature(each).parameters), None)
        if part in options and maker is not None:
            return f"it belongs to a {part}: {part}=sl.{where}.{maker.__name__}({name}={value!r})."
    return ""


def _scores() -> Iterator[Callable[..., Any]]:
    for by_sort in SCORES.values():
        yield from by_sort.values()
