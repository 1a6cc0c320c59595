"""Small matrices are worked on by one thread, and afterwards all is as before."""

import scipy.linalg  # noqa: F401, its library has threads of its own, from when it is loaded
from threadpoolctl import threadpool_info, threadpool_limits

from structlearn.numerics.blas_threads import LARGE, threads_for


def blas_threads():
    return {pool["filepath"]: pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


def test_small_matrices_have_one_thread_and_large_ones_as_many_as_before():
    with threadpool_limits(2, user_api="blas"):
        before = blas_threads()
        assert 2 in before.values()  # other libraries bring copies that always have one
        with threads_for(LARGE - 1):
            assert set(blas_threads().values()) == {1}
        assert blas_threads() == before
        with threads_for(LARGE):
            assert blas_threads() == before
        assert blas_threads() == before
