"""Batches as columns: which batches, cached segments, the two halves."""
