"""Every learner of the catalog, and tables that each of them must cope with."""

import functools

import numpy as np
import pytest
from scipy.linalg import expm

import structlearn as sl
from structlearn.learners.catalog import CATALOG

KINDS = ("discrete", "continuous")
OF_TABLES = [method for method in CATALOG.values() if method.takes != ("database",)]


def pytest_generate_tests(metafunc):
    """Every method, with every kind of table it takes; a new one joins by its line in the catalog."""
    if "method" not in metafunc.fixturenames:
        return
    conditions = [mark.args[0] for mark in metafunc.definition.iter_markers("methods_that")]
    # A database is no table: only what methods declare is tried with all of them.
    sources = CATALOG.values() if metafunc.definition.get_closest_marker("any_source") else OF_TABLES
    methods = [method for method in sources if all(holds(method) for holds in conditions)]
    if not {"kind", "table"} & set(metafunc.fixturenames):
        metafunc.parametrize("method", [pytest.param(m, id=m.name, marks=allowed(m)) for m in methods])
        return
    pairs = [
        pytest.param(method, kind, id=f"{method.name}-{kind}", marks=allowed(method))
        for method in methods
        for kind in KINDS
        if kind in method.takes
    ]
    metafunc.parametrize(("method", "kind"), pairs)


def allowed(method):
    """Most tables here have Gaussian noise; a method that such noise tells nothing has to say so."""
    if method.noise == "any":
        return []
    said = ("the noise of .* may be Gaussian", "the sources did not settle", "what is left of .* is not ind")
    said = (*said, "nothing that is left is independent", "either direction of .* fits")
    return [pytest.mark.filterwarnings(f"ignore:.*{words}:structlearn.DataWarning") for words in said]


def pytest_collection_modifyitems(config, items):
    """Leave out scikit-learn's check of other arrays, which SciPy offers only to programs that ask for it."""
    left_out = [item for item in items if "check_array_api_input" in item.name]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


# Those of scikit-learn's checks that ask for what happens to a table before a learner sees its statistics.
CHECKS_OF_READING = {
    "check_dtype_object",
    "check_estimator_sparse_array",
    "check_estimator_sparse_matrix",
    "check_estimators_dtypes",
    "check_estimators_nan_inf",
    "check_pipeline_consistency",
    "check_positive_only_tag_during_fit",
}


def pytest_itemcollected(item):
    """Try what is of reading with a learner for each way of that; with the others these are slow tests."""
    values = item.callspec.params if hasattr(item, "callspec") else {}
    if "check" in values:
        is_of_reading = values["check"].func.__name__ in CHECKS_OF_READING
        kind = type(values["estimator"])
    else:
        is_of_reading = item.get_closest_marker("of_reading")
        kind = values["method"].load() if is_of_reading else None
    if is_of_reading and kind not in readers():
        item.add_marker("slow")


@functools.cache
def readers():
    """The first learner of each way from a table to its statistics."""
    first = {}
    for method in OF_TABLES:
        kind = method.load()
        steps = (kind.fit, kind._learn_from_table, kind._statistics, kind._ready, kind.columns_aside)
        first.setdefault((*steps, method.takes, method.rows, kind.needs_full_rank), kind)
    return set(first.values())


def take(kind):
    """For tests of the methods that take columns of a kind."""
    return pytest.mark.methods_that(lambda method: kind in method.takes)


def have_option(name):
    """For tests of the methods with an option."""
    return pytest.mark.methods_that(lambda method: name in method.load().options)


class TwoGenesEach:
    """Which genes a few columns act on, in a table of any names: in the chain, what is beside them."""

    def __call__(self, names):
        ordered = sorted(names)
        found = {name: ordered[2 * i + 1 : 2 * i + 3] for i, name in enumerate(ordered[:6])}
        return {name: genes for name, genes in found.items() if genes}

    def __repr__(self):
        return "two genes each"  # names of tests have no address, so that all processes agree on them


GIVEN = {"regulators": TwoGenesEach()}  # by what the catalog says that a method needs


def learner_of(method):
    """The method with its defaults, and with what it needs beside the table."""
    return method.load()(**given_to(method))


def given_to(method):
    return {name: GIVEN[name] for name in method.needs}


@pytest.fixture
def learner(method):
    return learner_of(method)


@pytest.fixture
def table(method, kind):
    """A small table with a known chain of dependence, of each kind that the method takes."""
    return table_for(method, kind)


@functools.cache
def fitted(method, kind):
    """The method as it is, fitted to its table: what several tests look at, and none changes."""
    return learner_of(method).fit(table_for(method, kind))


def table_for(method, kind):
    """The chain as samples, or in time where the catalog says so."""
    if method.rows == "steps":
        return chain_in_steps(kind)
    if method.noise == "not Gaussian":
        return chain_of_even_noise()
    return chain_table(kind) if method.rows == "samples" else chain_in_time()


def chain_in_steps(kind, n_rows=400, seed=0):
    """The chain d → b → a → c in steps: each takes the state the one before it had, or rarely another."""
    rng = np.random.default_rng(seed)
    states = rng.integers(0, 3 if kind == "discrete" else 2, (n_rows, 4))
    for t in range(1, n_rows):
        follows = rng.random(3) < 0.9
        states[t, 1:] = np.where(follows, states[t - 1, :-1], states[t, 1:])
    columns = states.T if kind == "discrete" else states.T + 0.1 * rng.normal(size=(4, n_rows))
    return dict(zip("dbac", columns, strict=True))


def chain_in_time(n_rows=400, seed=0):
    """The chain d → b → a → c as a system that settles: each decays, and is driven by the one before it."""
    rng = np.random.default_rng(seed)
    system = np.diag([-1.0, -0.5, -0.7, -0.3]) + np.diag([1.0, 0.9, -0.8], k=-1)
    step, states = expm(0.02 * system), [np.array([2.0, -1.0, 1.5, 0.7])]
    for _ in range(n_rows - 1):
        states.append(step @ states[-1])
    return dict(zip("dbac", (np.array(states) + 1e-3 * rng.normal(size=(n_rows, 4))).T, strict=True))


def chain_table(kind, n_rows=400, seed=0):
    """Columns d — b — a — c: each depends on the one before, names out of order on purpose."""
    rng = np.random.default_rng(seed)
    if kind == "continuous":
        columns = [rng.normal(size=n_rows)]
        for _ in range(3):
            columns.append(0.8 * columns[-1] + rng.normal(size=n_rows))
    else:
        columns = [rng.integers(0, 3, n_rows)]
        for _ in range(3):
            noise = rng.integers(0, 3, n_rows) * (rng.random(n_rows) < 0.3)
            columns.append((columns[-1] + noise) % 3)
    return dict(zip("dbac", columns, strict=True))


def of_columns(graph):
    """The graph of the columns; one in time is folded."""
    return graph.summary() if any("lag" in facts for facts in graph.facts.values()) else graph


def chain_with_targets(kind):
    """The chain d → b → a → c in rows without and with b set, and a column that says which are which."""
    plain, acted = chain_table(kind), chain_table(kind, n_rows=200, seed=1)
    acted["d"] = np.random.default_rng(2).permutation(acted["d"])  # b was set whatever d is
    table = {name: np.concatenate([plain[name], acted[name]]) for name in plain}
    return table | {"set": np.array([None] * 400 + ["b"] * 200, dtype=object)}


def chain_in_contexts(kind):
    """The chain d → b → a → c, and the rows in which b or a was moved, and what follows moved along."""
    table, rows = chain_table(kind, n_rows=600), {"b": range(400, 500), "a": range(500, 600)}
    for name, followers in (("b", "bac"), ("a", "ac")):
        for step, column in enumerate(followers):
            if kind == "continuous":
                table[column][rows[name]] += 3.0 * 0.8**step
            else:
                table[column][rows[name]] = (table[column][rows[name]] + 1) % 3
    return table, rows


def chain_of_even_noise(n_rows=400, seed=0):
    """The chain with noise that is as probable anywhere between two ends."""
    rng = np.random.default_rng(seed)
    columns = [rng.uniform(-1.7, 1.7, n_rows)]
    for _ in range(3):
        columns.append(0.8 * columns[-1] + rng.uniform(-1.7, 1.7, n_rows))
    return dict(zip("dbac", columns, strict=True))


def is_chain(method, graph):
    """Whether a graph is the chain, or has it where the method joins also what goes through others."""
    graph = of_columns(graph)
    if method.joins != "direct":
        found = graph.skeleton()
        return all(found.edge(a, b) is not None for a, b in CHAIN.undirected)
    return graph.skeleton() == CHAIN


def node_of(graph, column):
    """The node that a column is now, or is a member of."""
    if f"{column}[t]" in graph.nodes:
        return f"{column}[t]"
    return next(node for node in graph.nodes if column in graph.facts.get(node, {}).get("members", [node]))


def n_columns_of(graph):
    """How many columns the nodes stand for."""
    graph = of_columns(graph)
    return sum(len(graph.facts.get(node, {}).get("members", [node])) for node in graph.nodes)


CHAIN = sl.Graph("dbac", undirected=[("d", "b"), ("b", "a"), ("a", "c")])
