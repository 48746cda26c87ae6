"""What an account's state does not allow."""

from __future__ import annotations


class AccountError(RuntimeError):
    """A service that the state of the accounts does not allow.

    Parameters
    ----------
    code : str
        Machine-readable name.
    message, remedy : str
        What is in the way, and what to do.
    """

    def __init__(self, code: str, message: str, remedy: str) -> None:
        super().__init__(f"{message}; {remedy}")
        self.code = code
        self.message = message
        self.remedy = remedy

    @property
    def sentences(self) -> str:
        """What is wrong and what to do, as two sentences."""
        return " ".join(f"{part[:1].upper()}{part[1:]}." for part in (self.message, self.remedy))
