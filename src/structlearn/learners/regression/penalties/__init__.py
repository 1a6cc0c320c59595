"""Paths of penalties, and which of them to take: by theory, a criterion, stability or prediction."""
