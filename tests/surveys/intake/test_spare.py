"""The spare can open whatever waits, at every moment, and its keys open no more than the mixer's."""

import contextlib
import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from django import conf
from django.db import connection
from django.utils import timezone

from surveys.authoring.lifecycle import survey_close
from surveys.intake import keys, spare
from surveys.intake import mix as mixer
from surveys.intake.key_folder import KeyFolder
from surveys.intake.keys import Keyring, current_key, key_folder, locked_keyring, renew_vouch
from surveys.intake.mix import mix_waiting
from surveys.intake.sealed_boxes import PrivateKey, open_box
from surveys.intake.spare import spare_status
from surveys.models import Batch, Inbox, KeyCopy, MixerKey, SpareKey, Survey, Version
from surveys.server import database_copy
from tests.fixtures.devices import published, survey_of, wide_definition
from tests.surveys.intake.test_keys import expire_vouch
from tests.surveys.intake.test_mix import answer, rows

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("own_log")]


class Gone(BaseException):
    """The machine is gone."""


@dataclass
class Hosts:
    """Two machines with sweepers, which share a database.

    Parameters
    ----------
    place : Path
    monkeypatch : pytest.MonkeyPatch
    """

    place: Path
    monkeypatch: pytest.MonkeyPatch
    seeds: Iterator[int] = field(default_factory=lambda: iter(range(1, 1_000_000)))
    received: Counter[bytes] = field(default_factory=Counter)

    def folder(self, host: str) -> Path:
        return self.place / host

    @contextmanager
    def on(self, host: str) -> Iterator[None]:
        """Run the body on one of the machines."""
        # The fixture `settings` nests each change in the earlier ones, and thousands are too deep for Python.
        with self.monkeypatch.context() as patch:
            patch.setattr(spare, "host_name", lambda: host)
            patch.setattr(conf.settings, "SOTTOVOCE_MIXER_KEYS", self.folder(host))
            yield

    def passes(self, *hosts: str) -> None:
        """Run a round of the mixer on each of these machines, in this order."""
        for host in hosts:
            with self.on(host):
                mix_waiting()

    def answers(self, version: Version, number: int) -> None:
        """Let people answer who are told that their answers are stored."""
        self.received.update(answer(version, number, seed=next(self.seeds)))

    def lose(self, host: str) -> None:
        """Remove a machine's keys; its vouches end."""
        shutil.rmtree(self.folder(host), ignore_errors=True)
        expire_vouch()
        SpareKey.objects.filter(host=host).update(vouched_until=timezone.now())

    def opened(self, *hosts: str) -> Counter[bytes]:
        """Return the rows of all batches, and the waiting rows that keys on these machines open."""
        found = Counter[bytes]()
        for version in Version.objects.all():
            found.update(rows(version, list(version.batches.all())))
        files = [path for host in hosts for path in self.folder(host).glob("*/*") if len(path.name) == 32]
        secrets = {bytes.fromhex(path.name): PrivateKey.of(path.read_bytes()) for path in files}
        for name, under, box in KeyCopy.objects.values_list("name", "spare", "box"):
            if bytes(under) in secrets:
                raw = open_box(bytes(box), key=secrets[bytes(under)], design_id=bytes(name).hex())
                secrets[bytes(name)] = PrivateKey.of(raw)
        for under, box, design in Inbox.objects.values_list("sealed_under", "box", "version__design_id"):
            if bytes(under) in secrets:
                found[open_box(bytes(box), key=secrets[bytes(under)], design_id=design)] += 1
        return found


def minutes_later() -> None:
    """Let the keys of both machines get ten minutes older, while both go on vouching."""
    MixerKey.objects.update(drawn_at=timezone.now() - timedelta(minutes=10))
    MixerKey.objects.exclude(version_id=None).update(vouched_until=timezone.now())
    SpareKey.objects.update(drawn_at=timezone.now() - timedelta(minutes=10))


def files(folder: Path) -> set[str]:
    return {path.name for path in folder.glob("*/*") if len(path.name) == 32}


@pytest.fixture
def hosts(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Hosts:
    """Return two machines; the first one mixes, and the second one has copies of its keys."""
    settings.SOTTOVOCE_MIXERS = ["one", "two"]
    settings.SOTTOVOCE_MIXER_KEYS = tmp_path / "one"
    both = Hosts(tmp_path, monkeypatch)
    both.passes("one", "two", "one")
    return both


@pytest.fixture
def version() -> Version:
    return published(wide_definition("wide"))


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let batches and pools of two rows do, so that many schedules can be tried."""
    for name, value in (("POOL", 2), ("LEAST_WAITING", 4), ("LEAST_BATCH_ROWS", 2)):
        monkeypatch.setattr(mixer, name, value)


def test_one_mixer_stores_no_copies(
    tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch, version: Version
) -> None:
    settings.SOTTOVOCE_MIXER_KEYS = tmp_path / "one"
    both = Hosts(tmp_path, monkeypatch)
    both.passes("one", "two", "one", "two")
    both.answers(version, 3)
    both.passes("one", "two")
    assert not KeyCopy.objects.exists()
    assert not SpareKey.objects.exists()


def schedules(hosts: Hosts, length: int) -> None:
    """Try every schedule of this length; after each, the mixer's machine is lost."""
    version = published(wide_definition("wide"))
    hosts.passes("one", "two", "one")
    steps: dict[str, Callable[[], None]] = {
        "answers": lambda: hosts.answers(version, 3),
        "one": lambda: hosts.passes("one"),
        "two": lambda: hosts.passes("two"),
        "minutes": minutes_later,
    }
    here, there = "one", "two"
    for schedule in product(steps, repeat=length):
        for step in schedule:
            steps[step]()
            assert hosts.opened(there) == hosts.received, f"an answer is lost in {schedule}"
        hosts.lose(here)
        hosts.passes(there, there)
        assert hosts.opened(there) == hosts.received, f"an answer is lost after {schedule}"
        # A new machine replaces the lost one.
        hosts.passes(here, there)
        here, there = there, here
        steps["one"], steps["two"] = steps["two"], steps["one"]


@pytest.mark.usefixtures("small")
@pytest.mark.soak
def test_after_any_schedule_the_spare_alone_has_every_received_answer(hosts: Hosts, soak: int) -> None:
    schedules(hosts, 3 if soak == 1 else 5)


@dataclass
class Countdown:
    """Call a function before a certain statement outside of transactions."""

    left: int
    happens: Callable[[], None]

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if not connection.in_atomic_block:
            self.left -= 1
            if self.left == 0:
                self.left = -1
                self.happens()
        return execute(sql, params, many, context)


def trials(hosts: Hosts, happens: Callable[[str, str], None], *, every: int, first: int = 1) -> int:
    """Run a pass of the mixer again and again, each time with an event before a later statement of it.

    There are four designs, one of them in a survey that settles in this pass. Afterwards the machine is lost.
    """
    versions = [published(wide_definition(f"design-{number}")) for number in range(3)]
    here, there, number = "one", "two", first - every
    while True:
        number += every
        closing = published(wide_definition(f"closing-{number}"))
        hosts.passes(here, there, here)
        assert spare_status() == "ok"
        for version in (*versions, closing):
            hosts.answers(version, 3)
        survey_close(survey_of(closing), by="alice", now=timezone.now())
        Survey.objects.filter(pk=closing.survey_id).update(accepts_until=timezone.now())
        minutes_later()
        countdown = Countdown(number, partial(happens, here, there))
        try:
            with connection.execute_wrapper(countdown):
                hosts.passes(here)
        except Gone:
            pass
        if countdown.left > 0:
            return number
        hosts.lose(here)
        hosts.passes(there, there)
        assert hosts.opened(there) == hosts.received, f"an answer is lost before statement {number}"
        here, there = there, here


def every(soak: int) -> int:
    """Return how many statements lie between two trials."""
    return 13 if soak == 1 else 1


@pytest.mark.usefixtures("small")
def test_a_machine_that_is_lost_at_any_statement_loses_no_answer(hosts: Hosts, soak: int) -> None:
    def gone(here: str, there: str) -> None:
        raise Gone

    assert trials(hosts, gone, every=every(soak)) > 30


def taken_over(hosts: Hosts, *, mixes: bool) -> Callable[[str, str], None]:
    """Return an event: the spare acquires the lease, adopts the keys, and destroys those that it can."""

    def happens(here: str, there: str) -> None:
        expire_vouch()
        for _ in range(3):
            with hosts.on(there), contextlib.nullcontext() if mixes else locked_keyring(offers=True):
                if mixes:
                    mix_waiting()

    return happens


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("mixes", [True, False])
@pytest.mark.few("False", why="the others execute nothing more")
def test_a_mixer_paused_at_any_statement_harms_no_answer(hosts: Hosts, mixes: bool, soak: int) -> None:
    """The spare takes over meanwhile. It mixes, or it fails whenever it begins to mix."""
    assert trials(hosts, taken_over(hosts, mixes=mixes), every=every(soak)) > 30


@pytest.mark.only("sqlite")
@pytest.mark.usefixtures("small")
@pytest.mark.soak
def test_without_keeping_the_lease_a_paused_mixer_loses_answers(
    hosts: Hosts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The planted fault: transactions that mix do not check the lease.

    With PostgreSQL, BEGIN is no statement of a cursor, so the moment between reading and mixing is not tried.
    """
    monkeypatch.setattr(Keyring, "keeps_lease", lambda self: True)
    with pytest.raises(AssertionError, match="an answer is lost"):
        trials(hosts, taken_over(hosts, mixes=False), every=1, first=30)


@pytest.mark.usefixtures("small")
def test_copies_that_are_stored_after_the_key_lose_answers(
    hosts: Hosts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The planted fault: answers are confirmed before the spare can open them."""
    late: list[Any] = []
    monkeypatch.setattr(keys, "copies_store", lambda *told: late.append(told))
    destroy = Keyring.destroy_unneeded

    def store_first(self: Keyring) -> None:
        for told in late:
            spare.copies_store(*told)
        late.clear()
        destroy(self)

    monkeypatch.setattr(Keyring, "destroy_unneeded", store_first)
    monkeypatch.setattr(Keyring, "destroy_unneeded", store_first)
    with pytest.raises(AssertionError, match="an answer is lost"):
        schedules(hosts, 3)


@dataclass
class Log:
    """Everything that the database ever wrote: boxes, and copies of keys."""

    boxes: set[tuple[bytes, bytes, str]] = field(default_factory=set)
    copies: set[tuple[bytes, bytes, bytes]] = field(default_factory=set)

    def read(self) -> None:
        stored = Inbox.objects.values_list("sealed_under", "box", "version__design_id")
        self.boxes |= {(bytes(under), bytes(box), design) for under, box, design in stored}
        copies = KeyCopy.objects.values_list("name", "spare", "box")
        self.copies |= {(bytes(name), bytes(under), bytes(box)) for name, under, box in copies}

    def opened(self, folder: Path) -> Counter[bytes]:
        """Return the rows of all boxes that the keys in a stolen folder open, directly or through copies."""
        stolen = {bytes.fromhex(name): next(folder.glob(f"*/{name}")).read_bytes() for name in files(folder)}
        for name, under, box in self.copies:
            if under in stolen:
                stolen[name] = open_box(box, key=PrivateKey.of(stolen[under]), design_id=name.hex())
        return Counter(
            open_box(box, key=PrivateKey.of(stolen[under]), design_id=design)
            for under, box, design in self.boxes
            if under in stolen
        )


def watched(hosts: Hosts, version: Version) -> tuple[Log, Counter[bytes]]:
    """Let people answer for half an hour; return the log, and the rows that were mixed ten minutes ago."""
    log = Log()
    for _ in range(6):
        hosts.answers(version, 5)
        log.read()
        hosts.passes("one", "two")
        log.read()
        minutes_later()
    mixed = Counter(rows(version, list(version.batches.all())))
    for _ in range(3):
        hosts.passes("one", "two")
        log.read()
    return log, mixed


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("host", ["one", "two"])
def test_a_thief_of_either_machine_opens_no_row_mixed_ten_minutes_ago(
    hosts: Hosts, version: Version, host: str
) -> None:
    log, mixed = watched(hosts, version)
    assert mixed.total() > 15
    assert not log.opened(hosts.folder(host)) & mixed
    assert files(hosts.folder("two")) == {bytes(SpareKey.objects.get().name).hex()}
    assert files(hosts.folder("one")) == {bytes(key.name).hex() for key in MixerKey.objects.all()}


@pytest.mark.usefixtures("small")
def test_a_thief_of_a_spare_that_keeps_its_keys_opens_every_row(
    hosts: Hosts, version: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The planted fault, and what the disk of a machine that died as the spare reveals beside the log."""
    destroy = Keyring._destroy_retired

    def keep(self: Keyring, listed: Any, users: Any, field_name: str) -> None:
        if listed.model is not SpareKey:
            destroy(self, listed, users, field_name)

    monkeypatch.setattr(Keyring, "_destroy_retired", keep)
    log, mixed = watched(hosts, version)
    assert log.opened(hosts.folder("two")) & mixed == mixed


def test_both_machines_open_the_same_rows_at_any_moment(hosts: Hosts, version: Version) -> None:
    log = Log()
    for _ in range(3):
        hosts.passes("one", "two", "one")
        hosts.answers(version, 5)
        log.read()
        assert log.opened(hosts.folder("one")).keys() == log.opened(hosts.folder("two")).keys()
        assert Counter(log.opened(hosts.folder("two")).keys()) == hosts.received
        minutes_later()


def test_no_backup_contains_a_copy(hosts: Hosts, version: Version, tmp_path: Path) -> None:
    hosts.answers(version, 3)
    assert KeyCopy.objects.exists()
    assert {"surveys_keycopy", "surveys_sparekey"} <= set(database_copy.tables_left_out())
    if connection.vendor == "sqlite":
        content = database_copy.database_copy(tmp_path).read_bytes()
        assert not [box for box in KeyCopy.objects.values_list("box", flat=True) if bytes(box) in content]


def test_a_spare_that_is_switched_off_leaves_no_copy_and_no_key(
    hosts: Hosts, settings: Any, version: Version
) -> None:
    hosts.answers(version, 3)
    settings.SOTTOVOCE_MIXERS = []
    hosts.passes("one", "two")
    assert not KeyCopy.objects.exists()
    assert not SpareKey.objects.exists()
    assert files(hosts.folder("two")) == set()
    assert hosts.opened("one") == hosts.received


def test_a_mixer_that_loses_only_its_files_gets_its_rows_back_from_the_spare(
    hosts: Hosts, version: Version
) -> None:
    hosts.passes("one", "two", "one")
    hosts.answers(version, 5)
    with hosts.on("one"):
        key_folder().destroy(*key_folder().names())
    hosts.passes("one", "two", "one")
    assert hosts.opened("one") == hosts.received
    hosts.passes("two")
    assert not files(hosts.folder("two")) - {bytes(SpareKey.objects.get(current=True).name).hex()}


def test_a_spare_that_loses_only_its_files_gets_new_copies(hosts: Hosts, version: Version) -> None:
    hosts.passes("one", "two", "one")
    hosts.answers(version, 5)
    lost = bytes(SpareKey.objects.get(current=True).name)
    with hosts.on("two"):
        key_folder().destroy(*key_folder().names())
    hosts.passes("two")
    assert not KeyCopy.objects.filter(spare=lost).exists(), "copies that no one opens count as a spare's"
    hosts.passes("two", "one")
    assert spare_status() == "ok"
    assert hosts.opened("two") == hosts.received


@pytest.mark.usefixtures("small")
def test_a_mixer_whose_lease_ended_before_it_writes_a_batch_changes_nothing(
    hosts: Hosts, version: Version
) -> None:
    """The spare takes over while the rows are shuffled; it has not sealed them again yet."""
    hosts.passes("one", "two", "one")
    hosts.answers(version, 6)
    takes_over = taken_over(hosts, mixes=False)

    class Interrupted(random.Random):
        def shuffle(self, rows: Any) -> None:
            takes_over("one", "two")
            self.written = Batch.objects.count(), Inbox.objects.count()

    shuffler = Interrupted()
    with hosts.on("one"):
        mixer.mix(now=timezone.now(), shuffler=shuffler)
    assert (Batch.objects.count(), Inbox.objects.count()) == shuffler.written
    assert hosts.opened("two") == hosts.received


def test_a_mixer_that_returns_finds_orphans_and_becomes_the_spare(hosts: Hosts, version: Version) -> None:
    hosts.passes("one", "two", "one")
    hosts.answers(version, 5)
    before = files(hosts.folder("one"))
    expire_vouch()
    hosts.passes("two", "one")
    assert not before & files(hosts.folder("one"))
    assert SpareKey.objects.get(current=True).host == "one"
    hosts.passes("two", "one", "two")
    assert spare_status() == "ok"
    assert hosts.opened("one") == hosts.opened("two") == hosts.received


def test_copies_are_made_only_for_the_other_named_host(hosts: Hosts, settings: Any, version: Version) -> None:
    SpareKey.objects.update(host="one")
    minutes_later()
    hosts.passes("one")
    assert not KeyCopy.objects.filter(name__in=MixerKey.objects.filter(current=True).values("name")).exists()
    hosts.lose("two")
    SpareKey.objects.all().delete()
    hosts.passes("three")
    assert not SpareKey.objects.exists(), "a sweeper on a third host"


def test_the_status_says_whether_the_spare_can_open_everything(hosts: Hosts, version: Version) -> None:
    hosts.passes("one")
    assert spare_status() == "ok"
    hosts.answers(version, 1)
    KeyCopy.objects.all().delete()
    assert spare_status() == "behind"
    hosts.passes("one")
    assert spare_status() == "ok"
    SpareKey.objects.update(vouched_until=timezone.now())
    assert spare_status() == "no spare"
    hosts.passes("one")
    with hosts.on("two"):
        renew_vouch()
    assert spare_status() == "ok"


def test_a_practice_survey_that_is_mixed_in_every_pass_gets_keys_with_copies(hosts: Hosts) -> None:
    version = published(wide_definition("try") | {"practice": True})
    hosts.passes("one")
    # The spare was added after the first answers.
    KeyCopy.objects.all().delete()
    minutes_later()
    old = {
        bytes(name) for name in MixerKey.objects.filter(version_id=version.pk).values_list("name", flat=True)
    }
    hosts.answers(version, 2)
    hosts.passes("one")
    assert not MixerKey.objects.filter(name__in=old, current=True).exists()
    hosts.answers(version, 2)
    assert spare_status() == "ok"
    assert hosts.opened("two") == hosts.received


def test_rows_that_were_lost_before_there_was_a_spare_do_not_keep_it_behind(
    hosts: Hosts, settings: Any, version: Version
) -> None:
    settings.SOTTOVOCE_MIXERS = []
    hosts.lose("two")
    hosts.passes("one")
    hosts.answers(version, 5)
    hosts.lose("one")
    settings.SOTTOVOCE_MIXERS = ["one", "two"]
    hosts.passes("one", "two", "one")
    assert Inbox.objects.count() == 5
    assert spare_status() == "ok"


def test_a_changed_copy_is_not_adopted(hosts: Hosts, version: Version) -> None:
    hosts.passes("one", "two", "one")
    hosts.answers(version, 2)
    copies = list(KeyCopy.objects.order_by("pk")[:2])
    KeyCopy.objects.filter(pk=copies[0].pk).update(box=copies[1].box)
    KeyCopy.objects.filter(pk=copies[1].pk).update(box=b"cut")
    hosts.lose("one")
    hosts.passes("two")
    assert not files(hosts.folder("two")) & {bytes(copy.name).hex() for copy in copies}


def test_a_spare_key_that_cannot_be_read_is_not_offered(
    hosts: Hosts, monkeypatch: pytest.MonkeyPatch
) -> None:
    SpareKey.objects.all().delete()
    monkeypatch.setattr(KeyFolder, "opens_a_test_box", lambda self, public: False)
    with pytest.raises(RuntimeError, match="cannot be read"), hosts.on("two"):
        spare.spare_offer(key_folder(), "two")


def test_current_key_is_none_without_the_vouch_of_the_shared_key(version: Version) -> None:
    mix_waiting()
    MixerKey.objects.filter(version_id=None).update(vouched_until=timezone.now())
    assert current_key(version.pk, anew=True) is None
