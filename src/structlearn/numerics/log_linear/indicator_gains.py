"""What one more feature gains, everything else fixed (Della Pietra, Della Pietra and Lafferty, 1997)."""

import numpy as np
from numpy.typing import NDArray

from structlearn.later import special


def indicator_gains(
    in_data: NDArray[np.float64], in_model: NDArray[np.float64], penalty: float
) -> NDArray[np.float64]:
    """The gain per row, less the penalty, of the best weight of an indicator, by its two means.

    With `s` the mean in the data moved towards that in the model by the penalty, the best
    weight turns the model's mean into `s`, and the gain is the divergence of the two.
    """
    moved = in_data - np.clip(in_data - in_model, -penalty, penalty)
    is_possible = (in_model > 0.0) & (in_model < 1.0)
    p = np.where(is_possible, in_model, 0.5)
    gains = special.xlogy(moved, moved / p) + special.xlogy(1.0 - moved, (1.0 - moved) / (1.0 - p))
    return np.where(is_possible & (moved != in_model), gains, 0.0)
