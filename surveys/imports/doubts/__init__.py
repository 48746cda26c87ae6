"""Places where a text may have been misread, each with a note at its line."""
