"""What is found out about a table and kept with it: a table never changes, so that one look is enough."""

from collections.abc import Callable
from typing import TypeVar

from structlearn.data.dataset import Dataset

Found = TypeVar("Found")


def once(table: Dataset, name: str, find: Callable[[], Found]) -> Found:
    """What `find` gives, looked for the first time that this table is asked; something small."""
    facts = vars(table).setdefault("_facts", {})
    if name not in facts:
        facts[name] = find()
    found: Found = facts[name]
    return found
