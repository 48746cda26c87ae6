"""TODO: what surveys/demo is."""
