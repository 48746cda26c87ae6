"""A survey with its audit: that of its draft, of its newest version, or of its newest run."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.conf import settings

from privacy.risk import Audit
from privacy.survey.design import Design
from surveys.figures.audit.selectors import audit_before, audit_draft, audit_of_run
from surveys.models import Job, Run, Survey, Version
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.draft_reading import draft_read
from surveys.questionnaire.schedule import WaveLine, other_waves, series_of

__all__ = ["AuditedSurvey", "audited_survey"]


@dataclass(frozen=True, kw_only=True)
class AuditedSurvey:
    """Questions of a survey, and the audit of their answers.

    Attributes
    ----------
    survey : Survey
    version : Version
        The newest one; of a draft what would be published, in no database.
    design : Design
    audit : Audit
    waves : tuple of WaveLine
        The other surveys of its series.
    run : Run or None
        Whose rows the audit is of; None where it is of the design alone.
    """

    survey: Survey
    version: Version
    design: Design
    audit: Audit
    waves: tuple[WaveLine, ...]
    run: Run | None = None

    @cached_property
    def planned(self) -> Audit:
        """The audit of the design alone, for as many people as were expected."""
        return self.audit if self.run is None else _audit_planned(self.version)

    @property
    def wording(self) -> dict[str, Any]:
        """Texts of its questions."""
        wording: dict[str, Any] = self.version.wording
        return wording

    @property
    def is_draft(self) -> bool:
        """Whether the audit is of a draft, which has no answers."""
        return self.version.pk is None


def audited_survey(survey: Survey) -> AuditedSurvey | None:
    """Return a survey with its audit; None for a draft that is not complete.

    A published survey is what respondents see, whatever its draft says by now. Its rows are audited as soon
    as a run has been made of them, unless the settings leave reports to reviewers.
    """
    version = survey.versions.order_by("-number").first()
    if version is None:
        return _of_draft(survey)
    run, audit = _of_rows(version)
    return AuditedSurvey(
        survey=survey,
        version=version,
        design=version.to_design(),
        audit=audit or _audit_planned(version),
        waves=other_waves(series_of(survey), but=survey),
        run=run,
    )


def _audit_planned(version: Version) -> Audit:
    return audit_before(version, n=Aim.people_of(version.aim))


def _of_draft(survey: Survey) -> AuditedSurvey | None:
    definition = draft_read(survey).designed
    if definition is None:
        return None
    design = definition.design
    return AuditedSurvey(
        survey=survey,
        version=Version(
            survey=survey,
            design=design.to_json(),
            design_id=design.design_id,
            wording=definition.wording,
            wording_id=definition.wording_id,
            aim=survey.aim,
        ),
        design=design,
        audit=audit_draft(survey, definition),
        waves=other_waves(definition.series, but=survey),
    )


def _of_rows(version: Version) -> tuple[Run | None, Audit | None]:
    if not settings.SOTTOVOCE_RESEARCHERS_READ_REPORTS:
        return None, None
    made = Run.objects.filter(
        survey=version.survey_id,
        design_id=version.design_id,
        job__state=Job.State.FINISHED,
        summary__has_key="audit",
    )
    run = made.order_by("-pk").first()
    audit = None if run is None else audit_of_run(run)
    return (None, None) if audit is None else (run, audit)
