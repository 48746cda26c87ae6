"""Turn a definition into a design and its wording: languages, schedule, forms, checks."""
