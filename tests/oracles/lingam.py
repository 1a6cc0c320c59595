"""DirectLiNGAM with loops over all pairs, and tables that have linear causes and noise of any shape."""

import math

import numpy as np

NOISES = {
    "uniform": lambda rng, shape: rng.uniform(-1.0, 1.0, shape),
    "laplace": lambda rng, shape: rng.laplace(size=shape),
    "gaussian": lambda rng, shape: rng.normal(size=shape),
}


def linear_table(rng, n_rows, n_columns, noise, probability=0.5):
    """Rows, and the effects: row i has those on column i. Arcs are there with a probability."""
    shape = (n_columns, n_columns)
    sizes = rng.uniform(0.5, 1.5, shape) * rng.choice([-1.0, 1.0], shape)
    effects = np.tril(sizes * (rng.random(shape) < probability), -1)
    mixing = np.linalg.inv(np.eye(n_columns) - effects)
    rows = NOISES[noise](rng, (n_rows, n_columns)) @ mixing.T
    names = rng.permutation(n_columns)
    return rows[:, names], effects[np.ix_(names, names)]


def is_order_of(order, effects):
    place = np.argsort(order)
    return all(place[cause] < place[effect] for effect, cause in np.argwhere(effects))


def entropy(values):
    tails = np.mean(np.log(np.cosh(values))) - 0.37457
    skew = np.mean(values * np.exp(-(values**2) / 2))
    return (1 + math.log(2 * math.pi)) / 2 - 79.047 * tails**2 - 7.4129 * skew**2


def measure(x, y):
    """R(x, y) of two columns: above 0, x comes first."""
    x, y = ((column - column.mean()) / column.std() for column in (x, y))
    rho = np.mean(x * y)
    of_x, of_y = x - rho * y, y - rho * x
    return entropy(y) + entropy(of_x / of_x.std()) - entropy(x) - entropy(of_y / of_y.std())


def direct_order(rows):
    """The order by every pair at every step."""
    columns = dict(enumerate(rows.T))
    order = []
    while columns:
        against = {
            i: sum(min(0.0, measure(x, y)) ** 2 for j, y in columns.items() if j != i)
            for i, x in columns.items()
        }
        first = min(against, key=against.get)
        order.append(first)
        x = columns.pop(first)
        columns = {j: y - np.cov(x, y)[0, 1] / x.var(ddof=1) * x for j, y in columns.items()}
    return order
