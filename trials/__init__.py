"""TODO: what trials is."""
