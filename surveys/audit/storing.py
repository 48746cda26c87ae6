"""The audit of a run's rows, stored after its report: whoever waits for rules does not wait for it."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet

from mining.bitmatrix import BitMatrix
from privacy.audit.report import as_json
from privacy.errors import PrivacyError
from surveys.audit.lone_rows import lone_rows_of_answers
from surveys.audit.selectors import audit_record, waves_of
from surveys.models import Job, Run
from surveys.report.outcome import shown_of
from surveys.report.provenance import code_version
from surveys.report.snapshot import batches_of
from surveys.report.told_rows import told_rows

logger = logging.getLogger(__name__)

AT_WORK: Final = timedelta(minutes=2)
"""How long a run without an audit is taken to be getting one."""


def audit_store(job_id: int) -> None:
    """Store the audit of the finished run of a job, unless it has one; a second time changes nothing.

    Rows, wording and waves decide an audit, thresholds do not: that of an earlier run on the same rows is
    taken over.
    """
    run = Run.objects.select_related("survey", "version", "job").get(job=job_id)
    if run.job.state != Job.State.FINISHED or "audit" in run.summary:
        return
    try:
        basis = _basis(run)
        found = earlier_audit(run)
        if found is None and _is_being_made(run):
            return
        found = found or _record(run)
    except PrivacyError as refusal:
        # The report stands; what keeps its rows from being audited is said where the audit is asked for.
        logger.warning("run %s has no audit: %s", run.pk, refusal)
        return
    with transaction.atomic():
        held = Run.objects.select_for_update().get(pk=run.pk)
        held.summary = {**held.summary, "audit": found, "audit_basis": basis}
        held.save(update_fields=["summary"])


def _record(run: Run) -> dict[str, Any]:
    """Return the audit of a run's rows, numbers and places with what of them may be shown now."""
    record = audit_record(run.version, rows_of(run))
    if not record.get("lone"):
        return record
    measured = {
        one.key: None if one.rows is None else as_json(one.rows)
        for one in lone_rows_of_answers(run.version, batches_of(run), shown_of(run))
    }
    lone = [{**part, "rows": measured.get(part["question"])} for part in record["lone"]]
    return record | {"lone": lone}


def rows_of(run: Run) -> BitMatrix:
    """Return the rows of a run, of both halves where it has halves."""
    return told_rows(run.version, batches_of(run)).matrix


def _basis(run: Run) -> dict[str, Any]:
    """Return what an audit depends on beside the rows."""
    return {"version": run.version_id, "waves": waves_of(run.version), "code": code_version()}


def earlier_audit(run: Run) -> Any:
    """Return the audit that another run on the same rows has stored; None where there is none."""
    basis = _basis(run)
    found = _same_rows(run).filter(summary__has_key="audit_basis").order_by("-pk")
    for summary in found.values_list("summary", flat=True)[:1]:
        if summary["audit_basis"] == basis:
            return summary["audit"]
    return None


def _is_being_made(run: Run) -> bool:
    """Whether a run on the same rows ended just now, whose worker is at its audit: one is enough."""
    if run.job.ended_at is None:
        return False
    others = _same_rows(run).filter(
        pk__lt=run.pk, job__state=Job.State.FINISHED, job__ended_at__gte=run.job.ended_at - AT_WORK
    )
    return others.exclude(summary__has_key="audit").exists()


def _same_rows(run: Run) -> QuerySet[Run]:
    return Run.objects.filter(survey=run.survey_id, snapshot_digest=run.snapshot_digest)
