"""TODO: what privacy/scales is."""
