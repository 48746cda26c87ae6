"""Logistic and linear regressions on answers that a channel disguised, and standardised shares."""
