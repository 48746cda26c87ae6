"""What a command says when it refuses its options, by cases of the catalogue."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError

from surveys.errors.error import SurveyError


def said(case: str, **fields: Any) -> str:
    """Return message and remedy of a case, as one line.

    >>> said("verify.does_not_hold")
    'the table does not hold'
    """
    return str(SurveyError(case, **fields))


def refused(case: str, *, returncode: int = 1, **fields: Any) -> CommandError:
    """Return what ends a command with the words of a case.

    >>> refused("option.seed", seed=-1)
    CommandError('--seed -1 is negative; give 0 or more')
    """
    return CommandError(said(case, **fields), returncode=returncode)
