"""Store rows as bit columns, and count itemsets in them."""
