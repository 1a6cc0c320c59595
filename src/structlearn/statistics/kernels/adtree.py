"""AD-trees in one array of 32-bit words, `tree`, and tables read off them.

A node that is worked out has a vary-node for each column after its own: two words, the most
common level (-1 where none is left out) and where the counts of its levels start. One count per
level is followed, unless nothing can come below, by one link per level:

- 0: no row has the level, or it is the most common one, which is what the others leave;
- above 0: a node that is worked out, whose vary-node of column j is at link + 2 j;
- below 0: a list at ~link, its length and then that many rows.

Columns are numbered in the order in which the tree takes them: `codes` is (columns, rows).
"""

import numpy as np

from structlearn.compile import kernel

ROOT = 1  # the root's link
FIRST_WORDS = 1 << 16
# The rules of a tree: the count below which a node is a list, the most columns to fix on a path,
# whether the most common level is left out, and the most words.
LEAF_SIZE, DEPTH, LEAVES_OUT, MOST_WORDS = 0, 1, 2, 3
# A node on the path that is being worked out: its link, its rows, the column that varies now, where
# its counts are, the level left out, the next level to work out and the rows of that.
LINK, FIRST, SIZE, COLUMN, COUNTS, COMMON, LEVEL, N_LEVELS, CHILD_FIRST = 0, 1, 2, 3, 4, 5, 6, 7, 8
NODE_FIELDS = 9
# How many there are so far.
WORDS, NODES = 0, 1


@kernel
def grow_tree(codes, levels, rules, rows, path, used):
    """Grow a tree, depth first, in an array with at least `used[WORDS]`; empty if it would be too large.

    `rows` and `path` have a line for each column that may be fixed; all rows are in the first of `rows`.
    """
    n_columns = levels.size
    tree = with_room(np.zeros(0, dtype=np.int32), used, ROOT + 2 * n_columns, rules[MOST_WORDS])
    put_on_path(path[0], ROOT, 0, rows.shape[1], -1)
    at = 0
    while at >= 0 and tree.size > 0:
        if path[at, LEVEL] < path[at, N_LEVELS]:
            tree, is_deeper = grow_child(rows, rules, path, at, n_columns, tree, used)
            at += is_deeper
        elif path[at, COLUMN] + 1 < n_columns:
            tree = vary_next_column(codes, levels, rows, rules, path, at, tree, used)
        else:
            at -= 1
    return tree


@kernel
def put_on_path(node, link, first, size, column):
    """Begin to work out a node, whose own column is `column`."""
    node[:] = 0
    node[LINK], node[FIRST], node[SIZE], node[COLUMN] = link, first, size, column


@kernel
def vary_next_column(codes, levels, rows, rules, path, at, tree, used):
    """Write the vary-node of the next column; its levels are to be worked out unless they are the last."""
    node = path[at]
    node[COLUMN] += 1
    column, counts_at = node[COLUMN], used[WORDS]
    n_levels = levels[column]
    is_last = at + 1 == rules[DEPTH] or column + 1 == levels.size
    tree = with_room(tree, used, n_levels if is_last else 2 * n_levels, rules[MOST_WORDS])
    if tree.size == 0:
        return tree
    count_levels(codes, column, rows, at, node, tree, counts_at)
    common = most_common(tree, counts_at, n_levels) if rules[LEAVES_OUT] else -1
    tree[node[LINK] + 2 * column] = common
    tree[node[LINK] + 2 * column + 1] = counts_at
    for level in range(n_levels):
        used[NODES] += tree[counts_at + level] > 0 and level != common
    if not is_last:
        node[COUNTS], node[COMMON], node[LEVEL], node[N_LEVELS] = counts_at, common, 0, n_levels
        node[CHILD_FIRST] = 0
        sort_rows(codes, rows, at, node, tree)
    return tree


@kernel
def grow_child(rows, rules, path, at, n_columns, tree, used):
    """Go to the next level: list its rows, or put its node on the path; whether it did that."""
    node = path[at]
    level, first, column = node[LEVEL], node[CHILD_FIRST], node[COLUMN]
    node[LEVEL] += 1
    count = np.int64(tree[node[COUNTS] + level])
    if count == 0 or level == node[COMMON]:
        return tree, False
    node[CHILD_FIRST] += count
    is_list = count < rules[LEAF_SIZE]
    child_at = used[WORDS]
    tree = with_room(tree, used, 1 + count if is_list else 2 * (n_columns - column - 1), rules[MOST_WORDS])
    if tree.size == 0:
        return tree, False
    link = ~child_at if is_list else child_at - 2 * (column + 1)
    tree[node[COUNTS] + node[N_LEVELS] + level] = link
    if is_list:
        list_rows(rows, at + 1, first, count, tree, child_at)
        return tree, False
    put_on_path(path[at + 1], link, first, count, column)
    return tree, True


@kernel
def with_room(tree, used, n_words, most_words):
    """Take `n_words` more, zeroed; the tree, moved where it must be, or empty if that is too many."""
    used[WORDS] += n_words
    if used[WORDS] > most_words:
        return np.zeros(0, dtype=np.int32)
    if used[WORDS] <= tree.size:
        return tree
    larger = np.zeros(min(max(2 * tree.size, used[WORDS], FIRST_WORDS), most_words), dtype=np.int32)
    for word in range(tree.size):
        larger[word] = tree[word]
    return larger


@kernel
def count_levels(codes, column, rows, at, node, tree, counts_at):
    """Count each level of a column among the rows of a node."""
    for i in range(node[FIRST], node[FIRST] + node[SIZE]):
        tree[counts_at + codes[column, rows[at, i]]] += 1


@kernel
def most_common(tree, counts_at, n_levels):
    """The level with most rows, the first of equal ones."""
    best = 0
    for level in range(1, n_levels):
        if tree[counts_at + level] > tree[counts_at + best]:
            best = level
    return best


@kernel
def sort_rows(codes, rows, at, node, tree):
    """Write the rows of a node into `rows[at + 1]` level by level, those of the level left out at the end."""
    place = np.zeros(node[N_LEVELS], dtype=np.int64)
    n_before = 0
    for level in range(node[N_LEVELS]):
        if level != node[COMMON]:
            place[level] = n_before
            n_before += tree[node[COUNTS] + level]
    if node[COMMON] >= 0:
        place[node[COMMON]] = n_before
    column = node[COLUMN]
    for i in range(node[FIRST], node[FIRST] + node[SIZE]):
        row = rows[at, i]
        level = codes[column, row]
        rows[at + 1, place[level]] = row
        place[level] += 1


@kernel
def list_rows(rows, at, first, count, tree, list_at):
    """Write a list of rows into the tree."""
    tree[list_at] = count
    for i in range(count):
        tree[list_at + 1 + i] = rows[at, first + i]


@kernel
def count_by_tree(tree, codes, levels, place, sets, starts, counts):
    """Fill the tables of a batch whose strata are all joint states.

    `place` has the tree's number of each column of `sets`; `counts` is zeroed.
    """
    n_fixed = sets.shape[1]
    most_cells = 0
    for i in range(sets.shape[0]):
        most_cells = max(most_cells, n_cells_of(levels, place, sets[i]))
    table = np.empty(most_cells, dtype=np.int64)
    links = np.empty((n_fixed, most_cells), dtype=np.int32)
    columns = np.empty(n_fixed, dtype=np.int64)
    strides = np.empty(n_fixed, dtype=np.int64)
    for i in range(sets.shape[0]):
        n_cells = sort_columns(levels, place, sets[i], columns, strides)
        read_table(tree, codes, levels, columns, links, table[:n_cells])
        put_in_order(table[:n_cells], levels, columns, strides, counts[starts[i] :])


@kernel
def n_cells_of(levels, place, columns):
    """The number of joint states of a set of columns."""
    n_cells = 1
    for c in range(columns.size):
        n_cells *= levels[place[columns[c]]]
    return n_cells


@kernel
def sort_columns(levels, place, asked, columns, strides):
    """Write the columns asked for in the order of the tree, and how far apart their levels shall be."""
    stride = 1
    for c in range(asked.size - 1, -1, -1):
        column = place[asked[c]]
        at = c
        while at + 1 < asked.size and columns[at + 1] < column:
            columns[at], strides[at] = columns[at + 1], strides[at + 1]
            at += 1
        columns[at], strides[at] = column, stride
        stride *= levels[column]
    return stride


@kernel
def read_table(tree, codes, levels, columns, links, table):
    """Write the counts of every joint state of `columns`, which are in the order of the tree.

    `links[c, state]` becomes the node for a joint state of the first c columns. Where the tree
    leaves out the most common level, its parent stands in for it; the other levels are taken off at the end.
    """
    table[:] = 0
    links[0, 0] = ROOT
    n_states = 1
    last = columns.size - 1
    for c in range(last):
        n_levels = levels[columns[c]]
        for state in range(n_states):
            link = np.int64(links[c, state])
            first = state * n_levels
            if link > 0:
                vary = link + 2 * columns[c]
                links_at = tree[vary + 1] + n_levels
                for level in range(n_levels):
                    links[c + 1, first + level] = tree[links_at + level]
                if tree[vary] >= 0:
                    links[c + 1, first + tree[vary]] = link
                continue
            for level in range(n_levels):
                links[c + 1, first + level] = 0
            if link < 0:
                count_list(tree, codes, levels, columns, c, ~link, state, table)
        n_states *= n_levels
    read_last_column(tree, codes, levels, columns, links[last], n_states, table)
    take_off_others(tree, levels, columns, links, table)


@kernel
def read_last_column(tree, codes, levels, columns, links, n_states, table):
    """Copy the counts of the last column's levels: none of them is left out there."""
    last = columns.size - 1
    n_levels = levels[columns[last]]
    for state in range(n_states):
        link = np.int64(links[state])
        if link < 0:
            count_list(tree, codes, levels, columns, last, ~link, state, table)
        elif link > 0:
            counts_at = tree[link + 2 * columns[last] + 1]
            for level in range(n_levels):
                table[state * n_levels + level] = tree[counts_at + level]


@kernel
def count_list(tree, codes, levels, columns, first, list_at, state, table):
    """Count the rows of a list, which all have one joint state of the columns before `first`."""
    for i in range(list_at + 1, list_at + 1 + tree[list_at]):
        cell = state
        for c in range(first, columns.size):
            cell = cell * levels[columns[c]] + np.int64(codes[columns[c], tree[i]])
        table[cell] += 1


@kernel
def take_off_others(tree, levels, columns, links, table):
    """Take the counts of the other levels off those that stand for the most common one and them."""
    n_below = levels[columns[-1]]
    for c in range(columns.size - 2, -1, -1):
        n_levels = levels[columns[c]]
        for state in range(table.size // (n_levels * n_below)):
            link = np.int64(links[c, state])
            common = np.int64(tree[link + 2 * columns[c]]) if link > 0 else -1
            if common < 0:
                continue
            start = state * n_levels * n_below
            for level in range(n_levels):
                if level == common:
                    continue
                for cell in range(n_below):
                    table[start + common * n_below + cell] -= table[start + level * n_below + cell]
        n_below *= n_levels


@kernel
def put_in_order(table, levels, columns, strides, counts):
    """Copy a table whose axes are `columns` to where `strides` say."""
    last = columns.size - 1
    n_levels, stride = levels[columns[last]], strides[last]
    state = np.zeros(columns.size, dtype=np.int64)
    target = 0
    for first in range(0, table.size, n_levels):
        for level in range(n_levels):
            counts[target + level * stride] = table[first + level]
        c = last - 1
        while c >= 0:
            state[c] += 1
            target += strides[c]
            if state[c] < levels[columns[c]]:
                break
            target -= strides[c] * levels[columns[c]]
            state[c] = 0
            c -= 1
