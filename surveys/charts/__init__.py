"""Draw figures as SVG, each beside a table that says the same."""
