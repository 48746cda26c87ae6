"""Questionnaires of other programs, read into drafts: what Sotto can keep, and by name what it cannot."""
