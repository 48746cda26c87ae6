"""Questionnaires from outside: one structure that every source fills, and one set of rules to a draft."""
