"""Questions that several libraries answer."""

import numpy as np


def random_questions(model, n, seed):
    """A node and the states of up to five others in a row drawn from the network."""
    rng = np.random.default_rng(seed)
    rows = model.sample(n, random_state=seed).to_dict()
    for k in range(n):
        name, *others = rng.permutation(list(model.nodes))[: rng.integers(1, 7)].tolist()
        yield name, {other: rows[other][k] for other in others}
