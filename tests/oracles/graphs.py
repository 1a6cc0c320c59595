"""Graph theory by its definitions: slow, on sets of position pairs, and plainly right.

An arrow is a pair (source, target); a line is a frozenset of two positions.
"""

from itertools import combinations, permutations, product


def descendants(arrows, node):
    """The nodes that a directed path of one or more arrows leads to."""
    found = set()
    waiting = [node]
    while waiting:
        here = waiting.pop()
        for source, target in arrows:
            if source == here and target not in found:
                found.add(target)
                waiting.append(target)
    return found


def is_acyclic(arrows):
    """Whether no node is its own descendant."""
    return all(source not in descendants(arrows, source) for source, _ in arrows)


def skeleton(arrows):
    """The joined pairs."""
    return frozenset(frozenset(arrow) for arrow in arrows)


def v_structures(arrows, joined):
    """Each (a, b, c) with a → b ← c, a < c, and a, c not joined."""
    return {
        (a, b, c)
        for a, b in arrows
        for c, target in arrows
        if target == b and a < c and frozenset((a, c)) not in joined
    }


def all_dags(n_nodes):
    """Every DAG over labelled nodes, as a frozenset of arrows."""
    pairs = list(combinations(range(n_nodes), 2))
    for choice in product(range(3), repeat=len(pairs)):
        ends = [(pair, pair[::-1])[way - 1] for pair, way in zip(pairs, choice, strict=True) if way]
        if is_acyclic(ends):
            yield frozenset(ends)


def equivalence_classes(n_nodes):
    """The DAGs with the same skeleton and v-structures, class by class."""
    classes = {}
    for dag in all_dags(n_nodes):
        joined = skeleton(dag)
        key = joined, frozenset(v_structures(dag, joined))
        classes.setdefault(key, []).append(dag)
    return list(classes.values())


def common_pattern(members):
    """The arrows that all members have, and lines for the other edges."""
    arrows = frozenset.intersection(*members)
    return arrows, skeleton(members[0]) - skeleton(arrows)


def paths(joined, start, end, visited=()):
    """Every path without repeats between two nodes, as a tuple of nodes."""
    if start == end:
        yield (*visited, end)
        return
    for pair in joined:
        if start in pair:
            (other,) = pair - {start}
            if other not in visited:
                yield from paths(joined, other, end, (*visited, start))


def is_blocked(arrows, path, given):
    """Whether a non-collider is given, or a collider with nothing given at or below it."""
    for a, b, c in zip(path, path[1:], path[2:], strict=False):
        if (a, b) in arrows and (c, b) in arrows:
            if not ({b} | descendants(arrows, b)) & set(given):
                return True
        elif b in given:
            return True
    return False


def d_separated(arrows, x, y, given):
    """Whether every path is blocked."""
    return all(is_blocked(arrows, path, given) for path in paths(skeleton(arrows), x, y))


def separated(lines, x, y, given):
    """Whether every path meets a given node."""
    return all(set(path) & set(given) for path in paths(lines, x, y))


def extensions(arrows, lines):
    """Every way to direct the lines without a cycle or a v-structure more or less."""
    joined = skeleton(arrows) | frozenset(lines)
    wanted = v_structures(arrows, joined)
    choices = [tuple(permutations(line)) for line in lines]
    for chosen in product(*choices):
        dag = frozenset(arrows) | frozenset(chosen)
        if is_acyclic(dag) and v_structures(dag, joined) == wanted:
            yield dag


def meek_fixpoint(n_nodes, arrows, lines):
    """Meek's four rules as written, over all quadruples, until none fires; cycles and all."""
    arrows, lines = set(arrows), set(lines)
    while fired := _first_fired(n_nodes, arrows, lines):
        arrows.add(fired)
        lines.remove(frozenset(fired))
    return frozenset(arrows), frozenset(lines)


def _first_fired(n_nodes, arrows, lines):
    joined = skeleton(arrows) | lines
    for a, b in permutations(range(n_nodes), 2):
        if frozenset((a, b)) in lines and _is_forced(n_nodes, arrows, lines, joined, a, b):
            return a, b
    return None


def _is_forced(n_nodes, arrows, lines, joined, a, b):
    others = [node for node in range(n_nodes) if node not in (a, b)]
    rule1 = any((c, a) in arrows and frozenset((c, b)) not in joined for c in others)
    rule2 = any((a, c) in arrows and (c, b) in arrows for c in others)
    rule3 = any(
        {frozenset((a, c)), frozenset((a, d))} <= lines
        and {(c, b), (d, b)} <= arrows
        and frozenset((c, d)) not in joined
        for c, d in combinations(others, 2)
    )
    rule4 = any(
        frozenset((a, d)) in lines
        and {(d, c), (c, b)} <= arrows
        and frozenset((a, c)) in joined
        and frozenset((b, d)) not in joined
        for c, d in permutations(others, 2)
    )
    return rule1 or rule2 or rule3 or rule4
