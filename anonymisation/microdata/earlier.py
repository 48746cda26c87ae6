"""The publisher's private ledger of a release, and the check of a new release against earlier ones."""

from __future__ import annotations

import csv
import hashlib
import hmac
import json
import os
import secrets
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from privacy.sdc import Classes, Snapshot, Table, cross, differencing
from privacy.sdc.sequential_release import Crossing, coarsens
from surveys.errors.error import SurveyError

__all__ = ["Ledger", "earlier_check", "ledger_load", "ledger_read", "totals_check"]


@dataclass(frozen=True, kw_only=True)
class Ledger:
    """Who is which record of a release, under a salt: kept by the publisher, never deposited.

    Parameters
    ----------
    salt : str
        Hexadecimal; the same for all releases of one study, or they could not be compared.
    respondents : tuple of str
        Keyed digest of the respondent of each published record.
    classes : tuple of int
        Class of each published record.
    columns : mapping of str to tuple of str
        Published texts of the columns that are no quasi-identifiers.
    sensitive : tuple of str
        Which of them are sensitive.
    k, l_value : int
        What was promised.
    l_of : mapping of str to int
        Values promised of sensitive columns that have a number of their own.
    """

    salt: str
    respondents: tuple[str, ...]
    classes: tuple[int, ...]
    columns: Mapping[str, tuple[str, ...]]
    sensitive: tuple[str, ...]
    k: int
    l_value: int
    l_of: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        released: Table,
        respondents: Sequence[str],
        *,
        k: int,
        l_value: int,
        salt: str | None,
        l_of: Mapping[str, int] | None = None,
    ) -> Ledger:
        """Write down a release; a new salt is drawn unless an earlier release has one."""
        used = salt or secrets.token_hex(32)
        return cls(
            salt=used,
            respondents=tuple(_digests(used, respondents)),
            classes=tuple(Classes.of_columns(released.quasi_identifiers).number.tolist()),
            columns={
                column.name: tuple(column.texts)
                for column in released.columns
                if column.role != "quasi_identifier"
            },
            sensitive=tuple(column.name for column in released.sensitive),
            k=k,
            l_value=l_value,
            l_of=dict(l_of or {}),
        )

    def previous_class(self, respondents: Sequence[str]) -> list[int]:
        """Return the class of each respondent in this release, -1 for people who were not in it."""
        known = dict(zip(self.respondents, self.classes, strict=True))
        return [known.get(digest, -1) for digest in _digests(self.salt, respondents)]

    def snapshot(self, sensitive: str | None, shared: Sequence[str]) -> Snapshot:
        """Return what a reader sees of this release, one sensitive column at a time."""
        n = len(self.respondents)
        texts = [self.columns[name] for name in shared]
        return Snapshot(
            respondents=self.respondents,
            classes=Classes.from_numbers(np.array(self.classes)),
            values=self.columns[sensitive] if sensitive else ("",) * n,
            shared=tuple("\x1f".join(parts) for parts in zip(*texts, strict=True)) if texts else (),
        )

    def promised_l(self, column: str) -> int:
        """Distinct values that every class was promised of a sensitive column."""
        return self.l_of.get(column, self.l_value)

    def document(self) -> dict[str, Any]:
        """Return the ledger as JSON holds it; what no column has of its own is left out."""
        document_of = {"sotto_ledger": 1, **{name: getattr(self, name) for name in self.__dataclass_fields__}}
        if not self.l_of:
            del document_of["l_of"]
        return document_of

    def save(self, path: Path) -> None:
        """Write the ledger, readable by its owner only, whole or not at all."""
        try:
            descriptor, draft = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
        except OSError as error:
            raise SurveyError("ledger.write", str(path), path=path, error=error.strerror) from error
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(self.document(), file)
        os.replace(draft, path)


def _digests(salt: str, respondents: Sequence[str]) -> list[str]:
    key = bytes.fromhex(salt)
    return [hmac.new(key, text.encode(), hashlib.sha256).hexdigest() for text in respondents]


def ledger_load(path: Path) -> Ledger:
    """Read a ledger.

    Raises
    ------
    PrivacyError
        When the file is none.
    """
    try:
        return ledger_read(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise SurveyError("ledger.file", str(path), path=path, error=error) from error


def ledger_read(document: dict[str, Any]) -> Ledger:
    """Read a ledger from what JSON held; Value-, Key-, Type- or AttributeError where it is none."""
    if document["sotto_ledger"] != 1:
        raise KeyError("sotto_ledger")
    ledger = Ledger(
        salt=document["salt"],
        respondents=tuple(document["respondents"]),
        classes=tuple(document["classes"]),
        columns={name: tuple(texts) for name, texts in document["columns"].items()},
        sensitive=tuple(document["sensitive"]),
        k=document["k"],
        l_value=document["l_value"],
        l_of=document.get("l_of", {}),
    )
    bytes.fromhex(ledger.salt)
    n = len(ledger.respondents)
    if len(ledger.classes) != n or any(len(texts) != n for texts in ledger.columns.values()):
        raise ValueError("its columns have different lengths")
    if not set(ledger.sensitive) <= ledger.columns.keys():
        raise ValueError("a sensitive column is missing")
    if not all(type(number) is int and number >= 0 for number in (*ledger.classes, ledger.k, ledger.l_value)):
        raise ValueError("a class or a bound is not a number")
    return ledger


def earlier_check(earlier: Ledger, later: Ledger) -> dict[str, Crossing]:
    """Lay a new release over an earlier one, for each sensitive column.

    Raises
    ------
    PrivacyError
        When the two together say more than either promised.
    """
    common = [name for name in later.columns if name in earlier.columns]
    sensitive: list[str | None] = [name for name in later.sensitive if name in earlier.sensitive] or [None]
    k = max(earlier.k, later.k)
    crossings = {}
    for name in sensitive:
        shared = [other for other in common if other != name]
        first, second = earlier.snapshot(name, shared), later.snapshot(name, shared)
        promised = max(earlier.promised_l(name), later.promised_l(name)) if name else 1
        crossing = cross(first, second, k=k, l_value=promised)
        crossings[name or ""] = crossing
        if not crossing.holds and not (crossing.complementary and coarsens(first, second)):
            worst = min(crossing.leaks, key=lambda leak: (leak.candidates, len(leak.values)))
            people = sum(leak.people for leak in crossing.leaks)
            raise SurveyError(
                "earlier_release",
                people,
                k=k,
                column=name or "the table",
                kind=worst.kind,
                candidates=worst.candidates,
                count=len(worst.values),
            )
    return crossings


def totals_check(released: Table, path: Path, *, k: int, l_value: int) -> None:
    """Compare with published totals: a CSV of value and count, its header naming the sensitive column.

    Raises
    ------
    PrivacyError
        When subtracting the release from the totals isolates people.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = [row for row in csv.reader(file) if row]
        column = released.column(rows[0][0])
        totals = {row[0]: int(row[1]) for row in rows[1:]}
    except (OSError, ValueError, IndexError) as error:
        raise SurveyError("totals.file", str(path), path=path, error=error) from error
    counts = np.bincount(column.codes, minlength=len(column.values)).tolist()
    rest = differencing(dict(zip(column.values, counts, strict=True)), totals, k=k, l_value=l_value)
    if rest:
        people = sum(count for _, count in rest)
        raise SurveyError("totals.left", people, column=column.name, values=len(rest))
