"""The demonstration: a real survey, answered by simulated devices, mined, and shown with its truth."""
