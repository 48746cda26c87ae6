"""Write figures, units, links, CSV cells, files to take away, and codebooks for archives."""
