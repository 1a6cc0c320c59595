"""Information of every two columns, worked out on a graphics card."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import OptionError
from structlearn.gpu import pairs
from structlearn.gpu.card import Device, takes_card
from structlearn.gpu.pairs import MatrixOnCard
from structlearn.numerics.information.binning import usual_bins
from structlearn.numerics.information.columns import Columns
from structlearn.numerics.information.correlation import gaussian_in_place, rank_in_place, unit_rows
from structlearn.numerics.information.settings import Settings
from structlearn.numerics.information.tables import Coded, packed
from structlearn.statistics import Statistics


def plug_in(columns: Columns, settings: Settings) -> MatrixOnCard:
    """The information of the observed frequencies."""
    table = packed(columns, settings)
    return pairs.information_of_tables(*_all_but_last(table), table.count_logs, table.entropies)


def miller_madow(columns: Columns, settings: Settings) -> MatrixOnCard:
    """The same less its bias."""
    table = packed(columns, settings)
    entropies = table.entropies + table.n_free / (2.0 * table.n_rows)
    found = pairs.information_of_tables(*_all_but_last(table), table.count_logs, entropies)
    pairs.without_bias(found, table.n_free, table.n_rows)
    return found


def gaussian(columns: Columns, _settings: Settings) -> MatrixOnCard:
    """−½ log(1 − r²), with Pearson's correlation."""
    return pairs.products_of_rows(unit_rows(columns.values), gaussian_in_place)


def rank(columns: Columns, _settings: Settings) -> MatrixOnCard:
    """The same from Spearman's correlation."""
    return pairs.products_of_rows(unit_rows(columns.ranked().values), rank_in_place)


ON_CARD: dict[str, Callable[[Columns, Settings], MatrixOnCard]] = {
    "plug-in": plug_in,
    "miller-madow": miller_madow,
    "gaussian": gaussian,
    "rank": rank,
}


def _all_but_last(table: Coded) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """The bits of all states but the last of each column, and how often each occurs, the last one behind."""
    n_masks, n_columns = max(int(table.levels.max(initial=1)) - 1, 1), len(table.levels)
    states = np.arange(n_masks)[:, None]
    is_there = states < table.levels - 1
    by_words = table.masks.view(np.uint32)[np.where(is_there, table.first_mask + states, 0)]
    by_words[~is_there] = 0
    margins = np.zeros((n_columns, n_masks + 1), dtype=np.int64)
    margins[:, :n_masks] = np.where(is_there, table.margins.T[:n_masks], 0).T
    margins[:, n_masks] = table.margins[np.arange(n_columns), table.levels - 1]
    return np.ascontiguousarray(by_words.transpose(0, 2, 1)), margins


def takes_pairs(
    owner: str, device: Device, name: str, statistics: Statistics, settings: Settings
) -> tuple[bool, str]:
    """Whether a card estimates the information of all pairs, and what to say if not."""
    if device == "cpu":
        return False, ""
    n_columns, n_rows = len(statistics.names), statistics.n_rows
    n_bins = settings.n_bins or usual_bins(n_rows)
    levels = [int(n) or n_bins for n in statistics.levels]
    is_wide = name in ("plug-in", "miller-madow") and max(levels, default=0) > pairs.MOST_LEVELS
    if name not in ON_CARD or not statistics.is_complete or is_wide:
        why = (
            f"a card estimates information by {', '.join(map(repr, ON_CARD))}, of columns without gaps and "
            f"with at most {pairs.MOST_LEVELS} levels"
        )
        if device == "cuda":
            raise OptionError(f"{owner}(device='cuda'): {why}. Pass device='cpu'.")
        return False, f"The processor did the work: {why}."
    return takes_card(
        device,
        f"the pairs of {n_columns:,} columns",
        pairs.bytes_needed(n_columns, n_rows),
        "pass device='cpu', or fewer columns",
        by_cupy=name in ("gaussian", "rank"),
    )
