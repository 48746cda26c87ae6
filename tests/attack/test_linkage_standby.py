"""With a real streaming standby, keys are destroyed only after its replay, and its files reveal no links.

The primary is the server of the test run; the standby reads from it through its own slot.
"""

import contextlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection

from surveys.intake.database_log import log_position, standbys_have_replayed
from surveys.intake.keys import key_folder
from surveys.intake.mix import mix_waiting
from surveys.models import Batch, MixerKey
from tests.attack import server, traces
from tests.attack.linkage import Watched
from tests.attack.respondents import Respondents
from tests.conftest import wait_until
from tests.fixtures.devices import published, wide_definition
from tests.fixtures.inbox_rows import opened
from tests.postgresql import USER, Server, standby

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.only("postgresql"),
    pytest.mark.usefixtures("own_log"),
    pytest.mark.soak,
]

SLOT = "sottovoce_standby"
BATCHES, ROWS = 20, 50


@pytest.fixture
def follower(settings: Any, tmp_path: Path) -> Iterator[Server]:
    settings.SOTTOVOCE_MIXER_KEYS = tmp_path / "keys"
    settings.SOTTOVOCE_STANDBYS = 1
    try:
        with standby(Path(str(connection.settings_dict["HOST"])), slot=SLOT) as following:
            yield following
    finally:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = %s",
                [SLOT],
            )


def ask(following: Server, query: str, *values: object) -> list[tuple[Any, ...]]:
    """Run a query on the standby."""
    name = str(connection.settings_dict["NAME"])
    with psycopg.connect(host=str(following.directory), user=USER, dbname=name, autocommit=True) as link:
        return link.execute(query, values).fetchall()  # type: ignore[arg-type]


def caught_up() -> None:
    """Wait until the standby has replayed the current log."""
    position = log_position()
    wait_until(lambda: _written() and standbys_have_replayed(position), what="the standby's replay")


def _written() -> bool:
    """Write something after the position, which may be at the end of a page."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_logical_emit_message(false, 'sottovoce', '')")
    return True


def files() -> set[bytes]:
    return key_folder().names()


def rows_on(following: Server, respondents: Respondents) -> Counter[bytes]:
    """Return the rows that the standby would have after a failover now, opened with current keys."""
    version, size = respondents.version, respondents.row_bytes
    waiting = ask(following, "SELECT box, sealed_under FROM surveys_inbox")
    found = Counter(
        opened(bytes(box), sealed_under=bytes(under), design_id=version.design_id) for box, under in waiting
    )
    for (packed,) in ask(following, "SELECT packed FROM surveys_batch"):
        found.update(bytes(packed)[start : start + size] for start in range(0, len(packed), size))
    return found


def test_keys_are_kept_until_the_standby_has_replayed_the_last_mix(follower: Server) -> None:
    """A paused or stopped standby still has waiting rows, so their keys are kept."""
    respondents = Respondents(published(wide_definition("wide", questions=90)))
    respondents.answer(2 * ROWS)
    caught_up()
    (key,) = MixerKey.objects.filter(current=True)
    first = bytes(key.name)
    before = rows_on(follower, respondents)
    assert before == Counter(respondents.truth.values())
    ask(follower, "SELECT pg_wal_replay_pause()")
    wait_until(
        lambda: ask(follower, "SELECT pg_get_wal_replay_pause_state()") == [("paused",)], what="the pause"
    )
    for _ in range(3):
        mix_waiting()
        respondents.answer(ROWS)
    assert Batch.objects.exists()
    assert MixerKey.objects.get(name=first).unnamed_at
    assert first in files()
    assert rows_on(follower, respondents) == before
    follower.stop()
    mix_waiting()
    assert first in files(), "it is away, and its slot says how far it had come"
    follower.start()
    caught_up()

    def mixed_and_destroyed() -> bool:
        mix_waiting()
        return first not in files()

    wait_until(mixed_and_destroyed, what="the key's end")
    caught_up()
    assert rows_on(follower, respondents) == Counter(respondents.truth.values())


def test_ignoring_the_standby_destroys_keys_too_early(
    follower: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The naive target, which must be broken: a mixer that ignores standbys."""
    monkeypatch.setattr("surveys.intake.keys.standbys_have_replayed", lambda position: True)
    respondents = Respondents(published(wide_definition("wide", questions=90)))
    respondents.answer(2 * ROWS)
    caught_up()
    ask(follower, "SELECT pg_wal_replay_pause()")
    wait_until(
        lambda: ask(follower, "SELECT pg_get_wal_replay_pause_state()") == [("paused",)], what="the pause"
    )
    for _ in range(3):
        mix_waiting()
    named = {bytes(name) for (name,) in ask(follower, "SELECT sealed_under FROM surveys_inbox")}
    assert named
    assert not named & files()


class OnStandby(Watched):
    """An attacker who controls the standby, with its tables, files and log."""

    def __init__(self, respondents: Respondents, folder: Path, following: Server) -> None:
        super().__init__(respondents, folder)
        self.following = following

    def steal(self, *, with_files: bool = False) -> None:
        """Wait until the standby has replayed everything, then steal from it."""
        caught_up()
        with self._on_standby():
            super().steal(with_files=with_files)

    @contextlib.contextmanager
    def _on_standby(self) -> Iterator[None]:
        there = connection.copy()
        there.settings_dict = {**connection.settings_dict, "HOST": str(self.following.directory)}
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(server, "connection", there)
            patch.setattr(traces, "connection", there)
            yield
        there.close()


def test_holding_the_standby_links_rows_only_at_random(follower: Server, tmp_path: Path) -> None:
    watched = OnStandby(
        Respondents(published(wide_definition("wide", questions=90)), seed=14), tmp_path, follower
    )
    watched.answer_and_mix(batches=BATCHES, rows=ROWS)
    assert watched.unread == ""
    linked, theft = watched.linked(), watched.servers[-1]
    assert any(name.startswith(str(follower.data)) for name in theft.files)
    assert theft.log
    assert set(theft.receipt_keys()) == set(watched.respondents.truth)
    assert len(set(theft.rows()) & set(watched.respondents.truth.values())) == BATCHES * ROWS
    assert set(linked.by_attack) == set(server.ATTACKS)
    assert BATCHES == linked.by_chance < linked.limit < 3 * BATCHES
    assert max(linked.by_attack.values()) <= linked.limit, linked
