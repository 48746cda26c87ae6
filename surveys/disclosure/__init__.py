"""Disclosure control of figures: redisguised direct rows, minimum counts, suppression."""
