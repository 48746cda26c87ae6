"""Decide what may be published: minimum counts, rounding, secondary suppression."""
