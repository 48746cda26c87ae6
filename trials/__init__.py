"""Trials of the product, for those who have its source: attacks on it, and studies with known truth."""
