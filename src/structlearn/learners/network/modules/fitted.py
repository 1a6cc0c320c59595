"""The modules that were found as an outcome: graphs, programmes and a model."""

from structlearn.graphs import Graph
from structlearn.learners.network.modules.result import (
    Units,
    columns_of_trace,
    gains_of,
    members_of,
    module_graph,
    named_modules,
    plain_tree,
)
from structlearn.learners.network.modules.search import Search
from structlearn.learners.network.modules.state import State
from structlearn.outcome import EdgeEvidence, Outcome


def outcome_of(state: State, score: float, scores: dict[int, float], search: Search, units: Units) -> Outcome:
    """Everything that is said of the best state of a search."""
    from structlearn.models.cpds import GaussianTreeCPD  # noqa: PLC0415, a door to a later layer
    from structlearn.models.module_network import (  # noqa: PLC0415, as above
        ModuleNetworkModel,
        ground_network,
    )

    named, names = named_modules(state), state.problem.names
    modules = {name: members_of(state, m) for name, m in named.items()}
    gains = {name: gains_of(state, m) for name, m in named.items()}
    programs = {name: GaussianTreeCPD.from_dict(plain_tree(state, m)) for name, m in named.items()}
    ground = ground_network(modules, programs, gains)
    graph = Graph.from_edges(names, ground.edges, facts=ground.facts)
    n_empty = state.n_modules - len(named)
    if n_empty and search.options.n_modules is not None:
        search.run.note(f"{n_empty} of {state.n_modules} modules are empty.")
    if not state.has_settled:
        most = search.options.max_iterations
        search.run.note(f"Something still changed after {most} rounds: see max_iterations.")
    members = {name: units[name] for each in modules.values() for name in each}
    return Outcome(
        graph=graph,
        status=search.run.status,
        score=score,
        trace=columns_of_trace(search.trace),
        evidence={(edge.source, edge.target): EdgeEvidence(edge.weight) for edge in graph.edges},
        extra={
            "modules": modules,
            "regulators": gains,
            "programs": programs,
            "module_graph": module_graph(modules, gains),
            "scores": scores,
            "model": ModuleNetworkModel(modules, programs, members, graph=graph),
        },
    )
