"""Versions of a deposit: more people in groups of their own, or its groups joined to larger ones."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from django.contrib.auth.models import User
from django.db import transaction

from releases.deposits.drafts import LEDGER, REPORT, survey_begin, upload_begin
from releases.deposits.forms import CONTINUED
from releases.deposits.vault import bytes_open, document_open
from releases.deposits.written import written_save
from releases.microdata.earlier import Ledger, ledger_read
from releases.models import Deposit
from surveys.errors.error import SurveyError

__all__ = ["CHOICES", "EXTEND", "ledger_of", "version_begin", "versions_shown", "ways_of"]

EXTEND: Final = "extend"
COARSEN: Final = "coarsen"
CHOICES: Final = "choices.json"
"""File of a report: trees, ends, matrix and the column of respondents, which the next version begins with."""


def chain_of(deposit: Deposit) -> list[Deposit]:
    """Return the versions that lead to a deposit, the first one first, and those that follow it."""
    chain = [deposit]
    while (before := chain[0].earlier) is not None:
        chain.insert(0, before)
    for version in chain:
        chain.extend(later for later in version.later.order_by("pk") if later not in chain)
    return chain


def ways_of(deposit: Deposit) -> tuple[str, ...]:
    """Return the ways in which a deposit can continue the version before; a closed survey cannot grow."""
    if deposit.earlier is None:
        return ()
    return (EXTEND, COARSEN) if deposit.survey is None else (COARSEN,)


def versions_shown(deposit: Deposit) -> list[dict[str, Any]]:
    """Return a line for each version of a deposit; none where it is the only one."""
    chain = chain_of(deposit)
    return [
        {
            "number": number,
            "deposit": version,
            "is_this": version == deposit,
            "way": dict(CONTINUED).get(version.bounds.get("continued", ""), "") if version.earlier_id else "",
        }
        for number, version in enumerate(chain, start=1)
        if len(chain) > 1
    ]


def ledger_of(deposit: Deposit) -> Ledger | None:
    """Return whose record is whose in a deposit that was made; None where that is not kept any more."""
    if deposit.ledger is not None:
        return ledger_read(document_open(deposit.ledger, deposit_id=deposit.pk, kind=LEDGER))
    text = _of_report(deposit, "ledger.json")
    return None if text is None else ledger_read(text)


def _of_report(deposit: Deposit, name: str) -> dict[str, Any] | None:
    if deposit.report is None:
        return None
    content = bytes_open(deposit.report, deposit_id=deposit.pk, kind=REPORT)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        if name not in archive.namelist():
            return None
        document: dict[str, Any] = json.loads(archive.read(name))
    return document


def version_begin(
    before: Deposit, *, by: User, now: datetime, name: str = "", raw: bytes | None = None
) -> Deposit:
    """Begin the next version with the choices of the one before.

    Parameters
    ----------
    before : Deposit
        One that was made.
    by : User
    now : datetime
    name, raw : str, bytes or None
        The table, of a deposit of an uploaded one.

    Raises
    ------
    SurveyError
        ``version.ledger``: nobody can tell any more whose record is whose; ``version.columns``; and as
        `upload_begin` and `survey_begin`.
    """
    if before.finished_at is None or ledger_of(before) is None:
        raise SurveyError("version.ledger")
    with transaction.atomic():
        if before.survey is not None:
            deposit = survey_begin(owner=by, survey=before.survey, now=now)
        elif raw is None:
            raise SurveyError("deposit_file.none")
        else:
            deposit = upload_begin(owner=by, name=name, raw=raw, now=now)
        deposit.earlier = before
        deposit.columns = list(_continued(deposit.columns, before.columns))
        deposit.bounds = {**before.bounds, "uncompared": False}
        deposit.description = {key: text for key, text in before.description.items() if key != "doi"}
        deposit.save(update_fields=["earlier", "columns", "bounds", "description"])
        choices = _of_report(before, CHOICES) or {}
        if before.survey is None:
            choices["ledgers"] = [ledger.document() for ledger in _ledgers(before)]
        written_save(deposit, **choices)
    return deposit


def _ledgers(before: Deposit) -> Iterator[Ledger]:
    version: Deposit | None = before
    while version is not None:
        if (ledger := ledger_of(version)) is not None:
            yield ledger
        version = version.earlier


def _continued(columns: list[dict[str, Any]], before: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the columns of a table with what was chosen of those of the version before."""
    earlier = {column["name"]: column for column in before}
    if lacking := sorted(earlier.keys() - {column["name"] for column in columns}):
        raise SurveyError("version.columns", lacking[0])
    for column in columns:
        chosen = earlier.get(column["name"])
        if chosen is not None and chosen["role"] in column["roles"] and chosen["kind"] in column["kinds"]:
            column |= {key: chosen[key] for key in ("role", "kind", "policy")}
        yield column
