"""What an account's state does not allow."""

from __future__ import annotations

from surveys.errors.error import StateRefusal


class AccountError(StateRefusal):
    """A service that the state of the accounts does not allow."""
