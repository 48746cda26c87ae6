"""TODO: what tests/trials/management is."""
