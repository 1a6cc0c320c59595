"""Forests of the strongest pairs, and the directions of their edges."""
