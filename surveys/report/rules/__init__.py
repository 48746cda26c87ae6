"""A run's itemsets and rules: tables with filters, the page of a rule, its verdicts."""
