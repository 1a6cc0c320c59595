"""Contingency counts in steps of numpy over all rows: what counts until compiled kernels pay.

Each function has the arguments of the kernel that it stands in for, and writes the same.
"""

import math
from collections.abc import Sequence
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[Any]


def table_shapes(levels, first_mask, sets, most_mask_cells, strata, widths, by_masks):
    """Write the shapes of the tables of a batch, and whether to count each by masks."""
    shapes = levels[sets].astype(np.float64)
    shapes[:, :-2].prod(axis=1, out=strata)
    widths[:] = shapes[:, -2] * shapes[:, -1]
    n_masks = strata * shapes[:, -2] * np.maximum(shapes[:, -1] - 1.0, 1.0)
    np.logical_and(n_masks <= most_mask_cells, (first_mask[sets] >= 0).all(axis=1), out=by_masks)
    return (strata * widths).max(initial=0.0)


def count_by_masks(
    _codes, masks, first_mask, levels, n_counted, _margins, words, sets, starts, by_masks, _room, counts
):
    """Fill the tables of those sets of a batch that `by_masks` says, by ANDs and popcounts."""
    masks = masks[:, slice(*words)]
    levels, first_mask, n_counted = levels.tolist(), first_mask.tolist(), n_counted.tolist()
    rows = zip(sets[by_masks].tolist(), starts[by_masks].tolist(), strict=True)
    for shared, group in groupby(rows, key=lambda row: row[0][:-1]):
        places = [(start, last) for (*_, last), start in group]
        joint = joint_masks(masks, first_mask, levels, shared)
        own = masks[[first_mask[last] + level for _, last in places for level in range(n_counted[last])]]
        found = np.empty((len(joint), len(own)), dtype=np.int64)
        for cell, mask in enumerate(joint):  # one by one: there may be many rows
            found[cell] = n_bits(mask & own)
        totals, at = n_bits(joint), 0
        for start, last in places:
            n, n_levels = n_counted[last], levels[last]
            table = counts[start : start + len(joint) * n_levels].reshape(len(joint), n_levels)
            table[:, :n] = found[:, at : at + n]
            if n < n_levels:
                table[:, n] = totals - table[:, :n].sum(axis=1)
            at += n


def count_by_codes(codes, levels, words, sets, starts, by_masks, _room, counts):
    """Fill the other tables of a batch."""
    codes = codes[:, 64 * words[0] : 64 * words[1]]
    levels, known = levels.tolist(), None
    for (*shared, last), start in zip(sets[~by_masks].tolist(), starts[~by_masks].tolist(), strict=True):
        if shared != known:
            known, joint = shared, joint_states(codes, levels, shared)
            n_cells = math.prod(levels[c] for c in shared)
        end = start + n_cells * levels[last]
        counts[start:end] = np.bincount(joint * levels[last] + codes[last], minlength=end - start)


def joint_masks(masks, first_mask, levels, columns):
    """The mask of every joint state of `columns`, in mixed-radix order."""
    joint = masks[:1] | ~masks[:1]
    for c in columns:
        own = masks[first_mask[c] : first_mask[c] + levels[c]]
        joint = (joint[:, None] & own).reshape(-1, masks.shape[1])
    return joint


def joint_states(codes: Codes, levels: Sequence[int] | Codes, columns: Sequence[int]) -> NDArray[np.int64]:
    """The mixed-radix code of `columns` for every row."""
    joint = np.zeros(codes.shape[1], dtype=np.int64)
    for c in columns:
        joint *= levels[c]
        joint += codes[c]
    return joint


def n_bits(words):
    """How many bits are set along the last axis."""
    return np.bitwise_count(words).sum(axis=-1, dtype=np.int64)
