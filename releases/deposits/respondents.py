"""Whose record is whose in an uploaded table: a column that is left out, and ledgers of earlier releases."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from releases.microdata.earlier import Ledger, ledger_read
from surveys.errors.error import SurveyError
from surveys.tables.reading import MOST_BYTES
from surveys.tables.table import ReadTable

__all__ = ["ledger_from_file", "ledgers_check", "respondents_of"]


def ledger_from_file(name: str, raw: bytes) -> dict[str, Any]:
    """Read the ledger of an earlier release, as a deposit's report or ``release --ledger`` gave it.

    Raises
    ------
    SurveyError
        ``table_file.large`` or ``deposit.ledger``.
    """
    if len(raw) > MOST_BYTES:
        raise SurveyError("table_file.large", len(raw), most=f"{MOST_BYTES / 1e6:g}")
    try:
        return ledger_read(json.loads(raw)).document()
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise SurveyError("deposit.ledger", name) from error


def respondents_of(column: str, columns: Sequence[Mapping[str, Any]], table: ReadTable) -> list[str]:
    """Return who each record belongs to.

    Raises
    ------
    SurveyError
        ``deposit.respondent``: the column is not left out of what is published; ``deposit.respondent_empty``.
    """
    if column not in {column["name"] for column in columns if column["role"] == "identifier"}:
        raise SurveyError("deposit.respondent", column)
    held = table.column(column)
    if lacking := held.counts.get("", 0):
        raise SurveyError("deposit.respondent_empty", lacking, name=column)
    return held.texts


def ledgers_check(ledgers: Sequence[Ledger], respondents: Sequence[str] | None) -> None:
    """Refuse ledgers that a comparison would learn nothing from.

    Raises
    ------
    SurveyError
        ``deposit.ledger_column``: no column says whose record is whose; ``respondent.twice``: somebody has
        several records; ``ledger.salts``; or
        ``deposit.ledger_nobody``: none of the people is in one of them, as with another column of numbers.
    """
    if ledgers and respondents is None:
        raise SurveyError("deposit.ledger_column")
    if ledgers and respondents and len(set(respondents)) < len(respondents):
        raise SurveyError("respondent.twice", Counter(respondents).most_common(1)[0][0])
    if len({ledger.salt for ledger in ledgers}) > 1:
        raise SurveyError("ledger.salts")
    for number, ledger in enumerate(ledgers, 1):
        if all(previous < 0 for previous in ledger.previous_class(respondents or ())):
            raise SurveyError("deposit.ledger_nobody", number)
