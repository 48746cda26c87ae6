"""Judge a survey's recorded life by where values are stored, and by exact tests.

At most a hundred tests share a false-alarm rate of one in a million.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
from django.conf import settings

from privacy.arrays import Flags
from privacy.survey.block_channel import block_channel
from tests.attack.keyed import found_in, possible_keys, repeated_masks
from tests.attack.leak_tests import association_p_value, channel_p_value, order_p_value
from tests.attack.learnt import Learnt
from tests.attack.life import Life, arrival_bits, live
from tests.attack.linkage import FALSE_ALARM
from tests.attack.resealed import same_boxes
from tests.attack.stored import DATABASE, Stored

__all__ = ["LEVEL", "attack_life"]

LEVEL: Final = FALSE_ALARM / 100
"""Level of each test."""

WHERE: Final = {
    "key": {"surveys_receipt.key"},
    "row": {"surveys_batch.packed"},
    "private key, in use": {"the mixer's folder"},
}
"""Where each kind of value may be stored; the database's own files and copies repeat what tables contain."""

WRITTEN: Final = {
    "surveys_receipt": {"survey_id", "key", "digest", "fresh"},
    "surveys_inbox": {"key", "version_id", "box", "sealed_under"},
}
"""The only tables and columns that a submission may write."""

OF_THE_MIXER: Final = frozenset(
    {
        "surveys_batch",
        "surveys_beat",
        "surveys_inbox",
        "surveys_mixerkey",
        "surveys_receipt",
        "surveys_survey",
    }
)

BEATS: Final = frozenset({b"mixer's night", b"database token", b"backup"})


def attack_life(folder: Path, *, people: int) -> Iterator[Learnt]:
    """Yield what each snapshot of a simulated survey reveals about its respondents."""
    life = live(folder, people=people)
    yield _traced(life, life.waiting, "while the rows wait")
    yield _traced(life, life.mixed, "after a mix and the next one")
    yield _traced(life, life.mined, "after two mixes, two backups, closing and a run")
    yield _sealed_again(life)
    yield _derived(life)
    yield _written(life)
    yield _written_by_the_mixer(life)
    yield _times(life)
    yield _associated(life)
    yield _ordered(life)
    yield _distributed(life)


def _traced(life: Life, stored: Stored, when: str) -> Learnt:
    """Search every table and file for keys, rows, nonces, true answers and private keys."""
    needles = life.needles(stored)
    waits = stored is life.waiting
    beyond: dict[str, int] = {}
    searched = 0
    for name, content in stored.contents():
        searched += len(content)
        where = _where(name)
        for kind, times in needles.times(content).items():
            allowed = WHERE.get(kind, set())
            if waits and kind == "row":
                allowed = set()
            if waits and kind == "private key that no row needs":
                continue
            in_tables = any("." in each for each in allowed)
            if where in allowed or (where == DATABASE and in_tables):
                continue
            beyond[f"{kind} in {_short(where)}"] = beyond.get(f"{kind} in {_short(where)}", 0) + times
    return Learnt(
        attack=f"keys, rows and answers in every table and file, {when}",
        tried=f"{len(life.devices):,} people, {len(stored.rows):,} tables, {len(stored.files):,} files, "
        f"{searched / 1e6:,.0f} MB",
        learnt=_listed(beyond) or "each stands where it may, and nowhere else",
        chance="none",
        beyond_chance=bool(beyond),
    )


def _sealed_again(life: Life) -> Learnt:
    """Reseal the rows of the batches under every public key ever stored, and compare."""
    publics = set()
    for stored in (life.before, life.waiting, life.mixed, life.mined):
        public = stored.columns["surveys_mixerkey"].index("public")
        publics |= {row[public] or b"" for row in stored.rows["surveys_mixerkey"]}
    rows = [row for batch in life.batches for row in batch]
    boxes = [box for _name, _under, box in life.inbox]
    found = same_boxes(boxes, rows, publics, design_id=life.version.design_id)
    return Learnt(
        attack="boxes of an old copy, sealed again from the rows of today",
        tried=f"{len(boxes):,} boxes, {len(rows):,} rows under {len(publics):,} public keys",
        learnt=f"{found:,} boxes that sealing gives again",
        chance="none: each box has a one-time key of its own",
        beyond_chance=found > 0,
    )


def _derived(life: Life) -> Learnt:
    """Derive values from each device's secrets under every key of the installation, and search all tables."""
    values = {
        value for device in life.devices for value in (device.key, device.key.hex().encode(), device.row)
    }
    keys: set[bytes] = set()
    for stored in (life.before, life.waiting, life.mixed, life.mined):
        keys |= possible_keys(stored, life.keys.values())
    beyond = found_in((life.waiting, life.mined), values, keys)
    named = {f"keyed hash of a key or a row in {where}": times for where, times in beyond.items()}
    names = [name for name, _under, _box in life.inbox]
    if len(names) == len(life.devices):
        masked = repeated_masks(zip((device.key for device in life.devices), names, strict=True))
        named |= {"keys of receipts under one mask in surveys_inbox.key": masked} if masked else {}
    return Learnt(
        attack="names and digests that follow from a receipt or a row under a key of the installation",
        tried=f"{len(values):,} values under {len(keys):,} keys, hashed and enciphered",
        learnt=_listed(named) or "nothing follows",
        chance="below one in a hundred million",
        beyond_chance=bool(named),
    )


def _where(name: str) -> str:
    if name.startswith(f"{settings.SOTTOVOCE_MIXER_KEYS}/"):
        return "the mixer's folder"
    path = Path(name)
    if path.name.startswith("database.") and path.parent.name.startswith("backup-"):
        # The backup contains the database.
        return DATABASE
    return name


def _short(where: str) -> str:
    """Return a path relative to the home."""
    return where.removeprefix(f"{settings.SOTTOVOCE_HOME}/")


def _written(life: Life) -> Learnt:
    """Compare tables and files before and after the submissions, to find unexpected writes."""
    tables, files = life.waiting.changes(life.before)
    beyond = {f"{len(rows)} rows of {table}": 1 for table, rows in tables.items() if table not in WRITTEN}
    beyond |= {_short(name): 1 for name in files}
    for table, columns in WRITTEN.items():
        beyond |= {f"{table}.{name}": 1 for name in set(life.waiting.columns[table]) - columns}
        expected = len(life.devices) - 1
        if len(tables.get(table, ())) != expected:
            beyond[f"{len(tables.get(table, ()))} rows of {table} for {expected} submissions"] = 1
    return Learnt(
        attack="what submissions write, besides one receipt and one box",
        tried=f"{len(life.devices):,} answers, some sent twice, some with another row under their key",
        learnt=_listed(beyond) or "nothing",
        chance="nothing",
        beyond_chance=bool(beyond),
    )


def _written_by_the_mixer(life: Life) -> Learnt:
    """Compare tables and files before and after the mix."""
    tables, files = life.mixed.changes(life.waiting)
    beyond = {
        f"{len(rows)} rows of {table}": 1 for table, rows in tables.items() if table not in OF_THE_MIXER
    }
    name_at = life.mixed.columns["surveys_beat"].index("name")
    names = {row[name_at] for row in tables.get("surveys_beat", ())}
    beyond |= {f"heartbeat {name!r}": 1 for name in names - BEATS}
    beyond |= {
        _short(name): 1
        for name in files
        if _where(name) != "the mixer's folder" and "/backup-waiting/" not in name
    }
    return Learnt(
        attack="what a mix writes, besides a batch and what waits on",
        tried=f"{sum(map(len, life.batches)):,} rows",
        learnt=_listed(beyond) or "nothing",
        chance="nothing",
        beyond_chance=bool(beyond),
    )


def _times(life: Life) -> Learnt:
    """Check the modification times of files that are computed from batches."""
    columns = f"{settings.SOTTOVOCE_HOME / 'columns'}/"
    times = {name: at for name, at in life.mined.times.items() if name.startswith(columns)}
    own = {name: at for name, at in times.items() if name not in life.before.times}
    beyond = {_short(name): 1 for name, at in own.items() if at != 0}
    return Learnt(
        attack="the hour of a batch, by the times of files",
        tried=f"{len(own):,} files of columns",
        learnt=_listed(beyond) or "none",
        chance="none",
        beyond_chance=bool(beyond),
    )


def _associated(life: Life) -> Learnt:
    """Test every bit of name, key name, box and receipt, and who stayed, against every secret bit."""
    stored = {
        "name of the waiting row": [name for name, _under, _box in life.inbox],
        "name of its key": [under for _name, under, _box in life.inbox],
        "box": [box for _name, _under, box in life.inbox],
        "digest of the receipt": _digests(life),
        "whether it stays behind": [bytes([device.row not in life.gone]) for device in life.devices],
    }
    of_box = {len(box) for box in stored["box"]}
    secret = np.concatenate(
        [
            np.array([[device.direct] for device in life.devices]),
            arrival_bits(len(life.devices)),
            _bits([device.row for device in life.devices]),
            np.array([device.truth for device in life.devices], dtype=np.bool_),
        ],
        axis=1,
    )
    results = {
        what: association_p_value(_bits(values), secret)[0]
        for what, values in stored.items()
        if len(set(map(len, values))) == 1
    }
    beyond = {f"{what} (p = {p:.1g})": 1 for what, p in results.items() if p <= LEVEL}
    if len(of_box) != 1:
        beyond[f"boxes of {len(of_box)} lengths"] = 1
    least = min(results.values())
    return Learnt(
        attack="group, hour, row or answers by what is stored beside them, bit by bit",
        tried=f"{len(life.devices):,} people, {len(results)} values each",
        learnt=_listed(beyond) or f"nothing: the least chance of a pair is {least:.2g}, corrected",
        chance=f"p below {LEVEL:.0e} once in a hundred million looks",
        beyond_chance=bool(beyond),
    )


def _ordered(life: Life) -> Learnt:
    """Test whether batches, names, digests or the choice of mixed rows reveal the order of arrival."""
    came = {device.row: number for number, device in enumerate(life.devices)}
    mixed = [[came[row] for row in batch if row in came] for batch in life.batches]
    orders = {
        "rows of a batch": mixed,
        "names of waiting rows": [_ranked([name for name, _under, _box in life.inbox])],
        "boxes": [_ranked([box for _name, _under, box in life.inbox])],
        "digests of receipts": [_ranked(_digests(life))],
    }
    results = {what: order_p_value(numbers) for what, numbers in orders.items()}
    beyond = {f"{what} (p = {p:.1g})": 1 for what, p in results.items() if p <= LEVEL}
    kept_names = len(life.pool & {name for name, _under, _box in life.inbox})
    if kept_names:
        beyond[f"{kept_names} rows that stay and keep their names"] = 1
    return Learnt(
        attack="the order of arrival, by the order of whatever is stored",
        tried=f"{sum(map(len, mixed)):,} mixed rows, {len(life.devices):,} names and digests",
        learnt=_listed(beyond) or f"nothing: the least chance of an order is {min(results.values()):.2g}",
        chance=f"p below {LEVEL:.0e} once in a hundred million looks",
        beyond_chance=bool(beyond),
    )


def _distributed(life: Life) -> Learnt:
    """Test the reports in the batches against the channel of each strength, given the truths."""
    design, layout = life.version.to_design(), life.layout
    owner = {device.row: device for device in life.devices}
    counts = np.zeros((2, len(design.blocks), 2, 2), dtype=np.int64)
    strangers = 0
    for row in (row for batch in life.batches for row in batch):
        if row not in owner:
            strangers += 1
            continue
        record = layout.unpack(row)
        for number, (value,) in enumerate(record.answers):
            counts[int(record.direct), number, int(str(value)), owner[row].truth[number]] += 1
    results = []
    for direct in (False, True):
        channel = np.array(
            [[float(entry) for entry in row] for row in block_channel(design.blocks[0], direct=direct).matrix]
        )
        each = [channel_p_value(block, channel) for block in counts[int(direct)]]
        results += [
            min(1.0, len(each) * min(each)),
            channel_p_value(counts[int(direct)].sum(axis=0), channel),
        ]
    true = counts[:, :, (0, 1), (0, 1)].sum(axis=(1, 2)) / counts.sum(axis=(1, 2, 3))
    return Learnt(
        attack="share of true answers among the stored reports, by part and strength",
        tried=f"{int(counts.sum()):,} answers of {sum(map(len, life.batches)):,} rows",
        learnt=f"{100 * true[0]:.1f}% true, lightly disguised {100 * true[1]:.1f}%; "
        f"the least chance is {min(results):.2g}; {strangers} rows that nobody sent",
        chance=f"75.0% and 95.0%; p below {LEVEL:.0e} once in a hundred million looks",
        beyond_chance=min(results) <= LEVEL or strangers > 0,
    )


def _digests(life: Life) -> list[bytes]:
    """Return the digests of the devices' receipts, in order of sending."""
    stored = life.waiting
    key, digest = (stored.columns["surveys_receipt"].index(name) for name in ("key", "digest"))
    by_key = {cells[key]: cells[digest] or b"" for cells in stored.rows["surveys_receipt"]}
    return [by_key.get(device.key, b"") for device in life.devices]


def _bits(values: list[bytes]) -> Flags:
    table = np.frombuffer(b"".join(values), np.uint8).reshape(len(values), -1)
    return np.unpackbits(table, axis=1).astype(np.bool_)


def _ranked(values: list[bytes]) -> list[int]:
    """Return the arrival numbers in the order of the values."""
    return sorted(range(len(values)), key=lambda number: values[number])


def _listed(beyond: dict[str, int], most: int = 6) -> str:
    """List the first few findings."""
    names = [f"{name} ({times} times)" if times > 1 else name for name, times in beyond.items()]
    return "; ".join(names[:most]) + (f"; {len(names) - most} more" if len(names) > most else "")
