"""Means over related rows are the same in any order of the rows, and equal ones are one number."""

from fractions import Fraction

import numpy as np
import pytest

import structlearn as sl
from structlearn.data.relational import SchemaOptions, features_of, opened_database, read_schema
from structlearn.data.relational.skeleton import Skeleton
from structlearn.models.relational.sight import Sight
from structlearn.statistics.relational import ClassView
from tests.relational.databases import MAKERS, inserted

N_CLIENTS = 40
SHOP = [
    "CREATE TABLE client (id INTEGER PRIMARY KEY, rich VARCHAR(9))",
    "CREATE TABLE buy (id INTEGER PRIMARY KEY, client INTEGER REFERENCES client (id), "
    "price DOUBLE PRECISION)",
    "CREATE TABLE part (buy INTEGER REFERENCES buy (id), weight DOUBLE PRECISION)",
]
SAME_SUMS = {
    "decimals": ["0.1 0.2 0.3 0.7 1.1 1.3", "0.3 0.3 0.3 0.7 0.8 1.3"],
    "nothing is left": ["0.1 0.2 -0.3 0.6 -0.6 0", "0.7 -0.7 0.1 0.2 -0.1 -0.2"],
    "a mark for none": ["0.1 0.2 0.3 0.7 1.1 999999999", "999999999 0.3 0.3 0.3 0.4 1.1"],
    "large": ["1e12 2e12 3e12 7e12 11e12 13e12", "3e12 3e12 3e12 7e12 8e12 13e12"],
    "tiny": ["1e-12 2e-12 3e-12 7e-12 11e-12 13e-12", "3e-12 3e-12 3e-12 7e-12 8e-12 13e-12"],
}


def bought(prices):
    """Every client buys for the same sum; the prices of who is rich come in the other order."""
    clients = range(N_CLIENTS)
    each = [(client, price) for client in clients for price in prices[client // 2 % 2]]
    rows = sorted(each, key=lambda row: (row[0], row[1] if row[0] % 2 else -row[1]))
    return [
        *SHOP,
        inserted("client", [(client, ("no", "yes")[client % 2]) for client in clients]),
        inserted("buy", [(place, *row) for place, row in enumerate(rows)]),
        inserted("part", [(place, price) for place, (_, price) in enumerate(rows)]),
    ]


@pytest.mark.parametrize("maker", MAKERS.values(), ids=MAKERS)
@pytest.mark.parametrize("texts", SAME_SUMS.values(), ids=SAME_SUMS)
def test_the_same_sum_is_one_number_in_the_database_and_in_memory(texts, maker, tmp_path):
    assert len({sum(map(Fraction, text.split())) for text in texts}) == 1
    kinds = {"buy.price": "continuous", "part.weight": "continuous"}
    made = maker(bought([[*map(float, text.split())] for text in texts]), tmp_path)
    with opened_database(made) as database:
        schema = read_schema(database, SchemaOptions(kinds=kinds))
        means = features_of(schema, "client", max_length=2, aggregates=("mean",))[1:]
        view = ClassView(database, means, n_intervals=4)
        objects = Skeleton(database, schema).objects.values()
        codes = {node: code for each in objects for node, code in each.codes.items()}
        numbers = {node: number for each in objects for node, number in each.numbers.items()}
        seen = [Sight(Skeleton(database, schema), coded).codes(codes, numbers) for coded in view.coded]
        view.close()

    assert [mean.source for mean in means] == ["buy.price", "part.weight"]
    assert [coded.cuts for coded in view.coded] == [(), ()]
    assert not np.any(seen)


@pytest.mark.parametrize("kind", ["discrete", "continuous"])
def test_the_model_is_the_same_in_any_order_of_the_rows(kind):
    rng = np.random.default_rng(5)
    n = 600
    tables = {
        "client": {"id": np.arange(30), "rich": rng.choice(["no", "yes"], 30)},
        "buy": {"client": rng.integers(0, 30, n), "price": rng.choice(rng.lognormal(size=40) / 3, n)},
    }
    learner = sl.RelationalModel(
        keys={"buy.client": "client.id"},
        kinds={"buy.price": kind},
        aggregates=("mean",),
        knowledge=sl.Knowledge(required=[("buy.price", "client.rich")]),
    )
    models = []
    for _ in range(4):
        models.append(learner.fit(tables).model_)
        orders = {name: rng.permutation(len(next(iter(each.values())))) for name, each in tables.items()}
        tables = {
            name: {column: values[orders[name]] for column, values in each.items()}
            for name, each in tables.items()
        }

    assert models[0].dependencies["client.rich"].parents[0].cuts
    assert all(model == models[0] for model in models)
