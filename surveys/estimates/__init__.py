"""Estimates from a run's rows, and their form in a run's summary."""
