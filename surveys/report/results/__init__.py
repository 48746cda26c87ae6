"""A run's results: shares, numbers, comparisons, weights, and the report on paper."""
