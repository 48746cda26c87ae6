"""Write figures, units, links, CSV cells, downloads, and codebooks for archives."""
