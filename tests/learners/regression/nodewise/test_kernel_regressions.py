"""The generalised lasso: sparse in rows, where columns of a kernel explain a target."""

import numpy as np
import pytest
from sklearn.linear_model import Lasso

from structlearn.learners.regression.nodewise.kernel_regressions import generalised_lasso


def test_the_generalised_lasso_shrinks_by_half_the_penalty_where_rows_are_alike_only_to_themselves():
    target = np.array([3.0, -0.4, 0.6, -2.0])

    found = generalised_lasso(np.eye(4), target, penalty=1.0)

    assert found == pytest.approx([2.5, 0.0, 0.1, -1.5])


def test_the_generalised_lasso_is_the_lasso_on_the_kernel():
    rng = np.random.default_rng(0)
    points, target = rng.normal(size=12), rng.normal(size=12)
    kernel = np.exp(-((points[:, None] - points) ** 2))

    found = generalised_lasso(kernel, target, penalty=0.3)

    peer = Lasso(alpha=0.3 / (2 * 12), fit_intercept=False, tol=1e-12, max_iter=10**6).fit(kernel, target)
    assert kernel @ found == pytest.approx(kernel @ peer.coef_, abs=1e-5)
