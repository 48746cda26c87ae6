"""Published state of a survey: its schedule, and whether a version matches the draft."""

from __future__ import annotations

from surveys.models import Survey, Version
from surveys.questionnaire.definition import Definition, definition_read
from surveys.questionnaire.multi_conversion import converted
from surveys.questionnaire.multi_drafts import has_multi
from surveys.questionnaire.promise_words import stated_promises
from surveys.questionnaire.schedule import Schedule
from surveys.questionnaire.series import promises_to_publish
from surveys.runs.chapters import stated_chapters


def same_version(version: Version, definition: Definition) -> bool:
    """Return whether a version has this definition's design and wording, and states its whole risk.

    A version with tick-all questions of the earlier kind is compared as the draft into which it was
    converted, so that changing the times of its survey makes no new version.
    """
    if has_multi(version.definition):
        before = definition_read(converted(version.definition).document).definition
        ids = (definition.design.design_id, definition.wording_id)
        return before is not None and (before.design.design_id, before.wording_id) == ids
    return (version.design_id, version.wording_id, stated_promises(version)) == (
        definition.design.design_id,
        definition.wording_id,
        promises_to_publish(definition, version.survey),
    )


def schedule_of(survey: Survey) -> Schedule:
    """Return the schedule with which the survey was published."""
    return Schedule(
        time_zone=survey.time_zone,
        opens_at=survey.opens_at,
        closes_at=survey.closes_at,
        delete_at=survey.delete_at,
        chapters=tuple(ends_at for ends_at, _last in stated_chapters(survey)),
    )
