"""What a survey's state does not allow, and the survey that a service writes to."""

from __future__ import annotations

from surveys.models import Survey


class SurveyStateError(RuntimeError):
    """A service that the survey's state does not allow.

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


def survey_locked(survey: Survey) -> Survey:
    """Return the survey as the database has it, locked until the transaction ends."""
    return Survey.objects.select_for_update().get(pk=survey.pk)
