"""The report pages of numbers and places."""
