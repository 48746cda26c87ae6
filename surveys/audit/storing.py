"""The audit of a run's rows, stored after its report: whoever waits for rules does not wait for it."""

from __future__ import annotations

import logging
from typing import Any

from django.db import transaction

from mining.bitmatrix import BitMatrix
from privacy.errors import PrivacyError
from surveys.audit.selectors import audit_record, waves_of
from surveys.column_cache import cached_columns
from surveys.models import Job, Run
from surveys.report.provenance import code_version
from surveys.report.snapshot import batches_of

logger = logging.getLogger(__name__)


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
        found = _earlier(run, basis) or audit_record(run.version, rows_of(run))
    except PrivacyError as refusal:
        # The report stands; what keeps its rows from being audited is said where the audit is asked for.
        logger.warning("run %s has no audit: %s", run.pk, refusal)
        return
    with transaction.atomic():
        held = Run.objects.select_for_update().get(pk=run.pk)
        held.summary = {**held.summary, "audit": found, "audit_basis": basis}
        held.save(update_fields=["summary"])


def rows_of(run: Run) -> BitMatrix:
    """Return the rows of a run."""
    return cached_columns(run.version.to_design(), run.survey_id, batches_of(run)).matrix


def _basis(run: Run) -> dict[str, Any]:
    """Return what an audit depends on beside the rows."""
    return {"version": run.version_id, "waves": waves_of(run.version), "code": code_version()}


def _earlier(run: Run, basis: dict[str, Any]) -> Any:
    same = Run.objects.filter(
        survey=run.survey_id, snapshot_digest=run.snapshot_digest, summary__has_key="audit_basis"
    )
    for summary in same.order_by("-pk").values_list("summary", flat=True)[:1]:
        if summary["audit_basis"] == basis:
            return summary["audit"]
    return None
