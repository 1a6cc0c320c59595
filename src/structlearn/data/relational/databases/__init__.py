"""Databases that answer SQL: one file per kind, all read only."""

from structlearn.data.relational.databases.opening import opened_database
from structlearn.data.relational.databases.protocol import Database, Reference, TableFacts

__all__ = ["Database", "Reference", "TableFacts", "opened_database"]
