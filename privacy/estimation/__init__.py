"""Estimates about the population from counts of disguised rows; this package never sees a row."""
