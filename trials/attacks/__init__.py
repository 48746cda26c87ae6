"""Attack this product by storage, subtraction, floods and dependence, and compare with chance."""
