"""Ledgers of earlier releases, and what a new release would add to them."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from privacy.sdc.classes import Classes
from privacy.sdc.record_owners import person_key
from privacy.sdc.sequential_release import Snapshot, cross, refines
from privacy.sdc.table import Table
from surveys.errors.error import SurveyError

KEYED: Final = "keyed"
"""How ledgers write a person: one digest for 7, 007 and 7.0."""


@dataclass(frozen=True, kw_only=True)
class Ledger:
    """Keyed digests of a release's respondents, by record; publishers keep them, archives never get them.

    Parameters
    ----------
    salt : str
        Hexadecimal. All releases of one study need the same salt, or they cannot be compared.
    respondents : tuple of str
        Keyed digest of the respondent of each published record.
    classes : tuple of int
        Class of each published record.
    columns : mapping of str to tuple of str
        Published texts of the columns that are not quasi-identifiers.
    sensitive : tuple of str
        Names of the sensitive columns.
    k, l_value : int
        The promised bounds.
    l_of : mapping of str to int
        Promised number of distinct values for each sensitive column that overrides `l_value`.
    counted : str
        Why records or people were counted (`privacy.sdc.unit.Counting.why`); "" in ledgers of releases made
        before the publisher was asked. Those counted records.
    spelling : str
        `KEYED` if every spelling of a person has one digest (`person_key`); "" in ledgers of earlier programs
        and in those that are compared with them, where a digest is of the text as written.
    """

    salt: str
    respondents: tuple[str, ...]
    classes: tuple[int, ...]
    columns: Mapping[str, tuple[str, ...]]
    sensitive: tuple[str, ...]
    k: int
    l_value: int
    l_of: Mapping[str, int] = field(default_factory=dict)
    counted: str = ""
    spelling: str = ""

    @classmethod
    def of(
        cls,
        release: Table,
        respondents: Sequence[str],
        *,
        k: int,
        l_value: int,
        salt: str | None,
        l_of: Mapping[str, int] | None = None,
        counted: str = "",
        spelling: str = KEYED,
    ) -> Ledger:
        """Create the ledger of a release, with the salt and spelling of an earlier release or new ones."""
        own_salt = salt or secrets.token_hex(32)
        return cls(
            salt=own_salt,
            respondents=tuple(_digests(own_salt, respondents, spelling)),
            classes=tuple(Classes.of_columns(release.quasi_identifiers).number.tolist()),
            columns={
                column.name: tuple(column.texts)
                for column in release.columns
                if column.role != "quasi_identifier"
            },
            sensitive=tuple(column.name for column in release.sensitive),
            k=k,
            l_value=l_value,
            l_of=dict(l_of or {}),
            counted=counted,
            spelling=spelling,
        )

    def previous_class(self, respondents: Sequence[str]) -> list[int]:
        """Return the class of each respondent in this release, -1 for people who were not in it."""
        class_of = dict(zip(self.respondents, self.classes, strict=True))
        return [class_of.get(digest, -1) for digest in _digests(self.salt, respondents, self.spelling)]

    def snapshot(self, sensitive: str, common: Sequence[str]) -> Snapshot:
        """Return the release as its readers see it, with one sensitive column and those in both releases."""
        texts = [self.columns[name] for name in common if name != sensitive]
        return Snapshot(
            respondents=self.respondents,
            classes=Classes.from_numbers(np.array(self.classes)),
            values=self.columns.get(sensitive, ("",) * len(self.respondents)),
            shared=tuple("\x1f".join(parts) for parts in zip(*texts, strict=True)) if texts else (),
            is_joined=sensitive in common or sensitive not in self.columns,
        )

    def promised_l(self, column: str) -> int:
        """Return how many distinct values of a column every class was promised to have."""
        return self.l_of.get(column, self.l_value) if column in self.sensitive else 1

    def document(self) -> dict[str, Any]:
        """Return the ledger as JSON."""
        return {"sotto_ledger": 1, **{name: getattr(self, name) for name in self.__dataclass_fields__}}

    def save(self, path: Path) -> None:
        """Write the ledger, readable by its owner only."""
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(self.document(), file)


def _digests(salt: str, respondents: Sequence[str], spelling: str) -> list[str]:
    key = bytes.fromhex(salt)
    if spelling == KEYED:
        # Several columns that name a person together are joined by this sign.
        respondents = ["\x1f".join(map(person_key, text.split("\x1f"))) for text in respondents]
    return [hmac.new(key, text.encode(), hashlib.sha256).hexdigest() for text in respondents]


def ledger_load(path: Path) -> Ledger:
    """Read a ledger.

    Raises
    ------
    PrivacyError
        The file is not a ledger.
    """
    try:
        return ledger_read(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise SurveyError("ledger.file", str(path), path=path, error=error) from error


def ledger_read(document: dict[str, Any]) -> Ledger:
    """Read a ledger from decoded JSON; raises Value-, Key-, Type- or AttributeError for anything else."""
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
        counted=str(document.get("counted", "")),
        spelling=str(document.get("spelling", "")),
    )
    if ledger.spelling not in ("", KEYED):
        raise ValueError("a newer program wrote it")
    bytes.fromhex(ledger.salt)
    n = len(ledger.respondents)
    if len(ledger.classes) != n or any(len(texts) != n for texts in ledger.columns.values()):
        raise ValueError("its columns have different lengths")
    if not set(ledger.sensitive) <= ledger.columns.keys():
        raise ValueError("a sensitive column is missing")
    if not all(type(number) is int and number >= 0 for number in (*ledger.classes, ledger.k, ledger.l_value)):
        raise ValueError("a class or a bound is not a number")
    return ledger


def ledgers_check(ledgers: Sequence[Ledger], respondents: Sequence[str] | None) -> None:
    """Refuse ledgers that cannot be compared with the table.

    Raises
    ------
    SurveyError
        ``release.ledger_column``: no column identifies respondents; ``respondent.twice``: a person has
        several records; ``ledger.salts``; or ``release.ledger_nobody``: a ledger contains none of the people,
        for example because it was made with another column.
    """
    if ledgers and respondents is None:
        raise SurveyError("release.ledger_column")
    if ledgers and respondents:
        spellings = Counter(map(person_key, respondents))
        if len(spellings) < len(respondents):
            raise SurveyError("respondent.twice", spellings.most_common(1)[0][0])
    if len({ledger.salt for ledger in ledgers}) > 1:
        raise SurveyError("ledger.salts")
    for number, ledger in enumerate(ledgers, 1):
        if all(previous < 0 for previous in ledger.previous_class(respondents or ())):
            raise SurveyError("release.ledger_nobody", number)


def earlier_check(earlier: Ledger, later: Ledger) -> None:
    """Check what a new release reveals together with an earlier one, for each sensitive column.

    Raises
    ------
    PrivacyError
        The two releases together reveal more than either promised.
    """
    common = [name for name in later.columns if name in earlier.columns]
    k = max(earlier.k, later.k)
    for name in dict.fromkeys((*earlier.sensitive, *later.sensitive)) or [""]:
        first, second = earlier.snapshot(name, common), later.snapshot(name, common)
        crossing = cross(first, second, k=k, l_value=max(earlier.promised_l(name), later.promised_l(name)))
        # A coarser release adds nothing, unless it shows a column that the earlier one left out.
        is_known = name in ("", *earlier.columns)
        if not crossing.holds and not (is_known and crossing.complementary and refines(first, second)):
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
