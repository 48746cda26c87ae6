"""TODO: what tests/privacy/regression is."""
