"""Write figures, units, links, CSV cells, and codebooks for archives."""
