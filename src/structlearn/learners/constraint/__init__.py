"""Learners that remove and orient edges by tests of independence."""
