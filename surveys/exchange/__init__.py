"""TODO: what surveys/exchange is."""
