"""Microdata releases: read tables, make and check releases, and write each completely or not at all."""
