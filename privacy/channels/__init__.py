"""Finite channels, exactly: randomised response, scores that invert it, and what bounds it."""
