"""Waiting rows: opened with the mixer's keys, stored in fresh boxes, cleared and deleted."""

import secrets

import pytest
from django.utils import timezone

from surveys.intake import inbox
from surveys.intake.inbox import (
    open_inbox,
    rows_clear_key,
    rows_delete,
    rows_of_other_mixers,
    rows_store,
    rows_without_key,
)
from surveys.intake.keys import Keyring, key_folder, mixer_ready
from surveys.intake.sealed_boxes import PrivateKey, seal
from surveys.models import Inbox, MixerKey, Version
from tests.fixtures.devices import published, wide_definition

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("own_mixer_keys")]


@pytest.fixture
def version() -> Version:
    made = published(wide_definition("wide"))
    assert mixer_ready()
    return made


@pytest.fixture
def keyring() -> Keyring:
    folder = key_folder()
    return Keyring(folder=folder, mixer=folder.mixer(), holds_lease=True)


def key_of(keyring: Keyring) -> PrivateKey:
    """Return a key of this mixer, kept in its folder and listed in the database."""
    key = PrivateKey.generate()
    keyring.folder.write(key)
    listed(key, keyring.mixer)
    return key


def listed(key: PrivateKey, mixer: str) -> None:
    now = timezone.now()
    public = key.public_key
    MixerKey.objects.create(
        name=public.name, public=public.public, mixer=mixer, current=False, drawn_at=now, vouched_until=now
    )


def waiting(version: Version) -> list[Inbox]:
    return list(Inbox.objects.filter(version=version).order_by("key"))


def test_stored_rows_open_again_in_the_order_of_their_random_names(
    version: Version, keyring: Keyring
) -> None:
    key = key_of(keyring)
    rows = [bytes([number]) * version.row_bytes for number in range(10)]
    rows_store(version, rows, under=key.public_key)
    found = open_inbox(version, keyring, most=1_000)
    assert sorted(found.rows) == rows
    assert found.names == sorted(found.names)
    assert found.rows != rows, "ten random names are in the order of arrival once in 3,628,800 runs"
    assert (len(set(found.names)), found.spoilt) == (10, [])
    assert len({bytes(row.box) for row in waiting(version)}) == 10


def test_no_more_rows_are_opened_than_asked_for(version: Version, keyring: Keyring) -> None:
    key = key_of(keyring)
    rows_store(version, [bytes(version.row_bytes)] * 5, under=key.public_key)
    assert len(open_inbox(version, keyring, most=3).rows) == 3


def test_boxes_with_another_content_are_spoilt_and_others_opened(version: Version, keyring: Keyring) -> None:
    key, row = key_of(keyring), bytes(version.row_bytes)
    good = seal(row, under=key.public_key, design_id=version.design_id)
    boxes = {
        b"a": good,
        b"b": good[:-1] + bytes([good[-1] ^ 1]),
        b"c": seal(row + b"x", under=key.public_key, design_id=version.design_id),
        b"d": seal(row[:-1], under=key.public_key, design_id=version.design_id),
        b"e": seal(row, under=key.public_key, design_id="0" * 64),
        b"f": seal(row, under=PrivateKey.generate().public_key, design_id=version.design_id),
    }
    for name, box in boxes.items():
        Inbox.objects.create(key=name * 16, version=version, sealed_under=key.public_key.name, box=box)
    found = open_inbox(version, keyring, most=1_000)
    assert (found.names, found.rows) == ([b"a" * 16], [row])
    assert found.spoilt == [name * 16 for name in (b"b", b"c", b"d", b"e", b"f")]


def test_rows_under_keys_of_others_are_left_alone(version: Version, keyring: Keyring) -> None:
    lost, theirs, mine = PrivateKey.generate(), PrivateKey.generate(), key_of(keyring)
    listed(theirs, "another")
    for key in (lost, theirs, mine):
        rows_store(version, [bytes(version.row_bytes)], under=key.public_key)
    found = open_inbox(version, keyring, most=1_000)
    assert (len(found.rows), found.spoilt) == (1, [])
    of = {bytes(row.sealed_under): row.pk for row in waiting(version)}
    assert [row.pk for row in rows_without_key()] == [of[lost.public_key.name]]
    assert [row.pk for row in rows_of_other_mixers(keyring.mixer)] == [of[theirs.public_key.name]]


def test_a_listed_key_that_is_not_in_the_folder_opens_nothing(version: Version, keyring: Keyring) -> None:
    key = key_of(keyring)
    rows_store(version, [bytes(version.row_bytes)], under=key.public_key)
    keyring.folder.destroy(key.public_key.name)
    found = open_inbox(version, keyring, most=1_000)
    assert (found.names, found.rows, found.spoilt) == ([], [], [])


def test_a_cleared_row_names_no_key_and_keeps_its_box(version: Version, keyring: Keyring) -> None:
    key = key_of(keyring)
    rows_store(version, [bytes(version.row_bytes)] * 2, under=key.public_key)
    first, _second = waiting(version)
    rows_clear_key([bytes(first.pk)])
    cleared, kept = waiting(version)
    assert (bytes(cleared.sealed_under), bytes(cleared.box)) == (b"", bytes(first.box))
    assert bytes(kept.sealed_under) == key.public_key.name
    assert [row.pk for row in rows_without_key()] == [first.pk]


def test_rows_are_deleted_in_portions_and_a_missing_one_is_reported(
    version: Version, keyring: Keyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox, "_NAMES_AT_ONCE", 2)
    key = key_of(keyring)
    rows_store(version, [bytes(version.row_bytes)] * 6, under=key.public_key)
    names = [bytes(row.pk) for row in waiting(version)]
    rows_delete(names[:5])
    assert [bytes(row.pk) for row in waiting(version)] == names[5:]
    with pytest.raises(Inbox.DoesNotExist):
        rows_delete([names[5], secrets.token_bytes(16)])
    rows_delete([])
