"""Sums over the cells of all sets of columns, by groups of rows that agree in ever more columns."""

from structlearn.compile import kernel


@kernel
def refine(column, n_levels, rows, ends, n_groups, terms, tally, finer_rows, finer_ends):
    """Split groups of rows by one more column; returns the sum of the new groups' terms, and how many stay.

    A group is what stands in `rows` before its end and behind the group before. One of a single row cannot be
    split: its term is in the sum, but it does not stay. There is a zero for each level in `tally`.
    """
    total, n_finer, n_placed, start = 0.0, 0, 0, 0
    for group in range(n_groups):
        end = ends[group]
        for at in range(start, end):
            tally[column[rows[at]]] += 1
        for level in range(n_levels):
            count = tally[level]
            total += terms[count]
            tally[level] = n_placed if count > 1 else -1
            if count > 1:
                n_placed += count
                finer_ends[n_finer] = n_placed
                n_finer += 1
        for at in range(start, end):
            level = column[rows[at]]
            if tally[level] >= 0:
                finer_rows[tally[level]] = rows[at]
                tally[level] += 1
        for level in range(n_levels):
            tally[level] = 0
        start = end
    return total, n_finer


@kernel
def sum_of_parts(column, n_levels, rows, ends, n_groups, terms, tally):
    """The sum of the terms of the groups that one more column would leave."""
    total, start = 0.0, 0
    for group in range(n_groups):
        end = ends[group]
        for at in range(start, end):
            tally[column[rows[at]]] += 1
        for level in range(n_levels):
            total += terms[tally[level]]
            tally[level] = 0
        start = end
    return total


@kernel
def sums_from(codes, levels, pair, binomials, offsets, terms, kinds, room, out):
    """Write the sums over the cells of all sets whose two smallest columns are a pair.

    The sum of a set of k columns goes to `offsets[k]` and its colexicographic rank among these; there are no
    larger ones than `offsets` has entries for. `terms` has a row per kind of sets, by count, and `kinds` are
    laid out as `out`. There is `room` for the rows, the ends of their groups, how many there are, the rank
    and the column to come after each number of columns, and for a tally of levels, which is zero.
    """
    rows, ends, n_groups, rank, following, tally = room
    n_columns, n_rows = codes.shape
    most, size = offsets.size - 1, 0
    for row in range(n_rows):
        rows[0, row] = row
    ends[0, 0], n_groups[0], rank[0], following[0] = n_rows, 1, 0, pair[0]
    while size >= 0:
        column = following[size]
        following[size] += 1
        if (size < 2 and column > pair[size]) or column == n_columns or size == most:
            size -= 1
            continue
        rank[size + 1] = rank[size] + binomials[column, size + 1]
        place = offsets[size + 1] + rank[size + 1]
        of_kind, n_levels, n_before = terms[kinds[place]], levels[column], n_groups[size]
        # Rows that were alone before are in groups of their own.
        total = (n_rows - ends[size, n_before - 1] if n_before else n_rows) * of_kind[1]
        if size + 1 == most or column + 1 == n_columns:
            total += sum_of_parts(codes[column], n_levels, rows[size], ends[size], n_before, of_kind, tally)
        else:
            before = rows[size], ends[size]
            found, n_groups[size + 1] = refine(
                codes[column], n_levels, *before, n_before, of_kind, tally, rows[size + 1], ends[size + 1]
            )
            total += found
        if size > 0:
            out[place] = total
        size += 1
        following[size] = pair[1] if size == 1 else column + 1
