"""From counts of disguised rows back to the population; nothing here ever sees a row."""
