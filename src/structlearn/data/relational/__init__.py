"""Relational databases: classes of objects with attributes, and the slots by which objects refer to others.

A table is a class and each of its rows an object. `Schema` has the classes, their attributes (`Attribute`,
with states as codes) and reference slots (`Slot`, from foreign keys). A `Link` follows a slot forwards (a
registration's student) or backwards (a student's registrations); links in a row are a chain. A `Feature`
is what an object sees at the end of a chain: an attribute there, by an aggregate where the chain leads to
several objects.

with opened_database("uni.duckdb") as database:  # DuckDB, SQLite, or through ibis; rows stay there
    schema = read_schema(database, SchemaOptions())
    features_of(schema, "Registration", max_length=1)  # student.intelligence, course.difficulty, …
"""

from structlearn.data.relational.chains import Link, chains_from
from structlearn.data.relational.databases import Database, Reference, opened_database
from structlearn.data.relational.features import AGGREGATES, Aggregate, CodedFeature, Feature, features_of
from structlearn.data.relational.proposals import proposed_keys
from structlearn.data.relational.reading import SchemaOptions, read_schema
from structlearn.data.relational.schema import Attribute, EntityClass, Schema, Slot

__all__ = [
    "AGGREGATES",
    "Aggregate",
    "Attribute",
    "CodedFeature",
    "Database",
    "EntityClass",
    "Feature",
    "Link",
    "Reference",
    "Schema",
    "SchemaOptions",
    "Slot",
    "chains_from",
    "features_of",
    "opened_database",
    "proposed_keys",
    "read_schema",
]
