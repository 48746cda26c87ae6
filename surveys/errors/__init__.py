"""One refusal of what the state of things does not allow, and the catalogue of its words."""
