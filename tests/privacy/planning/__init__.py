"""TODO: what tests/privacy/planning is."""
