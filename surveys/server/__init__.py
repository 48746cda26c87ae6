"""Processes of one installation: launch, supervision, broker, static files, middleware."""
