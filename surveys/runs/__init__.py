"""TODO: what surveys/runs is."""
