"""The folder of a mixer's keys: files, names, the lock, and the destruction of keys."""

import os
import secrets
import stat
import threading
from pathlib import Path

import pytest

from surveys.intake import key_folder as module
from surveys.intake.key_folder import KeyFolder
from surveys.intake.sealed_boxes import NAME_BYTES, PrivateKey, PublicKey


@pytest.fixture
def folder(tmp_path: Path) -> KeyFolder:
    made = KeyFolder(tmp_path / "keys", "database")
    made.make()
    return made


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the inodes of the files and folders that are written to the disk from now on."""
    found: list[int] = []
    monkeypatch.setattr(module.os, "fsync", lambda descriptor: found.append(os.fstat(descriptor).st_ino))
    return found


def inodes(*paths: Path) -> list[int]:
    return [path.stat().st_ino for path in paths]


def test_each_new_folder_is_on_the_disk_with_its_entry_above(tmp_path: Path, synced: list[int]) -> None:
    folder = KeyFolder(tmp_path / "state" / "keys", "database")
    folder.make()
    assert synced == inodes(folder.root.parent, folder.root)
    folder.make()
    assert len(synced) == 2


def test_a_folder_that_another_process_makes_meanwhile_is_used(
    folder: KeyFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = PrivateKey.generate()
    folder.write(key)
    exists, asked = Path.is_dir, set[Path]()

    def late(path: Path) -> bool:
        """Say at first that a folder is missing."""
        is_first = path not in asked
        asked.add(path)
        return not is_first and exists(path)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "is_dir", late)
        folder.make()
    assert asked == {folder.root, folder.path}
    assert folder.names() == {key.public_key.name}


def test_names_and_keys_are_on_the_disk_with_their_entries(folder: KeyFolder, synced: list[int]) -> None:
    folder.mixer()
    assert synced == inodes(folder.path / "mixer", folder.path)
    folder.mixer()
    assert len(synced) == 2
    synced.clear()
    keys = [PrivateKey.generate() for _ in range(2)]
    names = [key.public_key.name for key in keys]
    folder.write(*keys)
    files = inodes(*(folder.path / name.hex() for name in names))
    assert synced == [*files, *inodes(folder.path)]
    synced.clear()
    folder.destroy()
    assert synced == []
    # The entry goes last, after the overwritten key.
    folder.destroy(*names)
    assert synced == [*files, *inodes(folder.path)]


def test_no_file_stays_open(folder: KeyFolder) -> None:
    # Cached objects open files on first use.
    folder.opens_a_test_box(PrivateKey.generate().public_key)
    before = len(os.listdir("/dev/fd"))
    key = PrivateKey.generate()
    folder.make()
    folder.mixer()
    folder.write(key)
    with folder.lock(seconds=0):
        pass
    with pytest.raises(FileExistsError):
        folder.write(key)
    folder.destroy(key.public_key.name)
    assert len(os.listdir("/dev/fd")) == before


@pytest.mark.parametrize(("seconds", "waits"), [(0, 1), (2, 3)])
def test_a_lock_is_tried_until_its_time_is_over(
    folder: KeyFolder, seconds: int, waits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a clock that only waiting moves, one second each time."""
    clock = [100]
    with folder.lock(seconds=0):
        monkeypatch.setattr(module.time, "monotonic", lambda: clock[0])
        monkeypatch.setattr(module.time, "sleep", lambda waited: clock.append(clock.pop() + 1))
        with folder.lock(seconds=seconds) as mine:
            assert not mine
    assert clock == [100 + waits]


def test_a_folder_exists_once_its_mixer_has_a_name(tmp_path: Path) -> None:
    folder = KeyFolder(tmp_path / "keys", "database")
    assert not folder.exists()
    folder.make()
    assert not folder.exists()
    name = folder.mixer()
    assert folder.exists()
    assert len(bytes.fromhex(name)) == 16
    assert KeyFolder(tmp_path / "keys", "database").mixer() == name
    assert not KeyFolder(tmp_path / "keys", "another").exists()


def test_only_the_owner_can_open_folders_and_keys(folder: KeyFolder) -> None:
    key = PrivateKey.generate()
    folder.write(key)
    folder.mixer()
    for path in (folder.root, folder.path):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
    for path in folder.path.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_making_a_folder_again_keeps_its_keys(folder: KeyFolder) -> None:
    key = PrivateKey.generate()
    folder.write(key)
    folder.make()
    assert folder.names() == {key.public_key.name}


def test_names_are_those_of_keys_only(folder: KeyFolder) -> None:
    keys = [PrivateKey.generate() for _ in range(3)]
    folder.write(*keys)
    folder.mixer()
    with folder.lock(seconds=0):
        pass
    (folder.path / ("g" * 2 * NAME_BYTES)).touch()
    (folder.path / "ab").touch()
    assert folder.names() == {key.public_key.name for key in keys}


def test_a_key_is_read_by_its_name_alone(folder: KeyFolder) -> None:
    first, second = PrivateKey.generate(), PrivateKey.generate()
    folder.write(first)
    found = folder.read(first.public_key.name)
    assert found is not None
    assert found.raw == first.raw
    assert folder.read(second.public_key.name) is None
    # A file with another key's name, and one that was cut off.
    (folder.path / second.public_key.name.hex()).write_bytes(first.raw)
    assert folder.read(second.public_key.name) is None
    (folder.path / second.public_key.name.hex()).write_bytes(second.raw[:-1])
    assert folder.read(second.public_key.name) is None


def test_no_key_is_written_over_another(folder: KeyFolder) -> None:
    key = PrivateKey.generate()
    folder.write(key)
    with pytest.raises(FileExistsError):
        folder.write(key)


def test_a_test_box_needs_the_private_half(folder: KeyFolder) -> None:
    here, elsewhere = PrivateKey.generate(), PrivateKey.generate()
    folder.write(here)
    assert folder.opens_a_test_box(here.public_key)
    assert not folder.opens_a_test_box(elsewhere.public_key)
    # The name of a key that is here, and the public half of another one.
    mixed = PublicKey(name=here.public_key.name, public=elsewhere.public_key.public)
    assert not folder.opens_a_test_box(mixed)


def test_destroyed_keys_are_overwritten_synced_and_gone(
    folder: KeyFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone, kept = PrivateKey.generate(), PrivateKey.generate()
    folder.write(gone, kept)
    file = folder.path / gone.public_key.name.hex()
    link = folder.path.parent / "link"
    os.link(file, link)
    synced: list[bytes] = []
    sync = os.fsync

    def watched(descriptor: int) -> None:
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            synced.append(link.read_bytes())
        sync(descriptor)

    monkeypatch.setattr(module.os, "fsync", watched)
    folder.destroy(gone.public_key.name, secrets.token_bytes(NAME_BYTES))
    assert folder.names() == {kept.public_key.name}
    assert len(link.read_bytes()) == len(gone.raw)
    assert synced == [link.read_bytes()] != [gone.raw]
    assert not file.exists()


def test_the_lock_is_free_again_after_use_and_refused_meanwhile(folder: KeyFolder) -> None:
    with folder.lock(seconds=0) as mine:
        assert mine
        with folder.lock(seconds=0) as second:
            assert not second
    with folder.lock(seconds=0) as again:
        assert again


def test_a_waiting_process_gets_the_lock_when_it_is_released(folder: KeyFolder) -> None:
    held, release = threading.Event(), threading.Event()

    def hold() -> None:
        with folder.lock(seconds=0):
            held.set()
            release.wait(timeout=30)

    holder = threading.Thread(target=hold)
    holder.start()
    assert held.wait(timeout=30)
    threading.Timer(0.1, release.set).start()
    with folder.lock(seconds=30) as mine:
        assert mine
    holder.join(timeout=30)
