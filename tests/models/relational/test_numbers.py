"""Numbers as evidence count as if they were stored, and drawn ones are in the interval that was drawn."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.data.relational import opened_database
from structlearn.data.relational.skeleton import Skeleton
from structlearn.models.relational.sampling import Sampling

KEYS = {"order.client": "client.id", "bill.order": "order.id"}
ASKED = ("client", 0, "rich")
FIRST = "order[0].price"


def shop(prices):
    """A hundred clients with three orders each; bills name the orders."""
    return {
        "client": {"id": [*range(100)], "rich": ["no", "yes"] * 50},
        "order": {"id": [*range(300)], "client": [*range(100)] * 3, "price": prices},
        "bill": {"order": [*range(300)]},
    }


@pytest.fixture(scope="module")
def prices():
    rng = np.random.default_rng(3)
    return [round(x, 3) for x in rng.exponential(3, 300) + [1, 3] * 150]


@pytest.fixture(scope="module")
def model(prices):
    needed = sl.Knowledge(required=[("order.price", "client.rich")])
    learner = sl.RelationalModel(keys=KEYS, aggregates=("mean",), knowledge=needed, max_parents=1)
    return learner.fit(shop(prices)).model_


def answer(model, prices, evidence=None, **options):
    return model.query(shop(prices), *ASKED, evidence, **options).to_dict()


@pytest.mark.parametrize("number", [1.5, 4, 12.25, 40.0, 2000, -7])
@pytest.mark.parametrize("kind", [float, int, np.float64, np.float32, np.int64, np.int16])
def test_a_number_as_evidence_counts_as_if_it_were_stored(model, prices, number, kind):
    said = kind(number)

    assert answer(model, prices, {FIRST: said}) == answer(model, [float(said), *prices[1:]])


def test_numbers_as_evidence_change_the_answer(model, prices):
    answers = {answer(model, prices, {FIRST: number})["yes"] for number in (0.0, 9.0, 20.0, 1e6)}

    assert len(answers) > 1


@pytest.mark.parametrize(
    "said", [float("nan"), np.nan, np.float32("nan"), float("inf"), True, "9", [9]], ids=repr
)
def test_what_is_no_finite_number_is_refused(model, prices, said):
    with pytest.raises(
        sl.OptionError, match=r"evidence: 'order\.price' is one of .* or a finite number, not"
    ):
        answer(model, prices, {FIRST: said})


@pytest.mark.parametrize("stored", [True, False])
def test_an_interval_as_evidence_replaces_the_number_that_is_stored(model, prices, stored):
    attribute = model.schema.attribute("order.price")
    highest = [place for place in range(1, 100) if prices[place] > attribute.cuts[-1]]
    answers = []
    for place in (min(highest, key=prices.__getitem__), max(highest, key=prices.__getitem__)):
        turned = [*prices]
        turned[0], turned[place] = (
            turned[place],
            turned[0],
        )  # so that intervals have the numbers that they had
        answers.append(answer(model, turned, {FIRST: attribute.labels[-1]}, stored=stored))

    assert answers[0] == pytest.approx(answers[1])


@pytest.mark.parametrize("others", [[-300] * 60, [0.5, -0.5, 2.75] * 20], ids=["other", "fractions"])
def test_drawn_numbers_are_in_the_interval_that_was_drawn(others):
    ids, rng = [*range(60)], np.random.default_rng(0)
    learnt_from = {"t": {"id": ids, "x": rng.integers(-400, 5, 60).tolist()}}
    model = sl.RelationalModel(kinds={"t.x": "continuous"}).fit(learnt_from).model_
    [attribute] = [each for each in model.schema.attributes if each.node == "t.x"]
    with opened_database({"t": {"id": ids, "x": others}}) as database:
        drawn = Sampling(Skeleton(database, model.schema), model.dependencies, rng)
    drawn.draw()
    numbers = drawn.columns(attribute)

    assert attribute.stored == "whole"
    assert np.searchsorted(attribute.cuts, numbers).tolist() == drawn.codes["t.x"].tolist()
    assert numbers == drawn.numbers["t.x"].tolist()
    assert {type(number) for number in numbers if number not in others} == {int}
