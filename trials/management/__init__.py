"""TODO: what trials/management is."""
