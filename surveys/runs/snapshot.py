"""Snapshots of answers for runs, the disclosure policy for their figures, and signed statements about them.

A snapshot is a range of batches under one digest, fixed when the run is requested. Batches never change, so
a second attempt or a reproduction of the run reads the same rows; the digest proves it.

Disclosure: every figure on protected answers is computed from rows that were disguised on the device or on
the server. It reveals no more about a person than their disguised row does, so no such figure is hidden or
rounded. Crosses of open questions, which are sent undisguised, hide small groups.

An exported ZIP file ends with a signed statement: the SHA-256 of the archive without the statement, and of
each file. An archive is accepted only if all its bytes are unchanged: another order, a prefix, an attribute
or a second statement makes it invalid.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache, wraps
from pathlib import Path
from typing import IO, Any, Concatenate, Final, ParamSpec, TypeVar

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.db.models import QuerySet, Sum

from mining.open_floor import SHOW_ALL, OpenFloor
from surveys.errors.error import SurveyError
from surveys.formats.figures import count_text
from surveys.models import Batch, Run, Survey, Version
from surveys.policy import LEAST_DIRECT, LEAST_PROFILE, LEAST_PROTECTED, ROUNDED_TO
from surveys.runs.chapters import chapter_batches, chapter_of, has_chapters

P = ParamSpec("P")
Computed = TypeVar("Computed")


def batches_open_to_mining(version: Version) -> QuerySet[Batch]:
    """Return the batches of a version's design that a run may read, oldest first.

    While a survey can still grow, its newest batch is left out: two snapshots from different times then
    differ by a whole batch or not at all, never by one respondent. Once its last batch is written, and in
    practice surveys always, a run may read all batches. If sensitive answers were sent undisguised, a run may
    not read any batch before the survey has closed.
    """
    survey = Survey.objects.get(pk=version.survey_id)
    batches = Batch.objects.filter(version__survey=survey, version__design_id=version.design_id).order_by(
        "pk"
    )
    reads = batches_read_of(survey, version)
    if reads is Reads.ALL:
        return batches
    if reads is Reads.NONE:
        return batches.none()
    # Fix the newest batch first, because newer ones may be written before the returned query runs.
    newest = batches.values_list("pk", flat=True).last()
    return batches.filter(pk__lt=newest or 0)


class Reads(Enum):
    """Which batches of a design a run may read."""

    ALL = auto()
    ALL_BUT_THE_NEWEST = auto()
    NONE = auto()


def batches_read_of(survey: Survey, version: Version) -> Reads:
    """Return which batches of a version's design a run may read, in the state that `survey` has."""
    if survey.practice or survey.settled:
        return Reads.ALL
    return Reads.NONE if version.holds_undisguised else Reads.ALL_BUT_THE_NEWEST


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """Batches `first` to `last` of one design.

    Attributes
    ----------
    first, last : int
        Numbers of the first and of the last batch.
    batches, n : int
        Number of batches, and of rows in them.
    digest : str
        SHA-256 over the batches' own digests, in the order of their numbers.
    """

    first: int
    last: int
    batches: int
    n: int
    digest: str


def snapshot_of(version: Version, *, chapter: int | None = None) -> Snapshot:
    """Return the snapshot that a run of this version's design would read now.

    Parameters
    ----------
    version : Version
    chapter : int, optional
        Number of a closed chapter; by default all answers.

    Raises
    ------
    SurveyError
        ``no_answers``: there is no batch that a run may read; a closed survey will never have one, and a
        survey with undisguised sensitive answers has none before it closes. ``chapters.unknown``
    """
    batches = batches_open_to_mining(version)
    if chapter is not None:
        inside = chapter_batches(version, chapter)
        # If sensitive answers were sent undisguised, no batch may be read before the survey has settled.
        batches = inside if not version.holds_undisguised or version.survey.settled else batches.none()
    rows = list(batches.values_list("pk", "n", "digest"))
    if not rows and version.survey.settled:
        raise SurveyError("no_answers.closed", 0)
    if not rows:
        has_direct = version.holds_undisguised
        raise SurveyError("no_answers.undisguised" if has_direct else "no_answers.waiting", 0)
    return Snapshot(
        first=rows[0][0],
        last=rows[-1][0],
        batches=len(rows),
        n=sum(n for _, n, _ in rows),
        digest=_digest(digest for _, _, digest in rows),
    )


def batches_of(run: Run) -> QuerySet[Batch]:
    """Return the batches of a run, after checking that they match its snapshot.

    Raises
    ------
    SurveyError
        ``snapshot``: the database holds other batches in the run's range.
    """
    batches = batches_between(run, run.first_batch, run.last_batch)
    digest = _digest(batches.values_list("digest", flat=True))
    if digest != run.snapshot_digest:
        raise SurveyError("snapshot", digest, found=digest)
    return batches


_FINAL: Final = "_is_final"


def is_exempt(survey: Survey) -> bool:
    """Whether figures need not wait: all respondents of the survey are simulated."""
    return survey.practice or survey.known_truth is not None


def is_final(run: Run) -> bool:
    """Whether no answer can join those of a run: it reads all of a settled survey or of a closed chapter.

    A survey with chapters is never analysed as a whole in this sense, because the difference of two of its
    chapters and the whole would be another set of people.
    """
    if is_exempt(run.survey):
        return True
    if _FINAL not in run.__dict__:
        # The run of a page looks once.
        run.__dict__[_FINAL] = _is_closed(run)
    return bool(run.__dict__[_FINAL])


def _is_closed(run: Run) -> bool:
    if has_chapters(run):
        return chapter_of(run) is not None
    if not run.survey.settled:
        return False
    batches = Batch.objects.filter(version__survey=run.survey_id, version__design_id=run.design_id)
    newest = batches.order_by("-pk").values_list("pk", flat=True).first()
    return newest is not None and run.last_batch == newest


class _RunKey:
    """Identity of a run's rows, which gives its run away once, so that a cache does not keep it."""

    def __init__(self, run: Run) -> None:
        self.key = (run.pk, run.design_id, run.snapshot_digest)
        self._run: Run | None = run

    def take(self) -> Run:
        """Return the caller's run."""
        run, self._run = self._run, None
        if run is None:
            raise ValueError("the run was taken before")
        return run

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _RunKey) and self.key == other.key


def once_per_snapshot(
    most: int,
) -> Callable[[Callable[Concatenate[Run, P], Computed]], Callable[Concatenate[Run, P], Computed]]:
    """Compute a result from a run's rows once, keeping this many results in memory.

    The digests identify the rows and how they are read, so a cached result stays valid.
    """

    def once(compute: Callable[Concatenate[Run, P], Computed]) -> Callable[Concatenate[Run, P], Computed]:
        @lru_cache(maxsize=most)
        def cached(rows: _RunKey, /, *args: Any) -> Computed:
            return compute(rows.take(), *args)  # type: ignore[call-arg]  # the caller's arguments

        @wraps(compute)
        def compute_once(run: Run, /, *args: P.args, **kwargs: P.kwargs) -> Computed:
            return cached(_RunKey(run), *args, **kwargs)  # type: ignore[arg-type]  # all arguments are hashable

        return compute_once

    return once


def batches_between(run: Run, first: int | None, last: int | None) -> QuerySet[Batch]:
    """Return the batches of a run from number `first` to number `last`, without checking its digest."""
    return Batch.objects.filter(
        version__survey=run.survey_id, version__design_id=run.design_id, pk__gte=first, pk__lte=last
    ).order_by("pk")


def _digest(digests: Iterable[str]) -> str:
    total = hashlib.sha256()
    for digest in digests:
        total.update(bytes.fromhex(digest))
    return total.hexdigest()


_INFO: Final = b"sotto snapshot 1"


def snapshot_statement(run: Run) -> dict[str, Any]:
    """Return a statement about the rows that a run read."""
    return {
        "sotto": "snapshot 1",
        "survey": run.survey.slug,
        "design_id": run.design_id,
        "batches": run.batches,
        "sha256": run.snapshot_digest,
    }


def sign_statement(statement: Mapping[str, Any]) -> dict[str, Any]:
    """Return a statement with the installation's public key and signature, both in hex digits."""
    signature = _private_key(str(settings.SECRET_KEY)).sign(_message(statement))
    return {"statement": dict(statement), "key": signing_key(), "signature": signature.hex()}


def signing_key() -> str:
    """Return the installation's public key, in 64 hex digits."""
    return _private_key(str(settings.SECRET_KEY)).public_key().public_bytes_raw().hex()


def is_signed(document: Mapping[str, Any]) -> bool:
    """Return whether a document from `sign_statement` is unchanged, by the key it contains.

    Examples
    --------
    The key and the signature of the empty message in RFC 8032, which is not a statement:

    >>> is_signed({"statement": {},
    ...            "key": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
    ...            "signature": "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
    ...                         "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"})
    False
    """
    try:
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(document["key"]))
        public.verify(bytes.fromhex(document["signature"]), _message(document["statement"]))
    except (InvalidSignature, ValueError, KeyError, TypeError):
        return False
    return True


@lru_cache(maxsize=2)
def _private_key(secret: str) -> Ed25519PrivateKey:
    key_bytes = HKDF(algorithm=SHA256(), length=32, salt=None, info=_INFO).derive(secret.encode())
    return Ed25519PrivateKey.from_private_bytes(key_bytes)


def _message(statement: Mapping[str, Any]) -> bytes:
    """Return the bytes to sign: JSON with sorted names and no blanks."""
    return _INFO + b"\n" + json.dumps(statement, sort_keys=True, separators=(",", ":")).encode()


BATCHES_AT_A_TIME: Final = 100
"""Number of batches per query."""

BATCHES_IN_MEMORY: Final = 10
"""Batches whose rows are held at once: 3 MB if each has 20,000 rows of 16 bytes."""


def batches_read(numbers: Sequence[int]) -> Generator[Batch, None, None]:
    """Read batches with their rows, selected and ordered only by number.

    If batches were selected by survey and version in order, SQLite would first copy all their rows into a
    temporary table and sort it, on disk if memory is short.
    """
    for start in range(0, len(numbers), BATCHES_AT_A_TIME):
        some = Batch.objects.filter(pk__in=numbers[start : start + BATCHES_AT_A_TIME]).order_by("pk")
        yield from some.iterator(chunk_size=BATCHES_IN_MEMORY)


def rows_of(batches: Iterable[Batch]) -> Iterator[bytes]:
    """Yield the packed rows of each batch, after checking them.

    Raises
    ------
    SurveyError
        ``damaged_batch``: the rows of a batch do not have its digest.
    """
    for batch in batches:
        data = bytes(batch.packed)
        if hashlib.sha256(data).hexdigest() != batch.digest:
            raise SurveyError("damaged_batch", batch.pk, digest=batch.digest)
        yield data


STATEMENT: Final = "snapshot.json"
"""Name of the installation's signed statement about the rows of an export."""

_BYTES_AT_A_TIME: Final = 1 << 20
_MOST_ENDING_BYTES: Final = 16 << 20
"""A statement and the list of files are far smaller."""


def sign_archive(out: IO[bytes], statement: Mapping[str, Any]) -> None:
    """Add a signed statement to a finished ZIP file.

    Parameters
    ----------
    out : binary file
        The archive; must be writable, readable and seekable.
    statement : mapping
        The statement; the digests of the archive and of its files are added.
    """
    out.seek(0)
    whole = hashlib.file_digest(out, "sha256").hexdigest()  # type: ignore[arg-type]  # it is readable
    with zipfile.ZipFile(out, "a") as archive:
        record = dict(statement) | {"archive": whole, "files": _file_digests(archive)}
        archive.writestr(_entry(), _text(sign_statement(record)))


def snapshot_verify(path: Path, *, key: str) -> dict[str, Any]:
    """Compare an export, byte for byte, with its signed statement; return the statement with its key.

    Parameters
    ----------
    path : Path
        A ZIP file from `surveys.report.export.data_package.data_export`.
    key : str
        The expected public key, as printed in a report.

    Raises
    ------
    SurveyError
        ``signature``: no statement, a changed one, one of another installation, files that differ from the
        statement, or an archive that was put together by someone else.

    Notes
    -----
    The check is Ed25519 over the statement, and SHA-256 over the archive and its files. It detects any row
    that was changed, dropped, added or doubled, and any changed figure. It proves that the holder of the key
    made this statement, not that people gave these answers.
    """
    try:
        with path.open("rb") as file, zipfile.ZipFile(file) as archive:
            text = archive.read(STATEMENT)
            document = json.loads(text)
            if not is_signed(document):
                raise SurveyError("signature.changed", file=path.name)
            statement: dict[str, Any] = document["statement"]
            if document["key"] != key:
                raise SurveyError("signature.key", document["key"], file=path.name, key=document["key"])
            here, there = _file_digests(archive), statement["files"]
            wrong = {name for name in here.keys() | there.keys() if here.get(name) != there.get(name)}
            # If two files have the same name, some programs read the first and some the second.
            wrong |= {name for name, count in Counter(archive.namelist()).items() if count > 1}
            is_whole = not wrong and _is_as_written(file, archive, document)
    except SurveyError:
        raise
    except (
        *(OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError),
        *(KeyError, TypeError, ValueError, AttributeError),
    ) as error:
        raise SurveyError("signature.none", file=path.name, error=str(error)) from error
    if wrong:
        raise SurveyError("signature.files", wrong, file=path.name, names=", ".join(sorted(wrong)))
    if not is_whole:
        raise SurveyError("signature.archive", file=path.name)
    return statement | {"key": document["key"]}


def _is_as_written(file: IO[bytes], archive: zipfile.ZipFile, document: Mapping[str, Any]) -> bool:
    """Return whether every byte of an archive is as `sign_archive` left it."""
    *others, last = archive.infolist()
    if last.filename != STATEMENT:
        return False
    start = last.header_offset
    digest = hashlib.sha256()
    file.seek(0)
    for first in range(0, start, _BYTES_AT_A_TIME):
        digest.update(file.read(min(_BYTES_AT_A_TIME, start - first)))
    digest.update(_ending(others, start))
    return (
        digest.hexdigest() == document["statement"]["archive"]
        and file.read(_MOST_ENDING_BYTES) == _ending(others, start, _text(document))
        and file.read(1) == b""
    )


def _ending(others: Sequence[zipfile.ZipInfo], start: int, statement: str | None = None) -> bytes:
    """Return an archive's bytes from offset `start`: the statement, if any, and the list of files."""
    ending = _From(start)
    with zipfile.ZipFile(ending, "w") as archive:
        archive.filelist.extend(others)
        # Without this flag, zipfile does not write the list of files of an archive without new entries.
        archive._didModify = True  # type: ignore[attr-defined]
        if statement is not None:
            archive.writestr(_entry(), statement)
    return ending.getvalue()


class _From(io.BytesIO):
    """A file in memory that begins at a given offset."""

    def __init__(self, start: int) -> None:
        super().__init__()
        self._start = start

    def tell(self) -> int:
        return super().tell() + self._start

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return super().seek(offset - self._start * (whence == io.SEEK_SET), whence) + self._start


def _entry() -> zipfile.ZipInfo:
    """Return the statement's entry in an archive: always the same, and not compressed."""
    entry = zipfile.ZipInfo(STATEMENT, date_time=(1980, 1, 1, 0, 0, 0))
    entry.create_system, entry.external_attr = 3, 0o600 << 16
    return entry


def _text(document: Mapping[str, Any]) -> str:
    return json.dumps(document, indent=2, sort_keys=True)


def _file_digests(archive: zipfile.ZipFile) -> dict[str, str]:
    """Return the SHA-256 of each file in an archive by name, except the statement."""
    digests = {}
    for name in archive.namelist():
        if name != STATEMENT:
            with archive.open(name) as file:
                digests[name] = hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]  # reads
    return digests


@dataclass(frozen=True, kw_only=True)
class Disclosure:
    """Limits on the figures that may be shown of some rows.

    Attributes
    ----------
    results : bool
        Whether itemsets and rules may be shown at all.
    least_direct : int
        Least number of direct rows for which the two groups may be reported separately.
    least_protected : int
        Least number of disguised rows behind any result.
    open_floor : OpenFloor
        What may be shown of open answers.
    """

    results: bool
    least_direct: int
    least_protected: int
    open_floor: OpenFloor

    @property
    def least_cross(self) -> int:
        """Least number of rows of each combination of answers to several open questions; 0 for no limit."""
        return self.open_floor.least


def disclosure(*, n: int, practice: bool, open_floor: OpenFloor | None = None) -> Disclosure:
    """Return the disclosure policy for this many rows; a practice survey hides nothing.

    Parameters
    ----------
    n : int
    practice : bool
    open_floor : OpenFloor, optional
        What the rows' run may show of open answers: see `surveys.runs.ledger`. By default ten people or none
        for each combination, as once all rows have arrived.

    Examples
    --------
    >>> hidden, practice = disclosure(n=99, practice=False), disclosure(n=1, practice=True)
    >>> hidden.results, hidden.least_direct, hidden.least_protected, hidden.least_cross
    (False, 50, 100, 10)
    >>> practice.results, practice.least_direct, practice.least_protected, practice.least_cross
    (True, 1, 0, 0)
    """
    if practice:
        return Disclosure(results=True, least_direct=1, least_protected=0, open_floor=SHOW_ALL)
    return Disclosure(
        results=n >= LEAST_PROTECTED,
        least_direct=LEAST_DIRECT,
        least_protected=LEAST_PROTECTED,
        open_floor=OpenFloor(least=LEAST_PROFILE) if open_floor is None else open_floor,
    )


@dataclass(frozen=True, kw_only=True)
class Groups:
    """Answers of one design that may be mined, by group."""

    n_direct: int
    n_protected: int
    disclosure: Disclosure

    @property
    def n(self) -> int:
        """Number of answers in both groups."""
        return self.n_direct + self.n_protected


def groups_of(version: Version) -> Groups:
    """Count the answers of a version's design that a run may read."""
    totals = batches_open_to_mining(version).order_by().aggregate(rows=Sum("n"), direct=Sum("n_direct"))
    n, n_direct = totals["rows"] or 0, totals["direct"] or 0
    return Groups(
        n_direct=n_direct,
        n_protected=n - n_direct,
        disclosure=disclosure(n=n, practice=version.survey.practice),
    )


def rounded_count(count: int) -> int:
    """Return the nearest multiple of ten, rounding halves up.

    >>> [rounded_count(count) for count in (0, 4, 5, 14, 15)]
    [0, 0, 10, 10, 20]
    """
    return (count + ROUNDED_TO // 2) // ROUNDED_TO * ROUNDED_TO


def shown_count(count: int, *, rounded: bool = False) -> str:
    """Format a count of answers, "≈ 120" if it is rounded.

    >>> shown_count(6366), shown_count(118, rounded=True)
    ('6,366', '≈ 120')
    """
    if not rounded:
        return count_text(count)
    return "≈ " + count_text(rounded_count(count))
