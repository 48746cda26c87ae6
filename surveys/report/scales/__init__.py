"""Report pages of number and place questions: histogram, density map, their tables and exports."""
