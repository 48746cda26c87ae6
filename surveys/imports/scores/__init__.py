"""Scoring lines of a scale: points, reversed items, levels, gaps, and the score that is proposed."""
