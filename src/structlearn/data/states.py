"""States of two sources matched by label: a model and a table, a prior and the data."""

from collections.abc import Sequence

from structlearn.data.columns import Label

NOWHERE = -1


def places_of(labels: Sequence[Label], among: Sequence[Label]) -> list[int]:
    """The place of each label among others, NOWHERE if it is none of them.

    A label that is not there but reads like one that is (the number 1 and the text "1") is that one.
    """
    by_text = {str(label): place for place, label in enumerate(among)}
    by_label = {label: place for place, label in enumerate(among)}
    return [by_label.get(label, by_text.get(str(label), NOWHERE)) for label in labels]
