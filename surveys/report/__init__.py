"""What staff read: surveys, runs, itemsets and rules with their errors."""
