"""Checks of a running installation, which ``sottovoce doctor`` runs and explains."""
