"""What was written about a table that is not published yet: sealed with it, and deleted with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from anonymisation.deposits.vault import document_open, document_seal
from anonymisation.models import Deposit, DepositTable
from surveys.errors.error import SurveyError

__all__ = ["TABLE", "Written", "written_of", "written_save"]

TABLE: Final = "table"
"""What it is sealed as."""


@dataclass(frozen=True, kw_only=True)
class Written:
    """What was written about a table, and what was seen in it: sealed with it, and deleted with it.

    Parameters
    ----------
    trees, ends, beliefs : dict of str to str
        Trees of categories, ends of intervals, and what an attacker believes, as text, by column.
    matrix : str
        What an expert says each column tells, as text; "" where the table says it.
    respondent : str
        Column that says whose record is whose; "" for none.
    people : str
        What was said of the people of an uploaded table, as of `people_of`.
    ledgers : sequence of dict
        Of earlier releases of the same people.
    profile : dict of str to dict
        What was seen in each column, as of `profile_of`.
    """

    trees: dict[str, str] = field(default_factory=dict)
    ends: dict[str, str] = field(default_factory=dict)
    beliefs: dict[str, str] = field(default_factory=dict)
    matrix: str = ""
    respondent: str = ""
    people: str = ""
    ledgers: Sequence[dict[str, Any]] = ()
    profile: dict[str, dict[str, Any]] = field(default_factory=dict)


def written_of(deposit: Deposit) -> Written:
    """Return what was written about the table of a deposit; the records stay sealed.

    Raises
    ------
    SurveyError
        ``deposit.gone``, ``deposit.sealed``.
    """
    table = DepositTable.objects.filter(deposit=deposit).first()
    if table is None:
        raise SurveyError("deposit.gone")
    return Written(**document_open(table.sealed, deposit_id=deposit.pk, kind=TABLE))


def written_save(deposit: Deposit, **more: Any) -> None:
    """Seal texts with the table: they hold its values, and go with it."""
    document = asdict(written_of(deposit)) | more
    sealed = document_seal(document, deposit_id=deposit.pk, kind=TABLE)
    DepositTable.objects.filter(deposit=deposit).update(sealed=sealed)
