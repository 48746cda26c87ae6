"""The error type of all services, and the catalogue of its messages."""
