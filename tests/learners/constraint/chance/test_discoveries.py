"""Rates of false discoveries as numbers: by their definitions, with every chord in its turn."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from structlearn.learners.constraint.chance.local_fdr import NullModel, chance_p_values, discoveries

SIZES = st.lists(st.integers(0, 40).map(lambda n: n / 80), min_size=2, max_size=12)  # ties are common


def rates(p_values, share):
    """Tail and local rates of each p-value (Strimmer, 2008, with the density of Grenander, 1956)."""
    knots = sorted({0.0, 1.0, *p_values})
    at_most = {x: sum(p <= x for p in p_values) / len(p_values) for x in knots}
    bounded = {x: min(max(at_most[x], share * x), 1 - share * (1 - x)) for x in knots[1:]} | {0.0: 0.0}

    def above(x):
        """The least concave curve: the highest chord over x."""
        return max(
            bounded[a] if a == b else bounded[a] + (bounded[b] - bounded[a]) * (x - a) / (b - a)
            for a in knots
            for b in knots
            if a <= x <= b and (a == x == b or a < b)
        )

    curve = [above(x) for x in knots]
    density = {x: (curve[i] - curve[i - 1]) / (x - knots[i - 1]) for i, x in enumerate(knots) if i}
    tail = [min(1.0, share * p / curve[knots.index(p)]) for p in p_values]
    return tail, [min(1.0, share / max(density[p], share)) for p in p_values]


@given(
    sizes=SIZES, share=st.sampled_from([0.05, 0.3, 0.6, 0.9, 1.0]), freedom=st.sampled_from([4.0, 12.0, 50.0])
)
def test_both_rates_are_those_by_definition(sizes, share, freedom):
    rho = np.array(sizes)
    found = discoveries(rho, NullModel(freedom, share, 1.0))

    tail, local = rates(chance_p_values(rho, freedom).tolist(), share)

    np.testing.assert_allclose(found.q_value, tail, rtol=1e-7)
    np.testing.assert_allclose(found.local_fdr, local, rtol=1e-7)
