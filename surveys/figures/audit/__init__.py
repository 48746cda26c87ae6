"""Audit a survey's rows: choose, compute and store what they reveal to an adversary."""
