"""Rows as bit columns, and the counts of itemsets over them."""
