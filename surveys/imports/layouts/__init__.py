"""Layouts that are rewritten before roles are given, so that each question and each answer has a line."""
