"""Waiting rows: open them with the mixer's keys, store them, and delete them."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from cryptography.exceptions import InvalidTag
from django.db import connection
from django.db.models import QuerySet

from surveys.intake.keys import Keyring
from surveys.intake.sealed_boxes import PublicKey, open_box, seal
from surveys.models import Inbox, MixerKey, Version

_NAMES_AT_ONCE: Final = 500
_INSERT: Final = 'INSERT INTO surveys_inbox ("key", version_id, sealed_under, box) VALUES (%s, %s, %s, %s)'


@dataclass(frozen=True, kw_only=True)
class OpenedRows:
    """Waiting rows of one design that a mixer has opened.

    Attributes
    ----------
    names : list of bytes
        Names of the waiting rows.
    rows : list of bytes
        Contents of their boxes.
    spoilt : list of bytes
        Names of waiting rows whose box does not open under its key, or does not contain a row of the design.
    """

    names: list[bytes]
    rows: list[bytes]
    spoilt: list[bytes]


def open_inbox(version: Version, keyring: Keyring, *, most: int) -> OpenedRows:
    """Open the waiting rows of a version's design, ordered by their random names.

    Boxes that do not open, or do not contain a row of the design, are reported as spoilt. They stay until the
    survey settles.
    """
    size = version.row_bytes
    result = OpenedRows(names=[], rows=[], spoilt=[])
    readable_rows = Inbox.objects.filter(
        version=version, sealed_under__in=keyring.mixer_keys().values("name")
    )
    for name, under, box in readable_rows.order_by("key").values_list("key", "sealed_under", "box")[:most]:
        key = keyring.private(bytes(under))
        if key is None:
            continue
        try:
            row = open_box(bytes(box), key=key, design_id=version.design_id)
        except InvalidTag:
            row = b""
        if len(row) == size:
            result.names.append(bytes(name))
            result.rows.append(row)
        else:
            result.spoilt.append(bytes(name))
    return result


def rows_clear_key(names: Sequence[bytes]) -> None:
    """Clear the key name of rows that do not open, so that they keep no key alive. They count as lost."""
    Inbox.objects.filter(pk__in=names).update(sealed_under=b"")


def rows_delete(names: Iterable[bytes]) -> None:
    """Delete waiting rows, inside the caller's transaction.

    Raises
    ------
    Inbox.DoesNotExist
        A row no longer exists, because another mixer deleted it first.
    """
    rest = iter(names)
    with connection.cursor() as cursor:
        while some := list(islice(rest, _NAMES_AT_ONCE)):
            places = ", ".join(["%s"] * len(some))
            cursor.execute(f'DELETE FROM surveys_inbox WHERE "key" IN ({places})', some)  # noqa: S608 (markers only)
            if cursor.rowcount != len(some):
                raise Inbox.DoesNotExist


def rows_store(version: Version, rows: Sequence[bytes], *, under: PublicKey) -> None:
    """Store waiting rows in fresh boxes, under new names, in this order."""
    design = version.design_id
    with connection.cursor() as cursor:
        cursor.executemany(
            _INSERT,
            [
                (secrets.token_bytes(16), version.pk, under.name, seal(row, under=under, design_id=design))
                for row in rows
            ],
        )


def rows_without_key() -> QuerySet[Inbox]:
    """Return the waiting rows that no one can open, because their key is lost."""
    return Inbox.objects.exclude(sealed_under__in=MixerKey.objects.values("name"))


def rows_of_other_mixers(mixer: str) -> QuerySet[Inbox]:
    """Return the waiting rows that only another mixer can open."""
    return Inbox.objects.filter(sealed_under__in=MixerKey.objects.exclude(mixer=mixer).values("name"))
