"""Max-min parents and children as the paper states it, one test at a time."""

from itertools import combinations


def parents_and_children(n_nodes, target, associated):
    """What a target chooses; `associated(x, target, given)` is a tuple that is larger for more, or None.

    None is independence, and NotImplemented a test that is not made.
    """
    least = {x: associated(x, target, ()) for x in range(n_nodes) if x != target}
    least = {x: found for x, found in least.items() if found not in (None, NotImplemented)}
    chosen = []
    while least:
        newest = max(least, key=lambda x: (least[x], -x))
        del least[newest]
        for x in list(least):
            for given in _subsets(chosen):
                found = associated(x, target, (*given, newest))
                if found is None:
                    del least[x]
                    break
                least[x] = least[x] if found is NotImplemented else min(least[x], found)
        chosen.append(newest)
    for x in list(chosen):
        rest = [other for other in chosen if other != x]
        if any(associated(x, target, given) is None for given in _subsets(rest)):
            chosen.remove(x)
    return set(chosen)


def _subsets(members):
    return [given for size in range(len(members) + 1) for given in combinations(members, size)]
