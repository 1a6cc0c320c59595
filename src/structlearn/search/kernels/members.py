"""Rows of sets, once for each of their members: those of one member and one child together."""

import numpy as np

from structlearn.compile import kernel


def write_bits_at_once(members, bit, bits):
    """What `write_bits` does, for all rows at once."""
    bits[:] = np.bitwise_or.reduce(np.where(members >= 0, bit[members], 0), axis=1)


@kernel(instead=write_bits_at_once)
def write_bits(members, bit, bits):
    """Write the bits of the members of each row together; a row is filled up with −1."""
    for row in range(members.shape[0]):
        found = 0
        for place in range(members.shape[1]):
            if members[row, place] >= 0:
                found |= bit[members[row, place]]
        bits[row] = found


def sort_by_member_at_once(first, members, of_member, child, begin, rows):
    """What `sort_by_member` does, by sorting and searching."""
    n = first.size - 1
    found, places = np.nonzero(members >= 0)
    member = members[found, places]
    # Rows come child after child. Numbers of 16 bits are sorted in a tenth of the time.
    order = np.argsort(member.astype(np.min_scalar_type(n)), kind="stable")
    pairs = (member * n + np.repeat(np.arange(n), np.diff(first))[found])[order]
    rows[:] = found[order]
    starts = np.flatnonzero(np.diff(pairs, prepend=-1, append=n * n))
    parts = pairs[starts[:-1]]
    child[: len(parts)], begin[: len(starts)] = parts % n, starts
    of_member[:] = np.searchsorted(parts, n * np.arange(n + 1))
    return len(parts)


@kernel(instead=sort_by_member_at_once)
def sort_by_member(first, members, of_member, child, begin, rows):
    """Write the rows of each member, in parts of one child each; returns how many parts there are.

    Rows of child y are those from `first[y]` to `first[y + 1]`. Member x gets the parts `of_member[x]` to
    `of_member[x + 1]`, and a part the `rows` from `begin[part]` to `begin[part + 1]`.
    """
    n, n_parts = first.size - 1, 0
    ends = np.zeros(n + 1, dtype=np.int64)
    for row in range(members.shape[0]):
        for place in range(members.shape[1]):
            if members[row, place] >= 0:
                ends[members[row, place] + 1] += 1
    for x in range(n):
        ends[x + 1] += ends[x]
    of_child = np.empty(rows.size, dtype=np.int64)
    for y in range(n):
        for row in range(first[y], first[y + 1]):
            for place in range(members.shape[1]):
                x = members[row, place]
                if x >= 0:
                    rows[ends[x]], of_child[ends[x]] = row, y
                    ends[x] += 1  # becomes where the rows of the next member begin
    of_member[0], at = 0, 0
    for x in range(n):
        for k in range(at, ends[x]):
            if k == at or of_child[k] != of_child[k - 1]:
                child[n_parts], begin[n_parts] = of_child[k], k
                n_parts += 1
        at = ends[x]
        of_member[x + 1] = n_parts
    begin[n_parts] = rows.size
    return n_parts
