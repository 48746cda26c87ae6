"""TODO: what tests/privacy/scales is."""
