"""Which columns are regulators."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from structlearn.data.kinds import listed
from structlearn.errors import OptionError


def places_of_regulators(
    owner: str, names: tuple[str, ...], regulators: Sequence[str] | None
) -> NDArray[np.bool_] | None:
    """Whether each column is a regulator; None where all may be. Names that are no columns are refused."""
    if regulators is None:
        return None
    unknown = [name for name in regulators if name not in set(names)]
    if unknown:
        raise OptionError(
            f"{owner}(regulators=…): there is no column {unknown[0]!r}; the columns are {listed(names)}."
        )
    return np.isin(np.array(names, dtype=object), np.array(list(regulators), dtype=object))
