"""Leaks that are planted in the product: small changes of the running server, as a careless release has them.

A leak is planted in this process, where the mixer, the worker and the backup work, and in the web server that
the attack starts (`tests.cast.planted_web`): there by its name in PLANTED_LEAK.
"""

from __future__ import annotations

import base64
import hashlib
import itertools
import json
import logging
import os
import random
import secrets
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.utils import timezone

Plant = Callable[[Any, str, Any], None]
"""Puts a value in the place of an attribute."""


@dataclass(frozen=True, kw_only=True)
class Leak:
    """A leak, and which of the command's attacks is to find it.

    Attributes
    ----------
    plant : callable
    attack : str
        Its name after ``--only``.
    seen : str
        In what the command prints of it.
    share : str
        How much of it is run.
    """

    plant: Callable[[Plant], None]
    attack: str
    seen: str
    share: str = ".4"


def _around_store(plant: Plant, leak: Callable[[Any], Any]) -> None:
    """Do something with each entry before it is stored; what is returned is stored in its stead."""
    from surveys.intake import receive

    real = receive.store_once

    def store_once(entry: Any, *, now: Any) -> Any:
        return real(leak(entry) or entry, now=now)

    plant(receive, "store_once", store_once)


def _remember_rows(plant: Plant) -> list[bytes]:
    """Remember what was sealed last: the entry that follows is of it."""
    from surveys.intake import receive

    sealed: list[bytes] = []
    real = receive.seal

    def seal(row: bytes, **how: Any) -> bytes:
        sealed.append(row)
        return real(row, **how)

    plant(receive, "seal", seal)
    return sealed


def keys_live_on(plant: Plant) -> None:
    from surveys.intake.keys import Keyring

    plant(Keyring, "destroy_unneeded", lambda self: None)


def keys_in_another_file(plant: Plant) -> None:
    """A key is destroyed, but written down elsewhere when it is made."""
    from surveys.intake.keys import KeyFolder

    real = KeyFolder.write

    def write(self: KeyFolder, *keys: Any) -> None:
        real(self, *keys)
        with open(settings.SOTTOVOCE_HOME / "keys.txt", "a") as file:
            file.writelines(base64.b64encode(key.raw).decode() + "\n" for key in keys)

    plant(KeyFolder, "write", write)


def keys_in_the_backup(plant: Plant) -> None:
    from tests.attack import life

    real = life.backup_make

    def backup_make(directory: Path, **how: Any) -> Any:
        made = real(directory, **how)
        shutil.copytree(settings.SOTTOVOCE_MIXER_KEYS, directory / "mixer")
        return made

    plant(life, "backup_make", backup_make)


def not_disguised_here(plant: Plant) -> None:
    """Answers that came as they are stay as they are."""
    from mining.columns.row_disguise import lay_out
    from privacy.survey.layout import Layout
    from surveys.rows import redisguise

    def disguise_bodies(rows: Any, *, sent_under: Any, target: Any, direct: bool, words: Any) -> Any:
        rows = lay_out(rows, Layout(sent_under), Layout(target)).copy()
        rows[:, 0] = (rows[:, 0] & 0x7F) | (0x80 if direct else 0)
        return rows

    plant(redisguise, "disguise_bodies", disguise_bodies)


def figures_of_other_rows(plant: Plant) -> None:
    """What is taken away is disguised; figures are computed from what was sent."""
    from surveys.rows import redisguise, releasable_rows

    real, disguised = releasable_rows.cached_columns, redisguise.disguise_bodies

    def cached_columns(design: Any, survey_id: int, batches: Any, reader: Any = None) -> Any:
        if reader is None:
            return real(design, survey_id, batches)

        def plain(some: Any) -> Any:
            not_disguised_here(setattr)
            try:
                yield from reader(some)
            finally:
                redisguise.disguise_bodies = disguised

        return real(design, survey_id, batches, plain)

    plant(releasable_rows, "cached_columns", cached_columns)


def plain_rows_padded(plant: Plant) -> None:
    from surveys.intake import inbox, receive
    from surveys.intake.boxes import BOX_BYTES

    def seal(row: bytes, **_how: Any) -> bytes:
        return secrets.token_bytes(BOX_BYTES) + row

    for module in (receive, inbox):
        plant(module, "seal", seal)
    plant(inbox, "open_box", lambda box, **_how: box[BOX_BYTES:])


def rows_hidden_by_a_constant(plant: Plant) -> None:
    """As long as a box, and no row stands in it as it is: but one mask hides them all."""
    from surveys.intake import inbox, receive
    from surveys.intake.boxes import BOX_BYTES

    def masked(row: bytes) -> bytes:
        mask = hashlib.sha256(b"mask").digest() * 8
        return bytes(byte ^ other for byte, other in zip(row, mask, strict=False))

    def seal(row: bytes, **_how: Any) -> bytes:
        return secrets.token_bytes(BOX_BYTES) + masked(row)

    for module in (receive, inbox):
        plant(module, "seal", seal)
    plant(inbox, "open_box", lambda box, **_how: masked(box[BOX_BYTES:]))


def boxes_follow_from_rows(plant: Plant) -> None:
    """The one-time key of a box is no random one but the hash of row and public key."""
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

    from surveys.intake import boxes, inbox, receive

    real = boxes.seal

    def seal(row: bytes, *, under: Any, design_id: str) -> bytes:
        class OfTheRow:
            @staticmethod
            def generate() -> Any:
                return X25519PrivateKey.from_private_bytes(hashlib.sha256(row + under.public).digest())

        drawn, boxes.X25519PrivateKey = boxes.X25519PrivateKey, OfTheRow
        try:
            return real(row, under=under, design_id=design_id)
        finally:
            boxes.X25519PrivateKey = drawn

    for module in (receive, inbox):
        plant(module, "seal", seal)


def key_beside_its_row(plant: Plant) -> None:
    """Another table notes the receipt's key beside the row, in digits."""
    sealed = _remember_rows(plant)

    def leak(entry: Any) -> None:
        with connection.cursor() as cursor:
            cursor.execute("CREATE TABLE IF NOT EXISTS notes (receipt text, body text)")
            cursor.execute("INSERT INTO notes VALUES (%s, %s)", [entry.key.hex(), sealed[-1].hex()])

    _around_store(plant, leak)


def logged(plant: Plant) -> None:
    sealed = _remember_rows(plant)
    _around_store(plant, lambda entry: logging.getLogger("surveys").error("%r %r", entry.key, sealed[-1]))


def body_in_a_file(plant: Plant) -> None:
    sealed = _remember_rows(plant)

    def leak(_entry: Any) -> None:
        with open(settings.SOTTOVOCE_HOME / "spool", "ab") as file:
            file.write(sealed[-1])

    _around_store(plant, leak)


def body_in_a_session(plant: Plant) -> None:
    from django.contrib.sessions.models import Session

    sealed = _remember_rows(plant)

    def leak(_entry: Any) -> None:
        Session.objects.create(
            session_key=secrets.token_hex(16),
            session_data=json.dumps(list(sealed[-1])),
            expire_date=timezone.now(),
        )

    _around_store(plant, leak)


def sent_again_is_noted(plant: Plant) -> None:
    """Whoever sends again is noted, by the first eight bytes of the key."""
    from surveys.intake import receive
    from surveys.models.staff import record_heartbeat

    real = receive._receipt_of

    def receipt_of(submission: Any, target: Any) -> Any:
        record_heartbeat(f"again {submission.key[:8].hex()}", now=timezone.now())
        return real(submission, target)

    plant(receive, "_receipt_of", receipt_of)


def group_in_the_name(plant: Plant) -> None:
    """A waiting row's name begins with the group's bit."""
    from surveys.intake import receive

    sealed = _remember_rows(plant)

    def token_bytes(size: int) -> bytes:
        name = secrets.token_bytes(size)
        return bytes([(name[0] & 0x7F) | (sealed[-1][0] & 0x80)]) + name[1:]

    plant(receive, "secrets", _Instead(secrets, token_bytes=token_bytes))


def hour_in_the_digest(plant: Plant) -> None:
    """The receipt's digest begins with the time: what is sent again is still known by the rest."""
    from surveys.intake import receive

    def compare_digest(first: bytes, other: bytes) -> bool:
        return first[8:] == other[8:]

    plant(receive, "secrets", _Instead(secrets, compare_digest=compare_digest))
    _around_store(
        plant, lambda entry: replace(entry, digest=time.time_ns().to_bytes(8, "big") + entry.digest[8:])
    )


def row_named_by_its_receipt(plant: Plant) -> None:
    """A waiting row's name is the hash of its receipt's key."""
    from surveys.intake import receive

    keys: list[bytes] = []
    plant(
        receive,
        "secrets",
        _Instead(secrets, token_bytes=lambda size: hashlib.sha256(keys[-1]).digest()[:size]),
    )
    _around_store(plant, lambda entry: keys.append(entry.key))


def order_kept(plant: Plant) -> None:
    """Rows are named by a counter, and not shuffled."""
    from surveys.intake import mix, receive

    numbers = itertools.count()
    plant(receive, "secrets", _Instead(secrets, token_bytes=lambda size: next(numbers).to_bytes(size, "big")))
    plant(mix, "secrets", _Instead(secrets, SystemRandom=_Lazy))


def first_come_first_mixed(plant: Plant) -> None:
    """Names look random, but whoever knows how reads a number from each: those go who came first."""
    from surveys.intake import mix, receive

    numbers = itertools.count()

    def mask(rest: bytes) -> int:
        return int.from_bytes(hashlib.sha256(rest).digest()[:4], "big")

    def token_bytes(size: int) -> bytes:
        rest = secrets.token_bytes(size - 4)
        return (next(numbers) ^ mask(rest)).to_bytes(4, "big") + rest

    real = mix.rows_opened

    def rows_opened(*of: Any, **how: Any) -> Any:
        opened = real(*of, **how)
        both = sorted(
            zip(opened.names, opened.rows, strict=True),
            key=lambda row: int.from_bytes(row[0][:4], "big") ^ mask(row[0][4:]),
        )
        return replace(opened, names=[name for name, _row in both], rows=[row for _name, row in both])

    plant(receive, "secrets", _Instead(secrets, token_bytes=token_bytes))
    plant(mix, "rows_opened", rows_opened)
    plant(mix, "secrets", _Instead(secrets, SystemRandom=_InTwoParts))


def names_stay(plant: Plant) -> None:
    """What stays behind keeps its name."""
    from surveys.intake import inbox, mix

    names: dict[bytes, bytes] = {}
    queue: list[bytes] = []
    real_opened, real_put = mix.rows_opened, mix.rows_put

    def rows_opened(*of: Any, **how: Any) -> Any:
        opened = real_opened(*of, **how)
        names.update(zip(opened.rows, opened.names, strict=True))
        return opened

    def rows_put(version: Any, rows: Any, **how: Any) -> None:
        queue[:] = [names[row] for row in rows]
        real_put(version, rows, **how)

    plant(mix, "rows_opened", rows_opened)
    plant(mix, "rows_put", rows_put)
    plant(inbox, "secrets", _Instead(secrets, token_bytes=lambda size: queue.pop(0)))


def files_keep_their_times(plant: Plant) -> None:
    from surveys.rows import segments

    plant(segments, "os", _Instead(os, utime=lambda *_where, **_when: None))


def hour_of_a_batch(plant: Plant) -> None:
    from surveys.intake import mix
    from surveys.models.staff import record_heartbeat

    real = mix._write

    def _write(version: Any, rows: list[bytes]) -> Any:
        batch = real(version, rows)
        record_heartbeat(f"batch {batch.pk}", now=timezone.now())
        return batch

    plant(mix, "_write", _write)


def devices_say_the_truth(plant: Plant) -> None:
    """The device's coin always says the truth."""
    from tests.attack import respondents

    real = respondents.disguise

    def disguise(design: Any, answers: Any, *, direct: bool, coins: Any, drawn: Any = None) -> Any:
        return real(design, answers, direct=direct, coins=_Truthful(coins), drawn=drawn)

    plant(respondents, "disguise", disguise)


def labelled_devices_say_the_truth(plant: Plant) -> None:
    """The same, of the devices that the label is tried on."""
    from tests.attack import dependence

    real = dependence.disguise

    def disguise(design: Any, answers: Any, *, direct: bool, coins: Any, drawn: Any = None) -> Any:
        return real(design, answers, direct=direct, coins=_Truthful(coins), drawn=drawn)

    plant(dependence, "disguise", disguise)


class _Instead:
    """A module some of whose functions are others."""

    def __init__(self, module: Any, **others: Any) -> None:
        self._module = module
        vars(self).update(others)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)


class _Lazy:
    """A mixer that does not mix."""

    def shuffle(self, x: list[bytes], /) -> None:
        """Leave the rows as they are."""


class _InTwoParts:
    """A mixer that shuffles those that go, and those that stay."""

    def shuffle(self, x: list[bytes], /) -> None:
        """Shuffle the first rows, and the last fifty."""
        from surveys.intake.mix import POOL

        goes, stays = x[: len(x) - POOL], x[len(x) - POOL :]
        for part in (goes, stays):
            random.SystemRandom().shuffle(part)
        x[:] = goes + stays


class _Truthful:
    """Coins of which each draw that decides between truth and decoy says the truth."""

    def __init__(self, coins: Any) -> None:
        self._coins = coins

    def draw(self) -> int:
        self._coins.draw()
        return 0

    def below(self, total: int) -> int:
        self._coins.below(total)
        return 0


LEAKS: dict[str, Leak] = {
    "a key is never destroyed": Leak(
        plant=keys_live_on, attack="life", seen="private key that no row needs in the mixer's folder"
    ),
    "a key is written down elsewhere": Leak(
        plant=keys_in_another_file, attack="life", seen="private key, in use in keys.txt"
    ),
    "a backup holds the keys": Leak(
        plant=keys_in_the_backup, attack="life", seen="private key that no row needs in"
    ),
    "undisguised answers are not disguised": Leak(
        plant=not_disguised_here, attack="figures", seen="answers as they were sent"
    ),
    "undisguised answers are not disguised, full size": Leak(
        plant=not_disguised_here, attack="figures", seen="answers as they were sent", share="1"
    ),
    "figures are computed from what was sent": Leak(
        plant=figures_of_other_rows, attack="figures", seen="figures of other rows"
    ),
    "plain rows as long as boxes": Leak(
        plant=plain_rows_padded, attack="life", seen="row in surveys_inbox.box"
    ),
    "rows under one mask": Leak(plant=rows_hidden_by_a_constant, attack="life", seen="box (p ="),
    "boxes follow from their rows": Leak(
        plant=boxes_follow_from_rows, attack="life", seen="boxes that sealing gives again"
    ),
    "a receipt's key beside its row in another table": Leak(
        plant=key_beside_its_row, attack="life", seen="row in notes.body"
    ),
    "a log line with key and row": Leak(plant=logged, attack="life", seen="web.log"),
    "a body in a file": Leak(plant=body_in_a_file, attack="life", seen="row in spool"),
    "a body in a session": Leak(plant=body_in_a_session, attack="life", seen="django_session"),
    "sending again is noted": Leak(plant=sent_again_is_noted, attack="life", seen="rows of surveys_beat"),
    "the group in a name": Leak(plant=group_in_the_name, attack="life", seen="name of the waiting row (p ="),
    "the hour in a receipt": Leak(plant=hour_in_the_digest, attack="life", seen="digests of receipts (p ="),
    "a row named by its receipt": Leak(
        plant=row_named_by_its_receipt, attack="life", seen="hash of a key or a row in surveys_inbox.key"
    ),
    "the order of arrival": Leak(plant=order_kept, attack="life", seen="rows of a batch (p ="),
    "who came first is mixed first": Leak(
        plant=first_come_first_mixed, attack="life", seen="whether it stays behind (p ="
    ),
    "names stay": Leak(plant=names_stay, attack="life", seen="rows that stay and keep their names"),
    "times of files": Leak(plant=files_keep_their_times, attack="life", seen="columns/"),
    "the hour of a batch": Leak(plant=hour_of_a_batch, attack="life", seen="heartbeat b'batch"),
    "devices say the truth": Leak(plant=devices_say_the_truth, attack="life", seen="100.0 % true"),
    "devices of the label say the truth": Leak(
        plant=labelled_devices_say_the_truth, attack="label", seen="guesses right in 100.0 %", share=".01"
    ),
}
