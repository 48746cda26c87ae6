"""Disguised rows as columns, and which of them may be counted: batches, disclosure control."""
