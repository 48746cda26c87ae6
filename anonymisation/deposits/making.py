"""The job of a deposit: read, group, verify, compare with earlier deposits, attack, and keep the files."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

from django.utils import timezone

from anonymisation.deposits.attackers import attackers_of
from anonymisation.deposits.background import deposit_background
from anonymisation.deposits.drafts import FILES, LEDGER, REPORT, table_open
from anonymisation.deposits.erasing import deposit_record
from anonymisation.deposits.findings import findings_of
from anonymisation.deposits.plan import plan_document, release_plan
from anonymisation.deposits.respondents import deposits_of_same_people
from anonymisation.deposits.vault import bytes_seal, document_open, document_seal
from anonymisation.microdata.earlier import Ledger, ledger_read
from anonymisation.microdata.publishing import release_prepare
from anonymisation.microdata.writing import DEPOSIT
from anonymisation.models import Deposit, DepositTable
from surveys.errors.error import SurveyError
from surveys.jobs.lease import Report

__all__ = ["deposit_make", "earlier_ledgers"]


def deposit_make(job_id: int, report: Report) -> Callable[[], None]:
    """Make a deposit, and return what stores it and deletes its records.

    Raises
    ------
    PrivacyError
        What was asked for cannot be kept, or would break an earlier deposit of the survey.
    """
    report("reading", 0, 0)
    deposit = Deposit.objects.select_related("survey", "owner").filter(job=job_id).first()
    if deposit is None:
        # It was deleted meanwhile.
        return lambda: None
    opened = table_open(deposit)
    written = opened.written
    ledgers = list(map(ledger_read, written.ledgers))
    config, table, hierarchies = release_plan(deposit.columns, deposit.bounds, opened.table, written)
    earlier = earlier_ledgers(deposit)
    people = opened.people(deposit.columns)
    prepared = release_prepare(
        table,
        opened.respondents,
        hierarchies,
        config,
        day=timezone.now().date().isoformat(),
        background=deposit_background(deposit).labelled(opened.table),
        before=[*earlier.values(), *ledgers],
        people=None if people is None else people.of(table),
        attackers=attackers_of(deposit.columns, written.beliefs),
        progress=report,
    )
    report("attacking", 0, 0)
    findings = findings_of(prepared.made) | {
        "methods": prepared.files[f"{DEPOSIT}/methods.txt"].decode(),
        "earlier": len(earlier) + len(ledgers),
        "published_before": None
        if ledgers or (before := deposits_of_same_people(deposit).first()) is None
        else f"{before.finished_at:%Y-%m-%d}",
        "beliefs": [
            {"column": attacker.sensitive, "known": attacker.known, **asdict(audit)}
            for attacker, audit in prepared.audits
        ],
    }
    inside = f"{DEPOSIT}/"
    mine = {name: body for name, body in prepared.files.items() if not name.startswith(inside)}
    handed = {name.removeprefix(inside): body for name, body in prepared.files.items() if name not in mine}
    plan = plan_document(deposit.columns, deposit.bounds, opened.table, written, config, deposit.description)
    mine["plan.json"] = json.dumps(plan, indent=1, ensure_ascii=False).encode()
    ledger = None if prepared.ledger is None else prepared.ledger.document()
    if deposit.survey is None and ledger is not None:
        # Of a survey the next deposit finds it here. Of an uploaded table its publisher keeps it.
        mine["ledger.json"] = json.dumps(ledger).encode()
        findings["ledger"], ledger = True, None
    return partial(_store, deposit.pk, findings, handed, mine, ledger, frozenset(earlier))


def earlier_ledgers(deposit: Deposit) -> dict[int, Ledger]:
    """Return the ledgers of all deposits of the survey that were made before, by the deposit's number."""
    if deposit.survey is None:
        return {}
    made = Deposit.objects.filter(survey=deposit.survey, ledger__isnull=False).order_by("pk")
    return {
        earlier.pk: ledger_read(
            document_open(bytes(earlier.ledger or b""), deposit_id=earlier.pk, kind=LEDGER)
        )
        for earlier in made
    }


def _store(
    deposit_id: int,
    findings: Mapping[str, Any],
    handed: Mapping[str, bytes],
    mine: Mapping[str, bytes],
    ledger: dict[str, Any] | None,
    compared: frozenset[int],
) -> None:
    deposit = (
        Deposit.objects.select_for_update(of=("self",)).select_related("survey", "owner").get(pk=deposit_id)
    )
    if deposit.survey is not None:
        others = Deposit.objects.filter(survey=deposit.survey, ledger__isnull=False)
        if frozenset(others.values_list("pk", flat=True)) != compared:
            raise SurveyError("deposit.meanwhile")
    deposit.result = json.loads(json.dumps(findings, default=str))
    deposit.finished_at = timezone.now()
    deposit.files = bytes_seal(_zipped(handed), deposit_id=deposit_id, kind=FILES)
    deposit.report = bytes_seal(_zipped(mine), deposit_id=deposit_id, kind=REPORT)
    if ledger is not None:
        deposit.ledger = document_seal(ledger, deposit_id=deposit_id, kind=LEDGER)
    deposit.save()
    # With the deposit the records go: what was promised when they were given.
    DepositTable.objects.filter(deposit=deposit).delete()
    deposit_record(
        deposit,
        by=deposit.owner,
        action="deposit_finish",
        detail={"records": findings["records"], "compared": len(compared)},
    )


def _zipped(files: Mapping[str, bytes]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in files.items():
            # No time of day of the server's stands in the file.
            entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, body)
    return held.getvalue()
