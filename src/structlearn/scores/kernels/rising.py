"""How far ln Γ rises from large numbers on, where the difference of two of its values has no digits left."""

import math

from structlearn.compile import kernel

MANY = 1e4  # ln Γ has 11 digits behind the point here, and the next term of Stirling's series is below 1e-14


@kernel
def rise_from_many(start, steps):
    """The difference ln Γ(start + steps) - ln Γ(start) by Stirling's series, from MANY on."""
    end = start + steps
    rise = (start - 0.5) * math.log1p(steps / start) + steps * (math.log(end) - 1.0)
    return rise + (1.0 / end - 1.0 / start) / 12.0
