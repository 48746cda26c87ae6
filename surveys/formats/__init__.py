"""Format figures, units, CSV cells and downloads, and draw figures as SVG with a table of the same data."""
