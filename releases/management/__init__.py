"""The commands of releases."""
