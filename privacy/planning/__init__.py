"""TODO: what privacy/planning is."""
