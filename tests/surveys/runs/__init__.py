"""TODO: what tests/surveys/runs is."""
