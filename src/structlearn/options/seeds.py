"""Where the randomness of a call comes from."""

import numpy as np

from structlearn.options.rules import Either, Instance, OrNone, Whole, check_options

Seed = int | np.random.Generator | None

SEED = Either(
    (Whole(0, "a seed"), Instance(np.random.Generator, "a source of randomness")),
    "the seed of all randomness",
)
RANDOM_STATE = OrNone(SEED, "a new one each time")


def generator_of(owner: str, random_state: Seed) -> np.random.Generator:
    """The generator that a caller's `random_state` means; anything else is refused in the owner's name."""
    check_options(owner, {"random_state": RANDOM_STATE}, {"random_state": random_state})
    return np.random.default_rng(random_state)
