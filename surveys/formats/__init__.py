"""Write figures, units, links and CSV cells."""
