"""Select stored results: supports, rules, numbers, places and audits, for pages, files and programs."""
