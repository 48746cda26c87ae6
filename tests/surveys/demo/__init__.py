"""TODO: what tests/surveys/demo is."""
