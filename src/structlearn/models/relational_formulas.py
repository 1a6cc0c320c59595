"""Relational Bayesian networks: formulas about relations between objects become a network of atoms.

References
----------
.. [1] M. Jaeger. Relational Bayesian networks. Proceedings of UAI, 1997.
"""

from collections.abc import Iterable, Mapping
from itertools import product
from typing import Any

from structlearn.errors import DataError, needing
from structlearn.graphs import Graph
from structlearn.models.alignment import aligned, matched, rows_that_count
from structlearn.models.bayesian_network import BayesianNetwork
from structlearn.models.cpds import Family
from structlearn.models.cpds.formula import FormulaCPD
from structlearn.models.formulas import Atom
from structlearn.models.formulas.maximum import best_parameters, pooled
from structlearn.models.formulas.scope import Objects, Scope
from structlearn.models.formulas.terms import Term, as_formula
from structlearn.statistics import from_dataset


def ground(
    formulas: Mapping[Atom, Term],
    domain: Iterable[str],
    facts: Mapping[str, Iterable[str | tuple[str, ...]]] | None = None,
) -> BayesianNetwork:
    """Make a network with a node for each atom that some formula is about.

    Parameters
    ----------
    formulas : mapping of Atom to Formula
        The probability of each relation. The arguments of the head are its variables:
        `{Atom("smokes", "v"): 0.2}`.
    domain : iterable of str
        The objects that variables stand for.
    facts : mapping of str to iterable of tuples, optional
        Relations that are known: the objects, or tuples of objects, between which each holds. It holds
        between no others.

    Returns
    -------
    BayesianNetwork
        Nodes such as `smokes(ann)`, with the states False and True and a `FormulaCPD` each. What facts
        decide is gone from the formulas.

    Raises
    ------
    DataError
        An atom depends on itself, directly or through others; the message lists the cycle.

    Examples
    --------
    >>> from structlearn.models import ground
    >>> from structlearn.models.formulas import Atom, Different, NoisyOr
    >>> heard = 0.3 * Atom("friend", "v", "w") * Atom("knows", "w")
    >>> model = ground(
    ...     {
    ...         Atom("knows", "v"): 0.2,
    ...         Atom("hears", "v"): NoisyOr(heard, over="w", where=[Different("v", "w")]),
    ...     },
    ...     domain=["ann", "bob", "eve"],
    ...     facts={"friend": [("ann", "bob"), ("ann", "eve")]},
    ... )
    >>> model.cpds["hears(ann)"]
    <FormulaCPD: noisy-or{0.3*knows(bob), 0.3*knows(eve)}>
    >>> model.cpds["hears(bob)"]
    <FormulaCPD: 0>
    """
    objects = _checked_domain(domain)
    for head in formulas:
        _check_head(head, objects)
    known = _checked_facts(facts or {}, objects, {head.relation for head in formulas})
    cpds = _grounded(formulas, objects, known)
    _refuse_unknown_atoms(cpds)
    _refuse_cycles(cpds)
    edges = [(parent, node) for node, cpd in cpds.items() for parent in cpd.parents]
    return BayesianNetwork(Graph(cpds, directed=edges), cpds)


def fit_shared(network: BayesianNetwork, data: Any, *, smoothing: float = 0.0) -> BayesianNetwork:
    """Estimate parameters that formulas of several nodes share, from all of these nodes at once.

    `BayesianNetwork.fit` estimates each node by itself. Here a parameter of one name is one number in the
    whole network, so that a single row of a large domain can be enough.

    Parameters
    ----------
    network : BayesianNetwork
        A network in which every distribution is a `FormulaCPD`, as `ground` gives.
    data : anything `Dataset` takes
        Its columns are the nodes, with the states of their labels.
    smoothing : float, default 0.0
        Pseudo-rows for each node; see `FormulaCPD.fit`.

    Returns
    -------
    BayesianNetwork
        The same network with the parameters of largest likelihood.
    """
    cpds = network.cpds
    formulas = {node: cpd for node, cpd in cpds.items() if isinstance(cpd, FormulaCPD)}
    if len(formulas) < len(cpds):
        node, other = next((node, cpd) for node, cpd in cpds.items() if node not in formulas)
        raise DataError(f"fit_shared: {node!r} has a {other.form} CPD; formulas only can share parameters.")
    labels = network.labels
    rows = matched(
        rows_that_count(data), network.nodes, owner="fit_shared", kinds=network.kinds, labels=labels
    )
    dataset = aligned(rows, labels)
    statistics, column_of = from_dataset(dataset), {name: j for j, name in enumerate(dataset.names)}
    problems = []
    for node, cpd in formulas.items():
        parents = tuple(column_of[parent] for parent in cpd.parents)
        family = Family(statistics, column_of[node], parents, cpd.labels)
        problems.append(cpd.counted(family, smoothing=smoothing))
    found = best_parameters(pooled(problems), _shared_parameters(formulas))
    return BayesianNetwork(network.graph, {n: cpd.with_parameters(found) for n, cpd in formulas.items()})


def _grounded(
    formulas: Mapping[Atom, Term], objects: Objects, known: Mapping[str, frozenset[Objects]]
) -> dict[str, FormulaCPD]:
    """The distribution of each atom, by its name."""
    cpds: dict[str, FormulaCPD] = {}
    for head, term in formulas.items():
        for values in product(objects, repeat=len(head.arguments)):
            scope = Scope(objects, known, dict(zip(head.arguments, values, strict=True)))
            name = Atom(head.relation, *values).name
            if name in cpds:
                raise DataError(f"ground: there are two formulas for {name}. Give each relation one.")
            cpds[name] = FormulaCPD(as_formula(term).grounded(scope))
    return cpds


def _shared_parameters(formulas: Mapping[str, FormulaCPD]) -> dict[str, float]:
    return {name: value for cpd in formulas.values() for name, value in cpd.parameters.items()}


def _checked_domain(domain: Iterable[str]) -> Objects:
    objects = tuple(domain)
    if isinstance(domain, str) or not all(isinstance(name, str) for name in objects):
        raise DataError(f"ground: the domain is a list of names, not {domain!r}.")
    if not objects or len(set(objects)) < len(objects):
        raise DataError("ground: the domain needs one or more objects, each once.")
    return objects


def _checked_facts(
    facts: Mapping[str, Iterable[str | tuple[str, ...]]], objects: Objects, heads: set[str]
) -> dict[str, frozenset[Objects]]:
    known: dict[str, frozenset[Objects]] = {}
    for relation, members in facts.items():
        if relation in heads:
            raise DataError(f"ground: {relation!r} has both facts and a formula; give one of them.")
        known[relation] = frozenset((m,) if isinstance(m, str) else tuple(m) for m in members)
        strangers = {name for member in known[relation] for name in member} - set(objects)
        if strangers:
            raise DataError(
                f"ground: the facts of {relation!r} are about {sorted(strangers)}, not in the domain."
            )
    return known


def _check_head(head: Atom, objects: Objects) -> None:
    if not isinstance(head, Atom):
        raise DataError(f"ground: formulas map an Atom to its formula; {head!r} is none.")
    if len(set(head.arguments)) < len(head.arguments) or set(head.arguments) & set(objects):
        raise DataError(f"ground: the arguments of {head} must be different variables, none in the domain.")


def _refuse_unknown_atoms(cpds: Mapping[str, FormulaCPD]) -> None:
    for node, cpd in cpds.items():
        for parent in cpd.parents:
            if parent not in cpds:
                raise DataError(
                    f"ground: {node} depends on {parent}, which has no formula and no facts. Give one."
                )


def _refuse_cycles(cpds: Mapping[str, FormulaCPD]) -> None:
    with needing("networkx", "A model of formulas over relations"):
        import networkx as nx  # noqa: PLC0415, slow to load and not needed to learn

    depends = nx.DiGraph()
    depends.add_nodes_from(cpds)
    depends.add_edges_from((parent, node) for node, cpd in cpds.items() for parent in cpd.parents)
    try:
        cycle = nx.find_cycle(depends)
    except nx.NetworkXNoCycle:
        return
    listed = " → ".join([*(source for source, _ in cycle), cycle[0][0]])
    raise DataError(
        f"ground: these atoms depend on each other in a cycle: {listed}. Change one of the formulas."
    )
