"""What structlearn raises, and what it warns of.

ValueError
├── OptionError    an option has a value it cannot have
└── DataError      a table, a graph or a file cannot be used as it is
UserWarning
└── DataWarning    the data can be used, but look wrong
"""


class OptionError(ValueError):
    """An option has a value it cannot have; the message says which and what it may be."""


class DataError(ValueError):
    """A table, a graph or a file cannot be used; the message says where and what to do."""


class DataWarning(UserWarning):
    """The data can be used, but something about them is worth a look."""
