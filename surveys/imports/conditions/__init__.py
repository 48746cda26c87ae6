"""Conditions that a text states: to which question each refers, and those that nothing could read."""
