"""Decide what figures are computed from and may be told: rows disguised here, minimum counts, suppression."""
