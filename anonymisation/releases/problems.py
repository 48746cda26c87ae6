"""Problems of several parts of a form: report all together, not only the first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from privacy.errors import PrivacyError
from surveys.errors.error import SurveyError, sentences


def refuse_all(*checks: Callable[[], Any]) -> list[Any]:
    """Run every check, and return their results.

    Raises
    ------
    PrivacyError
        The error, if one check failed; ``release.problems`` lists the errors if several failed.
    """
    results, problems = [], []
    for check in checks:
        try:
            results.append(check())
        except PrivacyError as error:
            problems.append(error)
    raise_all(problems)
    return results


def raise_all(problems: Sequence[PrivacyError]) -> None:
    """Raise the error if there is one, or ``release.problems`` with the messages of several."""
    if len(problems) == 1:
        raise problems[0]
    if problems:
        texts = dict.fromkeys(sentences(error) for error in problems)
        raise SurveyError("release.problems", len(texts), problems=" ".join(texts))
