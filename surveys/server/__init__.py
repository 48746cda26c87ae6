"""Processes of one installation: launch, supervision, broker, middleware, backup, and their checks."""
