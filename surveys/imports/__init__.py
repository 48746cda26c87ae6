"""Questionnaires of other programs, read and written: XLSForm, plain text."""
