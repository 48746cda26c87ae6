"""TODO: what tests/surveys/exchange is."""
