"""What the submission address says when it does not take a body."""

from __future__ import annotations


class SubmissionRefused(Exception):
    """A submission that is not taken.

    Parameters
    ----------
    status : int
        HTTP status.
    code : str
        Machine-readable name of the refusal.
    message, remedy : str
        What is wrong, and what to do. In English: the page that sends speaks to the respondent in their
        language, by status and code.
    retry_after : int or None, seconds
        When the same bytes may be sent again; None when they will never be taken.
    """

    def __init__(
        self, status: int, code: str, message: str, remedy: str, *, retry_after: int | None = None
    ) -> None:
        super().__init__(code, message)
        self.status = status
        self.code = code
        self.message = message
        self.remedy = remedy
        self.retry_after = retry_after
