"""Simulate how often the product's intervals contain the truth; each kind has a page and a table."""
