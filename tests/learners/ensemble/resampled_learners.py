"""Learners that misbehave on purpose, and tables, for the tests of resampling."""

import os
import signal

import numpy as np

import structlearn as sl


def collider_table(n_rows=300, seed=0):
    """a → c ← b, c → d, and e alone, of three levels each; so noisy that few resamples agree."""
    rng = np.random.default_rng(seed)
    a, b, e = rng.integers(0, 3, (3, n_rows))
    c = np.where(rng.random(n_rows) < 0.6, rng.integers(0, 3, n_rows), np.maximum(a, b))
    d = np.where(rng.random(n_rows) < 0.6, rng.integers(0, 3, n_rows), c)
    return sl.Dataset({"e": e, "d": d, "c": c, "b": b, "a": a})


class Fused(sl.HillClimbing):
    """Hill-climbing that does something else at one of its fits, counted over all copies."""

    n_fits = 0
    seen: list[dict] = []  # noqa: RUF012, shared by all copies on purpose
    fuse = None  # at which fit
    at_fuse = None  # what to do then

    @classmethod
    def arm(cls, fuse=None, at_fuse=None):
        cls.n_fits, cls.seen, cls.fuse, cls.at_fuse = 0, [], fuse, at_fuse

    def _learn(self, statistics, knowledge, run):
        kind = type(self)
        kind.n_fits += 1
        kind.seen.append(self.get_params())
        if kind.n_fits == kind.fuse:
            kind.at_fuse()
        return super()._learn(statistics, knowledge, run)


def power_cut():
    raise OSError("the power went out")


def ctrl_c():
    signal.raise_signal(signal.SIGINT)


def sudden_death():
    os.kill(os.getpid(), signal.SIGKILL)
