"""Commands for releases."""
