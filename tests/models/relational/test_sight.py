"""What objects see in memory is what the database says."""

import numpy as np
import pytest

from structlearn.data.relational import SchemaOptions, features_of, opened_database, read_schema
from structlearn.data.relational.features import AGGREGATES
from structlearn.data.relational.skeleton import Skeleton
from structlearn.models.relational.sight import Sight
from structlearn.statistics.relational import ClassView

KEYS = {"b.first": "a.id", "b.second": "a.id", "a.parent": "a.id", "c.of": "b.id"}


def random_tables(seed):
    """Three tables with gaps in keys and values, two slots to one class, and one to its own."""
    rng = np.random.default_rng(seed)

    def gappy(values, chance=0.2):
        return [None if rng.random() < chance else value for value in values.tolist()]

    return {
        "a": {
            "id": [*range(6)],
            "parent": gappy(rng.integers(6, size=6), 0.4),
            "x": gappy(rng.choice(["u", "v", "w"], 6)),
            "size": gappy(rng.normal(size=6)),
        },
        "b": {
            "id": [*range(12)],
            "first": gappy(rng.integers(6, size=12)),
            "second": gappy(rng.integers(6, size=12)),
            "n": gappy(rng.integers(3, size=12)),
        },
        "c": {"of": gappy(rng.integers(12, size=20)), "y": gappy(rng.integers(2, size=20))},
    }


SEEDS_AND_BASES = [(2, "b"), (0, "c")]  # the quick ones; b has two slots to one class
OTHERS = [(seed, base) for seed in range(3) for base in "abc" if (seed, base) not in SEEDS_AND_BASES]


@pytest.mark.parametrize(
    ("seed", "base"),
    [*SEEDS_AND_BASES, *(pytest.param(*each, marks=pytest.mark.slow) for each in OTHERS)],
)
def test_features_are_the_same_in_memory_and_in_the_database(seed, base):
    with opened_database(random_tables(seed)) as database:
        kinds = {"a.x": "discrete", "a.size": "continuous", "b.n": "discrete", "c.y": "discrete"}
        schema = read_schema(database, SchemaOptions(keys=KEYS, kinds=kinds, bins=3))
        features = features_of(schema, base, max_length=2, aggregates=AGGREGATES)
        view = ClassView(database, features, n_intervals=3)
        skeleton = Skeleton(database, schema)
        codes = {node: each for objects in skeleton.objects.values() for node, each in objects.codes.items()}
        numbers = {
            node: each for objects in skeleton.objects.values() for node, each in objects.numbers.items()
        }
        seen = [Sight(skeleton, coded).codes(codes, numbers) for coded in view.coded]
        own = [codes[feature.source] for feature in features if not feature.chain]
        for target, known in enumerate(own):
            counted = view.counts(np.array([[place, target] for place in range(len(seen))]), target)
            for mine, theirs in zip(seen, counted, strict=True):
                pairs = np.stack([mine, known], axis=1)[known >= 0]
                found, n = np.unique(pairs, axis=0, return_counts=True)
                assert theirs[np.lexsort(theirs.T[::-1])].tolist() == np.column_stack([found, n]).tolist()
        view.close()
