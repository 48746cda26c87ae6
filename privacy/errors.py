"""What the core says when it refuses: a code for machines, the offending value, and the remedy."""

from __future__ import annotations

__all__ = [
    "AnswerError",
    "CoinsError",
    "DesignError",
    "ParameterError",
    "PayloadError",
    "PrivacyError",
]


class PrivacyError(ValueError):
    """Base of every refusal of this package.

    Parameters
    ----------
    code : str
        Machine-readable name of the refusal, for example ``"truth_probability"``.
    message : str
        What is wrong, in a sentence that names the offending value.
    value : object
        The offending value itself.
    remedy : str
        What to do instead.

    Examples
    --------
    >>> print(PrivacyError("truth_probability", "p = 0 carries no information", 0, "choose p > 0"))
    p = 0 carries no information; choose p > 0
    """

    def __init__(self, code: str, message: str, value: object, remedy: str) -> None:
        super().__init__(code, message, value, remedy)
        self.code = code
        self.message = message
        self.value = value
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message}; {self.remedy}"


class ParameterError(PrivacyError):
    """A number or name given to a function lies outside what the function is defined for."""


class DesignError(PrivacyError):
    """A questionnaire's design breaks a rule of the mechanism."""


class AnswerError(PrivacyError):
    """True answers that the design does not ask for, or does not allow."""


class PayloadError(PrivacyError):
    """A record, or its packed form, that no device following the design can produce."""


class CoinsError(PrivacyError):
    """The stream of random words has ended, or holds something that is not a 32-bit word."""
