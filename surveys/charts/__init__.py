"""Draw figures as SVG, each with a table of the same data."""
