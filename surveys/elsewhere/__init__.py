"""Data collected elsewhere: a file is read in memory, estimated from, and forgotten."""
