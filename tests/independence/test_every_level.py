"""Every test of independence holds its level, 3 to 7 % at 5 %, sparse tables too, or says that it cannot."""

from itertools import product
from typing import NamedTuple

import numpy as np
import pytest
from scipy import stats

from structlearn.data import Dataset
from structlearn.data.columns import ContinuousColumn, DiscreteColumn
from structlearn.independence import GCM, KCI, DistanceCorrelation, EffectiveZ, Permutation, RCoT
from structlearn.independence.registry import BY_NAME
from structlearn.statistics import from_dataset

EVERY, SOME, NONE = (0.99, 1.0), (0.0, 1.0), (0.0, 0.01)  # which share of the answers is reliable
N_COLUMNS = 45  # of x and of y: each x is asked about with each y
N_OF_SLOW = 15  # where a question takes a millisecond
OF_PAIRS = ("distance-correlation", "projection-correlation")  # which take no conditions
OF_CURVES = ("kci", "rcot", "gcm", *OF_PAIRS)  # which need more rows than tests of straight lines
MOST_ROWS_OF_KERNELS = 250
MOST_CELLS_TO_PERMUTE = 80  # so that it does not take more


class Setting(NamedTuple):
    """Independent columns: how many rows, the levels of each (0: continuous), and how uneven these are."""

    n_rows: int
    x: int
    y: int
    given: tuple[int, ...] = ()
    uneven: float = 0.0
    reliable: tuple[float, float] = EVERY


QUICK = [
    Setting(1000, 2, 3),
    Setting(2000, 300, 3),
    Setting(400, 300, 2),
    Setting(40, 3, 4),
    Setting(1500, 3, 3, (300,)),
    Setting(100, 2, 2, (20,), 0.5),
    Setting(300, 4, 4, (3,), 1.5),
    Setting(200, 2, 2, (), 4.0, SOME),
    Setting(8, 2, 2, (), 0.0, SOME),
    Setting(30, 2, 2, (60,), 0.0, SOME),
    Setting(12, 2, 2, (40, 40), 0.0, NONE),
    Setting(10, 2, 2, (2,), 1.5, SOME),  # often x or y has one level in both strata
    Setting(5, 0, 0),
    Setting(60, 0, 0, (0, 0, 0)),
    Setting(4, 0, 0, (0, 0), 0.0, NONE),
    Setting(300, 0, 0, (90,)),
    Setting(60, 0, 0, (4, 0)),
    Setting(12, 0, 2),
    Setting(200, 0, 60),
    Setting(80, 0, 3, (12,), 1.0),
    Setting(40, 0, 2, (3, 0)),
    Setting(12, 0, 2, (9,), 0.0, SOME),
    Setting(60, 2, 2, (0,)),
    Setting(60, 3, 3, (0,), 0.0, SOME),
    Setting(16, 2, 3, (0, 2), 0.0, SOME),
]
WIDE = [
    Setting(n_rows, x, y, given, uneven, SOME)
    for n_rows, (x, y), given, uneven in product(
        (10, 25, 70, 250, 1000),
        ((0, 0), (0, 2), (0, 6), (2, 2), (3, 3), (10, 3), (40, 2)),
        ((), (2,), (10,), (60,), (0,), (4, 0), (3, 5)),
        (0.0, 1.5),
    )
]


def sort_of(setting):
    kinds = {levels > 0 for levels in (setting.x, setting.y, *setting.given)}
    return "mixed" if len(kinds) == 2 else "discrete" if kinds.pop() else "continuous"


def cases(settings):
    """Every test of the registry in every setting that it takes, and whether a question takes long.

    Every second setting of those that look at rows is among what is slow.
    """
    for place, ((name, make), setting) in enumerate(product(BY_NAME.items(), settings)):
        permutes, looks_at_rows = name == "permutation", name in OF_CURVES
        n_cells = np.prod([max(levels, 1) for levels in (setting.x, setting.y, *setting.given)])
        is_long = (permutes and n_cells > MOST_CELLS_TO_PERMUTE) or (
            looks_at_rows and setting.n_rows > MOST_ROWS_OF_KERNELS
        )
        if sort_of(setting) not in make().takes or is_long or (name in OF_PAIRS and setting.given):
            continue
        test = Permutation(n_permutations=99) if permutes else make()
        is_slow = permutes or looks_at_rows or (setting.x > 0 and setting.y > 0 and 0 in setting.given)
        numbers = f"{setting.n_rows} rows, {setting.x} x {setting.y} levels given {setting.given}"
        marks = pytest.mark.slow if looks_at_rows and place % 2 else ()
        case = f"{name}: {numbers}, uneven {setting.uneven:g}"
        yield pytest.param(test, setting, is_slow, id=case, marks=marks)


def answers(test, setting, n_columns):
    rng = np.random.default_rng(1)

    def column(name, levels):
        if not levels:
            return ContinuousColumn(name, rng.normal(size=setting.n_rows), None)
        chances = np.arange(1.0, levels + 1) ** -setting.uneven
        codes = rng.choice(levels, setting.n_rows, p=chances / chances.sum())
        return DiscreteColumn(name, codes.astype(np.uint16), tuple(range(levels)), None)

    columns = [column(f"x{i}", setting.x) for i in range(n_columns)]
    columns += [column(f"y{i}", setting.y) for i in range(n_columns)]
    columns += [column(f"z{i}", levels) for i, levels in enumerate(setting.given)]
    given = range(2 * n_columns, len(columns))
    pairs = product(range(n_columns), range(n_columns, 2 * n_columns))
    questions = np.array([(x, y, *given) for x, y in pairs], dtype=np.int64)
    return test.many(from_dataset(Dataset.from_columns(columns)), questions)


def check_level(test, setting, is_slow):
    found = answers(test, setting, N_OF_SLOW if is_slow else N_COLUMNS)
    is_reliable, is_rejected = found.is_reliable, found.p_value <= 0.05

    # What is reliable is neither below 3 % nor above 7 %, as far as so many answers can tell.
    least, most = stats.binom.ppf([0.0005, 0.9995], is_reliable.sum(), [0.03, 0.07])
    assert least <= is_rejected[is_reliable].sum() <= most
    # What is not errs towards independence.
    assert is_rejected[~is_reliable].sum() <= stats.binom.ppf(0.9995, (~is_reliable).sum(), 0.07)
    low, high = setting.reliable
    assert low <= is_reliable.mean() <= high or isinstance(
        test, Permutation | KCI | RCoT | GCM | DistanceCorrelation | EffectiveZ
    )


@pytest.mark.compiled
@pytest.mark.parametrize(("test", "setting", "is_slow"), [*cases(QUICK)])
def test_the_level_holds_or_is_said_not_to(test, setting, is_slow):
    check_level(test, setting, is_slow)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize(("test", "setting", "is_slow"), [*cases(WIDE)])
def test_the_level_holds_over_a_wide_grid(test, setting, is_slow):
    check_level(test, setting, is_slow)


def test_no_test_of_the_registry_is_left_out():
    assert {case.id.split(":")[0] for case in cases(QUICK)} == set(BY_NAME)
