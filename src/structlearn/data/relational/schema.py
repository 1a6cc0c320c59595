"""What a database holds: classes, attributes with coded states, and slots that refer to objects."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, Literal, Self

from structlearn.data.columns import Kind, Label
from structlearn.errors import DataError, OptionError
from structlearn.naming import has_no, no_such

MARKS = frozenset('."[]+=→')  # what stands between names in the text of a feature
Stored = Literal["whole", "number", "truth", "text", "date", "other"]
"""How a column is stored, whatever a database calls it."""


def quoted_where(name: str, marks: Iterable[str]) -> str:
    """A name as it stands among others: in double quotes where it has a mark that could part them."""
    return '"' + name.replace('"', '""') + '"' if any(mark in name for mark in marks) else name


@dataclass(frozen=True)
class Attribute:
    """What is known of each object of a class: one of a few states.

    `labels` are the states. Numbers that were cut into intervals have the `cuts` between them, each interval
    with its upper end. `numbers` are what the states stand for where they have an order, for means, which
    take numbers to so many `decimals`: sums of whole steps are the same in any order of the objects.
    """

    owner: str
    name: str
    stored: Stored
    labels: tuple[Label, ...]
    cuts: tuple[float, ...] = ()
    numbers: tuple[float, ...] | None = None
    n_missing: int = 0
    decimals: int = 9

    @property
    def node(self) -> str:
        """Its name in graphs."""
        return f"{self.owner}.{self.name}"

    @property
    def kind(self) -> Kind:
        """Whether it has states of its own or intervals."""
        return "continuous" if self.cuts else "discrete"

    @property
    def is_ordered(self) -> bool:
        """Whether one state can be more than another."""
        return bool(self.cuts) or self.numbers is not None

    @property
    def n_steps(self) -> float:
        """How many of the steps in which means count make one."""
        return 10.0**self.decimals


@dataclass(frozen=True)
class Slot:
    """How each object of a class refers to at most one of another: columns that hold the other's key.

    `name` is the column, or the columns of a composite key with + between them.
    """

    owner: str
    name: str
    columns: tuple[str, ...]
    target: str
    target_columns: tuple[str, ...]
    n_null: int = 0
    n_dangling: int = 0

    @property
    def full_name(self) -> str:
        """The name with its class, as options take it."""
        return f"{self.owner}.{self.name}"

    def __str__(self) -> str:
        target = "" if self.name == "+".join(self.columns) else f"→{quoted_where(self.target, MARKS)}"
        return "+".join(quoted_where(column, MARKS) for column in self.columns) + target


@dataclass(frozen=True)
class EntityClass:
    """A table: its objects, their key if they have one, and why some columns are no attributes."""

    name: str
    n_objects: int
    key: tuple[str, ...]
    attributes: tuple[Attribute, ...]
    left_out: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Schema:
    """The classes of a database and the slots between them."""

    classes: tuple[EntityClass, ...]
    slots: tuple[Slot, ...] = ()

    @property
    def nodes(self) -> tuple[str, ...]:
        """All attributes, named as in graphs."""
        return tuple(self._attributes)

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """All attributes of all classes."""
        return tuple(self._attributes.values())

    def entity(self, name: str) -> EntityClass:
        """The class of that name."""
        if name not in self._classes:
            raise OptionError(has_no("The schema", "class", name, self._classes))
        return self._classes[name]

    def attribute(self, node: str) -> Attribute:
        """The attribute of that name, as in "Student.intelligence"."""
        if node not in self._attributes:
            raise OptionError(no_such("attribute", node, self.nodes))
        return self._attributes[node]

    def slot(self, full_name: str) -> Slot:
        """The slot of that name, as in "Registration.student"."""
        found = [slot for slot in self.slots if slot.full_name == full_name]
        if not found:
            raise OptionError(no_such("slot", full_name, tuple(slot.full_name for slot in self.slots)))
        if len(found) > 1:
            which = " and ".join(f"{slot.columns} of {slot.owner!r}" for slot in found)
            raise OptionError(f"The slot {full_name!r} may be {which}. Rename a column.")
        return found[0]

    def slots_of(self, name: str) -> tuple[Slot, ...]:
        """The slots by which objects of a class refer to others."""
        return tuple(slot for slot in self.slots if slot.owner == name)

    def slots_to(self, name: str) -> tuple[Slot, ...]:
        """The slots by which objects of a class are referred to."""
        return tuple(slot for slot in self.slots if slot.target == name)

    def to_dict(self) -> dict[str, Any]:
        """Give the schema as JSON takes it."""
        return asdict(self)

    @classmethod
    def from_dict(cls, known: Mapping[str, Any]) -> Self:
        """Make a schema of what `to_dict` gave, or of that after JSON."""
        classes = [
            EntityClass(
                **{
                    **each,
                    "key": tuple(each["key"]),
                    "attributes": tuple(Attribute(**_tupled(plain)) for plain in each["attributes"]),
                }
            )
            for each in known["classes"]
        ]
        schema = cls(tuple(classes), tuple(Slot(**_tupled(plain)) for plain in known["slots"]))
        schema.refuse_other_names()
        return schema

    def refuse_other_names(self) -> None:
        """Refuse attributes and slots of classes that are not there."""
        if len(self._classes) < len(self.classes):
            raise DataError("Schema: two classes have the same name.")
        for entity in self.classes:
            for attribute in entity.attributes:
                if attribute.owner != entity.name:
                    raise DataError(f"Schema: {attribute.node!r} is among the attributes of {entity.name!r}.")
        self._refuse_same_names()
        for slot in self.slots:
            strange = [name for name in (slot.owner, slot.target) if name not in self._classes]
            if strange:
                raise DataError(f"Schema: slot {slot.full_name!r} is of {strange[0]!r}, which is no class.")
            plain = "+".join(slot.columns)
            if slot.name not in {plain, f"{plain}→{slot.target}"} or len(slot.columns) != len(
                slot.target_columns
            ):
                raise DataError(f"Schema: slot {slot.full_name!r} is not named after its columns.")

    def _refuse_same_names(self) -> None:
        """Refuse two attributes, or two slots of a class, that would go by the same name."""
        attributes = [each for entity in self.classes for each in entity.attributes]
        for name, n in Counter(each.node for each in attributes).items():
            if n > 1:
                which = [f"{each.name!r} of {each.owner!r}" for each in attributes if each.node == name]
                raise DataError(f"The columns {' and '.join(which)} are both called {name!r}. Rename one.")
        for (owner, name), n in Counter((slot.owner, str(slot)) for slot in self.slots).items():
            if n > 1:
                raise DataError(f"{owner!r} has {n} references called {name!r}. Drop all but one.")

    @cached_property
    def _classes(self) -> dict[str, EntityClass]:
        return {each.name: each for each in self.classes}

    @cached_property
    def _attributes(self) -> dict[str, Attribute]:
        return {each.node: each for entity in self.classes for each in entity.attributes}


def _tupled(plain: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in plain.items()}
