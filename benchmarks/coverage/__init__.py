"""How often the product's intervals hold the truth: made-up surveys, a page and a table for each kind."""
