"""The whole life of a simulated survey on a running web server, with snapshots of everything stored.

Devices with known answers, group, key and row send to a real server, some of them twice. The attack reads
every table and file while their rows wait, after the mix, and after a run. `life_judged` compares each
snapshot with the promises: where values may be stored at all, and that no stored value is associated with a
secret (by the exact tests of `tests.attack.leak_tests`).
"""

import hashlib
import logging
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from django.utils import timezone

from mining.thresholds import Thresholds
from privacy.survey.layout import Layout, Record
from surveys.authoring.lifecycle import survey_close
from surveys.intake.keys import key_folder
from surveys.intake.mix import mix
from surveys.jobs import lease
from surveys.models import Batch, Inbox, Survey, Version
from surveys.runs.mining_job import mine_snapshot
from surveys.runs.run_requests import run_request
from surveys.server.backup import backup_make
from tests.attack.half_sent import SECONDS_TO_ANSWER, posted, web_server
from tests.attack.learnt import AttackError
from tests.attack.needles import Needles
from tests.attack.respondents import ACTOR, Respondents, publish, wide_definition
from tests.attack.stored import Stored
from tests.attack.traces import split_rows

__all__ = ["PARTS", "Device", "Life", "live"]

PARTS: Final = 90
"""Questions, each with its own coin: enough that no row occurs twice, or is the truth by chance."""

SHARE_LIGHT: Final = 0.3
_KEY_BYTES: Final = 32
_AGAIN, _OTHER = 5, 7


@dataclass(frozen=True, kw_only=True)
class Device:
    """The secrets and the request of a device.

    Attributes
    ----------
    key, row, nonce, request : bytes
    truth : tuple of int
        The true answers.
    direct : bool
        Whether its answers are lightly disguised.
    """

    key: bytes
    row: bytes
    nonce: bytes
    request: bytes
    truth: tuple[int, ...]
    direct: bool

    def true_row(self, layout: Layout) -> bytes:
        """Return the row with the true answers."""
        answers = tuple((answer,) for answer in self.truth)
        return layout.pack(Record(direct=self.direct, answers=answers, refused=(False,) * len(answers)))


@dataclass(kw_only=True)
class Life:
    """Everything observed during the life of a survey.

    Attributes
    ----------
    version : Version
    devices : list of Device
        In order of sending.
    inbox : list of tuple of bytes
        Name, key name and box of each device's row, in order of arrival in the inbox.
    before, waiting, mixed, mined : Stored
        Snapshots: before most devices sent, while the rows waited, after two mixes, and after a run.
    pool : set of bytes
        Names of the rows that the first mix left behind.
    gone : set of bytes
        Rows that it took.
    batches : list of list of bytes
        Rows of each batch, in storage order.
    keys : dict of str to bytes
        By name, the private keys found in any snapshot while they were in use.
    """

    version: Version
    devices: list[Device] = field(default_factory=list)
    inbox: list[tuple[bytes, bytes, bytes]] = field(default_factory=list)
    before: Stored
    waiting: Stored
    mixed: Stored
    mined: Stored
    pool: set[bytes] = field(default_factory=set)
    gone: set[bytes] = field(default_factory=set)
    batches: list[list[bytes]] = field(default_factory=list)
    keys: dict[str, bytes] = field(default_factory=dict)

    @property
    def layout(self) -> Layout:
        """Positions of the answers in a row."""
        return Layout(self.version.to_design())

    def needles(self, stored: Stored) -> Needles:
        """Return the values to search for: those of every device, and all private keys."""
        sent, layout, in_use = self.devices, self.layout, _names_in_use(stored)
        return Needles(
            {
                "key": {part for device in sent for part in (device.key, device.key[:8], device.key[8:])},
                "row": {device.row for device in sent},
                "nonce": {device.nonce for device in sent},
                "hash of a key or a row": {
                    digest(value).digest()[:16]
                    for device in sent
                    for value in (device.key, device.row)
                    for digest in (hashlib.sha256, hashlib.sha1, hashlib.md5)
                },
                "true answers": {device.true_row(layout) for device in sent if not device.direct},
                "private key, in use": {raw for name, raw in self.keys.items() if name in in_use},
                "private key that no row needs": {
                    raw for name, raw in self.keys.items() if name not in in_use
                },
            }
        )


def live(folder: Path, *, people: int) -> Life:
    """Let people answer a simulated survey on a running web server, then mix, mine and back up.

    There is no seed, because a server's log may still contain the keys and rows of an earlier life.

    Raises
    ------
    AttackError
        The server did not receive an answer.
    """
    definition = wide_definition("life", questions=PARTS)
    definition["group"] = {"policy": "assigned", "direct_share": round(10_000 * SHARE_LIGHT), "light": True}
    for block in definition["blocks"]:
        block["light"] = 9_000
    version = publish(definition)
    sender = _Sender(version)
    keys: dict[str, bytes] = {}
    with log_to_file(folder / "log"), web_server(folder / "log") as port:
        sender.send(port)
        before = Stored.now(folder)
        for _ in range(people - 1):
            sender.send(port)
        waiting = Stored.now(folder)
        keys |= _private_keys(waiting)
        backup_make(folder / "backup-waiting", version="attack", now=timezone.now())
        mix(now=timezone.now(), offers=True)
        keys |= _private_keys(Stored.now(folder))
        # The mixer destroys unneeded keys in its next round.
        mix(now=timezone.now(), offers=True)
        mixed = Stored.now(folder)
        keys |= _private_keys(mixed)
        pool = {bytes(name) for name in Inbox.objects.values_list("key", flat=True)}
        gone = {row for batch in _batches_of(version) for row in batch}
        backup_make(folder / "backup-mixed", version="attack", now=timezone.now())
        survey_close(Survey.objects.get(pk=version.survey_id), by=ACTOR, now=timezone.now(), at_once=True)
        mix(now=timezone.now(), offers=True)
        _mine(Version.objects.select_related("survey").get(pk=version.pk))
        mined = Stored.now(folder)
    life = Life(version=version, before=before, waiting=waiting, mixed=mixed, mined=mined)
    life.devices, life.inbox, life.keys, life.pool = sender.devices, sender.inbox, keys, pool
    life.batches, life.gone = list(_batches_of(version)), gone
    return life


class _Sender:
    """Sends for one device after another."""

    def __init__(self, version: Version) -> None:
        self.version, self.respondents = version, Respondents(version, seed=secrets.randbits(128))
        self.rng = self.respondents.rng
        self.devices: list[Device] = []
        self.inbox: list[tuple[bytes, bytes, bytes]] = []
        self._seen: set[bytes] = set()

    def send(self, port: int) -> None:
        """Let the next device send. Every fifth sends twice, every seventh another row under its key."""
        direct = bool(self.rng.random() < SHARE_LIGHT)
        truth = tuple(self.rng.integers(2, size=PARTS).tolist())
        questions = ((block, block.questions[0]) for block in self.version.to_design().blocks)
        answers = {
            block.key: {question.key: answer}
            for (block, question), answer in zip(questions, truth, strict=True)
        }
        row, key = self.respondents.row(answers, direct=direct), self.rng.bytes(16)
        request = self.respondents.request(row, key=key.hex())
        self._post(port, request, 200)
        number = len(self.devices)
        self.devices.append(
            Device(key=key, row=row, nonce=_nonce(request), request=request, truth=truth, direct=direct)
        )
        self._look()
        if number % _AGAIN == 0:
            self._post(port, request, 200)
        if number % _OTHER == 0:
            self._post(port, self.respondents.request(self.respondents.row(), key=key.hex()), 409)

    def _post(self, port: int, request: bytes, expected: int) -> None:
        status = posted(port, request, patience=SECONDS_TO_ANSWER)
        if status != expected:
            raise AttackError(f"a made-up respondent was refused with {status}")

    def _look(self) -> None:
        boxes = Inbox.objects.filter(version=self.version).values_list("key", "sealed_under", "box")
        new = [tuple(map(bytes, values)) for values in boxes if bytes(values[0]) not in self._seen]
        self._seen.update(values[0] for values in new)
        self.inbox += [(name, under, box) for name, under, box in new]


@contextmanager
def log_to_file(folder: Path) -> Iterator[None]:
    """Also log this process to a file, because mixer, worker and backup run in it."""
    folder.mkdir(parents=True, exist_ok=True)
    handler = logging.FileHandler(folder / "command.log")
    names = [None, *(name for name, each in logging.root.manager.loggerDict.items() if _is_alone(each))]
    loggers = [logging.getLogger(name) for name in names]
    for logger in loggers:
        logger.addHandler(handler)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeHandler(handler)
        handler.close()


def _is_alone(logger: Any) -> bool:
    return isinstance(logger, logging.Logger) and not logger.propagate


def _nonce(request: bytes) -> bytes:
    _head, _, rest = request.partition(b'"nonce":"')
    return bytes.fromhex(rest[:64].decode("ascii"))


def _private_keys(stored: Stored) -> dict[str, bytes]:
    """Return by name the files of the mixer's folder that are as long as a key."""
    folder = f"{key_folder().path}/"
    return {
        Path(name).name: content
        for name, content in stored.files.items()
        if name.startswith(folder) and len(content) == _KEY_BYTES and len(Path(name).name) == _KEY_BYTES
    }


def _names_in_use(stored: Stored) -> set[str]:
    """Return the names of the keys that are offered or that waiting rows need."""
    name, current = (stored.columns["surveys_mixerkey"].index(column) for column in ("name", "current"))
    under = stored.columns["surveys_inbox"].index("sealed_under")
    offered = {row[name] for row in stored.rows["surveys_mixerkey"] if row[current] in (b"1", b"True")}
    return {(each or b"").hex() for each in offered | {row[under] for row in stored.rows["surveys_inbox"]}}


def _batches_of(version: Version) -> Iterator[list[bytes]]:
    for packed in Batch.objects.filter(version=version).values_list("packed", flat=True):
        yield split_rows(bytes(packed), Layout(version.to_design()).n_bytes)


def _mine(version: Version) -> None:
    thresholds = Thresholds(support=0.4, max_size=1)
    run = run_request(version=version, thresholds=thresholds, by=None, now=timezone.now(), announce=False)
    lease.perform(run.job_id, mine_snapshot)


def arrival_bits(people: int) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Return three bits for each arrival: its half, its quarter, and whether its number is odd.

    >>> arrival_bits(4).astype(int).tolist()
    [[0, 0, 0], [0, 1, 1], [1, 0, 0], [1, 1, 1]]
    """
    numbers = np.arange(people)
    return np.stack([2 * numbers // people, 4 * numbers // people % 2, numbers % 2], axis=1).astype(np.bool_)
