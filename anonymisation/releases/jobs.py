"""The job that creates a release with its files and findings."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

from django.utils import timezone

from anonymisation.microdata.files import DEPOSIT
from anonymisation.microdata.ledgers import Ledger, ledger_read
from anonymisation.microdata.publication import release_prepare
from anonymisation.models import Release, ReleaseTable
from anonymisation.releases.downloads import FILES
from anonymisation.releases.drafts import attackers_of, table_open
from anonymisation.releases.findings import findings_of
from anonymisation.releases.plan import plan_document, release_plan
from anonymisation.releases.release_background import release_background
from anonymisation.releases.release_events import release_log
from anonymisation.releases.same_people import releases_of_same_people
from anonymisation.releases.sealed_documents import LEDGER, REPORT, bytes_seal, document_open, document_seal
from surveys.errors.error import SurveyError
from surveys.jobs.lease import Report


def release_job(job_id: int, report: Report) -> Callable[[], None]:
    """Create a release, and return the function that stores it and deletes its records.

    Raises
    ------
    PrivacyError
        The requested bounds cannot be kept, or the release would break an earlier release of the survey.
    """
    report("reading", 0, 0)
    release = Release.objects.select_related("survey", "owner").filter(job=job_id).first()
    if release is None:
        # The release was deleted in the meantime.
        return lambda: None
    source = table_open(release)
    texts = source.inputs
    ledgers = list(map(ledger_read, texts.ledgers))
    config, table, hierarchies = release_plan(release.columns, release.bounds, source.table, texts)
    earlier = earlier_ledgers(release)
    result = release_prepare(
        table,
        source.respondents,
        hierarchies,
        config,
        day=timezone.now().date().isoformat(),
        background=release_background(release).with_labels(source.table),
        before=[*earlier.values(), *ledgers],
        counting=source.counting(release.columns),
        attackers=attackers_of(release.columns, texts.beliefs),
        progress=report,
    )
    report("attacking", 0, 0)
    findings = findings_of(result.result) | {
        "methods": result.files[f"{DEPOSIT}/methods.txt"].decode(),
        "earlier": len(earlier) + len(ledgers),
        "earlier_in_records": result.old,
        "published_before": None
        if ledgers or (before := releases_of_same_people(release, texts.as_written).first()) is None
        else f"{before.finished_at:%Y-%m-%d}",
        "beliefs": [
            {"column": attacker.sensitive, "known": attacker.known, **asdict(audit)}
            for attacker, audit in result.audits
        ],
    }
    folder = f"{DEPOSIT}/"
    owner_files = {name: body for name, body in result.files.items() if not name.startswith(folder)}
    deposit = {
        name.removeprefix(folder): body for name, body in result.files.items() if name not in owner_files
    }
    plan = plan_document(release.columns, release.bounds, source.table, texts, config, release.description)
    owner_files["plan.json"] = json.dumps(plan, indent=1, ensure_ascii=False).encode()
    ledger = None if result.ledger is None else result.ledger.document()
    if release.survey is None and ledger is not None:
        # Publishers keep the ledger of an uploaded table; that of a survey's release stays in the database.
        owner_files["ledger.json"] = json.dumps(ledger).encode()
        findings["ledger"], ledger = True, None
    return partial(_store, release.pk, findings, deposit, owner_files, ledger, frozenset(earlier))


def earlier_ledgers(release: Release) -> dict[int, Ledger]:
    """Return the ledgers of all earlier releases of the survey, by release number."""
    if release.survey is None:
        return {}
    releases = Release.objects.filter(survey=release.survey, ledger__isnull=False).order_by("pk")
    return {
        earlier.pk: ledger_read(
            document_open(bytes(earlier.ledger or b""), release_id=earlier.pk, kind=LEDGER)
        )
        for earlier in releases
    }


def _store(
    release_id: int,
    findings: Mapping[str, Any],
    public: Mapping[str, bytes],
    owner_files: Mapping[str, bytes],
    ledger: dict[str, Any] | None,
    others_compared: frozenset[int],
) -> None:
    release = (
        Release.objects.select_for_update(of=("self",)).select_related("survey", "owner").get(pk=release_id)
    )
    if release.survey is not None:
        other_releases = Release.objects.filter(survey=release.survey, ledger__isnull=False)
        if frozenset(other_releases.values_list("pk", flat=True)) != others_compared:
            raise SurveyError("release.meanwhile")
    release.result = json.loads(json.dumps(findings, default=str))
    release.finished_at = timezone.now()
    release.files = bytes_seal(_zip_files(public), release_id=release_id, kind=FILES)
    release.report = bytes_seal(_zip_files(owner_files), release_id=release_id, kind=REPORT)
    if ledger is not None:
        release.ledger = document_seal(ledger, release_id=release_id, kind=LEDGER)
    release.save()
    # Delete the records as soon as the release is finished, as promised at the upload.
    ReleaseTable.objects.filter(release=release).delete()
    release_log(
        release,
        by=release.owner,
        action="release_finish",
        detail={"records": findings["records"], "compared": len(others_compared)},
    )


def _zip_files(files: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in files.items():
            # `ZipInfo` dates every file 1980, so the archive does not reveal the server's clock.
            archive.writestr(zipfile.ZipInfo(name), body, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()
