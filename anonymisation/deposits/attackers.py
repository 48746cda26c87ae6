"""Beliefs of attackers as typed on the page, checked against the table before any work is done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from anonymisation.deposits.drafts import table_open
from anonymisation.deposits.plan import release_plan
from anonymisation.microdata.attackers import Attacker, attacker_check, attacker_read
from anonymisation.models import Deposit

__all__ = ["attackers_of", "beliefs_check"]


def attackers_of(columns: Sequence[Mapping[str, Any]], beliefs: Mapping[str, str]) -> list[Attacker]:
    """Return an attacker for each protected column with typed beliefs.

    Raises
    ------
    SurveyError
        As `attacker_read`.
    """
    protected = [column["name"] for column in columns if column["role"] == "sensitive"]
    return [attacker_read(name, beliefs[name]) for name in protected if beliefs.get(name, "").strip()]


def beliefs_check(deposit: Deposit, bounds: Mapping[str, Any], beliefs: Mapping[str, str]) -> None:
    """Refuse beliefs that do not fit the table.

    Raises
    ------
    SurveyError
        As `attacker_read` and `attacker_check`.
    """
    columns = deposit.columns
    attackers = attackers_of(columns, beliefs)
    if not attackers:
        return
    opened = table_open(deposit)
    _config, table, _hierarchies = release_plan(columns, bounds, opened.table, opened.written)
    for attacker in attackers:
        attacker_check(attacker, table)
