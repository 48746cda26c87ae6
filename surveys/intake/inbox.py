"""Waiting rows: opened, taken away by name, and sealed again under other names.

Reading and opening happen outside the turn to write. What was read is taken away by name: where a name is
gone by then, another mixer was here, and the whole transaction is undone.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from cryptography.exceptions import InvalidTag
from django.db import connection
from django.db.models import F, QuerySet

from surveys.intake.boxes import PublicKey, open_box, seal
from surveys.intake.keys import Keyring
from surveys.models import Inbox, MixerKey, Version

MOST_ROWS: Final = 20_000
"""Most rows of a batch: writers wait for no longer transaction."""

_NAMES_AT_ONCE: Final = 500
_INSERT: Final = 'INSERT INTO surveys_inbox ("key", version_id, sealed_under, box) VALUES (%s, %s, %s, %s)'


@dataclass(frozen=True, kw_only=True)
class Opened:
    """Waiting rows of one design that a mixer has opened.

    Attributes
    ----------
    names : list of bytes
        Of the waiting rows.
    rows : list of bytes
        What was in their boxes.
    spoilt : list of bytes
        Names of waiting rows whose box does not open under the key that it names, or holds no row.
    """

    names: list[bytes]
    rows: list[bytes]
    spoilt: list[bytes]


def rows_opened(version: Version, keyring: Keyring, *, most: int = MOST_ROWS) -> Opened:
    """Open what waits of a version's design, in the order of its random names.

    A box that does not open, or holds no row of the design, is left out: it stays until the survey settles.
    """
    size = version.row_bytes
    opened = Opened(names=[], rows=[], spoilt=[])
    own = Inbox.objects.filter(version=version, sealed_under__in=keyring.listed().values("name"))
    for name, under, box in own.order_by("key").values_list("key", "sealed_under", "box")[:most]:
        key = keyring.private(bytes(under))
        if key is None:
            continue
        try:
            row = open_box(bytes(box), key=key, design_id=version.design_id)
        except InvalidTag:
            row = b""
        if len(row) == size:
            opened.names.append(bytes(name))
            opened.rows.append(row)
        else:
            opened.spoilt.append(bytes(name))
    return opened


def rows_give_up(names: Sequence[bytes]) -> None:
    """Let rows that do not open name no key, or they would keep one alive: they count as lost."""
    Inbox.objects.filter(pk__in=names).update(sealed_under=b"")


def rows_take(names: Iterable[bytes]) -> None:
    """Delete waiting rows, inside the caller's transaction.

    Raises
    ------
    Inbox.DoesNotExist
        One of them is not there any more: another mixer took it away first.
    """
    rest = iter(names)
    with connection.cursor() as cursor:
        while some := list(islice(rest, _NAMES_AT_ONCE)):
            places = ", ".join(["%s"] * len(some))
            cursor.execute(f'DELETE FROM surveys_inbox WHERE "key" IN ({places})', some)  # nosec B608
            if cursor.rowcount != len(some):
                raise Inbox.DoesNotExist


def rows_put(version: Version, rows: Sequence[bytes], *, under: PublicKey) -> None:
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
    """Return the waiting rows whose key is lost, which cannot be opened."""
    return Inbox.objects.exclude(sealed_under__in=MixerKey.objects.values("name"))


def rows_of_other_mixers(mixer: str) -> QuerySet[Inbox]:
    """Return the waiting rows that a mixer cannot open, but another one may."""
    return Inbox.objects.filter(sealed_under__in=MixerKey.objects.exclude(mixer=mixer).values("name"))


def rows_of_lease() -> QuerySet[Inbox]:
    """Return the waiting rows that the mixer which holds the lease can open."""
    holder = MixerKey.objects.filter(current=True, version_id=None).values("mixer")
    names = MixerKey.objects.filter(mixer__in=holder).values(found=F("name"))
    return Inbox.objects.filter(sealed_under__in=names)
