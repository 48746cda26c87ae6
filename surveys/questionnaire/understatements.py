"""What respondents of earlier waves were not told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from privacy.risk.promise import Promise
from surveys.formats.numbers import count_text
from surveys.models import Survey, Version
from surveys.questionnaire.promise_words import stated_promises, sure_at
from surveys.questionnaire.series import promises_in_series
from surveys.questionnaire.series_membership import series_of
from surveys.questionnaire.turns import takes_turns


def understatements(version: Version) -> list[str]:
    """Say what respondents of a version are not told: a skip, or other waves, that reveals more.

    Parameters
    ----------
    version : Version
        A published version of a live survey.
    """
    design, survey = version.to_design(), version.survey
    if survey.practice:
        return []
    found = promises_in_series(
        design,
        series=series_of(survey),
        waves=version.definition.get("waves"),
        but=survey,
        turns=takes_turns(version.definition),
    )
    stated = stated_promises(version)
    said: list[str] = []
    for name, promised in found.items():
        held: Mapping[str, Any] | None = stated.get(name)
        if promised is not None and held is not None:
            said += [sentence for sentence in _unsaid(promised, held) if sentence not in said]
    return said


def _unsaid(promised: Promise, held: Mapping[str, Any]) -> Iterator[str]:
    if promised.skip is not None and "skip_once_in" not in held and promised.skip > promised.answer:
        yield _(
            "The respondents’ page states %(answer)s for one answer; a skip makes %(skip)s. Publish a new "
            "version."
        ) % {"answer": sure_at(promised.answer), "skip": sure_at(promised.skip)}
    if promised.waves is not None and "waves" not in held:
        yield _(
            "The respondents’ page states %(everything)s for everything sent; all %(count)s surveys of its "
            "series together make %(all)s. Publish a new version."
        ) % {
            "everything": sure_at(promised.everything),
            "count": count_text(promised.waves.count),
            "all": sure_at(promised.waves.everything),
        }


def is_told(survey: Survey) -> bool:
    """Whether respondents can still read its page."""
    return survey.state in (Survey.State.OPEN, Survey.State.PLANNED)


def understatements_of(survey: Survey) -> list[str]:
    """Return `understatements` of the newest version of a survey whose page respondents can read."""
    version = survey.versions.select_related("survey").order_by("-number").first()
    return [] if version is None or not is_told(survey) else understatements(version)
