"""Attack on surviving keys: the mixer's current key folder, and everything the database ever wrote.

One transaction writes receipt and box, so the log, or an old copy, links them forever. The key must therefore
no longer exist anywhere. Respondents answer several surveys at the same time, one of them rarely. If surveys
shared a key, keeping it for an answer to the quiet survey would also keep it for the busy one. The attacker
has copied database and log repeatedly, and steals the key folder ten quiet minutes after the last answer.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from subprocess import SubprocessError
from typing import Final

from cryptography.exceptions import InvalidTag
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import DateTimeField, F

from surveys.intake.mix import mix_waiting
from surveys.intake.sealed_boxes import BOX_BYTES, NAME_BYTES, PrivateKey, open_box
from surveys.models import Batch, MixerKey
from tests.attack.learnt import Learnt
from tests.attack.matching import most_by_chance
from tests.attack.respondents import Respondents, publish, wide_definition
from tests.attack.sqlite_files import Record, Theft, by_backups, by_log
from tests.attack.traces import database_files, log_files, offsets, split_rows

__all__ = ["ANSWERS", "age_keys", "attack_kept_keys", "keys_of_folder"]

ANSWERS: Final = (200, 10)
"""Number of answers to each of the simultaneous surveys."""

ROUNDS: Final = 10
PASSES: Final = 3
"""Mixer rounds after the ten minutes: one to reseal, one to destroy, and one more in case of a reader."""

MOST_BETWEEN: Final = 4
"""Most bytes between a key's name and the box in a file; they hold the length of the box."""

FALSE_ALARM: Final = 1e-6

Guess = dict[bytes, bytes]
"""Receipt key -> packed row."""


def age_keys() -> None:
    """Let ten minutes pass for the mixer, by making its keys older."""
    times = [each.name for each in MixerKey._meta.get_fields() if isinstance(each, DateTimeField)]
    MixerKey.objects.update(**{name: F(name) - timedelta(minutes=10) for name in times})


def keys_of_folder() -> dict[bytes, PrivateKey]:
    """Return the private keys in the mixer's folder, by name."""
    files = [
        path for path in Path(settings.SOTTOVOCE_MIXER_KEYS).rglob("*") if len(path.name) == 2 * NAME_BYTES
    ]
    keys = [PrivateKey.of(path.read_bytes()) for path in files]
    return {key.public_key.name: key for key in keys}


@dataclass(frozen=True, kw_only=True)
class _Copy(Theft):
    """SQLite's files at one moment, with keys: a row is legible if one of them opens its box."""

    keys: Mapping[bytes, PrivateKey]
    design_id: str

    def rows(self) -> list[bytes]:
        """Return the waiting rows that a key opens."""
        table = f"surveys_inbox WHERE version_id = {self.version}"
        stored = self.ask(f"SELECT sealed_under, box FROM {table}")
        opened = (_opened(box, self.keys.get(bytes(under)), self.design_id) for under, box in stored)
        return [row for row in opened if row is not None]

    def row(self, record: Record) -> bytes | None:
        """Return a waiting row of this survey that a key opens; None for any other record."""
        match record:
            case (bytes(), self.version, bytes(under), bytes(box)):
                return _opened(box, self.keys.get(under), self.design_id)
        return None


@dataclass
class _Thief:
    """Stolen copies of an installation, and what the current keys reveal in them.

    Parameters
    ----------
    many : sequence of Respondents
    folder : Path
        Folder for copies of SQLite's files.
    """

    many: Sequence[Respondents]
    folder: Path
    copies: list[Path] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)

    def steal(self, *, everything: bool = False) -> None:
        """Copy SQLite's files, or PostgreSQL's log and, if requested, all its other files."""
        if connection.vendor == "sqlite":
            into = self.folder / str(len(self.copies))
            Theft.of(Path(connection.settings_dict["NAME"]), into, survey=0, version=0, row_bytes=0)
            self.copies.append(into / "stolen")
            self.files |= {str(path): path.read_bytes() for path in into.iterdir()}
            return
        # The log is append-only, so the newest copy of each of its files contains the earlier ones.
        self.files |= {path.name: path.read_bytes() for path in log_files()}
        if everything:
            now = {name: content for name, content in database_files().items() if "pg_wal" not in name}
            self.files |= {f"{len(self.files)} {name}": content for name, content in now.items()}

    def opened(self, keys: Mapping[bytes, PrivateKey]) -> set[bytes]:
        """Return all rows that the keys open, wherever a box follows the name of its key in a file."""
        return {row for content in self.files.values() for _at, row in self._boxes(content, keys)}

    def right(self, keys: Mapping[bytes, PrivateKey]) -> int:
        """Return how many rows the best method matches to the right receipt."""
        guesses = self._by_copies(keys) if connection.vendor == "sqlite" else [self._by_archive(keys)]
        return max(
            sum(respondents.linked(guess[number]) for number, respondents in enumerate(self.many))
            for guess in guesses
        )

    def _by_copies(self, keys: Mapping[bytes, PrivateKey]) -> Iterator[list[Guess]]:
        of_each = [[self._copy(path, each, keys) for path in self.copies] for each in self.many]
        for by_place in (False, True):
            yield [_once(by_backups(list(copies), by_place=by_place)) for copies in of_each]
        by_logs = []
        for copies in of_each:
            guess, known = Guess(), set[bytes]()
            for copy in copies:
                guess = by_log(copy, known=known) | guess
                known.update(copy.receipts_by_row_number())
            by_logs.append(_once(guess))
        yield by_logs

    def _copy(self, path: Path, respondents: Respondents, keys: Mapping[bytes, PrivateKey]) -> _Copy:
        version = respondents.version
        return _Copy(
            path=path,
            survey=version.survey_id,
            version=version.pk,
            row_bytes=respondents.row_bytes,
            keys=keys,
            design_id=version.design_id,
        )

    def _by_archive(self, keys: Mapping[bytes, PrivateKey]) -> list[Guess]:
        """Pair each box in the log with the preceding receipt."""
        names = sorted(name for name in self.files if " " not in name)
        log = b"".join(self.files[name] for name in names)
        receipts = [key for each in self.many for key in each.truth]
        traces = [(at, key, True) for at, key in offsets(log, receipts)]
        traces += [(at, row, False) for at, row in self._boxes(log, keys)]
        guess, last = Guess(), None
        for _at, value, is_receipt in sorted(traces):
            if is_receipt:
                last = value
            elif last is not None:
                guess.setdefault(last, value)
                last = None
        return [_once({key: row for key, row in guess.items() if key in each.truth}) for each in self.many]

    def _boxes(self, content: bytes, keys: Mapping[bytes, PrivateKey]) -> Iterator[tuple[int, bytes]]:
        """Yield position and row of each box that a key opens."""
        tried: dict[bytes, bytes | None] = {}
        for at, name in offsets(content, keys):
            for between in range(MOST_BETWEEN + 1):
                begin = at + NAME_BYTES + between
                row = self._row(content[begin : begin + self._longest()], keys[name], tried)
                if row is not None:
                    yield at, row
                    break

    def _row(self, box: bytes, key: PrivateKey, tried: dict[bytes, bytes | None]) -> bytes | None:
        if box not in tried:
            sizes = [(each.row_bytes + BOX_BYTES, each.version.design_id) for each in self.many]
            rows = (_opened(box[:size], key, design_id) for size, design_id in sizes)
            tried[box] = next((row for row in rows if row is not None), None)
        return tried[box]

    def _longest(self) -> int:
        return max(each.row_bytes for each in self.many) + BOX_BYTES


def attack_kept_keys(folder: Path, *, answers: Sequence[int] = ANSWERS, seed: int = 1) -> Iterator[Learnt]:
    """Simulate respondents of simultaneous surveys, and yield what the current keys reveal.

    Parameters
    ----------
    folder : Path
        Where copies of SQLite's files go.
    answers : sequence of int
        Number of answers to each survey, in `ROUNDS` parts, each followed by a round of the mixer.
    seed : int
    """
    many = [
        Respondents(publish(wide_definition(f"keys-{number}", questions=90)), seed=seed + number)
        for number in range(len(answers))
    ]
    thief = _Thief(many=many, folder=folder)
    name = f"keys of today beside log and old copies, {connection.vendor}"
    try:
        for _ in range(ROUNDS):
            for respondents, count in zip(many, answers, strict=True):
                respondents.answer(count // ROUNDS)
            thief.steal()
            mix_waiting()
        thief.steal(everything=True)
        # The last minutes are reported but not judged, because their key still exists.
        for respondents in many:
            respondents.answer(ROUNDS)
        thief.steal()
        at_once = thief.right(keys_of_folder())
        age_keys()
        for _ in range(PASSES):
            mix_waiting()
        thief.steal(everything=True)
    except (OSError, SubprocessError, DatabaseError) as error:
        yield Learnt(attack=name, tried="not tried", learnt=str(error).strip(), chance="", beyond_chance=None)
        return
    yield from _learnt(thief, name, at_once)


def _learnt(thief: _Thief, name: str, at_once: int) -> Iterator[Learnt]:
    keys, everybody = keys_of_folder(), sum(len(each.truth) for each in thief.many)
    tried = f"{everybody} rows of {len(thief.many)} surveys, {ROUNDS} rounds"
    opened, batches = thief.opened(keys), [list(each.version.batches.all()) for each in thief.many]
    mixed = [_rows_of(of_one, each.row_bytes) for of_one, each in zip(batches, thief.many, strict=True)]
    beyond = len(opened & set().union(*mixed))
    yield Learnt(
        attack=f"{name}: mixed rows opened",
        tried=f"{tried}, ten minutes later",
        learnt=f"{beyond} of {sum(map(len, mixed))} rows",
        chance="none",
        beyond_chance=beyond > 0,
    )
    sizes = [batch.n for of_one in batches for batch in of_one]
    sizes += [len(each.truth) - len(rows) for each, rows in zip(thief.many, mixed, strict=True)]
    limit, right = most_by_chance(sizes, alarm=FALSE_ALARM), thief.right(keys)
    yield Learnt(
        attack=f"{name}: whose row is whose",
        tried=f"{tried}, ten minutes later",
        learnt=f"{right} rows",
        chance=f"at most {len(sizes)} rows on average, {limit} once in a million",
        beyond_chance=right > limit,
    )
    yield Learnt(
        attack=f"{name}: the last minutes",
        tried=f"{tried}, at once after the last {ROUNDS * len(thief.many)} answers",
        learnt=f"{at_once} rows matched to their receipts",
        chance="none; what came since its key was drawn is matched by whoever has that key",
        beyond_chance=None,
    )


def _rows_of(batches: Sequence[Batch], row_bytes: int) -> set[bytes]:
    return {row for batch in batches for row in split_rows(bytes(batch.packed), row_bytes)}


def _opened(box: bytes, key: PrivateKey | None, design_id: str) -> bytes | None:
    if key is None:
        return None
    try:
        return open_box(bytes(box), key=key, design_id=design_id)
    except InvalidTag:
        return None


def _once(guess: Guess) -> Guess:
    """Keep only the first receipt for each row."""
    firsts: Guess = {}
    for receipt, row in guess.items():
        firsts.setdefault(row, receipt)
    return {receipt: row for row, receipt in firsts.items()}
