"""Bootstrap confidence: shares by hand, thresholds by definition, checkpoints, interruptions."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path

import joblib
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

import structlearn as sl
from structlearn.learners import rows_in_order
from structlearn.learners.ensemble import checkpoints
from structlearn.learners.ensemble.confidence import PairConfidence
from structlearn.learners.ensemble.consensus import consensus_of, estimated_threshold
from structlearn.learners.ensemble.edge_confidence import EdgeConfidence
from structlearn.scores import AIC
from structlearn.scores.all_families import MOST_COLUMNS
from structlearn.search.parity import ParityCheck
from tests.learners.ensemble.resampled_learners import Fused, collider_table, ctrl_c, power_cut

TABLE = collider_table()


def with_copies(rng, n_rows):
    return rng.integers(n_rows, size=n_rows)


def without_copies(rng, n_rows):
    """As many rows as a bootstrap has different ones: each is in it with probability 1 − 1/e."""
    return rng.permutation(n_rows)[: int(np.ceil((1.0 - np.exp(-1.0)) * n_rows))]


def graphs_by_hand(learner, n_resamples, seed, table=TABLE, draw=with_copies):
    """What the learner says of each table that is drawn, in a plain loop."""
    for number in range(n_resamples):
        source = np.random.SeedSequence(seed, spawn_key=(number,))
        rows = draw(np.random.default_rng(source), table.n_rows)
        yield clone(learner).fit(table.take(rows)).graph_


def shares_by_hand(graphs, names):
    """For each pair that has an edge, the shares of (→, ←, —)."""
    graphs = list(graphs)
    shares = {}
    for a, b in combinations(names, 2):
        found = Counter(
            "line" if edge.kind == "undirected" else edge.source
            for graph in graphs
            if (edge := graph.edge(a, b) or graph.edge(b, a))
        )
        if found:
            shares[a, b] = tuple(found[way] / len(graphs) for way in (a, b, "line"))
    return shares


def shares_of(learner):
    return {pair: (c.forward, c.backward, c.undirected) for pair, c in learner.confidence_.items()}


@pytest.fixture(autouse=True)
def disarmed():
    Fused.arm()


class TestShares:
    def test_directions_are_counted_on_the_classes_of_the_dags(self):
        found = EdgeConfidence(sl.HillClimbing(shakes=0), n_resamples=12, random_state=7).fit(TABLE)

        classes = [graph.to_cpdag() for graph in graphs_by_hand(sl.HillClimbing(shakes=0), 12, seed=7)]
        assert shares_of(found) == shares_by_hand(classes, TABLE.names)
        assert found.trace_["edges"].tolist() == [len(graph.edges) for graph in classes]
        assert found.n_resamples_ == 12

    def test_directions_are_counted_as_they_are_if_asked(self):
        found = EdgeConfidence(sl.HillClimbing(shakes=0), n_resamples=12, directions="graph", random_state=7)

        by_hand = shares_by_hand(graphs_by_hand(sl.HillClimbing(shakes=0), 12, seed=7), TABLE.names)
        assert shares_of(found.fit(TABLE)) == by_hand

    def test_partly_directed_and_undirected_graphs_are_counted_as_they_are(self):
        for learner in (sl.PC(), sl.LowOrderGraph()):
            found = EdgeConfidence(learner, n_resamples=5, random_state=1).fit(TABLE)
            by_hand = graphs_by_hand(learner, 5, seed=1, draw=without_copies)
            assert shares_of(found) == shares_by_hand(by_hand, TABLE.names)

    def test_an_undirected_edge_counts_half_in_the_direction(self):
        # By hand: of 8 resamples with the edge, 3 say a → b, 1 says b → a and 4 do not say.
        assert PairConfidence(0.3, 0.1, 0.4, 0.8).direction == pytest.approx((3 + 4 / 2) / 8)

    def test_every_share_of_an_edge_adds_up(self):
        found = EdgeConfidence(sl.PC(), n_resamples=10, random_state=3).fit(TABLE)

        for shares in found.confidence_.values():
            assert shares.edge == pytest.approx(shares.forward + shares.backward + shares.undirected)
            assert 0 < shares.edge <= 1

    def test_an_edge_of_the_graph_carries_its_share(self):
        found = EdgeConfidence(sl.HillClimbing(), n_resamples=10, random_state=0).fit(TABLE)

        assert found.graph_.edges
        for edge in found.graph_.edges:
            pair = (edge.source, edge.target)
            shares = found.confidence_.get(pair) or found.confidence_[pair[::-1]]
            assert edge.confidence == shares.edge == found.evidence_[pair].confidence

    def test_the_truth_is_found_in_a_large_table(self):
        model = sl.example("earthquake")
        data = model.sample(20_000, random_state=0)

        found = EdgeConfidence(sl.HillClimbing(), n_resamples=10, random_state=0).fit(data)

        assert found.graph_ == model.graph.to_cpdag()


class TestTheSameAnswer:
    @pytest.mark.parametrize("n_jobs", [2, -1])
    def test_whatever_the_number_of_workers(self, n_jobs):
        learner = sl.HillClimbing(restarts=2, perturb=3)
        one, more = (
            EdgeConfidence(learner, n_resamples=8, random_state=5, n_jobs=n).fit(TABLE) for n in (1, n_jobs)
        )

        assert one.confidence_ == more.confidence_
        assert one.graph_.edges == more.graph_.edges

    @pytest.mark.slow
    @pytest.mark.parametrize("backend", ["loky", "multiprocessing"])
    def test_in_processes_that_the_user_chose(self, backend):
        ensemble = EdgeConfidence(sl.HillClimbing(), n_resamples=6, random_state=5)
        here = clone(ensemble).fit(TABLE)

        with joblib.parallel_config(backend=backend, n_jobs=2):
            elsewhere = ensemble.fit(TABLE)

        assert elsewhere.confidence_ == here.confidence_

    def test_whatever_the_order_of_the_columns(self):
        ensemble = EdgeConfidence(sl.HillClimbing(), n_resamples=8, consensus="dag", random_state=5)
        expected = clone(ensemble).fit(TABLE)

        found = ensemble.fit(TABLE.select("badce"))

        assert found.graph_ == expected.graph_
        assert {frozenset(pair): shares.edge for pair, shares in found.confidence_.items()} == {
            frozenset(pair): shares.edge for pair, shares in expected.confidence_.items()
        }

    def test_each_resample_gives_the_learner_one_thread_and_a_seed_of_its_own(self):
        learner = Fused(n_jobs=2, progress=True, random_state=3)
        EdgeConfidence(learner, n_resamples=5, random_state=0).fit(TABLE)

        assert {(options["n_jobs"], options["progress"]) for options in Fused.seen} == {(1, False)}
        assert len({options["random_state"] for options in Fused.seen}) == 5
        assert (learner.n_jobs, learner.random_state) == (2, 3)
        assert not hasattr(learner, "graph_")


class TestKnowledge:
    def test_a_required_arrow_is_in_every_resample_and_a_forbidden_one_in_none(self):
        knowledge = sl.Knowledge(required=[("d", "e")], forbidden=[("a", "c"), ("c", "a")])

        found = EdgeConfidence(sl.HillClimbing(knowledge=knowledge), n_resamples=10, random_state=0).fit(
            TABLE
        )

        required = found.confidence_["e", "d"]
        assert (required.edge, required.backward) == (1.0, 1.0)
        assert ("c", "a") not in found.confidence_
        assert knowledge.violations(found.graph_) == []

    def test_tiers_direct_what_the_data_leave_open(self):
        tiers = sl.Knowledge(tiers=[["d"], ["c"]])
        table = TABLE.select("cd")

        free = EdgeConfidence(sl.HillClimbing(), n_resamples=5, random_state=0).fit(table)
        tiered = EdgeConfidence(sl.HillClimbing(knowledge=tiers), n_resamples=5, random_state=0).fit(table)

        assert free.confidence_["c", "d"].undirected == 1.0
        assert tiered.confidence_["c", "d"].backward == 1.0
        assert tiered.graph_.directed == (("d", "c"),)

    def test_an_arrow_that_is_known_directs_what_follows_from_it(self):
        # In a chain x — y — z the known x → y leaves y → z only: y ← z would be a new collider.
        rng = np.random.default_rng(0)
        x = rng.normal(size=400)
        y = x + rng.normal(size=400)
        table = {"x": x, "y": y, "z": y + rng.normal(size=400)}
        learner = sl.HillClimbing(knowledge=sl.Knowledge(required=[("x", "y")]))

        found = EdgeConfidence(learner, n_resamples=5, random_state=0).fit(table)

        assert found.confidence_["y", "z"].forward == 1.0


class TestFewRows:
    @pytest.mark.parametrize(
        "learner", [sl.HillClimbing(), sl.PC()], ids=lambda learner: type(learner).__name__
    )
    @pytest.mark.parametrize(("n_rows", "n_columns"), [(10, 8), (40, 20), (100, 20), (40, 34)])
    def test_noise_has_hardly_an_edge_of_which_resamples_are_sure(self, learner, n_rows, n_columns):
        noise = np.random.default_rng(0).normal(size=(n_rows, n_columns))
        found = EdgeConfidence(learner, n_resamples=20, random_state=0).fit(noise)
        assert len(found.graph_.edges) <= 3

    def test_no_row_is_drawn_twice(self):
        table = TABLE.take(np.arange(9 * len(TABLE.names)))
        found = EdgeConfidence(sl.HillClimbing(shakes=0), n_resamples=3, random_state=7).fit(table)
        n_drawn = 29  # of 45 × (1 − 1 / e), rounded up
        graphs = []
        for number in range(3):
            source = np.random.SeedSequence(7, spawn_key=(number,))
            rows = np.random.default_rng(source).permutation(table.n_rows)[:n_drawn]
            graphs.append(sl.HillClimbing(shakes=0).fit(table.take(rows)).graph_.to_cpdag())
        assert shares_of(found) == shares_by_hand(graphs, table.names)


def significant_by_definition(shares):
    """The significant shares for every t that is nearest in L1 (Scutari and Nagarajan 2013)."""
    knots = sorted({Fraction(0), *shares, Fraction(1)})

    def cdf(x):
        return Fraction(sum(share <= x for share in shares), len(shares))

    def distance(t):
        return sum((high - low) * abs(cdf(low) - t) for low, high in pairwise(knots))

    levels = [Fraction(0), *(cdf(share) for share in shares)]
    nearest = min(map(distance, levels))
    for t in {level for level in levels if distance(level) == nearest}:
        quantile = min((share for share in shares if cdf(share) >= t), default=-1) if t else -1
        yield sorted(share for share in shares if share > quantile)


class TestThreshold:
    @given(st.lists(st.integers(0, 10), min_size=1, max_size=12), st.integers(1, 10))
    def test_the_estimate_is_nearest_to_a_sure_answer(self, counts, n_resamples):
        shares = [Fraction(min(count, n_resamples), n_resamples) for count in counts]
        confidence = {
            ("a", str(i)): PairConfidence(0.0, 0.0, float(share), float(share))
            for i, share in enumerate(shares)
            if share
        }

        threshold = estimated_threshold(confidence)

        assert sorted(share for share in shares if float(share) >= threshold) in list(
            significant_by_definition(shares)
        )

    def test_a_chosen_threshold_is_reached_or_passed(self):
        found = EdgeConfidence(sl.HillClimbing(), n_resamples=10, random_state=0).fit(TABLE)
        middle = sorted(shares.edge for shares in found.confidence_.values())[1]

        again = found.set_params(threshold=middle).fit(TABLE)

        kept = {pair for pair, shares in again.confidence_.items() if shares.edge >= middle}
        assert {frozenset(pair) for pair in kept} == {
            frozenset((edge.source, edge.target)) for edge in again.graph_.edges
        }
        assert again.threshold_ == middle

    def test_without_any_edge_there_is_an_empty_graph(self):
        rng = np.random.default_rng(0)
        found = EdgeConfidence(sl.HillClimbing(), n_resamples=3, threshold=1.0, random_state=0)

        found.fit({"a": rng.integers(0, 2, 500), "b": rng.integers(0, 2, 500)})

        assert found.graph_ == sl.Graph("ab")


def sure(forward=0.0, backward=0.0, undirected=0.0):
    return PairConfidence(forward, backward, undirected, forward + backward + undirected)


SHARES = st.tuples(*[st.integers(0, 4)] * 3).filter(any)
CONFIDENCES = st.dictionaries(st.sampled_from(list(combinations("abcde", 2))), SHARES).map(
    lambda found: {pair: sure(*(count / 12 for count in counts)) for pair, counts in found.items()}
)


class TestConsensus:
    cycle = {("a", "b"): sure(0.9), ("b", "c"): sure(0.8), ("a", "c"): sure(backward=0.7)}  # noqa: RUF012

    def test_the_weakest_arrow_of_a_cycle_is_left_out_of_a_dag_and_reported(self):
        graph, cyclic = consensus_of("abc", self.cycle, 0.5, kind="dag")

        assert graph == sl.Graph("abc", directed=[("a", "b"), ("b", "c")])
        assert cyclic == (("c", "a"),)

    def test_the_weakest_arrow_of_a_cycle_loses_its_direction_in_a_partial_graph(self):
        graph, cyclic = consensus_of("abc", self.cycle, 0.5)

        assert graph == sl.Graph("abc", directed=[("a", "b"), ("b", "c")], undirected=[("a", "c")])
        assert cyclic == (("c", "a"),)

    def test_an_arrow_from_a_node_to_itself_is_no_cycle_that_could_be_broken(self):
        loop = {
            ("a", "a"): PairConfidence(0.8, 0.0, 0.0, 0.8),
            ("a", "b"): PairConfidence(0.9, 0.0, 0.0, 0.9),
        }
        graph, cyclic = consensus_of("ab", loop, 0.5)
        assert set(graph.directed) == {("a", "a"), ("a", "b")}
        assert cyclic == ()
        graph, cyclic = consensus_of("ab", loop, 0.5, kind="dag")
        assert set(graph.directed) == {("a", "b")}
        assert cyclic == (("a", "a"),)

    def test_a_direction_needs_more_than_half_of_the_resamples_with_the_edge(self):
        confidence = {("a", "b"): sure(0.4, 0.2, 0.2), ("b", "c"): sure(0.5, 0.2, 0.2)}

        graph, _ = consensus_of("abc", confidence, 0.5)

        assert graph == sl.Graph("abc", directed=[("b", "c")], undirected=[("a", "b")])

    def test_a_dag_directs_a_chain_without_a_new_collider(self):
        confidence = {("a", "c"): sure(undirected=0.9), ("b", "c"): sure(undirected=0.8)}

        graph, _ = consensus_of("abc", confidence, 0.5, kind="dag")

        assert graph.is_dag
        assert graph.v_structures() == ()

    def test_a_square_of_lines_becomes_a_dag_though_a_collider_is_new(self):
        lines = {pair: sure(undirected=0.9) for pair in [("a", "b"), ("b", "c"), ("c", "d"), ("a", "d")]}

        graph, cyclic = consensus_of("abcd", lines, 0.5, kind="dag")

        assert graph.is_dag
        assert len(graph.edges) == 4
        assert {edge.confidence for edge in graph.edges} == {0.9}
        assert cyclic == ()

    @given(confidence=CONFIDENCES, threshold=st.sampled_from([0.1, 0.5, 0.9]))
    def test_no_cycle_and_no_edge_but_those_that_reach_the_threshold(self, confidence, threshold):
        wanted = {frozenset(pair) for pair, shares in confidence.items() if shares.edge >= threshold}

        partial, cyclic = consensus_of("abcde", confidence, threshold)
        dag, skipped = consensus_of("abcde", confidence, threshold, kind="dag")

        assert cyclic == skipped
        assert sl.Graph("abcde", directed=partial.directed).is_dag
        assert joined(partial) == wanted
        assert dag.is_dag
        assert joined(dag) == wanted - {frozenset(pair) for pair in skipped}
        assert set(partial.directed) <= set(dag.directed)


def joined(graph):
    return {frozenset((edge.source, edge.target)) for edge in graph.edges}


def test_a_dag_is_given_where_it_is_asked_for():
    found = EdgeConfidence(sl.HillClimbing(), n_resamples=10, consensus="dag", random_state=0).fit(TABLE)

    assert found.graph_.is_dag
    assert found.graph_.edges


class TestCheckpoint:
    def test_a_killed_run_goes_on_where_it_stopped(self, tmp_path):
        path = tmp_path / "resamples"
        ensemble = EdgeConfidence(Fused(), n_resamples=9, checkpoint=path, random_state=2)
        expected = clone(ensemble).set_params(checkpoint=None).fit(TABLE)

        Fused.arm(fuse=5, at_fuse=power_cut)
        with pytest.raises(OSError, match="power"):
            clone(ensemble).fit(TABLE)
        Fused.arm()
        resumed = ensemble.fit(TABLE)

        assert Fused.n_fits == 9 - 4
        assert resumed.confidence_ == expected.confidence_
        assert resumed.graph_.edges == expected.graph_.edges
        assert list(tmp_path.iterdir()) == [path]

    def test_a_killed_process_leaves_what_it_had_done(self, tmp_path):
        path = tmp_path / "resamples"
        code = (
            "from tests.learners.ensemble.resampled_learners import *\n"
            "from structlearn.learners.ensemble import checkpoints\n"
            "from structlearn.learners.ensemble.edge_confidence import EdgeConfidence\n"
            "checkpoints.SECONDS_BETWEEN_WRITES = 0.0\n"
            "Fused.arm(fuse=4, at_fuse=sudden_death)\n"
            f"EdgeConfidence(Fused(), n_resamples=6, checkpoint={str(path)!r}, random_state=2)"
            ".fit(collider_table())\n"
        )
        died = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[3], check=False)
        assert died.returncode == -signal.SIGKILL

        Fused.arm()
        resumed = EdgeConfidence(Fused(), n_resamples=6, checkpoint=path, random_state=2).fit(TABLE)

        assert Fused.n_fits == 6 - 3
        plain = EdgeConfidence(Fused(), n_resamples=6, random_state=2).fit(TABLE)
        assert resumed.confidence_ == plain.confidence_

    def test_more_or_fewer_resamples_can_be_asked_for_later(self, tmp_path):
        ensemble = EdgeConfidence(Fused(), random_state=2, checkpoint=tmp_path / "resamples")
        expected = {
            n: clone(ensemble).set_params(n_resamples=n, checkpoint=None).fit(TABLE).confidence_
            for n in (3, 4, 8)
        }
        Fused.arm()

        for n in (4, 8, 3):
            assert ensemble.set_params(n_resamples=n).fit(TABLE).confidence_ == expected[n]
        assert Fused.n_fits == 8

    def test_a_seed_that_nobody_gave_is_in_the_file(self, tmp_path):
        first, second = tmp_path / "first", tmp_path / "second"
        ensemble = EdgeConfidence(sl.HillClimbing(), n_resamples=3)
        ensemble.set_params(checkpoint=first).fit(TABLE)
        shutil.copy(first, second)

        one, other = (
            clone(ensemble).set_params(n_resamples=8, checkpoint=path).fit(TABLE) for path in (first, second)
        )

        assert one.confidence_ == other.confidence_

    @pytest.mark.parametrize(
        ("change", "table", "what"),
        [
            ({}, collider_table(seed=1), "table"),
            ({}, TABLE.select("abcde"), "table"),
            ({}, sl.Dataset(TABLE, weights=np.ones(300)), "table"),
            ({"learner__score": "bdeu"}, TABLE, r"learner: there .*score=None.*here .*'bdeu'"),
            ({"learner__knowledge": sl.Knowledge(required=[("a", "b")])}, TABLE, "learner"),
            ({"learner__initial": sl.Graph("abcde", directed=[("a", "b")])}, TABLE, "learner"),
            ({"learner": sl.PC()}, TABLE, "learner"),
            ({"directions": "graph"}, TABLE, "way of counting directions"),
            ({"random_state": 3}, TABLE, "random_state: there 2, here 3"),
        ],
    )
    def test_resamples_of_something_else_are_refused(self, tmp_path, change, table, what):
        path = tmp_path / "resamples"
        ensemble = EdgeConfidence(sl.HillClimbing(), n_resamples=2, random_state=2, checkpoint=path)
        ensemble.fit(TABLE)
        before = path.read_bytes()

        with pytest.raises(sl.DataError, match=rf"resamples holds resamples of another {what}.*Delete it"):
            ensemble.set_params(**change).fit(table)

        assert path.read_bytes() == before

    def test_what_cannot_change_a_resample_may_change(self, tmp_path):
        ensemble = EdgeConfidence(
            sl.HillClimbing(), n_resamples=2, random_state=2, checkpoint=str(tmp_path / "resamples")
        )
        first = ensemble.fit(TABLE).confidence_

        ensemble.set_params(n_jobs=2, threshold=0.9, consensus="dag", learner__n_jobs=2, progress=False)

        assert ensemble.fit(TABLE).confidence_ == first

    @pytest.mark.parametrize(
        "damage",
        [
            lambda content: content[: len(content) // 2],
            lambda content: content[:200] + bytes(50) + content[250:],
            lambda _: b"",
            lambda _: b"not a checkpoint",
            lambda _: b"\x80\x04N.",  # a pickle of None
        ],
        ids=["cut", "overwritten", "empty", "text", "pickle"],
    )
    def test_a_damaged_file_is_refused_and_left_alone(self, tmp_path, damage):
        path = tmp_path / "resamples"
        ensemble = EdgeConfidence(sl.HillClimbing(), n_resamples=2, random_state=2, checkpoint=path)
        damaged = damage(ensemble.fit(TABLE) and path.read_bytes())
        path.write_bytes(damaged)

        with pytest.raises(sl.DataError, match=r"no checkpoint of resamples, or it is damaged .*Delete it"):
            ensemble.fit(TABLE)

        assert path.read_bytes() == damaged

    def test_arrays_of_another_program_are_refused(self, tmp_path):
        path = tmp_path / "resamples.npz"
        np.savez(path, weights=np.arange(3))

        with pytest.raises(sl.DataError, match="no checkpoint of resamples"):
            EdgeConfidence(sl.HillClimbing(), checkpoint=path).fit(TABLE)

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="only Unix has pipes in folders")
    def test_a_pipe_a_device_or_a_folder_is_refused_before_it_is_read(self, tmp_path):
        os.mkfifo(tmp_path / "pipe")

        for path in (tmp_path / "pipe", tmp_path, Path(os.devnull)):
            with pytest.raises(sl.DataError, match="is not a regular file"):
                EdgeConfidence(Fused(), checkpoint=path).fit(TABLE)

    def test_a_path_that_cannot_be_written_is_refused_before_any_work(self, tmp_path):
        with pytest.raises(sl.DataError, match="cannot be written: No such file or directory"):
            EdgeConfidence(Fused(), checkpoint=tmp_path / "nowhere" / "resamples").fit(TABLE)

        assert Fused.n_fits == 0

    def test_a_file_is_not_written_more_often_than_once_a_second(self, tmp_path, monkeypatch):
        writes = []
        monkeypatch.setattr(checkpoints, "write_whole", lambda path, _: writes.append(path))
        started = time.monotonic()

        EdgeConfidence(sl.HillClimbing(), n_resamples=20, checkpoint=tmp_path / "x", random_state=0).fit(
            TABLE
        )

        at_start_and_end = 2
        assert len(writes) <= at_start_and_end + time.monotonic() - started


class TestStopping:
    def test_a_time_limit_gives_the_resamples_done_so_far_and_says_so(self):
        found = EdgeConfidence(Fused(), n_resamples=50, time_limit=1e-9, random_state=0).fit(TABLE)

        assert found.n_resamples_ == Fused.n_fits == 1
        assert found.status_ == "Stopped at time_limit: this is the result of 1 of 50 resamples."

    @pytest.mark.parametrize("n_jobs", [1, 2])
    def test_ctrl_c_gives_the_resamples_done_so_far_and_says_so(self, n_jobs):
        handler = signal.getsignal(signal.SIGINT)
        expected = shares_by_hand(
            (graph.to_cpdag() for graph in graphs_by_hand(sl.HillClimbing(shakes=0), 3, seed=0)), TABLE.names
        )

        Fused.arm(fuse=4, at_fuse=ctrl_c)
        found = EdgeConfidence(Fused(), n_resamples=500, n_jobs=n_jobs, random_state=0).fit(TABLE)

        # Those that were under way on other threads are stopped too, and not counted.
        assert 4 - n_jobs <= found.n_resamples_ < 500
        assert found.status_ == f"Interrupted: this is the result of {found.n_resamples_} of 500 resamples."
        assert signal.getsignal(signal.SIGINT) is handler
        if n_jobs == 1:
            assert shares_of(found) == expected

    def test_ctrl_c_before_any_resample_is_done_is_an_interrupt(self):
        Fused.arm(fuse=1, at_fuse=ctrl_c)

        with pytest.raises(KeyboardInterrupt):
            EdgeConfidence(Fused(), n_resamples=5, random_state=0).fit(TABLE)

    def test_an_interrupted_run_can_be_resumed(self, tmp_path):
        ensemble = EdgeConfidence(Fused(), n_resamples=6, checkpoint=tmp_path / "resamples", random_state=0)
        expected = clone(ensemble).set_params(checkpoint=None).fit(TABLE)
        Fused.arm(fuse=3, at_fuse=ctrl_c)
        assert ensemble.fit(TABLE).n_resamples_ == 2

        Fused.arm()
        ensemble.fit(TABLE)

        assert Fused.n_fits == 4
        assert ensemble.confidence_ == expected.confidence_
        assert ensemble.status_ == "The method ran to its end."


class TestRefusals:
    def test_what_is_no_learner(self):
        with pytest.raises(sl.OptionError, match=r"learner='pc'\): learner is .* a Learner"):
            EdgeConfidence("pc").fit(TABLE)

    def test_wrong_options_of_both(self):
        with pytest.raises(sl.OptionError, match=r"EdgeConfidence\(n_resamples=0\)"):
            EdgeConfidence(sl.PC(), n_resamples=0).fit(TABLE)
        with pytest.raises(sl.OptionError, match=r"EdgeConfidence\(threshold=2\)"):
            EdgeConfidence(sl.PC(), threshold=2).fit(TABLE)
        with pytest.raises(sl.OptionError, match=r"^PC\(alpha=7\)"):
            EdgeConfidence(sl.PC(alpha=7)).fit(TABLE)
        with pytest.raises(sl.OptionError, match="no column 'nobody'"):
            EdgeConfidence(sl.PC(knowledge=sl.Knowledge(required=[("a", "nobody")]))).fit(TABLE)

    def test_an_oracle_and_missing_values(self):
        with pytest.raises(sl.DataError, match="needs data to draw rows from"):
            EdgeConfidence(sl.PC()).fit(sl.Oracle(sl.Graph("ab")))
        gappy = {"a": [0, 1, None, 1] * 20, "b": [0, 1, 0, 1] * 19 + [1, 1, 0, 1]}
        with pytest.raises(sl.DataError, match=r"EdgeConfidence needs complete data.*'a'"):
            EdgeConfidence(sl.PC()).fit(gappy)

        found = EdgeConfidence(sl.PC(missing="drop"), n_resamples=3, random_state=0).fit(gappy)
        assert found.confidence_["a", "b"].edge == 1.0

    def test_a_resample_that_cannot_be_learnt_from_is_named(self):
        rng = np.random.default_rng(0)
        table = {f"c{j:02}": rng.normal(size=40) for j in range(34)}

        with pytest.raises(
            sl.DataError, match=r"resample 0, with \d\d different rows of 40, cannot .*more different rows"
        ):
            EdgeConfidence(sl.ICALiNGAM(), n_resamples=5, random_state=0).fit(table)


def test_a_column_that_is_constant_in_some_resamples_only_is_no_warning():
    rare = np.zeros(60, dtype=int)
    rare[0] = 1
    table = {"rare": rare, "a": np.arange(60) % 2, "b": np.arange(60) % 3 % 2}

    found = EdgeConfidence(sl.HillClimbing(), n_resamples=20, n_jobs=2, random_state=0).fit(table)

    assert found.n_resamples_ == 20


@pytest.mark.parametrize(
    "learner", [sl.PC(), sl.GrowShrink(), sl.HillClimbing(score="aic"), sl.HillClimbing(score=AIC())]
)
def test_copies_of_rows_are_not_taken_for_dependence_however_many_rows_there_are(learner):
    # With copies a likelihood ratio of 25 degrees of freedom is 50 on average in noise.
    codes = np.random.default_rng(0).integers(0, 6, (2000, 5))

    found = EdgeConfidence(learner, n_resamples=10, random_state=0).fit(
        {f"c{j}": [f"s{code}" for code in column] for j, column in enumerate(codes.T)}
    )

    assert len(found.graph_.edges) <= 1


def test_a_constant_column_is_warned_of_once():
    table = TABLE.to_dict() | {"same": np.zeros(300, dtype=int)}

    with pytest.warns(sl.DataWarning, match="EdgeConfidence: column 'same' has a single value") as said:
        EdgeConfidence(sl.HillClimbing(), n_resamples=5, random_state=0).fit(table)

    assert len(said) == 1


def test_weights_that_are_not_whole_go_with_their_rows():
    weights = np.random.default_rng(0).integers(0, 3, TABLE.n_rows) + 0.25
    weighted = sl.Dataset(TABLE, weights=weights)

    found = EdgeConfidence(sl.HillClimbing(shakes=0), n_resamples=5, random_state=4).fit(weighted)

    classes = (
        graph.to_cpdag() for graph in graphs_by_hand(sl.HillClimbing(shakes=0), 5, seed=4, table=weighted)
    )
    assert shares_of(found) == shares_by_hand(classes, TABLE.names)


def test_a_table_of_counts_has_the_shares_of_its_rows():
    counts = {(0, 0): 150, (1, 1): 150, (0, 1): 100, (1, 0): 100}
    cells = np.array([(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)])
    weights = np.array([counts[a, b] for a, b, _ in cells.tolist()])
    table = dict(zip("abc", cells.T, strict=True))
    learner = EdgeConfidence(sl.HillClimbing(), n_resamples=40, random_state=0)

    found = learner.fit(sl.Dataset(table, weights=weights))
    of_rows = learner.fit({name: np.repeat(column, weights) for name, column in table.items()})

    assert [str(edge) for edge in found.graph_.edges] == ["a — b"]
    assert found.confidence_["a", "b"].edge == of_rows.confidence_["a", "b"].edge == 1.0
    for pair in [("a", "c"), ("b", "c")]:
        here, there = (
            one.confidence_[pair].edge if pair in one.confidence_ else 0.0 for one in (found, of_rows)
        )
        assert abs(here - there) < 4 * np.sqrt(0.5 / 40)  # four deviations of their difference, at most


def test_it_is_a_scikit_learn_estimator_with_the_learner_inside():
    ensemble = EdgeConfidence(sl.HillClimbing(), n_resamples=3, random_state=0)

    assert ensemble.get_params()["learner__score"] is None
    ensemble.set_params(learner__score="bdeu")
    assert clone(ensemble).learner.score == "bdeu"
    assert ensemble.fit(TABLE.to_dict()).feature_names_in_.tolist() == list(TABLE.names)
    assert ensemble.n_features_in_ == 5
    assert ensemble.seconds_ > 0


def test_other_thresholds_are_answered_without_learning_again():
    data = sl.example("cancer").sample(500, random_state=1)
    options = {"n_resamples": 12, "random_state": 0}
    learner = EdgeConfidence(sl.HillClimbing(), **options).fit(data)
    assert learner.averaged() == learner.graph_
    for threshold in (0.1, 0.4, 1.0):
        again = EdgeConfidence(sl.HillClimbing(), n_resamples=12, random_state=0, threshold=threshold).fit(
            data
        )
        assert learner.averaged(threshold) == again.graph_
        assert learner.averaged(threshold).nodes == again.graph_.nodes
    assert learner.averaged(0.1, consensus="dag").is_dag


def test_an_average_is_refused_before_fit_and_beyond_one():
    with pytest.raises(sl.DataError, match="call fit first"):
        EdgeConfidence(sl.HillClimbing()).averaged()
    with pytest.raises(sl.OptionError, match="a number from 0 to 1"):
        EdgeConfidence(sl.HillClimbing()).averaged(1.5)


def test_resamples_are_not_searched_for_what_would_only_be_said(monkeypatch):
    def scan(check, *_):
        sizes.append(check._size)
        return check.no_scan()

    monkeypatch.setattr(ParityCheck, "scan", scan)
    beyond_few_columns = np.random.default_rng(0).integers(2, size=(100, MOST_COLUMNS + 1))
    looked_for = []
    for learner in (sl.HillClimbing(), sl.BOSS()):
        sizes = []
        EdgeConfidence(learner, n_resamples=2, random_state=0).fit(beyond_few_columns)
        assert learner.check_parity == 3
        looked_for.append(set(sizes))

    # What BOSS finds it puts into the graph, so that it goes on looking.
    assert looked_for == [{0}, {3}]


@pytest.mark.parametrize(("told", "used"), [(None, 1), (100, 100), (30, 30), (4, 4), (0, 0)])
def test_a_climb_on_a_resample_is_shaken_as_told_or_once_in_vain(told, used, monkeypatch):
    seen = []
    search = sl.HillClimbing._search
    monkeypatch.setattr(
        sl.HillClimbing, "_search", lambda self, space: seen.append(self.shakes) or search(self, space)
    )
    learner = sl.HillClimbing(shakes=told)
    EdgeConfidence(learner, n_resamples=2, random_state=0).fit(TABLE)

    assert seen == [used, used]
    assert learner.shakes == told


def test_only_the_table_is_looked_at_for_an_order_of_its_rows(monkeypatch):
    looks, look = [], rows_in_order.runs_test
    monkeypatch.setattr(rows_in_order, "runs_test", lambda *rows: looks.append(len(rows[0])) or look(*rows))
    data = sl.Dataset({"a": ["x", "y", "y"] * 20, "b": ["u", "u", "v", "v"] * 15})

    found = sl.EdgeConfidence(sl.HillClimbing(), n_resamples=3, random_state=0).fit(data)

    assert found.n_resamples_ == 3
    assert looks == [60]


@pytest.mark.parametrize("inner", [sl.HillClimbing(), sl.BOSS(), sl.HillClimbing(score="aic")], ids=str)
def test_why_scores_by_what_the_learner_inside_maximises(inner):
    rng = np.random.default_rng(0)
    columns = rng.normal(size=(16, 30))  # so many columns for the rows that the usual score has another form
    columns[1] += 2.0 * columns[0]
    data = {f"v{i}": column for i, column in enumerate(columns)}
    known = sl.Knowledge(tiers=[list(data)[:1], list(data)[1:2], list(data)[2:]])
    inner = clone(inner).set_params(knowledge=known)

    alone = clone(inner).fit(data).graph_
    found = sl.EdgeConfidence(inner, n_resamples=2, random_state=0).fit(data).graph_
    said, again = (
        [each for each in graph.why("v0", "v1", data=data).sentences if "changes the score" in each]
        for graph in (alone, alone.with_record(found.record))
    )
    assert said
    assert said == again
