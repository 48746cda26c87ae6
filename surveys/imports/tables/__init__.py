"""Questions that share answers: tables, runs of items, and scales of numbers."""
