"""Attack this product: what storage, subtraction, floods and dependence tell, beside what chance gives."""
