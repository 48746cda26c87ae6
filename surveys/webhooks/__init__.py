"""Webhooks: notify other programs, by a signed message, that a run or a survey is over."""
