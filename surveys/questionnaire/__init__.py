"""From a definition to a design and its wording: languages, schedule, forms, checks."""
