"""What a service refuses because of how things stand, in the words of the page."""

from __future__ import annotations

from django.utils.translation import pgettext


class StateRefusal(RuntimeError):
    """A service that the state of things does not allow.

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
        return in_sentences(self.message, self.remedy)


def in_sentences(*parts: str) -> str:
    """Write each part as a sentence, with the stop and the blank of the language.

    >>> in_sentences("9 are too many", "raise the support.")
    '9 are too many. Raise the support.'
    """
    stop = pgettext("between two sentences", ". ")
    bare = (part.strip().rstrip(".。") for part in parts)
    return "".join(part[:1].upper() + part[1:] + stop for part in bare).rstrip()
