"""Estimates from a run's rows, and what a run's summary says of them."""
