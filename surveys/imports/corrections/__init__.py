"""A researcher's corrections in the import report."""
