"""Publish records in the browser: a table, roles of its columns, bounds, and a deposit attacked first."""
