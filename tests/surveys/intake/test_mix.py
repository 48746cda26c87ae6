"""The mixer, and the rows that a run may use."""

import hashlib
import random
from collections import Counter
from contextlib import nullcontext
from datetime import datetime, timedelta
from functools import cache, partial
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from privacy.survey.design import Design
from privacy.survey.layout import Layout
from surveys.authoring.drafts import survey_import
from surveys.authoring.lifecycle import survey_close
from surveys.authoring.publish import survey_publish
from surveys.intake import mix as mixer
from surveys.intake.mix import mix, mix_waiting
from surveys.intake.receive import submission_receive
from surveys.management.commands import sweep
from surveys.models import AuditEvent, Batch, Beat, Inbox, MixerKey, Version
from surveys.runs.snapshot import batches_open_to_mining
from tests.attack.traces import split_rows
from tests.conftest import wait_until
from tests.fixtures.devices import published, request_of, sealed_body, survey_of, wide_definition
from tests.fixtures.inbox_rows import waiting_counted, waiting_rows
from tests.fixtures.threads import in_threads

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=timezone.get_default_timezone())


@cache
def devices(design: Design, seed: int) -> tuple[random.Random, list[bytes]]:
    """Return the sealed bodies that `answer` has made, and the generator of the next ones."""
    return random.Random(seed), []


def answer(version: Version, times: int, *, seed: int = 0) -> list[bytes]:
    """Store submissions; return their bodies in order of arrival."""
    design = version.to_design()
    rng, bodies = devices(design, seed)
    bodies += [sealed_body(design, rng) for _ in range(len(bodies), times)]
    for body in bodies[:times]:
        assert submission_receive(request_of(version, body=body.hex()), now=NOW).status == 200
    return bodies[:times]


def rows(version: Version, batches: list[Batch]) -> list[bytes]:
    packed = b"".join(bytes(batch.packed) for batch in batches)
    return split_rows(packed, Layout(version.to_design()).n_bytes)


def stored_rows() -> list[tuple[bytes, bytes, bytes]]:
    """Return name, key name and box of each waiting row."""
    stored = Inbox.objects.values_list("key", "sealed_under", "box")
    return [(bytes(name), bytes(under), bytes(box)) for name, under, box in stored]


def open_rows(version: Version) -> list[bytes]:
    return rows(version, list(batches_open_to_mining(version)))


@pytest.fixture
def version() -> Version:
    return published(wide_definition("wide"))


def test_fewer_than_100_rows_wait_and_100_release_50(version: Version) -> None:
    bodies = answer(version, 99)
    mix(now=NOW)
    assert (Inbox.objects.count(), Batch.objects.count()) == (99, 0)
    bodies += answer(version, 1, seed=1)
    mix(now=NOW)
    batch = Batch.objects.get()
    assert (batch.n, batch.version) == (50, version)
    assert batch.digest == hashlib.sha256(bytes(batch.packed)).hexdigest()
    assert Counter(rows(version, [batch])) + waiting_counted() == Counter(bodies)
    assert len(waiting_rows()) == 50


def test_larger_batches_leave_fifty_rows_behind(version: Version) -> None:
    answer(version, 137)
    mix(now=NOW)
    mix(now=NOW)
    assert ([batch.n for batch in Batch.objects.all()], Inbox.objects.count()) == ([87], 50)


def test_the_shuffler_decides_which_rows_go(version: Version) -> None:
    bodies = answer(version, 100)

    class Sorted:
        def shuffle(self, x: list[bytes], /) -> None:
            x.sort()

    mix(now=NOW, shuffler=Sorted())
    assert rows(version, [Batch.objects.get()]) == sorted(bodies)[:50]
    assert waiting_counted() == Counter(sorted(bodies)[50:])


def test_waiting_rows_get_new_names_and_boxes_under_a_new_key(version: Version) -> None:
    answer(version, 100)
    before = {name: (under, box) for name, under, box in stored_rows()}
    assert len({under for under, _box in before.values()}) == 1
    mix(now=NOW)
    after = {name: (under, box) for name, under, box in stored_rows()}
    assert before.keys().isdisjoint(after)
    assert {box for _under, box in before.values()}.isdisjoint(box for _under, box in after.values())
    key = MixerKey.objects.get(current=True, version_id=version.pk)
    assert {under for under, _box in after.values()} == {bytes(key.name)}
    assert {under for under, _box in before.values()}.isdisjoint(under for under, _box in after.values())


@pytest.mark.soak
def test_backlogs_are_mixed_in_several_batches(version: Version, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mixer, "MOST_ROWS", 120)
    bodies = answer(version, 349)
    mix(now=NOW)
    assert [batch.n for batch in Batch.objects.all()] == [70, 70, 70, 70]
    assert Inbox.objects.count() == 69
    assert Counter(rows(version, list(Batch.objects.all()))) + waiting_counted() == Counter(bodies)


def test_batches_never_combine_designs_or_surveys(version: Version) -> None:
    other = published(wide_definition("other"))
    changed = wide_definition("wide")
    changed["blocks"][0]["truth_probability"] = 4000
    newer = survey_publish(
        survey_import(changed, by="alice"),
        by="alice",
        now=NOW,
        reason="Made for a test.",
        is_readable_seen=True,
    )
    stored = {each.pk: answer(each, count) for each, count in ((version, 99), (other, 105), (newer, 110))}
    mix(now=NOW)
    assert {batch.version_id: batch.n for batch in Batch.objects.all()} == {other.pk: 55, newer.pk: 60}
    for each in (version, other, newer):
        mixed = rows(each, list(each.batches.all()))
        assert Counter(mixed + waiting_rows(each)) == Counter(stored[each.pk])


def test_the_system_generator_shuffles_by_default(version: Version, monkeypatch: pytest.MonkeyPatch) -> None:
    used = []

    class Noted(mixer.secrets.SystemRandom):
        def shuffle(self, x: list[bytes]) -> None:  # type: ignore[override]  # narrower: rows only
            used.append(len(x))
            super().shuffle(x)

    monkeypatch.setattr(mixer.secrets, "SystemRandom", Noted)
    answer(version, 101)
    mix(now=NOW)
    assert used[0] == 101


def test_runs_of_open_surveys_exclude_the_newest_batch(version: Version) -> None:
    assert list(batches_open_to_mining(version)) == []
    seen = []
    answer(version, 50, seed=9)
    for seed in range(4):
        answer(version, 50 + seed, seed=seed)
        mix(now=NOW)
        seen.append(list(batches_open_to_mining(version)))
    assert [[batch.n for batch in batches] for batches in seen] == [[], [50], [50, 51], [50, 51, 52]]


@pytest.mark.soak
def test_snapshots_are_equal_or_differ_by_at_least_fifty_rows(version: Version) -> None:
    rng = random.Random(7)
    snapshots = [Counter(open_rows(version))]
    for seed in range(60):
        answer(version, rng.randrange(0, 40), seed=seed)
        mix(now=NOW)
        snapshots.append(Counter(open_rows(version)))
    survey_close(survey_of(version), by="alice", now=NOW)
    mix(now=NOW + timedelta(hours=1))
    snapshots.append(Counter(open_rows(version)))
    answer(version, 3, seed=99)
    mix(now=NOW + timedelta(hours=47))
    snapshots.append(Counter(open_rows(version)))
    mix(now=NOW + timedelta(hours=48))
    snapshots.append(Counter(open_rows(version)))
    sizes = [snapshot.total() for snapshot in snapshots]
    assert sizes[-1] > sizes[-2], "the last rows were added at the end"
    differences = {
        ((later - earlier).total(), (earlier - later).total())
        for number, earlier in enumerate(snapshots)
        for later in snapshots[number + 1 :]
    }
    assert all(gone == 0 and (more == 0 or more >= 50) for more, gone in differences)
    assert len(differences) > 10


def test_closing_one_survey_settles_no_other(version: Version) -> None:
    """Only the sweeper settles surveys by time, and it waits while the clock is in doubt."""
    answer(version, 30)
    survey_close(survey_of(version), by="alice", now=NOW)
    other = published(wide_definition("other"))
    survey_close(other.survey, by="alice", now=NOW + timedelta(days=3), at_once=True)
    assert (survey_of(other).settled, survey_of(version).settled, Inbox.objects.count()) == (True, False, 30)
    mix(now=NOW + timedelta(days=3))
    assert survey_of(version).settled


def test_the_newest_batch_is_excluded_until_acceptance_ends(version: Version) -> None:
    answer(version, 110, seed=1)
    mix(now=NOW)
    survey_close(survey_of(version), by="alice", now=NOW)
    answer(version, 60, seed=2)
    answer(version, 7, seed=3)
    mix(now=NOW + timedelta(hours=1))
    answer(version, 5, seed=4)
    mix(now=NOW + timedelta(hours=47, minutes=59))
    assert ([batch.n for batch in batches_open_to_mining(version)], Inbox.objects.count()) == ([60], 55)
    mix(now=NOW + timedelta(hours=48))
    assert survey_of(version).settled
    assert [batch.n for batch in batches_open_to_mining(version)] == [60, 67, 55]


def test_closing_at_once_mixes_the_remaining_rows_immediately(version: Version) -> None:
    bodies = answer(version, 103)
    mix(now=NOW)
    bodies += answer(version, 4, seed=1)
    survey = survey_close(survey_of(version), by="alice", now=NOW, at_once=True)
    assert survey.settled
    assert Inbox.objects.count() == 0
    assert Counter(open_rows(version)) == Counter(bodies)


def test_final_batches_per_design_need_at_least_fifty_rows(version: Version) -> None:
    changed = wide_definition("wide")
    changed["blocks"][0]["truth_probability"] = 4000
    newer = survey_publish(
        survey_import(changed, by="alice"),
        by="alice",
        now=NOW,
        reason="Made for a test.",
        is_readable_seen=True,
    )
    answer(version, 50)
    answer(newer, 49)
    survey = survey_close(survey_of(version), by="alice", now=NOW, at_once=True)
    assert [batch.n for batch in batches_open_to_mining(version)] == [50]
    assert list(batches_open_to_mining(newer)) == []
    assert (Inbox.objects.count(), survey.rows_lost, survey.rows_too_few) == (0, 0, 49)


def test_large_remainders_are_split_into_batches(version: Version, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mixer, "MOST_ROWS", 60)
    monkeypatch.setattr(mixer, "LEAST_WAITING", 1000)
    bodies = answer(version, 150)
    survey_close(survey_of(version), by="alice", now=NOW, at_once=True)
    assert [batch.n for batch in Batch.objects.all()] == [50, 50, 50]
    assert Counter(open_rows(version)) == Counter(bodies)


def test_surveys_without_answers_settle_without_a_batch(version: Version) -> None:
    survey = survey_close(survey_of(version), by="alice", now=NOW, at_once=True)
    assert survey.settled
    assert Batch.objects.count() == 0
    assert list(batches_open_to_mining(version)) == []


def test_practice_batches_may_have_one_row_and_include_the_newest() -> None:
    version = published(wide_definition("try") | {"practice": True})
    answer(version, 1, seed=1)
    mix(now=NOW)
    answer(version, 2, seed=2)
    mix(now=NOW)
    assert [batch.n for batch in batches_open_to_mining(version)] == [1, 2]


def test_versions_differing_only_in_wording_share_batches(version: Version) -> None:
    changed = wide_definition("wide")
    changed["title"]["en"] = "Wider"
    newer = survey_publish(
        survey_import(changed, by="alice"),
        by="alice",
        now=NOW,
        reason="Made for a test.",
        is_readable_seen=True,
    )
    answer(version, 25, seed=1)
    answer(newer, 25, seed=2)
    survey_close(survey_of(version), by="alice", now=NOW, at_once=True)
    assert [batch.n for batch in batches_open_to_mining(newer)] == [50]
    assert list(batches_open_to_mining(newer)) == list(batches_open_to_mining(version))


def test_snapshots_exclude_batches_created_later(version: Version) -> None:
    for seed in range(2):
        answer(version, 100, seed=seed)
        mix(now=NOW)
    snapshot = batches_open_to_mining(version)
    answer(version, 50, seed=2)
    mix(now=NOW)
    assert len(snapshot) == 1


def test_failed_mixes_change_no_rows(version: Version, monkeypatch: pytest.MonkeyPatch) -> None:
    bodies = answer(version, 100)

    def fail(_batch: Batch) -> None:
        raise RuntimeError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(Batch, "save", fail)
        with pytest.raises(RuntimeError), transaction.atomic():
            mix(now=NOW)
    assert waiting_counted() == Counter(bodies)
    mix(now=NOW)
    assert Batch.objects.get().n == 50


def test_mixing_writes_no_event_and_no_log_line(version: Version, caplog: pytest.LogCaptureFixture) -> None:
    answer(version, 100)
    events = AuditEvent.objects.count()
    with caplog.at_level(0):
        mix_waiting()
    assert Batch.objects.count() == 1
    assert AuditEvent.objects.count() == events
    assert [record.name for record in caplog.records if record.name != "django.db.backends"] == []


def test_the_sweeper_runs_the_mixer(version: Version) -> None:
    answer(version, 100)
    assert sweep.sweep_once() == []
    assert [batch.n for batch in Batch.objects.all()] == [50]


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_concurrent_mixers_release_each_row_once(version: Version) -> None:
    bodies = answer(version, 400)

    def work() -> None:
        for _ in range(5):
            mix(now=NOW)

    with in_threads([work] * 4):
        more = answer(version, 120, seed=1)
    batches = list(Batch.objects.all())
    assert all(batch.n >= 50 for batch in batches)
    assert Counter(rows(version, batches) + waiting_rows()) == Counter(bodies + more)


@pytest.mark.django_db(transaction=True)
def test_answers_racing_with_the_last_batch_are_included_or_rejected(version: Version) -> None:
    statuses: dict[bytes, int] = {}

    def device(seed: int) -> None:
        rng, design = random.Random(seed), version.to_design()
        for _ in range(5_000):
            body = sealed_body(design, rng)
            outcome = submission_receive(request_of(version, body=body.hex()), now=NOW)
            statuses[body] = outcome.status
            if outcome.status != 200:
                break

    with in_threads([partial(device, seed) for seed in range(4)]):
        wait_until(lambda: len(statuses) >= 60, what="the first submissions")
        # The devices' clock is before the end, so only the last batch itself can refuse them.
        survey_close(survey_of(version), by="alice", now=NOW + timedelta(seconds=1), at_once=True)
    assert Counter(statuses.values())[410] == 4
    assert set(statuses.values()) == {200, 410}
    assert Inbox.objects.count() == 0
    received = Counter(body for body, status in statuses.items() if status == 200)
    assert Counter(open_rows(version)) == received


@pytest.mark.django_db
def test_the_night_is_due_once_a_day_and_after_a_clock_that_was_set_back() -> None:
    last = timezone.now()
    assert mixer._night_is_due(last)
    Beat.objects.create(name=mixer.NIGHT, at=last)
    second, day = timedelta(seconds=1), timedelta(days=1)
    due = [mixer._night_is_due(last + later) for later in (-second, 0 * second, day - second, day)]
    assert due == [True, False, False, True]


def test_only_the_sweeper_creates_a_missing_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any other mix creates no key, and takes over no lease."""
    asked = []

    def no_keyring(*, offers: bool) -> nullcontext[None]:
        asked.append(offers)
        return nullcontext(None)

    monkeypatch.setattr(mixer, "locked_keyring", no_keyring)
    mix_waiting()
    mix(now=NOW)
    assert asked == [True, False]


def test_a_mixer_without_the_lease_seals_its_rows_for_its_holder_and_settles_the_rest(
    version: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    survey_close(survey_of(version), by="alice", now=NOW - timedelta(days=9))
    did: list[tuple[Any, ...]] = []
    keyring = SimpleNamespace(holds_lease=False)
    monkeypatch.setattr(mixer, "_seal_for_leaseholder", lambda held: did.append(("sealed", held)))
    monkeypatch.setattr(mixer, "_settle", lambda survey, *how: did.append(("settled", survey.pk, *how)))
    monkeypatch.setattr(mixer, "versions_ready", lambda: pytest.fail("it mixed"))
    shuffler = random.Random(1)
    settled = ("settled", version.survey_id, NOW, None, shuffler)
    for held, expected in ((keyring, [("sealed", keyring), settled]), (None, [settled])):
        monkeypatch.setattr(mixer, "locked_keyring", lambda *, offers, held=held: nullcontext(held))
        mix(now=NOW, shuffler=shuffler)
        assert did == expected
        did.clear()


def test_only_rows_that_a_mixer_can_open_are_sealed_for_the_holder_of_the_lease(
    version: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer(version, 2)
    other = published(wide_definition("other"))
    answer(other, 1)
    own = Inbox.objects.filter(version=version).values("sealed_under")
    keyring: Any = SimpleNamespace(mixer_keys=lambda: MixerKey.objects.filter(name__in=own))
    sealed: list[tuple[Any, ...]] = []
    monkeypatch.setattr(mixer, "_reseal", lambda *given: sealed.append(given[:3]))
    monkeypatch.setattr(mixer, "current_key", lambda *, anew: None)
    mixer._seal_for_leaseholder(keyring)
    assert sealed == []
    monkeypatch.setattr(mixer, "current_key", lambda *, anew: f"key, anew: {anew}")
    mixer._seal_for_leaseholder(keyring)
    # Both versions wait under the shared key until they have keys of their own.
    versions = [version, other] if Inbox.objects.values("sealed_under").distinct().count() == 1 else [version]
    assert sealed == [(each, keyring, "key, anew: True") for each in versions]


@pytest.mark.parametrize(("late", "settles"), [(timedelta(0), True), (timedelta(microseconds=1), False)])
def test_rows_of_an_absent_mixer_are_given_up_once_patience_ends(
    version: Version, late: timedelta, settles: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer(version, 1)
    survey = survey_of(version)
    survey.accepts_until = NOW - mixer.PATIENCE + late
    keyring: Any = SimpleNamespace(mixer="here")
    monkeypatch.setattr(mixer, "rows_of_other_mixers", lambda _name: Inbox.objects.values("pk"))
    assert mixer._may_settle(survey, NOW, keyring) == settles
    monkeypatch.setattr(mixer, "rows_of_other_mixers", lambda _name: Inbox.objects.none().values("pk"))
    assert mixer._may_settle(survey, NOW, keyring)
