"""`sl.latent_classes` on tables of every kind: classes that add up, or a refusal in words."""

import numpy as np
import pytest

import structlearn as sl

RNG = np.random.default_rng(0)
COINS = RNG.integers(0, 2, size=(6, 200))
KIND = RNG.integers(0, 2, size=200)
ITEMS = {f"q{i}": np.where(RNG.random(200) < 0.85, KIND, 1 - KIND) for i in range(5)}


def with_gaps(share):
    return {
        name: [None if is_lost else str(code) for code, is_lost in zip(codes, lost, strict=True)]
        for (name, codes), lost in zip(ITEMS.items(), RNG.random((5, 200)) < share, strict=True)
    }


TABLES = {
    "classes": ITEMS,
    "noise": {f"x{i}": coins for i, coins in enumerate(COINS)},
    "more columns than rows": {f"x{i:02d}": RNG.integers(0, 2, size=20) for i in range(30)},
    "equal columns": {"a": COINS[0], "b": COINS[0], "c": COINS[1]},
    "nearly equal columns": {"a": COINS[0], "b": np.append(COINS[0][1:], 1 - COINS[0][0]), "c": COINS[1]},
    "three hundred levels": {**ITEMS, "many": [f"level {row % 300}" for row in range(200)]},
    "a single level": {**ITEMS, "same": ["yes"] * 200},
    "a single column": {"a": COINS[0]},
    "two rows": {"a": [0, 1], "b": ["x", "y"], "c": [True, False]},
    "numbers in writing": {name: [f"{code}" for code in codes] for name, codes in ITEMS.items()},
    "gaps": with_gaps(0.1),
    "mostly gaps": with_gaps(0.9),
    "a level in a single row": {**ITEMS, "rare": ["common"] * 199 + ["rare"]},
}


def tables_and_classes():
    """Every table with one number of classes, in turn; with the other among what is slow."""
    for place, name in enumerate(TABLES):
        for n_classes in ("bic", 3):
            is_slow = (n_classes == "bic") == bool(place % 2)
            yield pytest.param(name, n_classes, marks=pytest.mark.slow if is_slow else ())


@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
@pytest.mark.parametrize(("name", "n_classes"), [*tables_and_classes()])
def test_classes_add_up_and_the_likelihood_never_falls(name, n_classes):
    found = sl.latent_classes(TABLES[name], n_classes)

    assert found.sizes.sum() == pytest.approx(1.0)
    assert (np.diff(found.sizes) <= 0.0).all()
    assert len(found.sizes) == found.n_classes
    steps = np.append(found.log_likelihoods, found.log_likelihood)
    assert np.isfinite(steps).all()
    assert (np.diff(steps) >= -1e-9 * np.abs(steps[1:])).all()
    assert set(found.model.graph.nodes) == {*TABLES[name], "class"}


@pytest.mark.parametrize("name", ["noise", "more columns than rows"])
def test_noise_is_of_one_class(name):
    assert sl.latent_classes(TABLES[name]).n_classes == 1


def test_neither_the_order_of_rows_or_columns_nor_names_of_levels_matter():
    order = RNG.permutation(200)
    others = {name: np.where(ITEMS[name][order] == 1, "a", "b") for name in reversed(ITEMS)}
    found, same = sl.latent_classes(ITEMS), sl.latent_classes(others)

    assert same.n_classes == found.n_classes == 2
    assert same.log_likelihood == pytest.approx(found.log_likelihood, abs=1e-5)
    assert same.sizes == pytest.approx(found.sizes, abs=1e-3)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ({**ITEMS, "height": RNG.normal(size=200)}, "height"),
        ({**ITEMS, "class": KIND}, "class"),
        ({name: [] for name in ITEMS}, "row"),
    ],
)
def test_what_has_no_classes_is_refused_in_words(rows, message):
    with pytest.raises((sl.DataError, sl.OptionError), match=message):
        sl.latent_classes(rows)
