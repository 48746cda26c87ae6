"""TODO: what privacy/regression is."""
