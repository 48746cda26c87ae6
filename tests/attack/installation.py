"""Attack this installation's own database, read-only: compare its contents with the promises."""

import contextlib
from collections import Counter
from collections.abc import Iterator
from itertools import islice, pairwise
from pathlib import Path
from typing import Final

import numpy as np
from django.conf import settings
from django.db import connection

from privacy.arrays import Flags
from privacy.survey.layout import Layout
from surveys.intake.sealed_boxes import BOX_BYTES, NAME_BYTES, PUBLIC_BYTES
from surveys.models import Batch, Inbox, Job, MixerKey, Receipt, Run, Survey, Version
from surveys.policy import LEAST_BATCH_ROWS
from tests.attack.disguised_here import attack_disguised_here
from tests.attack.leak_tests import constant_bits_p_value
from tests.attack.learnt import Learnt
from tests.attack.linkage import FALSE_ALARM
from tests.attack.needles import Needles
from tests.attack.resealed import producible_rows, same_boxes
from tests.attack.stored import home_files, table_rows, tables
from tests.attack.subtraction import open_answers
from tests.attack.traces import split_rows

__all__ = ["attack_installation"]

MOST_PEOPLE: Final = 20_000
"""Runs with more rows are skipped, because the attack counts people one by one."""

MOST_TRACED: Final = 5_000
"""Number of keys and of rows to search for."""

MOST_BATCHES: Final = 50
"""Number of newest batches whose rows are resealed, if a survey has too many possible rows."""

LEAST_TRACED_BYTES: Final = 16

_WHERE: Final = {
    "key": "surveys_receipt.key",
    "row": "surveys_batch.packed",
    "private key": "the mixer's folder",
}


def attack_installation() -> Iterator[Learnt]:
    """Yield what storage and reports reveal about the people of live surveys."""
    yield _waiting_rows()
    yield _sealed_again()
    yield _traced()
    if connection.vendor == "postgresql":
        # SQLite orders both tables by key, without hidden row numbers; `manage.py doctor` checks this.
        yield _order_of_receipts()
        yield _transactions_of_receipts()
    for survey in Survey.objects.filter(practice=False).order_by("slug"):
        yield from _newest_run(survey)


def _waiting_rows() -> Learnt:
    """Test whether waiting rows look random; a row without a box does not, even if it is padded."""
    versions = Version.objects.filter(pk__in=Inbox.objects.values("version"))
    sizes = {version.pk: Layout(version.to_design()).n_bytes + BOX_BYTES for version in versions}
    boxes: dict[int, list[bytes]] = {}
    other = 0
    for version, box in Inbox.objects.values_list("version_id", "box").iterator():
        if len(box) == sizes[version]:
            boxes.setdefault(version, []).append(bytes(box))
        else:
            other += 1
    p_values = [constant_bits_p_value(_random_bits(each)) for each in boxes.values()]
    least = min([1.0, *(min(1.0, p * len(p_values)) for p in p_values)])
    return Learnt(
        attack="rows that wait, read in the database",
        tried=f"{sum(map(len, boxes.values())) + other:,} rows",
        learnt=f"{other:,} rows that are no boxes; the least chance of a bit of a box is {least:.2g}",
        chance=f"below {FALSE_ALARM:.0e} once in a million attacks; seen in 31 boxes if a bit never changes",
        beyond_chance=other > 0 or least <= FALSE_ALARM,
    )


def _sealed_again() -> Learnt:
    """Reseal every possible row, or only those in batches if these are too many, and compare."""
    found = tried = listed = 0
    publics = [bytes(public) for public in MixerKey.objects.values_list("public", flat=True)]
    for version in Version.objects.filter(pk__in=Inbox.objects.values("version")):
        design = version.to_design()
        rows = producible_rows(design)
        if rows is None:
            size = Layout(design).n_bytes
            batches = Batch.objects.filter(version__design_id=version.design_id).order_by("-pk")[
                :MOST_BATCHES
            ]
            mixed = (row for batch in batches for row in split_rows(bytes(batch.packed), size))
            rows = list(islice(mixed, MOST_TRACED))
        boxes = [bytes(box) for box in Inbox.objects.filter(version=version).values_list("box", flat=True)]
        tried, listed = tried + len(boxes), listed + len(rows)
        found += same_boxes(boxes, rows, publics, design_id=version.design_id)
    return Learnt(
        attack="rows that wait, sealed again from every row that there can be",
        tried=f"{tried:,} boxes, {listed:,} rows under {len(publics):,} public keys",
        learnt=f"{found:,} boxes that sealing gives again",
        chance="none: each box has a one-time key of its own",
        beyond_chance=found > 0,
    )


def _random_bits(boxes: list[bytes]) -> Flags:
    """Return the bits of boxes, without the one that is always 0 in X25519 (RFC 7748)."""
    bits = np.unpackbits(np.frombuffer(b"".join(boxes), np.uint8).reshape(len(boxes), -1), axis=1)
    return np.delete(bits.astype(np.bool_), 8 * (PUBLIC_BYTES - 1), axis=1)


def _traced() -> Learnt:
    """Search for receipt keys, batch rows and private keys in places that must not contain them."""
    needles = Needles(
        {"key": _some_keys(), "row": _some_rows(), "private key": {raw for _path, raw in _private_keys()}}
    )
    beyond: Counter[str] = Counter()
    searched = 0
    for where, content in _contents():
        searched += len(content)
        for kind, times in needles.times(content).items():
            if where != _WHERE[kind]:
                beyond[f"{kind} in {where}"] += times
    return Learnt(
        attack="keys and rows in every table and file",
        tried=f"{len(needles):,} values in {searched / 1e6:,.0f} MB of tables and of the home's files",
        learnt="; ".join(f"{name} ({times:,} times)" for name, times in beyond.most_common(6))
        or "each stands where it may, and nowhere else",
        chance="none",
        beyond_chance=bool(beyond),
    )


def _contents() -> Iterator[tuple[str, bytes]]:
    for table in tables():
        for columns, rows in table_rows(table):
            for at, column in enumerate(columns):
                yield f"{table}.{column}", b"\n".join(cell for row in rows if (cell := row[at]) is not None)
    own = {path for path, _raw in _private_keys()}
    for path in home_files():
        # Sockets, and files that disappear meanwhile.
        with contextlib.suppress(OSError):
            yield "the mixer's folder" if path in own else str(path), path.read_bytes()


def _some_keys() -> set[bytes]:
    keys = Receipt.objects.filter(digest__isnull=False).order_by("key").values_list("key", flat=True)
    return {bytes(key) for key in keys[:MOST_TRACED]}


def _some_rows() -> set[bytes]:
    """Return rows of batches that are long and irregular enough not to occur by accident."""
    rows: set[bytes] = set()
    for batch in Batch.objects.order_by("-pk").iterator():
        size = len(batch.packed) // batch.n
        if size >= LEAST_TRACED_BYTES:
            rows.update(row for row in split_rows(bytes(batch.packed), size) if len(set(row)) > size // 2)
        if len(rows) >= MOST_TRACED:
            break
    return rows


def _private_keys() -> Iterator[tuple[Path, bytes]]:
    for path in settings.SOTTOVOCE_MIXER_KEYS.rglob("*"):
        with contextlib.suppress(OSError):
            if len(path.name) == 2 * NAME_BYTES and len(raw := path.read_bytes()) == PUBLIC_BYTES:
                yield path, raw


def _order_of_receipts() -> Learnt:
    """Check that mixed receipts are stored in the order of their random keys, not of arrival."""
    with connection.cursor() as cursor:
        cursor.execute(
            'SELECT survey_id, xmin::text, "key" FROM surveys_receipt'
            " WHERE digest IS NOT NULL AND NOT fresh ORDER BY survey_id, xmin::text::bigint, ctid"
        )
        receipts = [((survey, transaction), bytes(key)) for survey, transaction, key in cursor.fetchall()]
    unsorted = sum(first[0] == other[0] and first[1] > other[1] for first, other in pairwise(receipts))
    return Learnt(
        attack="the order in which receipts lie (ctid)",
        tried=f"{len(receipts):,} receipts of rows that were mixed",
        learnt=f"{unsorted:,} out of the order of their keys",
        chance="none: in any other order places can tell of arrival",
        beyond_chance=unsorted > 0,
    )


def _transactions_of_receipts() -> Learnt:
    """Check that each transaction wrote at least as many receipts as a batch has rows."""
    sizes: dict[int, list[int]] = {}
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT survey_id, count(*) FROM surveys_receipt WHERE digest IS NOT NULL AND NOT fresh"
            " GROUP BY survey_id, xmin::text"
        )
        for survey, count in cursor.fetchall():
            sizes.setdefault(survey, []).append(int(count))
    # All receipts of a smaller survey are one set.
    large = [counts for counts in sizes.values() if sum(counts) >= LEAST_BATCH_ROWS]
    few = sum(count < LEAST_BATCH_ROWS for counts in large for count in counts)
    return Learnt(
        attack="the transactions that wrote receipts (xmin)",
        tried=f"{sum(map(sum, large)):,} receipts of rows that were mixed",
        learnt=f"{few:,} sets of fewer than {LEAST_BATCH_ROWS} that one transaction tells apart",
        chance="none",
        beyond_chance=few > 0,
    )


def _newest_run(survey: Survey) -> Iterator[Learnt]:
    """Run the differencing attack on a survey's newest run."""
    runs = Run.objects.filter(survey=survey, job__state=Job.State.FINISHED).select_related(
        "survey", "version"
    )
    run = runs.order_by("-pk").first()
    if run is None or run.n is None:
        return
    if run.n > MOST_PEOPLE:
        yield _left_out(survey, run)
        return
    of = f"{survey.slug}, run {run.pk}"
    if run.version.holds_undisguised:
        yield attack_disguised_here(run, of=of)
    yield open_answers(run).learnt("open answers", of=of, promised=True)


def _left_out(survey: Survey, run: Run) -> Learnt:
    return Learnt(
        attack="subtraction of figures",
        tried=f"{survey.slug}, run {run.pk}",
        learnt=f"not tried: above {MOST_PEOPLE:,} rows, or a sample that was split",
        chance="nobody for certain",
        beyond_chance=None,
    )
