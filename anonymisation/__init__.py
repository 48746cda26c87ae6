"""Releases: records published as tables, by commands and in the browser; it plugs into `surveys`."""
