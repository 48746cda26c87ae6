"""Experiments with known truth: coverage, the source's figures, the demonstration."""
