"""Counts of features of objects, made inside a database: its rows never leave it."""

from structlearn.statistics.relational.target import TargetStatistics
from structlearn.statistics.relational.view import ClassView, n_valued
from structlearn.statistics.relational.view_query import ViewQuery

__all__ = ["ClassView", "TargetStatistics", "ViewQuery", "n_valued"]
