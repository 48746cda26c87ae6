"""Mining of disguised rows: counts, itemsets, rules. Pure: no file, no clock, no global randomness."""
