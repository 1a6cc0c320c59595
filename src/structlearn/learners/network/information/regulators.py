"""Which columns are regulators."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import OptionError
from structlearn.naming import no_such


def places_of_regulators(
    owner: str, names: tuple[str, ...], regulators: Sequence[str] | None
) -> NDArray[np.bool_] | None:
    """Whether each column is a regulator; None where all may be. Names that are no columns are refused."""
    if regulators is None:
        return None
    unknown = [name for name in regulators if name not in set(names)]
    if unknown:
        raise OptionError(no_such("column", unknown[0], names, owner=f"{owner}(regulators=…)"))
    return np.isin(np.array(names, dtype=object), np.array(list(regulators), dtype=object))
