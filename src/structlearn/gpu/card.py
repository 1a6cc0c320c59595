"""The graphics card: whether there is one, and whether a problem fits on it."""

from functools import cache
from typing import Any, Literal

import numpy as np

from structlearn.errors import OptionError, PackageError

Device = Literal["cpu", "cuda", "auto"]
SPARE = 1 << 28  # bytes that kernels and their arguments take beside the arrays


@cache
def load_cuda() -> Any:
    """The module `numba.cuda`, or an error that says what there is not."""
    try:
        from numba import cuda  # noqa: PLC0415, only where a card is asked for
    except ImportError as error:
        raise PackageError(
            "device='cuda' needs numba with CUDA: pip install structlearn[gpu].", name="numba-cuda"
        ) from error
    if not hasattr(np, "row_stack"):
        # numpy 2.5 dropped what numba-cuda 0.30 asks for when it compiles.
        setattr(np, "row_stack", np.vstack)  # noqa: B010, linters would mend the old name
    if not cuda.is_available():
        raise OptionError(
            "device='cuda': there is no graphics card that CUDA can use. Look at nvidia-smi; device='cpu' "
            "does without, and device='auto' takes a card where there is one."
        )
    return cuda


@cache
def load_cupy() -> Any:
    """The module `cupy`, or an error that says what there is not."""
    load_cuda()
    try:
        import cupy  # noqa: PLC0415, only where a card is asked for
    except ImportError as error:
        raise PackageError(
            "device='cuda' needs CuPy here: pip install structlearn[gpu].", name="cupy"
        ) from error
    return cupy


def free_bytes() -> int:
    """The memory that is free on the card."""
    free: int = load_cuda().current_context().get_memory_info()[0]
    return free


def takes_card(
    device: Device, problem: str, n_bytes: int, advice: str, *, by_cupy: bool = False
) -> tuple[bool, str]:
    """Whether a card does the work that takes so many bytes of its memory, and what to say if not.

    Who asks for a card where there is none, or none with memory enough, is refused.
    """
    if device == "cpu":
        return False, ""
    try:
        free = free_bytes()
        if by_cupy:
            load_cupy()
    except (PackageError, OptionError):
        if device == "cuda":
            raise
        return False, "There is no graphics card that can be used: the processor did the work."
    if n_bytes + SPARE <= free:
        return True, ""
    lacking = f"{problem} need {n_bytes:,} bytes of the card's memory, and {free:,} are free"
    if device == "cuda":
        raise OptionError(f"device='cuda': {lacking}; {advice}.")
    return False, f"The processor did the work: {lacking}."
