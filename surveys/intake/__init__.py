"""Intake: turn a request's bytes into a receipt and an inbox row, and inbox rows into a batch."""
