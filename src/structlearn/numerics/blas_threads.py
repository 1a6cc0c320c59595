"""How many threads linear algebra may use."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]  # it has no types

LARGE = 400  # columns from which a product of matrices outweighs the threads' waiting for each other


@contextmanager
def threads_for(n_columns: int) -> Iterator[None]:
    """Let matrices of this size be worked on; small ones by one thread.

    OpenBLAS shares even the inverse of a 10 × 10 matrix among threads, and on a busy computer their
    waiting for each other costs many times the work.
    """
    if n_columns >= LARGE:
        yield
        return
    with _controller().limit(limits=1, user_api="blas"):
        yield


@cache
def _controller() -> Any:
    return ThreadpoolController()
