"""Releases: publish records as tables, by commands and in the browser. This application extends `surveys`."""
