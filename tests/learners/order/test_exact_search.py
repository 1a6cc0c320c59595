"""ExactSearch is as good as the best of all DAGs, reaches published optima, and says what it has proven."""

import math

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners import free_memory
from structlearn.learners.order.boss import BOSS
from structlearn.learners.order.exact import dynamic_programme, problem_size
from structlearn.learners.order.exact_search import ExactSearch
from structlearn.scores import BDeu, FamilyScores, score_for
from structlearn.search.limits import Limits, count_families
from structlearn.search.local_scores import LocalScores
from structlearn.search.parent_sets import ScoredSets
from structlearn.statistics import from_dataset
from tests.data_files import data_file, published_optima
from tests.oracles import dag_masks
from tests.oracles.reference_data import T1, XOR

DISCRETE = ["bic", "bdeu", "aic", "k2", "mdl", "bds"]
CONTINUOUS = ["bic-g", "bge", "aic"]


def random_data(seed, n_columns, kind="discrete", n_rows=60):
    rng = np.random.default_rng(seed)
    if kind == "continuous":
        mixing = np.triu(rng.normal(size=(n_columns, n_columns)) * (rng.random((n_columns, n_columns)) < 0.6))
        np.fill_diagonal(mixing, 1.0)
        rows = rng.normal(size=(n_rows, n_columns)) @ mixing
        return sl.Dataset({f"v{j}": rows[:, j] for j in range(n_columns)})
    graph = sl.random_dag(n_columns, random_state=seed)
    model = sl.random_model(graph, levels=(2, 3), concentration=2.0, random_state=seed)
    return model.sample(n_rows, random_state=seed)


def local_of(data, score):
    """The score of single families, columns in alphabetical order."""
    statistics = from_dataset(data.select(sorted(data.names)))
    scores = FamilyScores(score_for("test", score, statistics), statistics)
    return scores.local


def best_of_all_dags(data, score, **limits):
    return dag_masks.best_score(dag_masks.family_table(local_of(data, score), len(data.names), **limits))


@pytest.mark.parametrize(("n_nodes", "n_dags"), [(1, 1), (2, 3), (3, 25), (4, 543), (5, 29281)])
def test_the_oracle_knows_as_many_dags_as_there_are(n_nodes, n_dags):
    assert len(dag_masks.every_dag(n_nodes)) == n_dags  # Robinson (1973)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    ("score", "kind"), [(s, "discrete") for s in DISCRETE] + [(s, "continuous") for s in CONTINUOUS]
)
def test_no_dag_of_four_columns_is_better(score, kind, seed):
    data = random_data(seed, 4, kind)

    found = ExactSearch(score=score).fit(data)

    assert found.score_ == pytest.approx(best_of_all_dags(data, score), abs=1e-9)
    assert found.gap_ == 0.0


@pytest.mark.parametrize("seed", range(20))
def test_no_dag_of_five_columns_is_better(seed):
    score, kind = [("bic", "discrete"), ("bdeu", "discrete"), ("bge", "continuous")][seed % 3]
    data = random_data(100 + seed, 5, kind)

    found = ExactSearch(score=score).fit(data)

    assert found.score_ == pytest.approx(best_of_all_dags(data, score), abs=1e-9)
    assert found.score_ == pytest.approx(sl.score(found.graph_, data, score), abs=1e-9)


@pytest.mark.parametrize("seed", range(12))
def test_no_dag_that_honours_the_limits_is_better(seed):
    rng = np.random.default_rng(seed)
    data = random_data(200 + seed, 5)
    names = sorted(data.names)
    order = rng.permutation(5)
    required = [(int(order[0]), int(order[4]))]
    forbidden = [tuple(rng.choice(5, 2, replace=False).tolist()) for _ in range(4)]
    forbidden = [pair for pair in forbidden if pair != required[0]]
    max_parents = int(rng.integers(1, 4))
    knowledge = sl.Knowledge(
        required=[(names[u], names[v]) for u, v in required],
        forbidden=[(names[u], names[v]) for u, v in forbidden],
    )

    def may_be(child, parents):
        missing = [u for u, v in required if v == child and u not in parents]
        return (
            not missing
            and len(parents) <= max_parents
            and not any((parent, child) in forbidden for parent in parents)
        )

    found = ExactSearch(score="bdeu", max_parents=max_parents, knowledge=knowledge).fit(data)

    assert found.score_ == pytest.approx(best_of_all_dags(data, "bdeu", may_be=may_be), abs=1e-9)
    assert knowledge.violations(found.graph_) == []
    assert max(len(found.graph_.parents(name)) for name in names) <= max_parents


@pytest.mark.parametrize("n_low", [1, 2, 3, 5, 8])
def test_blocks_of_any_size_give_the_same_graph(monkeypatch, n_low):
    data = sl.example("asia").sample(500, random_state=0)
    whole = ExactSearch(score="bdeu").fit(data)
    monkeypatch.setattr(dynamic_programme, "N_LOW", n_low)

    assert ExactSearch(score="bdeu").fit(data).graph_ == whole.graph_


def test_threads_give_the_same_graph(monkeypatch):
    data = sl.example("asia").sample(500, random_state=0)
    monkeypatch.setattr(dynamic_programme, "N_LOW", 3)
    alone = ExactSearch().fit(data)
    monkeypatch.setattr("structlearn.statistics.blocks.COST_OF_A_THREAD", 0)

    assert ExactSearch(n_jobs=2).fit(data).graph_ == alone.graph_


# The optima of the method description; those of learning.test and gaussian.test are GOBNILP's too.
@pytest.mark.parametrize(
    ("table", "score", "best"),
    [
        ("learning.test", "bic", -24006.734232),
        ("learning.test", "bdeu", -24028.094778),
        ("gaussian.test", "bic", -53221.345687),
        ("gaussian.test", "bge", -53258.941618),
        ("asia", "bic", -11107.293309),
        ("asia", "bdeu", -11095.788513),
        ("asia", BDeu(10), -11132.146560),
        ("coronary", "bic", -6717.265384),
        ("coronary", "bdeu", -6730.550147),
        ("coronary", BDeu(10), -6692.398129),
    ],
    ids=str,
)
def test_known_optima_are_reached(table, score, best):
    found = ExactSearch(score=score).fit(data_file(f"tables/{table}.csv"))

    assert found.score_ == pytest.approx(best, abs=2e-6)


@pytest.mark.parametrize(
    ("data", "score", "best"),
    [
        (T1, "bic", -44.682228),
        (T1, "bdeu", -45.940756),
        (T1, BDeu(10), -41.423205),
        (XOR, "bdeu", -34.897151),
    ],
    ids=str,
)
def test_optima_of_tables_worked_out_by_hand_are_reached(data, score, best):
    assert ExactSearch(score=score).fit(data).score_ == pytest.approx(best, abs=1e-6)


def test_gobnilps_optima_with_fewer_parents_are_reached():
    scores = {
        "BDeu, equivalent sample size 1": "bdeu",
        "BGe, alpha_mu 1, alpha_omega 9 (= p + 2), nu = sample mean": "bge",
    }
    small = [e for e in published_optima() if e["name"] in ("learning.test", "gaussian.test")]

    for entry in small:
        search = ExactSearch(score=scores[entry["score"]], max_parents=entry["max_parents"])
        assert search.fit(data_file(entry["data"])).score_ == pytest.approx(entry["optimal_score"], abs=1e-6)
    assert {entry["max_parents"] for entry in small} == {None, 1, 3}


def never_beaten(seed):
    n_columns = 4 + seed % 9
    data = random_data(seed, n_columns, n_rows=100 + 10 * (seed % 20))
    best = ExactSearch(max_parents=3).fit(data).score_
    rivals = (
        BOSS(max_parents=3),
        sl.HillClimbing(max_parents=3, check_parity=0),
        sl.OptimalReinsertion(max_parents=3),
    )
    for rival in rivals:
        assert rival.fit(data).score_ <= best + 1e-6


@pytest.mark.parametrize("seed", range(6))
def test_no_search_finds_a_better_graph(seed):
    never_beaten(seed)


@pytest.mark.slow
def test_no_search_finds_a_better_graph_on_200_problems():
    for seed in range(200):
        never_beaten(seed)


@pytest.mark.parametrize("seed", range(3))
def test_both_solvers_prove_the_same_score(seed):
    data = random_data(300 + seed, 8, n_rows=150)

    programme = ExactSearch(solver="ilp", max_parents=3).fit(data)

    assert programme.score_ == pytest.approx(
        ExactSearch(solver="dp", max_parents=3).fit(data).score_, abs=1e-6
    )
    assert programme.gap_ == 0.0


def test_a_node_may_be_left_without_parents():
    assert not ExactSearch(max_parents=0).fit(T1).graph_.edges


def test_the_order_of_columns_does_not_matter():
    data = sl.example("asia").sample(300, random_state=1)
    turned = data.select(data.names[::-1])

    assert ExactSearch().fit(data).graph_ == ExactSearch().fit(turned).graph_


def test_among_equals_the_last_name_is_the_child():
    assert set(ExactSearch(score="bdeu").fit(XOR).graph_.directed) == {("A", "C"), ("B", "C")}


def test_one_column_has_no_arcs():
    assert ExactSearch().fit({"a": [0, 1, 1, 0]}).graph_ == sl.Graph(["a"])


def test_the_proof_names_the_limit():
    data = sl.example("asia").sample(300, random_state=1)

    assert ExactSearch().fit(data).proof_ == "Proven optimal: no DAG scores more."
    limited = ExactSearch(max_parents=2).fit(data)
    assert limited.proof_ == "Proven optimal: no DAG with at most 2 parents a node scores more."
    knowing = ExactSearch(knowledge=sl.Knowledge(required=[("smoke", "asia")])).fit(data)
    assert knowing.proof_ == "Proven optimal: no DAG that honours the knowledge scores more."
    again = ExactSearch().fit_scores(limited.local_scores_)
    assert again.proof_ == "Proven optimal: no DAG of these families scores more."


def test_many_columns_get_a_limit_that_leaves_300_000_families():
    def limit(n_columns):
        names = tuple(f"v{j:02}" for j in range(n_columns))
        return problem_size.with_affordable_sets(Limits.of(names, sl.Knowledge(), None)).max_parents

    def n_families(n_columns, max_parents):
        return n_columns * sum(math.comb(n_columns - 1, size) for size in range(max_parents + 1))

    assert limit(15) >= 14
    for n_columns in (16, 20, 28, 37, 120):
        most = limit(n_columns)
        assert n_families(n_columns, most) <= 300_000 < n_families(n_columns, most + 1)
    assert [limit(20), limit(28)] == [4, 3]


def test_without_time_the_graph_comes_with_a_gap():
    data = sl.example("asia").sample(300, random_state=1)

    found = ExactSearch(time_limit=1e-9).fit(data)

    assert found.gap_ == math.inf
    assert found.proof_.startswith("Not proven")
    assert found.status_.startswith("Stopped at time_limit")


def test_time_that_ends_among_the_subsets_leaves_a_true_bound(monkeypatch):
    data = sl.example("asia").sample(300, random_state=1)
    best = ExactSearch().fit(data).score_

    def no_time(lists, initial, run, **_):
        run._deadline = 0.0
        return solve(lists, initial, run)

    solve = dynamic_programme.solve
    monkeypatch.setattr(dynamic_programme, "solve", no_time)
    found = ExactSearch().fit(data)

    assert found.score_ <= best <= found.bound_
    assert found.gap_ == pytest.approx(found.bound_ - found.score_)
    assert found.proof_ == f"Not proven: the best DAG may score up to {found.gap_:.4g} more."


def test_too_many_subsets_are_refused_with_the_estimate():
    data = {f"v{j:02}": column for j, column in enumerate(np.random.default_rng(0).integers(0, 2, (60, 100)))}

    with pytest.raises(
        sl.OptionError, match=r"2\^60 subsets of 60 columns need about more than a billion GiB"
    ):
        ExactSearch(solver="dp", max_parents=1).fit(data)


def test_memory_decides_between_the_solvers(monkeypatch):
    assert problem_size.choose_solver(None, 20) == "dp"
    assert problem_size.choose_solver(None, 29) == "ilp"
    monkeypatch.setattr(problem_size, "free_bytes", lambda: 2**20)
    assert problem_size.choose_solver(None, 20) == "ilp"
    monkeypatch.setattr(free_memory, "free_bytes", lambda: 2**20)
    with pytest.raises(sl.OptionError, match=r"need about 0\.1 GiB of memory, and 0\.0 GiB are free"):
        problem_size.choose_solver("dp", 23)


def test_too_many_families_are_refused_with_the_estimate(monkeypatch):
    monkeypatch.setattr(free_memory, "free_bytes", lambda: 2**20)
    limits = Limits.of(tuple(f"v{j:02}" for j in range(28)), sl.Knowledge(), 4)

    n_families = 28 * sum(math.comb(27, size) for size in range(5))
    with pytest.raises(sl.OptionError, match=f"{n_families:,} families of 28 columns need about 0.1 GiB"):
        problem_size.refuse_too_many_families("ExactSearch", limits)


def test_knowledge_that_no_finite_score_honours_is_refused():
    data = {"d": [0, 1, 0, 1, 1, 0] * 10, "x": np.linspace(0.0, 1.0, 60)}
    knowledge = sl.Knowledge(required=[("x", "d")])  # a discrete child has no continuous parents

    with pytest.raises(sl.DataError, match=r"x → d is required, and with it every DAG has the score −∞"):
        ExactSearch(knowledge=knowledge).fit(data)


def test_the_number_of_families_is_counted_before_any_is_scored():
    knowledge = sl.Knowledge(required=[("a", "b")], forbidden=[("c", "b")])
    limits = Limits.of(tuple("abcd"), knowledge, 2)

    # a, c and d: 1 + 3 + 3 sets each; b, with its required parent a: with d or without
    assert count_families(limits) == 23


def test_the_families_of_a_fit_solve_to_the_same_graph():
    data = sl.example("asia").sample(300, random_state=1)
    found = ExactSearch(score="bdeu").fit(data)

    again = ExactSearch().fit_scores(found.local_scores_)

    assert again.graph_ == found.graph_
    assert again.score_ == pytest.approx(found.score_)


def random_lists(rng, n_nodes):
    """Some parent sets of every node with random scores; the empty one need not be among them."""
    table = np.full((n_nodes, 1 << n_nodes), -np.inf)
    sets = []
    for child in range(n_nodes):
        masks = [mask for mask in range(1 << n_nodes) if not mask >> child & 1 and rng.random() < 0.4]
        members = np.full((len(masks), n_nodes - 1), -1)
        for row, mask in enumerate(masks):
            parents = [u for u in range(n_nodes) if mask >> u & 1]
            members[row, : len(parents)] = parents
        scores = rng.normal(scale=10.0, size=len(masks))
        table[child, masks] = scores
        sets.append(ScoredSets.of(members, scores))
    return LocalScores(tuple("abcde"[:n_nodes]), tuple(sets)), table


@pytest.mark.parametrize("seed", range(40))
def test_any_families_give_their_best_dag_or_are_refused_where_there_is_none(seed):
    lists, table = random_lists(np.random.default_rng(seed), 3 + seed % 3)
    best = dag_masks.best_score(table)

    if best == -np.inf:
        with pytest.raises(sl.DataError, match="No DAG has a finite score"):
            ExactSearch().fit_scores(lists)
    else:
        assert ExactSearch().fit_scores(lists).score_ == pytest.approx(best, abs=1e-9)


def test_families_can_be_forbidden_after_scoring():
    data = sl.example("asia").sample(300, random_state=1)
    lists = ExactSearch().fit(data).local_scores_
    knowledge = sl.Knowledge(forbidden=[("smoke", "bronc"), ("either", "xray")])
    limited = ExactSearch(max_parents=1, knowledge=knowledge)

    assert limited.fit_scores(lists).score_ == pytest.approx(limited.fit(data).score_)


def test_required_arcs_need_data():
    lists = ExactSearch().fit(T1).local_scores_

    with pytest.raises(sl.OptionError, match="required arcs need data"):
        ExactSearch(knowledge=sl.Knowledge(required=[("A", "B")])).fit_scores(lists)


def test_an_unknown_solver_is_refused():
    with pytest.raises(sl.OptionError, match="one of 'dp', 'ilp'"):
        ExactSearch(solver="magic").fit(T1)
