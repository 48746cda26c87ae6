"""The facts of a schema, and how two of them differ.

A fact says one thing about one table: a column with its type, a key, a constraint, an index or a trigger.
Names that Django generates differ between versions, so keys, constraints and indexes are compared by their
columns. Defaults, and the conditions of checks and partial indexes, are not compared.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Fact:
    """One thing about one table.

    Parameters
    ----------
    table : str
        Empty for a function.
    kind : str
        "table", "column", "primary key", "unique", "index", "reference", "check", "trigger" or "function".
    name : str
        Of the column, constraint, trigger or function; of a key or an index, its columns with commas.
    detail : str
        What else must agree: type, target or normalised text.
    """

    table: str
    kind: str
    name: str = ""
    detail: str = ""


Facts = frozenset[Fact]


def differences(expected: Facts, found: Facts, *, prefixes: Sequence[str]) -> list[str]:
    """Return in words how a database differs from what its migrations make, missing things first.

    Additional indexes are no difference, nor are additional tables without one of these prefixes.
    """
    # An index with the same columns is as good, whatever made it.
    indexed = {(fact.table, fact.name) for fact in found if fact.kind in {"index", "unique", "primary key"}}
    tables = {fact.table for fact in found if fact.kind == "table"}
    ours = {fact.table for fact in expected}
    by_name = {(fact.table, fact.kind, fact.name): fact for fact in found}
    expected_names = {(fact.table, fact.kind, fact.name) for fact in expected}
    missing, changed, added = [], [], []
    for fact in sorted(expected - found):
        if fact.table and fact.table not in tables:
            if fact.kind == "table":
                missing.append(f"the table {fact.table} is missing")
        elif fact.kind == "index" and (fact.table, fact.name) in indexed:
            continue
        elif (other := by_name.get((fact.table, fact.kind, fact.name))) is not None:
            changed.append(_changed(fact, other))
        else:
            missing.append(f"{_called(fact)} is missing")
    for fact in sorted(found):
        if fact.kind == "table" and fact.table not in ours and fact.table.startswith(tuple(prefixes)):
            added.append(f"the table {fact.table} is additional")
        elif (
            fact.kind in {"column", "trigger"}
            and fact.table in ours
            and (fact.table, fact.kind, fact.name) not in expected_names
        ):
            added.append(f"{_called(fact)} is additional")
    return missing + changed + added


def _called(fact: Fact) -> str:
    if fact.kind == "column":
        return f"the column {fact.table}.{fact.name}"
    if fact.kind in {"table", "function"}:
        return f"the {fact.kind} {fact.table or fact.name}"
    if fact.kind == "rows":
        return f"the WITHOUT ROWID of {fact.table}"
    names = {"unique": "uniqueness", "reference": "foreign key", "check": "constraint"}
    where = f" of {fact.table}" if fact.table else ""
    return f"the {names.get(fact.kind, fact.kind)} {fact.name}{where}"


def _changed(expected: Fact, found: Fact) -> str:
    if expected.kind in {"trigger", "function"}:
        return f"{_called(expected)} has other contents"
    return f"{_called(expected)} is {found.detail or 'different'} instead of {expected.detail or 'that'}"


def digest_of(facts: Iterable[Fact], label: str) -> str:
    """Return the SHA-256 of the facts about an application's tables, as 64 hex digits."""
    lines = [
        f"{fact.table}|{fact.kind}|{fact.name}|{fact.detail}\n"
        for fact in sorted(facts)
        if (fact.table or fact.name).startswith(f"{label}_")
    ]
    return hashlib.sha256("".join(lines).encode()).hexdigest()
