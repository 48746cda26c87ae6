"""TODO: what tests/trials is."""
