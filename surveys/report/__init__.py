"""What staff read and export: surveys, runs, itemsets and rules with their errors."""
