"""Runs: which disguised rows may be counted, what they estimate, and the jobs that store it."""
