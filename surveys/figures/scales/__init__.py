"""Estimate numeric and location questions: distributions, densities, means, shares."""
