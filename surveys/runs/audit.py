"""Audits of a design, of a version's answers and of a run."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, TypeAlias, TypeVar

from django.conf import settings
from django.db.models import QuerySet

from mining import Progress, ProgressListener, ignore_progress
from mining.columns.row_patterns import distinct_rows_in, observe, with_open_numbers
from mining.columns.sent_counts import SentCounts
from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.estimation.withheld import NOTHING, Withheld
from privacy.risk import Audit, audit_design, audit_rows
from privacy.risk.design_audit import group_before
from privacy.risk.impossible_decoys import with_shared_filters
from privacy.risk.open_answers import open_after
from privacy.risk.prevalences import Prevalence
from privacy.risk.report import ScaleAudit, StrengthAudit, audit_from_json
from privacy.risk.scale_rows import ScaleRows, scale_rows
from privacy.risk.unique_combinations import unique_combinations
from privacy.risk.unique_records import expected_unique
from privacy.scales.mixed_fit import mixed_fit
from privacy.scales.scale_groups import scale_groups
from privacy.scales.skips import Disguise, Skipping
from privacy.scales.window import WindowChannel
from privacy.survey.design import Design
from surveys.jobs.bounds import site_bounds
from surveys.models import Batch, Job, Run, Survey, Version
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import Definition
from surveys.questionnaire.draft import draft_read
from surveys.questionnaire.series import promises_to_publish
from surveys.questionnaire.series_membership import series_of
from surveys.questionnaire.stated_prevalences import wording_prevalences
from surveys.questionnaire.turns import epsilons_of_other_waves
from surveys.questionnaire.waves import WaveLine, other_waves
from surveys.runs.batch_rows import batches_read, rows_of
from surveys.runs.ledger import floor_of
from surveys.runs.places import place_shares
from surveys.runs.releasable_rows import ReleasableRows, packed_rows, releasable_rows, rows_of_version
from surveys.runs.scale_question import check_enough, sent_by
from surveys.runs.snapshot import batches_of, batches_open_to_mining
from surveys.runs.withheld import withheld_of

_Measured: TypeAlias = Mapping[tuple[str, bool], ScaleRows]
"""Rows by question and by whether they are lightly disguised; without questions that too few answered."""


def with_scale_rows(
    audit: Audit, version: Version, batches: QuerySet[Batch], withheld: Withheld = NOTHING
) -> Audit:
    """Return the audit of some batches of a version's design, including numbers and places."""
    rows_by_key: dict[tuple[str, bool], ScaleRows] = {}
    design = version.to_design()
    for number, question in enumerate(design.questions):
        if question.disguise is not None and design.blocks[design.block_of(number)].protected:
            try:
                withheld.check([number])
                counts = sent_by(version, batches, number)
                check_enough(version, question.key, counts)
                shares = SHARES[question.kind](question.disguise, counts)
                rows_by_key |= _measure_rows(question.key, question.disguise, counts, shares)
            except PrivacyError:
                # Skip a question that too few people answered, or that forged rows contradict.
                continue
    light = audit.light and replace(audit.light, lone=_add_rows(audit.light.lone, rows_by_key, is_light=True))
    return replace(audit, lone=_add_rows(audit.lone, rows_by_key, is_light=False), light=light)


def _add_rows(parts: tuple[ScaleAudit, ...], rows_of: _Measured, *, is_light: bool) -> tuple[ScaleAudit, ...]:
    return tuple(replace(part, rows=rows_of.get((part.question, is_light))) for part in parts)


def _measure_rows(key: str, disguise: Disguise, reports: SentCounts, shares: Array) -> _Measured:
    """Measure the strongly disguised rows and any lightly disguised ones."""
    rows = {(key, False): scale_rows(disguise, shares, reports.protected, skipping=reports.skipping)}
    if reports.light is not None and reports.direct.any():
        skipping = reports.skipping and Skipping(disguise=reports.light, refusal=reports.skipping.refusal)
        rows[key, True] = scale_rows(reports.light, shares, reports.direct, skipping=skipping)
    return rows


def number_shares(channel: WindowChannel, reports: SentCounts) -> Array:
    """Return the share of each bin, as the report reconstructs it."""
    groups = scale_groups(channel, reports.protected, skipping=reports.skipping)
    return mixed_fit(channel, groups, smooth=True).shares


SHARES: Final[Mapping[str, Callable[[Any, SentCounts], Array]]] = {
    "number": number_shares,
    "place": place_shares,
}
"""How the shares of the answers are reconstructed, for each kind with a disguise of its own."""


def stated_prevalences(design: Design, wording: dict[str, Any]) -> tuple[Prevalence, tuple[str, ...]]:
    """Return the prevalences of a version's wording, and the keys of questions without a statement.

    Every protected question gets prevalences; even shares if none were stated.
    """
    stated = wording_prevalences(wording)
    prevalences: dict[str, list[int]] = {}
    defaults = []
    for block in design.blocks:
        for question in block.questions if block.has_coin else ():
            prevalences[question.key] = stated.get(question.key) or list(question.even_shares)
            if question.key not in stated:
                defaults.append(question.key)
    return prevalences, tuple(defaults)


def exclusive_answers(design: Design, wording: dict[str, Any]) -> list[tuple[str, ...]]:
    """Return the answers that cannot be true together, as item keys: stated, or due to shared filters."""
    stated = [keys for block in wording["blocks"] for keys in block.get("exclusive", [])]
    return with_shared_filters(design, stated)


def audit_before(version: Version, *, n: int | None = None, waves: int = 1) -> Audit:
    """Audit the design of a version with the prevalences stated for it."""
    design = version.to_design()
    prevalences, _defaults = stated_prevalences(design, version.wording)
    return audit_design(
        design,
        prevalences,
        n=n,
        waves=waves,
        other_waves=waves_of(version),
        exclusive=exclusive_answers(design, version.wording),
    )


def audit_draft(survey: Survey, definition: Definition) -> Audit:
    """Audit a survey's draft with the prevalences and the number of answers that it states."""
    prevalences, _defaults = stated_prevalences(definition.design, definition.wording)
    return audit_design(
        definition.design,
        prevalences,
        n=Aim.people_of(survey.aim),
        other_waves=epsilons_of_other_waves(
            definition.design, definition.wording, other_waves(definition.series, but=survey)
        ),
        exclusive=exclusive_answers(definition.design, definition.wording),
    )


def audit_answers(version: Version, *, waves: int = 1) -> Audit:
    """Audit the answers of a version's design that may be mined now.

    Raises
    ------
    SurveyError
        No answers, or too few for any result.
    """
    rows = rows_of_version(version)
    return _audit_version(version, batches_open_to_mining(version), rows, waves=waves)


def audit_record(run: Run, progress: ProgressListener) -> dict[str, Any]:
    """Return the audit of a run's rows as its summary stores it."""
    batches = batches_of(run)
    rows = releasable_rows(run.version, batches, withheld=withheld_of(run))
    audit = _audit_version(run.version, batches, rows, progress=progress)
    allowed = rows.under(floor_of(run))
    return _as_designed(
        run.version, audit, lambda questions: allowed.has_large_crosses((), beside=questions)
    ).to_json()


def audit_of_run(run: Run) -> Audit | None:
    """Return the audit that a run stored; None if there is none.

    How many people are unique follows from combinations of open answers. Before these may be counted, the
    audit has the expected number instead. How many were asked a part follows from the answers in its
    condition. While no figure may name these, the part has the audit of its design.
    """
    record = run.summary.get("audit")
    audit = None if record is None else audit_from_json(record)
    if audit is None or audit.n is None or not audit.n:
        return audit
    n, floor = audit.n, floor_of(run)
    audit = _as_designed(run.version, audit, lambda questions: floor.may_name(run.design, (), questions))
    if floor.crosses:
        return audit
    expected = expected_unique(n, audit.open.combinations)
    return replace(
        audit,
        open=replace(audit.open, expected_unique=expected, unique=None, unique_direct=None),
        own=None if audit.own is None else unique_combinations(run.version.to_design(), n),
    )


def _as_designed(version: Version, audit: Audit, may_name: Callable[[range], bool]) -> Audit:
    """Replace the audit of the blocks whose questions no figure may name by that of their design."""
    design = version.to_design()
    hidden = {
        block.key
        for block, first in zip(design.blocks, design.first_questions, strict=True)
        if block.protected and not may_name(range(first, first + len(block.questions)))
    }
    if not hidden:
        return audit
    before = audit_before(version, n=audit.n)
    light = audit.light
    if light is not None and before.light is not None:
        light = _replaced(light, before.light, hidden)
    return replace(_replaced(audit, before, hidden), light=light)


_OneAudit = TypeVar("_OneAudit", Audit, StrengthAudit)


def _replaced(audit: _OneAudit, before: _OneAudit, hidden: Collection[str]) -> _OneAudit:
    """Take the parts of hidden blocks from the audit of the design; both have the same parts."""
    return replace(
        audit,
        blocks=tuple(
            planned if planned.key in hidden else measured
            for measured, planned in zip(audit.blocks, before.blocks, strict=True)
        ),
        lone=tuple(
            planned if planned.key in hidden else measured
            for measured, planned in zip(audit.lone, before.lone, strict=True)
        ),
        items=tuple(
            planned if planned.block in hidden else measured
            for measured, planned in zip(audit.items, before.items, strict=True)
        ),
    )


def _audit_version(
    version: Version,
    batches: QuerySet[Batch],
    rows: ReleasableRows,
    *,
    waves: int = 1,
    progress: ProgressListener = ignore_progress,
) -> Audit:
    matrix = rows.matrix
    most = distinct_rows_in(site_bounds().megabytes, matrix.design)
    prevalences, _defaults = stated_prevalences(matrix.design, version.wording)
    observed = observe(matrix, progress, most=most)
    observed = with_open_numbers(observed, matrix.design, packed_rows(version, batches), most=most)
    audit = audit_rows(
        matrix.design,
        prevalences,
        observed,
        waves=waves,
        other_waves=waves_of(version),
        exclusive=exclusive_answers(matrix.design, version.wording),
    )
    if audit.lone:
        progress(Progress(stage="patterns", done=0, total=0))
        audit = with_scale_rows(audit, version, batches, rows.withheld)
    if not version.holds_undisguised:
        return audit
    # An adversary with the database sees direct rows as they were sent, so use their groups and open answers.
    design, sent_rows = version.to_design(), rows.reports
    as_sent = rows_of(batches_read(list(batches.values_list("pk", flat=True))))
    observed = with_open_numbers(observe(sent_rows, progress, most=most), design, as_sent, most=most)
    return replace(
        audit,
        light=None,
        open=open_after(design, observed.open),
        group=replace(
            group_before(design),
            direct_share=sent_rows.n_direct / sent_rows.n if sent_rows.n else None,
            n_direct=sent_rows.n_direct,
            n_protected=sent_rows.n_protected,
        ),
    )


def waves_of(version: Version) -> list[float]:
    """Return the privacy cost of the series' other waves, for respondents who answer those too."""
    waves = other_waves(series_of(version.survey), but=version.survey)
    return epsilons_of_other_waves(version.to_design(), version.wording, waves)


@dataclass(frozen=True, kw_only=True)
class AuditedSurvey:
    """A survey's questions and the audit of its answers.

    Attributes
    ----------
    survey : Survey
    version : Version
        The newest one; for a draft an unsaved version with what would be published.
    design : Design
    audit : Audit
    waves : tuple of WaveLine
        The other surveys of its series.
    run : Run or None
        The run whose rows were audited; None if only the design was.
    """

    survey: Survey
    version: Version
    design: Design
    audit: Audit
    waves: tuple[WaveLine, ...]
    run: Run | None = None

    @cached_property
    def plan_audit(self) -> Audit:
        """The audit of the design alone, for the expected number of answers."""
        return self.audit if self.run is None else _planned_audit(self.version)

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
    """Return a survey with its audit; None for an incomplete draft.

    For a published survey, the audit is of the published version, not of a later draft. It includes the rows
    once a run has audited them, unless only reviewers may read reports.
    """
    version = survey.versions.order_by("-number").first()
    if version is None:
        return _audited_draft(survey)
    run, audit = _newest_audit(version)
    return AuditedSurvey(
        survey=survey,
        version=version,
        design=version.to_design(),
        audit=audit or _planned_audit(version),
        waves=other_waves(series_of(survey), but=survey),
        run=run,
    )


def _planned_audit(version: Version) -> Audit:
    return audit_before(version, n=Aim.people_of(version.aim))


def _audited_draft(survey: Survey) -> AuditedSurvey | None:
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
            promises=promises_to_publish(definition, survey),
        ),
        design=design,
        audit=audit_draft(survey, definition),
        waves=other_waves(definition.series, but=survey),
    )


def _newest_audit(version: Version) -> tuple[Run | None, Audit | None]:
    if not settings.SOTTOVOCE_RESEARCHERS_READ_REPORTS:
        return None, None
    runs = Run.objects.filter(
        survey=version.survey_id,
        design_id=version.design_id,
        job__state=Job.State.FINISHED,
        summary__has_key="audit",
    )
    run = runs.order_by("-pk").first()
    audit = None if run is None else audit_of_run(run)
    return (None, None) if audit is None else (run, audit)
