"""Publish records in the browser: upload a table, choose roles and bounds, create a release, query it."""
