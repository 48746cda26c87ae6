"""The mining job, and everything that is computed from a snapshot's counts."""
