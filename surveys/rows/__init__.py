"""Batches as columns: which batches, cached segments, the split sample."""
