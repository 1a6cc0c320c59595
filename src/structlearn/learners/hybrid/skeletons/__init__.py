"""Skeletons as hybrids use them: by name, and as the limits of a climb."""
