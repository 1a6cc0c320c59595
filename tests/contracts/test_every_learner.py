"""What every learner promises, whatever its method."""

import copy
import functools
import inspect
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

import structlearn as sl
from structlearn.options.declared import REQUIRED
from structlearn.statistics import source
from tests.contracts.conftest import (
    OF_TABLES,
    chain_in_contexts,
    chain_table,
    chain_with_targets,
    fitted,
    have_option,
    is_chain,
    learner_of,
    n_columns_of,
    node_of,
    of_columns,
    table_for,
    take,
)

# One column more, and what they draw is another.
DRAW_COLUMNS = {"simulated-annealing", "genetic-order-search", "order-mcmc"}


def checks_that_call_the_score_option(learner):
    """Three checks call `estimator.score(X)` where there is such an attribute; here it is an option.

    docs/decisions/005 says why the option keeps its name.
    """
    if "score" not in learner.get_params():
        return {}
    names = ["check_n_features_in_after_fitting"]
    if learner.score is not None:
        names += ["check_pipeline_consistency", "check_fit_score_takes_y"]
    return dict.fromkeys(names, "score is an option, not a method")


with warnings.catch_warnings():
    # Learners keep the protocol without the base class, whose import takes longer than most fits.
    warnings.filterwarnings("ignore", "Estimator .* does not inherit from `sklearn.base.BaseEstimator`")
    every_check = parametrize_with_checks(
        [learner_of(method) for method in OF_TABLES],
        expected_failed_checks=checks_that_call_the_score_option,
    )


@every_check
def test_scikit_learn_accepts_it(estimator, check):
    with warnings.catch_warnings():
        # Some checks use tables whose whole numbers make a column look like an identifier, or constant.
        warnings.simplefilter("ignore", sl.DataWarning)
        check(estimator)


def test_a_chain_is_found(method, kind):
    graph = fitted(method, kind).graph_

    assert is_chain(method, graph)
    assert of_columns(graph).nodes == tuple("dbac")  # the order of the columns


@have_option("targets")
@pytest.mark.parametrize("most_with_matrices", [source.MOST_WITH_MATRICES, 3], ids=["narrow", "wide"])
def test_rows_in_which_a_column_was_set_say_nothing_of_what_acts_on_it(
    method, learner, kind, most_with_matrices, monkeypatch
):
    monkeypatch.setattr(source, "MOST_WITH_MATRICES", most_with_matrices)
    table = chain_with_targets(kind)
    learner.set_params(targets="set")
    if learner.why_no_targets():
        with pytest.raises(sl.OptionError, match=r"\(targets=…\): .* (Learn|Use) "):
            learner.fit(table)
        return
    graph = learner.fit(table).graph_

    assert is_chain(method, graph)
    assert learner.experiments_ == {(): 400, ("b",): 200}
    if method.returns in ("DAG", "CPDAG") and "score" in learner.options:
        assert ("d", "b") in graph.directed or method.name == "k2"  # which goes by its order


@have_option("targets")
@have_option("max_parents")
def test_a_context_is_no_parent_of_the_most_that_a_column_may_have(method, learner, kind):
    table, rows = chain_in_contexts(kind)
    learner.set_params(targets=rows, interventions="soft", max_parents=1)
    if method.name == "k2":
        learner.set_params(order=list("dbac"))
    if learner.why_no_targets() or (method.name, kind) == ("greedy-equivalence", "continuous"):
        with pytest.raises((sl.OptionError, sl.DataError), match=r"context of|targets=…"):
            learner.fit(table)
        return
    graph = learner.fit(table).graph_

    assert is_chain(method, graph)
    assert max(len(graph.parents(node)) for node in graph.nodes) == 1


@have_option("targets")
@have_option("initial")
def test_a_start_is_of_the_columns_whatever_contexts_there_are(method, learner, kind):
    table, rows = chain_in_contexts(kind)
    learner.set_params(targets=rows, interventions="soft")
    if learner.why_no_targets() or (method.name, kind) == ("greedy-equivalence", "continuous"):
        return
    chain = sl.Graph("dbac", directed=["db", "ba", "ac"])

    assert is_chain(method, learner.set_params(initial=chain).fit(table).graph_)
    with pytest.raises(sl.OptionError, match=r"\(initial=…\)") as refused:
        learner.set_params(initial=sl.Graph("dbax", directed=["db"])).fit(table)
    assert "context" not in str(refused.value)


def test_the_result_says_how_it_was_reached(method, kind):
    learner = fitted(method, kind)

    assert learner.status_ == "The method ran to its end."
    assert learner.seconds_ > 0
    assert len({len(column) for column in learner.trace_.values()}) <= 1
    assert set(learner.evidence_) == {(edge.source, edge.target) for edge in learner.graph_.edges}


@pytest.mark.filterwarnings("ignore:.*the system is not stable")  # these rows are no course
def test_the_edges_of_any_graph_can_be_ranked(method, learner):
    a, b, of_c, of_d = np.random.default_rng(0).normal(size=(4, 200))
    values = np.array([a, b, a + b + 0.3 * of_c, a - b + 0.3 * of_d])  # a and b are in two triangles
    columns = (values > 0).astype(int) if method.takes[0] == "discrete" else values

    graph = learner.fit(dict(zip("abcd", columns, strict=True))).graph_

    assert len(graph.ranking()) == sum(edge.source != edge.target for edge in graph.edges)


def test_what_an_earlier_fit_found_is_gone_after_the_next(method, learner):
    learner.found_by_another_option_ = 1
    learner.fit(table_for(method, method.takes[0]))

    assert not hasattr(learner, "found_by_another_option_")


@pytest.mark.of_reading
def test_pandas_polars_and_arrow_give_the_same_graph_with_names_kept(method, learner, kind, table):
    expected = fitted(method, kind).graph_

    for frame in (pd.DataFrame(table), pl.DataFrame(table), pa.table(table)):
        learner.fit(frame)
        assert learner.graph_ == expected
        assert learner.feature_names_in_.tolist() == list("dbac")


def test_neither_the_order_of_columns_nor_of_rows_matters(method, learner, kind, table):
    if method.rows == "samples":
        expected = fitted(method, kind).graph_
    else:  # a column says the order of the rows, and they may stand as they like
        table["t"] = np.arange(len(table["a"])) / 2.0
        expected = clone(learner.set_params(time="t")).fit(table).graph_
    order = np.random.default_rng(1).permutation(len(table["a"]))

    assert clone(learner).fit(dict(sorted(table.items(), reverse=True))).graph_ == expected
    assert clone(learner).fit({name: column[order] for name, column in table.items()}).graph_ == expected


@take("discrete")
def test_neither_the_names_nor_the_order_of_states_matter(method, learner):
    table = table_for(method, "discrete")
    words = {name: np.array(["top", "middle", "low"])[column] for name, column in table.items()}

    # Where equivalent DAGs have the same score, the rounding of its sums may choose between them.
    assert learner.fit(words).graph_.compare(fitted(method, "discrete").graph_).shd == 0


def test_weights_that_are_shares_are_refused_with_what_to_pass_instead(learner, table):
    shares = sl.Dataset(table, weights=np.full(400, 1.0 / 400))

    with pytest.raises(
        sl.DataError, match=r"weights sum to 1 in 400 rows.*pass weights \* 400 / sum\(weights\)"
    ):
        learner.fit(shares)


@have_option("n_jobs")
@pytest.mark.parametrize("share", ["sets", "rows"])
def test_the_number_of_threads_does_not_matter(method, learner, kind, table, share, monkeypatch):
    monkeypatch.setattr("structlearn.statistics.blocks.COST_OF_A_THREAD", 0.0)
    if share == "rows":  # as of long tables
        monkeypatch.setattr("structlearn.statistics.memory.FEWEST_ROWS_TO_SHARE", 1)

    one, two = fitted(method, kind), learner.set_params(n_jobs=2).fit(table)

    assert one.graph_ == two.graph_
    assert one.evidence_ == two.evidence_


@pytest.fixture(scope="module")
def edges_with_another_hash_seed():
    """What every method learns, in a program whose hash seed is not that of this one."""
    code = (
        "import json, structlearn as sl\n"
        "from tests.contracts.conftest import given_to, table_for\n"
        "print(json.dumps({name: [str(edge) for edge in\n"
        "    sl.learn(table_for(method, method.takes[0]), method=name, **given_to(method)).edges]\n"
        "    for name, method in sl.methods().items() if method.takes != ('database',)}))\n"
    )
    program = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"},
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        check=True,
    )
    return json.loads(program.stdout)


def test_the_hash_seed_does_not_matter(method, edges_with_another_hash_seed):
    graph = fitted(method, method.takes[0]).graph_

    assert edges_with_another_hash_seed[method.name]
    assert list(map(str, graph.edges)) == edges_with_another_hash_seed[method.name]


def test_the_same_seed_gives_the_same_result_and_a_copy_is_as_good(method, learner, kind, table):
    first = fitted(method, kind)
    if "random_state" in learner.get_params():
        first = clone(learner.set_params(random_state=3)).fit(table)

    assert learner.fit(table).graph_ == first.graph_
    assert pickle.loads(pickle.dumps(first)).graph_ == first.graph_  # noqa: S301, our own bytes


@pytest.mark.parametrize("bad", [np.nan, np.inf], ids=["missing", "infinite"])
def test_what_is_not_a_number_is_refused_with_its_column(learner, bad):
    table = chain_table("continuous")
    table["b"] = np.where(np.arange(400) == 7, bad, table["b"])

    with pytest.raises(sl.DataError, match="'b'"):
        learner.fit(table)


def test_a_constant_column_is_named_and_stays_alone(method, learner, table):
    table["e"] = np.full(400, table["a"][0])

    with pytest.warns(sl.DataWarning, match="column 'e' has a single value"):
        graph = of_columns(learner.fit(table).graph_)

    assert graph.adjacent("e") == ()
    assert is_chain(method, graph.subgraph(list("dbac")))


@pytest.mark.filterwarnings("ignore:.*column 'e' has a single value")
@pytest.mark.methods_that(lambda method: method.name not in DRAW_COLUMNS)
def test_a_constant_column_changes_nothing_among_the_others(learner, table):
    if "random_state" in learner.get_params():
        learner.set_params(random_state=0)
    alone = clone(learner).fit(table)

    beside = learner.fit(table | {"e": np.full(400, table["a"][0])})

    of_both = [
        {(edge.source, edge.target, edge.kind) for edge in found.graph_.edges} for found in (alone, beside)
    ]
    assert of_both[0] == of_both[1]
    for pair, evidence in alone.evidence_.items():
        found = beside.evidence_[pair]
        assert (found.score_gain or 0.0) == pytest.approx(evidence.score_gain or 0.0, rel=1e-4)
        assert (found.p_value or 0.0) == pytest.approx(evidence.p_value or 0.0, rel=1e-4)


@take("continuous")
@pytest.mark.filterwarnings("ignore:.*have a single value", "ignore:.*40 rows")
@pytest.mark.methods_that(lambda method: method.name not in DRAW_COLUMNS | {"exact-posterior"})
def test_many_constants_beside_few_rows_cost_no_edge(learner):
    a, of_b, c, of_d = np.random.default_rng(1).normal(size=(4, 40))
    b = 0.6 * a + of_b
    table = {"a": a, "b": b, "c": c, "d": 0.6 * b + of_d}
    idle = {f"e{i}": np.zeros(40) for i in range(15)}
    for option, value in {"random_state": 0, "n_modules": 2}.items():
        if option in learner.get_params():
            learner.set_params(**{option: value})

    alone, beside = clone(learner).fit(table).graph_, learner.fit(table | idle).graph_

    of_both = [{(edge.source, edge.target, edge.kind) for edge in graph.edges} for graph in (alone, beside)]
    assert of_both[0] == of_both[1]


@take("continuous")
@pytest.mark.filterwarnings("ignore:.*column 'e' has a single value")
def test_a_column_of_zeros_beside_measurements_is_as_any_constant(method, learner):
    table = table_for(method, "continuous")

    graphs = [learner.fit(table | {"e": np.full(400, value)}).graph_ for value in (0.0, 0.5)]

    assert graphs[0] == graphs[1]


@take("continuous")
def test_a_repeated_continuous_column_is_refused_with_both_names(learner):
    table = chain_table("continuous")

    with pytest.raises(sl.DataError, match="columns 'a', 'e' are the same but for scale"):
        learner.fit(table | {"e": -2.0 * table["a"] + 1.0})


@take("continuous")
def test_a_linear_combination_is_refused_with_its_parts_or_taken(method, learner):
    table = table_for(method, "continuous")
    table["total"] = table["a"] + table["d"]

    if not learner.needs_full_rank:
        # A sum of what is now need not say anything of the next step.
        graph = learner.fit(table).graph_
        assert graph.adjacent(node_of(graph, "total")) or method.rows == "steps"
        return
    with pytest.raises(sl.DataError, match=r"is a linear combination of columns") as error:
        learner.fit(table)
    assert all(f"'{name}'" in str(error.value) for name in ("a", "d", "total"))


@take("discrete")
def test_a_renamed_discrete_column_is_warned_of(learner):
    table = chain_table("discrete")

    with pytest.warns(sl.DataWarning, match="columns 'a', 'e' say the same under different labels"):
        learner.fit(table | {"e": np.array(["x", "y", "z"])[table["a"]]})


@pytest.mark.filterwarnings("ignore:.*rows are few:structlearn.DataWarning")
@pytest.mark.filterwarnings("ignore:.*pairs of columns are few")
@pytest.mark.filterwarnings("ignore:.*the system is not stable")  # noise taken for a course
@take("continuous")
def test_more_columns_than_rows_are_fine(learner):
    rng = np.random.default_rng(0)
    table = {f"c{j}": rng.normal(size=10) for j in range(14)}

    if learner.needs_more_rows:
        with pytest.raises(sl.DataError, match=r"more different rows than columns, not 10 rows and 14 "):
            learner.fit(table)
        return
    learner.fit(table)

    assert n_columns_of(learner.graph_) == 14


def test_one_row_is_refused_and_one_column_is_a_lone_node(learner):
    values = list("xyxxyy") if learner.only == "discrete" else [0.5, 1.5, 2.25, 1.0, -0.5, 0.75]

    with pytest.raises(sl.DataError, match="1 row"):
        learner.fit({"a": values[:1], "b": values[1:2]})

    assert of_columns(clone(learner).fit({"a": values}).graph_) == sl.Graph(["a"])


COMMON_OPTIONS = {"alpha", "max_parents", "restarts", "time_limit", "n_jobs"}


@pytest.mark.methods_that(lambda method: COMMON_OPTIONS & set(method.load().options))
def test_a_wrong_option_is_refused_by_name_at_fit(learner, table):
    for name in COMMON_OPTIONS & set(learner.get_params()):
        with pytest.raises(sl.OptionError, match=rf"\({name}='many'\): {name} is .*"):
            clone(learner).set_params(**{name: "many"}).fit(table)


@pytest.mark.any_source
def test_what_is_found_can_be_shown_and_compared(method, kind):
    for name, found in vars(fitted(method, kind)).items():
        for part in found if isinstance(found, tuple) else [found]:
            if name.endswith("_") and not isinstance(part, dict | np.ndarray):
                assert " object at 0x" not in repr(part), name
                assert (copy.deepcopy(part) == part) in {True, False}, name


def test_what_several_methods_find_has_a_declared_type_where_they_share_it(method, kind):
    shared = {"separating_sets_", "conflicts_", "n_tests_", "mark_evidence_", "n_skipped_", "parity_"}
    shared |= {
        "order_",
        "coefficients_",
        "total_effects_",
        "normality_",
        "precision_",
        "penalty_",
        "probabilities_",
    }
    learner = fitted(method, kind)
    declared = {name for base in type(learner).__mro__ for name in vars(base).get("__annotations__", ())}

    assert (shared & vars(learner).keys()) - declared == set()


def test_every_option_has_a_rule_and_is_documented(learner):
    for name in learner.get_params():
        assert name in learner.options
        assert f"{name} : " in type(learner).__doc__


@pytest.mark.any_source
def test_the_catalog_says_what_a_method_needs_beside_the_table(method):
    options = method.load().options

    assert method.needs == tuple(name for name, option in options.items() if option.default is REQUIRED)


@pytest.mark.methods_that(lambda method: method.needs)
def test_what_a_method_needs_and_was_not_given_is_said_in_one_error(method):
    said = rf"{method.learner} needs {method.needs[0]}=, \w.*: \w.*\."
    with pytest.raises(sl.OptionError, match=said):
        sl.learn({"a": [0.5, 1.5]}, method=method.name)
    with pytest.raises(TypeError, match=said):
        method.load()()


@pytest.mark.any_source
def test_every_learner_cites_its_paper_and_has_an_example(learner):
    assert "References\n" in type(learner).__doc__
    assert ">>> " in type(learner).__doc__


@pytest.mark.methods_that(lambda method: method.returns != "undirected")  # for those see the next test
def test_knowledge_is_honoured(learner, table):
    knowledge = sl.Knowledge(required=[("c", "a")], forbidden=[("d", "b"), ("b", "d")])

    graph = of_columns(learner.set_params(knowledge=knowledge).fit(table).graph_)

    assert knowledge.violations(graph) == []
    assert graph.edge("c", "a").kind == "directed"
    assert graph.edge("d", "b") is None


@have_option("max_parents")
def test_what_is_required_is_kept_beyond_the_most_parents_or_refused_in_words(learner, table):
    knowledge = sl.Knowledge(required=[("c", "a"), ("d", "a")])
    learner.set_params(knowledge=knowledge, max_parents=1)
    try:
        missing = knowledge.violations(of_columns(learner.fit(table).graph_))
    except sl.OptionError as error:
        missing = [] if "max_parents" in str(error) else [str(error)]

    assert missing == []


def test_an_edge_can_be_forbidden_whatever_its_direction(method, learner, table):
    both = sl.Knowledge(forbidden=[("d", "b"), ("b", "d")])

    assert of_columns(learner.set_params(knowledge=both).fit(table).graph_).edge("d", "b") is None
    if method.returns == "undirected":
        with pytest.raises(sl.OptionError, match="no direction"):
            learner.set_params(knowledge=sl.Knowledge(required=[("c", "a")])).fit(table)


def test_knowledge_of_an_unknown_column_is_refused(learner, table):
    with pytest.raises(sl.OptionError, match="no column 'nobody'"):
        learner.set_params(knowledge=sl.Knowledge(required=[("nobody", "a")])).fit(table)


@functools.cache
def large_table(kind):
    """Enough columns to be interrupted in the middle."""
    if kind == "continuous":
        rng = np.random.default_rng(0)
        rows = rng.normal(size=(300, 120)) @ (np.eye(120) + 0.3 * rng.normal(size=(120, 120)))
        return {f"c{j:03}": rows[:, j] for j in range(120)}
    model = sl.example("asia")
    parts = [model.sample(2000, random_state=seed).to_dict() for seed in range(15)]
    return {f"{name}{i}": column for i, part in enumerate(parts) for name, column in part.items()}


@have_option("time_limit")
def test_a_time_limit_gives_the_best_graph_so_far_and_says_so(learner, kind):
    learner.set_params(time_limit=1e-9).fit(large_table(kind))

    assert learner.status_.startswith("Stopped at time_limit: this is the best graph found so far.")
    assert n_columns_of(learner.graph_) == 120


@pytest.fixture
def harmless_interrupts():
    """Outside a learner an interruption does nothing, so that a quick method is no danger to the tests."""
    before = signal.getsignal(signal.SIGINT)
    yield signal.signal(signal.SIGINT, lambda *_: None)
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("harmless_interrupts")
def test_ctrl_c_gives_the_best_graph_so_far_and_says_so(method, learner):
    kind = method.takes[0]
    if "restarts" in learner.get_params():
        learner.set_params(restarts=10**6)
    handler = signal.getsignal(signal.SIGINT)
    table = large_table(kind)
    if method.name == "exact-posterior":  # which refuses as many columns as that takes memory
        table = dict(list(table.items())[:20])
    is_over = threading.Event()

    def interrupt_once_it_listens():
        while not is_over.wait(0.02):
            if signal.getsignal(signal.SIGINT) is not handler:
                signal.raise_signal(signal.SIGINT)
                return

    interruption = threading.Thread(target=interrupt_once_it_listens)
    interruption.start()
    learner.fit(table)
    is_over.set()
    interruption.join()

    ends = (
        "Interrupted: this is the best graph found so far.",
        "The method ran to its end.",  # where it is quicker than the interruption
    )
    assert learner.status_.startswith(ends)
    assert signal.getsignal(signal.SIGINT) is handler


def test_a_method_that_needs_data_refuses_an_oracle(method, learner):
    oracle = sl.Oracle(sl.Graph("ab", directed=[("a", "b")]))
    if "oracle" in method.takes:
        assert learner.fit(oracle).graph_.skeleton().undirected == (("a", "b"),)
        return
    with pytest.raises(sl.DataError, match="needs data"):
        learner.fit(oracle)


@pytest.mark.any_source
def test_options_are_keywords_and_unknown_ones_raise(method):
    kind = method.load()
    assert all(p.kind is p.KEYWORD_ONLY for p in inspect.signature(kind).parameters.values())
    with pytest.raises(sl.OptionError, match="has no option 'colour'"):
        sl.learn({"a": [0, 1]}, method=method.name, colour="red")


def gappy(table):
    """The table with a tenth of its values gone, and the rows that are left whole."""
    rng = np.random.default_rng(0)
    gaps = {name: rng.random(len(column)) < 0.1 for name, column in table.items()}
    columns = {
        name: [None if gap else value for value, gap in zip(column.tolist(), gaps[name], strict=True)]
        for name, column in table.items()
    }
    return columns, ~np.logical_or.reduce(list(gaps.values()))


def test_rows_that_miss_a_value_can_be_left_out(learner, table):
    columns, is_complete = gappy(table)
    if "time" in learner.options:  # rows that are left out are gaps, which only times tell
        with pytest.raises(sl.DataError, match="Name a column with the times as time="):
            clone(learner).set_params(missing="drop").fit(columns)
        columns["t"] = table["t"] = np.arange(400) / 2.0
        learner.set_params(time="t")
    if "random_state" in learner.get_params():
        learner.set_params(random_state=0)

    dropped = clone(learner).set_params(missing="drop").fit(columns)

    whole = clone(learner).fit({name: column[is_complete] for name, column in table.items()})
    assert dropped.graph_ == whole.graph_
    assert dropped.evidence_ == whole.evidence_


def test_the_message_about_missing_values_says_what_the_option_may_be(learner):
    table = chain_table("continuous")
    table["b"] = np.where(np.arange(400) == 7, np.nan, table["b"])

    with pytest.raises(sl.DataError, match=r"'b' \(1\) of 400 rows") as refused:
        learner.fit(table)

    for word in ("drop", "testwise"):
        is_offered = learner.options["missing"].accepts(word)
        assert (f"missing='{word}'" in str(refused.value)) == is_offered
    assert learner.options["missing"].accepts("drop")


@pytest.mark.methods_that(lambda method: method.load().options["missing"].accepts("testwise"))
def test_each_test_uses_the_rows_that_it_can_where_that_is_offered(method, learner, table):
    columns, _ = gappy(table)

    assert is_chain(method, learner.set_params(missing="testwise", alpha=0.01).fit(columns).graph_)


@pytest.mark.parametrize("n_rows", [2, 3])
def test_two_or_three_rows_are_refused_or_said_to_be_too_few(learner, kind, n_rows):
    words = np.array(["low", "middle", "top"])
    few = {name: column[[0, 5, 9][:n_rows]] for name, column in chain_table(kind).items()}
    few = {name: words[column] if kind == "discrete" else column for name, column in few.items()}

    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            learner.fit(few)
        except sl.DataError as refused:
            said = [str(refused)]
        else:
            said = [str(warning.message) for warning in heard]

    assert any(f"{n_rows} rows" in message for message in said)


@have_option("test")
@take("discrete")
def test_a_column_with_few_rows_per_level_is_named_once(learner):
    table = chain_table("discrete") | {"city": np.arange(400) % 50}

    with pytest.warns(sl.DataWarning) as said:
        learner.fit(sl.Dataset(table, kinds={"city": "discrete"}))

    few = [str(warning.message) for warning in said if "rows per level" in str(warning.message)]
    assert len(few) == 1
    assert "column 'city': fewer than 10 rows per level" in few[0]


def test_columns_of_both_kinds_are_taken_where_the_catalog_says_so(method, learner):
    rng = np.random.default_rng(0)
    d = rng.integers(0, 3, 400)
    b = d + rng.normal(size=400)
    a = b + rng.normal(size=400)
    table = {"d": np.array(["low", "middle", "top"])[d], "b": b, "a": a, "c": a + rng.normal(size=400)}
    if method.rows == "steps":  # each shows the state of the one before it a step later
        table = {name: np.roll(column, place) for place, (name, column) in enumerate(table.items())}

    if "mixed" in method.takes:
        assert is_chain(method, learner.fit(table).graph_)
    else:
        with pytest.raises(sl.DataError, match=r"d'?.*kinds="):
            learner.fit(table)
