"""Audits of published surveys: from what was stated, from answers that may be mined, as a run stored it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.db.models import QuerySet

from mining.columns.row_patterns import distinct_rows_in, observe, with_open_numbers
from mining.progress import Progress, ProgressListener, ignore_progress
from privacy.errors import PrivacyError
from privacy.risk import Audit, audit_design, audit_rows
from privacy.risk.design_audit import group_before
from privacy.risk.open_answers import open_after
from privacy.risk.posterior import Prevalence, even_shares
from privacy.risk.report import audit_from_json
from privacy.survey.design import Design
from surveys.figures.audit.scale_rows import with_scale_rows
from surveys.jobs.dispatch import site_bounds
from surveys.models import Batch, Run, Survey, Version
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import Definition
from surveys.questionnaire.schedule import other_waves, series_of
from surveys.rows.columns import batches_read, rows_of
from surveys.rows.releasable_rows import ReleasableRows, packed_rows, releasable_rows, rows_of_version
from surveys.rows.snapshot import batches_of, batches_open_to_mining

__all__ = [
    "audit_answers",
    "audit_before",
    "audit_draft",
    "audit_of_run",
    "audit_record",
    "stated_exclusive",
    "stated_prevalences",
    "waves_of",
]


def stated_prevalences(design: Design, wording: dict[str, Any]) -> tuple[Prevalence, tuple[str, ...]]:
    """Return the prevalences of a version's wording, and the keys of questions without a statement.

    They are of every protected question; even shares where none were stated.
    """
    stated = {
        question["key"]: question.get("prevalence") or []
        for block in wording["blocks"]
        for question in block["questions"]
    }
    prevalences: dict[str, list[int]] = {}
    assumed = []
    for block in design.blocks:
        for question in block.questions if block.protected and not block.is_scale else ():
            prevalences[question.key] = stated.get(question.key) or list(even_shares(question))
            if not stated.get(question.key):
                assumed.append(question.key)
    return prevalences, tuple(assumed)


def stated_exclusive(wording: dict[str, Any]) -> list[list[str]]:
    """Return the answers of a version that its researcher said cannot be true together, as item keys."""
    return [keys for block in wording["blocks"] for keys in block.get("exclusive", [])]


def audit_before(version: Version, *, n: int | None = None, waves: int = 1) -> Audit:
    """Audit the design of a version with the prevalences stated for it."""
    design = version.to_design()
    stated, _assumed = stated_prevalences(design, version.wording)
    return audit_design(
        design,
        stated,
        n=n,
        waves=waves,
        other_waves=waves_of(version),
        exclusive=stated_exclusive(version.wording),
    )


def audit_draft(survey: Survey, definition: Definition) -> Audit:
    """Audit a draft of a survey, with the prevalences that it states, for the people that it expects."""
    stated, _assumed = stated_prevalences(definition.design, definition.wording)
    return audit_design(
        definition.design,
        stated,
        n=Aim.people_of(survey.aim),
        other_waves=[wave.epsilon for wave in other_waves(definition.series, but=survey)],
        exclusive=stated_exclusive(definition.wording),
    )


def audit_answers(version: Version, *, waves: int = 1) -> Audit:
    """Audit the answers of a version's design that may be mined now.

    Raises
    ------
    SurveyError
        There are no answers, or too few for any result.
    """
    rows = rows_of_version(version)
    return _audited(version, batches_open_to_mining(version), rows, waves=waves)


def audit_record(run: Run, progress: ProgressListener) -> dict[str, Any]:
    """Return the audit of a run's rows as its summary keeps it."""
    batches = batches_of(run)
    rows = releasable_rows(run.version, batches)
    return _audited(run.version, batches, rows, progress=progress).to_json()


def audit_of_run(run: Run) -> Audit | None:
    """Return the audit that a run stored; None for a run that stored none."""
    stored = run.summary.get("audit")
    if stored is None:
        return None
    try:
        return audit_from_json(stored)
    except PrivacyError:
        # Another version of the program wrote it; a new run writes one that can be read.
        return None


def _audited(
    version: Version,
    batches: QuerySet[Batch],
    rows: ReleasableRows,
    *,
    waves: int = 1,
    progress: ProgressListener = ignore_progress,
) -> Audit:
    matrix = rows.matrix
    most = distinct_rows_in(site_bounds().megabytes, matrix.design)
    stated, _assumed = stated_prevalences(matrix.design, version.wording)
    observed = observe(matrix, progress, most=most)
    observed = with_open_numbers(observed, matrix.design, packed_rows(version, batches), most=most)
    audit = audit_rows(
        matrix.design,
        stated,
        observed,
        waves=waves,
        other_waves=waves_of(version),
        exclusive=stated_exclusive(version.wording),
    )
    if audit.lone:
        progress(Progress(stage="patterns", done=0, total=0))
        audit = with_scale_rows(audit, version, batches)
    if not version.holds_undisguised:
        return audit
    # An adversary with the database has direct rows as they came: their groups and open answers are these.
    design, sent = version.to_design(), rows.sent
    as_sent = rows_of(batches_read(list(batches.values_list("pk", flat=True))))
    observed = with_open_numbers(observe(sent, progress, most=most), design, as_sent, most=most)
    return replace(
        audit,
        light=None,
        open=open_after(design, observed.by_number or observed.open),
        group=replace(
            group_before(design),
            direct_share=sent.n_direct / sent.n if sent.n else None,
            n_direct=sent.n_direct,
            n_protected=sent.n_protected,
        ),
    )


def waves_of(version: Version) -> list[float]:
    """Return what the other waves of a survey's series cost those who answer them too."""
    survey = version.survey
    return [wave.epsilon for wave in other_waves(series_of(survey), but=survey)]
