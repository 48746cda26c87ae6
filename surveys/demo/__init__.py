"""The demonstration: a real survey, answered by made-up devices, mined, and shown beside its truth."""
