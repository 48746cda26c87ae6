"""Simulate with known truth: coverage, the source's experiment, older models, what figures give away."""
