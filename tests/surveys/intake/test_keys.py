"""Keys are offered crash-safely, vouched for, retired, and destroyed in time."""

import secrets
import stat
from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction
from django.db.models import Q
from django.utils import timezone

from surveys.authoring.deletion import survey_delete
from surveys.authoring.lifecycle import survey_close
from surveys.intake import database_log, inbox, keys
from surveys.intake import key_folder as key_folder_module
from surveys.intake import mix as mixer
from surveys.intake.inbox import open_inbox
from surveys.intake.key_age import LIFE
from surveys.intake.keys import Keyring, current_key, key_folder, locked_keyring, mixer_ready
from surveys.intake.mix import mix, mix_waiting
from surveys.intake.receive import submission_receive
from surveys.intake.sealed_boxes import PrivateKey, PublicKey
from surveys.models import Batch, Beat, Inbox, MixerKey, Receipt, Version
from tests.attack.kept_keys import age_keys
from tests.conftest import wait_until
from tests.fixtures.devices import published, request_of, survey_of, wide_definition
from tests.fixtures.inbox_rows import waiting_counted
from tests.surveys.intake.test_mix import NOW, answer, rows

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("own_log", "own_mixer_keys")]


@pytest.fixture
def version() -> Version:
    return published(wide_definition("wide"))


def files() -> set[str]:
    """Return the names of all key files on this machine."""
    return {path.name for path in key_folder().path.iterdir() if len(path.name) == 32}


def listed() -> set[str]:
    return {bytes(key.name).hex() for key in MixerKey.objects.all()}


def current() -> PublicKey:
    key = current_key(anew=True)
    assert key is not None
    return key


def of_design(version: Version) -> str:
    """Return the name of the key that seals new rows of a version."""
    key = current_key(version.pk, anew=True)
    assert key is not None
    return key.name.hex()


def sealed_under(version: Version) -> set[str]:
    return {bytes(row.sealed_under).hex() for row in Inbox.objects.filter(version=version)}


def minutes_later() -> None:
    """Run the mixer some minutes later, and again to destroy the replaced keys."""
    age_keys()
    mix_waiting()
    mix_waiting()


def expire_vouch() -> None:
    """Let the vouch for the current key expire."""
    MixerKey.objects.update(vouched_until=timezone.now() - timedelta(seconds=1))


def test_private_keys_are_owner_only_files_and_public_keys_are_stored() -> None:
    assert current_key(anew=True) is None
    assert mixer_ready()
    assert files() == listed() == {current().name.hex()}
    [path] = [path for path in key_folder().path.iterdir() if path.name == current().name.hex()]
    assert PrivateKey.of(path.read_bytes()).public_key == current()
    assert {stat.S_IMODE(each.stat().st_mode) for each in (path.parent, path.parent.parent)} == {0o700}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_unreadable_keys_are_never_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(key_folder_module.KeyFolder, "read", lambda self, name: PrivateKey.generate())
    with pytest.raises(RuntimeError, match="cannot be read"):
        mixer_ready()
    assert not MixerKey.objects.exists()
    monkeypatch.undo()
    assert mixer_ready()
    assert files() == listed(), "what was left is an orphan, and destroyed"


def test_submissions_get_503_until_a_key_is_vouched_for(version: Version) -> None:
    raw = request_of(version)
    for take_away in (expire_vouch, MixerKey.objects.all().delete):
        take_away()
        outcome = submission_receive(raw, now=NOW)
        assert (outcome.status, outcome.answer["error"], outcome.retry_after) == (503, "no_key", 5)
        assert (Receipt.objects.count(), Inbox.objects.count()) == (0, 0)
    mix_waiting()
    assert submission_receive(raw, now=NOW).status == 200
    expire_vouch()
    assert submission_receive(raw, now=NOW).status == 200, "it is stored already"


def test_answers_are_sealed_anew_if_the_cached_key_was_retired(version: Version) -> None:
    answer(version, 1)
    first = current()
    with locked_keyring(offers=True) as keyring:
        assert keyring is not None
        keyring.offer_shared()
    answer(version, 1, seed=1)
    assert {bytes(row.sealed_under) for row in Inbox.objects.all()} == {first.name, current().name}
    assert first != current()


def test_retired_keys_are_destroyed_once_no_row_uses_them(version: Version) -> None:
    mix_waiting()
    bodies = answer(version, 100)
    first = current().name.hex()
    mix_waiting()
    assert {first, current().name.hex()} <= files()
    mix_waiting()
    assert files() == listed() == {current().name.hex(), of_design(version)}
    assert Counter(rows(version, list(Batch.objects.all()))) + waiting_counted() == Counter(bodies)


def test_waiting_rows_are_resealed_so_later_keys_open_no_old_copy(version: Version) -> None:
    bodies = answer(version, 1)
    mix_waiting()
    for seed in range(3):
        bodies += answer(version, 2, seed=seed + 1)
        copy, names = sealed_under(version), {bytes(row.key) for row in Inbox.objects.all()}
        minutes_later()
        assert files() == listed() == {current().name.hex(), of_design(version)}
        assert not copy & files()
        assert names.isdisjoint(bytes(row.key) for row in Inbox.objects.all())
    assert waiting_counted() == Counter(bodies)


def test_waiting_rows_of_one_design_never_keep_anothers_key(version: Version) -> None:
    """An answer waits in a quiet survey while a busy survey is mixed and its key destroyed."""
    quiet = published(wide_definition("quiet"))
    mix_waiting()
    bodies = answer(quiet, 1)
    bodies += answer(version, 30, seed=1)
    mix_waiting()
    assert sealed_under(quiet) == {of_design(quiet)} != sealed_under(version) == {of_design(version)}
    before = files()
    bodies += answer(version, 90, seed=2)
    for _ in range(2):
        mix_waiting()
    assert sealed_under(quiet) == {of_design(quiet)} <= files()
    assert before & files() == {of_design(quiet), current().name.hex()}
    assert Counter(rows(version, list(Batch.objects.all()))) + waiting_counted() == Counter(bodies)


def test_the_first_answer_to_a_design_gets_its_own_key(version: Version) -> None:
    """It used to get the shared key until the next pass, which would also open answers to other designs."""
    quiet = published(wide_definition("quiet"))
    mix_waiting()
    for one in (version, quiet):
        answer(one, 1)
    shared = MixerKey.objects.get(version_id=None, current=True)
    assert sealed_under(version) == {of_design(version)}
    assert sealed_under(quiet) == {of_design(quiet)}
    assert len({of_design(version), of_design(quiet), bytes(shared.name).hex()}) == 3


def test_unused_design_keys_are_also_replaced_after_minutes(version: Version) -> None:
    """An older copy of the key folder then opens no later answer."""
    mix_waiting()
    before = of_design(version)
    mix_waiting()
    assert of_design(version) == before, "drawn once, not in each pass"
    minutes_later()
    after = of_design(version)
    assert after != before
    mix_waiting()
    assert files() == listed() == {after, current().name.hex()}


def test_keys_are_drawn_ahead_for_only_the_newest_surveys(
    version: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keys, "MOST_AHEAD", 3)
    versions = [version, *(published(wide_definition(f"none-{number}")) for number in range(4))]
    mix_waiting()
    ahead = {key.version_id for key in MixerKey.objects.filter(current=True)}
    assert ahead == {None, *(one.pk for one in versions[-3:])}, "the newest"
    answer(versions[0], 1)
    assert sealed_under(versions[0]) == {current().name.hex()}, "the shared key, until the next pass"
    mix_waiting()
    assert sealed_under(versions[0]) == {of_design(versions[0])}


def test_keys_of_a_closed_survey_are_removed_after_its_last_row(version: Version) -> None:
    answer(version, 60)
    mix_waiting()
    survey_close(survey_of(version), by="alice", now=NOW, at_once=True)
    mix_waiting()
    assert files() == listed() == {current().name.hex()}


def test_design_keys_older_than_ten_minutes_seal_no_row(version: Version) -> None:
    answer(version, 1)
    mix_waiting()
    key = MixerKey.objects.get(version_id=version.pk)
    assert abs(key.vouched_until - key.drawn_at - LIFE) < timedelta(seconds=1)
    mix_waiting()
    assert MixerKey.objects.get(version_id=version.pk).vouched_until == key.vouched_until
    MixerKey.objects.filter(pk=key.pk).update(vouched_until=timezone.now() - timedelta(seconds=1))
    answer(version, 1, seed=1)
    assert sealed_under(version) == {bytes(key.name).hex(), current().name.hex()}


def test_late_rows_under_a_retired_key_are_resealed(version: Version) -> None:
    bodies = answer(version, 4)
    mix_waiting()
    with locked_keyring(offers=True) as keyring:
        assert keyring is not None
        keyring.offer([version.pk])
    late = sealed_under(version)
    bodies += answer(version, 1, seed=1)
    assert sealed_under(version) == late | {of_design(version)}
    before = sealed_under(version)
    mix_waiting()
    assert not before & sealed_under(version), "under a third key: the second would single the late ones out"
    mix_waiting()
    assert not before & files()
    assert waiting_counted() == Counter(bodies)


def test_undecryptable_rows_count_as_lost_and_keep_no_key(version: Version) -> None:
    bodies = answer(version, 2)
    row = Inbox.objects.create(
        key=b"x" * 16, version=version, sealed_under=current().name, box=secrets.token_bytes(80)
    )
    named = sealed_under(version)
    for _ in range(2):
        mix_waiting()
    assert not named & files()
    row.refresh_from_db()
    assert bytes(row.sealed_under) == b""
    row.delete()
    assert waiting_counted() == Counter(bodies)


def test_deleting_a_survey_deletes_its_keys(version: Version) -> None:
    answer(version, 3)
    mix_waiting()
    assert len(files()) > 1
    survey = survey_close(survey_of(version), by="alice", now=NOW, at_once=True)
    survey_delete(survey, by="alice")
    for _ in range(2):
        mix_waiting()
    assert files() == listed() == {current().name.hex()}


def test_mixers_without_the_lease_offer_no_key(version: Version, settings: Any, tmp_path: Path) -> None:
    answer(version, 3)
    with locked_keyring(offers=True) as keyring:
        assert keyring is not None
        settings.SOTTOVOCE_MIXER_KEYS = tmp_path / "standby"
        expire_vouch()
        with locked_keyring(offers=True) as other:
            assert other is not None
            assert other.holds_lease
        assert keyring.offer([version.pk]) == {}
        assert MixerKey.objects.get(current=True).mixer == other.mixer


@pytest.mark.soak
def test_many_designs_are_rekeyed_over_several_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mixer, "MOST_ANEW", 2)
    versions = [published(wide_definition(f"many-{number}")) for number in range(5)]
    bodies = [body for number, each in enumerate(versions) for body in answer(each, 1, seed=number)]
    for _ in range(3):
        mix_waiting()
    before = {each.pk: of_design(each) for each in versions}
    assert len(set(before.values())) == 5
    age_keys()
    for done in (2, 4, 5):
        mix_waiting()
        now = {each.pk: MixerKey.objects.get(version_id=each.pk, current=True) for each in versions}
        assert sum(bytes(now[pk].name).hex() != before[pk] for pk in before) == done
    assert waiting_counted() == Counter(bodies)


@pytest.mark.only("sqlite")
def test_keys_are_kept_while_a_reader_holds_the_log(version: Version) -> None:
    answer(version, 100)
    first = current().name.hex()
    mix_waiting()
    reader = connection.copy()
    with reader.cursor() as cursor:
        cursor.execute("BEGIN")
        cursor.execute("SELECT COUNT(*) FROM surveys_inbox").fetchone()
        with connection.cursor() as ours:
            ours.execute("CREATE TABLE later (n integer)")
            ours.execute("DROP TABLE later")
        with locked_keyring(offers=True):
            assert first in files()
    reader.close()
    with locked_keyring(offers=True):
        assert first not in files()


@pytest.mark.only("postgresql")
def test_keys_are_kept_until_all_standbys_have_replayed(version: Version, settings: Any) -> None:
    settings.SOTTOVOCE_STANDBYS = 1
    answer(version, 100)
    first = current().name.hex()
    for _ in range(3):
        mix_waiting()
        assert first in files()
    assert MixerKey.objects.get(name=bytes.fromhex(first)).unnamed_at
    settings.SOTTOVOCE_STANDBYS = 0
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_create_physical_replication_slot('sottovoce_test', true)")
    try:
        position = database_log.log_position()
        assert not database_log.standbys_have_replayed(position)
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_drop_replication_slot('sottovoce_test')")
    assert database_log.standbys_have_replayed(position)
    mix_waiting()
    assert first not in files()


@pytest.mark.only("postgresql")
def test_keys_are_destroyed_only_after_pending_submissions_end(version: Version) -> None:
    """A submission between its statement and its commit prevents destruction; a later one does not."""
    key = MixerKey.objects.get(current=True)
    theirs = connection.copy()
    theirs.set_autocommit(False)
    with theirs.cursor() as cursor:
        cursor.execute("SELECT name FROM surveys_mixerkey WHERE current FOR KEY SHARE")
        with locked_keyring(offers=True) as keyring, connection.cursor() as ours:
            assert keyring is not None
            keyring.offer_shared()
            ours.execute("SET lock_timeout = '20ms'")
            with pytest.raises(OperationalError):
                keyring.destroy_unneeded()
            ours.execute("SET lock_timeout = '20s'")
    theirs.rollback()
    theirs.close()
    with locked_keyring(offers=True):
        assert not MixerKey.objects.filter(pk=key.pk).exists()


def test_rows_of_lost_keys_are_counted_and_deleted_at_settlement(version: Version) -> None:
    answer(version, 60)
    key_folder().destroy(current().name)
    expire_vouch()
    assert submission_receive(request_of(version), now=NOW).status == 503
    mix_waiting()
    bodies = answer(version, 55, seed=1)
    mix_waiting()
    assert Inbox.objects.count() == 115
    survey = survey_close(survey_of(version), by="alice", now=NOW, at_once=True)
    assert (survey.settled, survey.rows_lost, survey.rows_too_few) == (True, 60, 0)
    assert Counter(rows(version, list(Batch.objects.all()))) == Counter(bodies)
    assert not Inbox.objects.exists()


def test_rows_restored_without_their_key_are_counted_as_lost(version: Version) -> None:
    """Yesterday's database is restored with today's key folder."""
    mix_waiting()
    answer(version, 70)
    backup = [list(model.objects.all()) for model in (MixerKey, Inbox, Receipt)]
    answer(version, 60, seed=1)
    for _ in range(3):
        mix_waiting()
    with connection.cursor() as cursor:
        for table in ("surveys_mixerkey", "surveys_inbox", "surveys_receipt"):
            cursor.execute(f"DELETE FROM {table}")
    for rows_then in backup:
        type(rows_then[0]).objects.bulk_create(rows_then)
    restored = MixerKey.objects.get(current=True, version_id=version.pk)
    assert not files() & {bytes(restored.name).hex()}, "its key is destroyed"
    mixed = sum(batch.n for batch in Batch.objects.all())
    expire_vouch()
    assert submission_receive(request_of(version), now=NOW).status == 503
    mix_waiting()
    assert files() == listed() == {current().name.hex(), of_design(version)}, "new keys, and no old one"
    answer(version, 50, seed=2)
    survey = survey_close(survey_of(version), by="alice", now=NOW, at_once=True)
    assert (survey.rows_lost, survey.rows_too_few) == (70, 0)
    assert sum(batch.n for batch in Batch.objects.all()) == mixed + 50


def test_standbys_wait_for_the_lease_and_returning_mixers_hand_over_rows(
    version: Version, settings: Any, tmp_path: Path
) -> None:
    mix_waiting()
    bodies = answer(version, 30)
    ours, first = settings.SOTTOVOCE_MIXER_KEYS, current()
    settings.SOTTOVOCE_MIXER_KEYS = tmp_path / "standby"
    mix_waiting()
    assert current() == first, "the other one still vouches"
    expire_vouch()
    mix_waiting()
    assert current() != first
    bodies += answer(version, 40, seed=1)
    # It cannot open rows sealed for the other mixer, and does not change them, even when the survey ends.
    survey_close(survey_of(version), by="alice", now=NOW, at_once=True)
    assert (Inbox.objects.count(), survey_of(version).settled) == (70, False)
    settings.SOTTOVOCE_MIXER_KEYS = ours
    mix_waiting()
    holder = MixerKey.objects.get(current=True, version_id=None).mixer
    theirs = MixerKey.objects.filter(mixer=holder).values_list("name", flat=True)
    assert sealed_under(version) <= {bytes(name).hex() for name in theirs}
    settings.SOTTOVOCE_MIXER_KEYS = tmp_path / "standby"
    mix_waiting()
    assert survey_of(version).settled
    assert Counter(rows(version, list(Batch.objects.all()))) == Counter(bodies)


def test_processes_without_the_key_folder_mix_nothing(
    version: Version, settings: Any, tmp_path: Path
) -> None:
    answer(version, 120)
    before = current()
    settings.SOTTOVOCE_MIXER_KEYS = tmp_path / "web host"
    mix(now=NOW)
    assert not settings.SOTTOVOCE_MIXER_KEYS.exists()
    assert current() == before
    assert Inbox.objects.count() == 120


def test_keys_of_another_database_are_not_changed(version: Version) -> None:
    answer(version, 3)
    here = {path.name: path.read_bytes() for path in key_folder().path.iterdir()}
    folder = key_folder().path
    Beat.objects.filter(name=keys.DATABASE_TOKEN).delete()
    MixerKey.objects.all().delete()
    assert mixer_ready()
    assert key_folder().path != folder
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == here


def test_concurrent_passes_put_each_row_in_one_batch(
    version: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    bodies = answer(version, 120)
    private, took = Keyring.private, []

    def race(self: Keyring, name: bytes) -> PrivateKey | None:
        # A row disappears while this worker opens the rows that it has read.
        if not took:
            took.append(Inbox.objects.order_by("key").first())
            took[0].delete()
        return private(self, name)

    monkeypatch.setattr(Keyring, "private", race)
    mix(now=NOW)
    monkeypatch.undo()
    assert (Inbox.objects.count(), Batch.objects.count()) == (119, 0)
    took[0].save(force_insert=True)
    mix(now=NOW)
    assert Counter(rows(version, list(Batch.objects.all()))) + waiting_counted() == Counter(bodies)


def test_turning_the_clock_back_does_not_prolong_keys(version: Version) -> None:
    mix_waiting()
    answer(version, 1)
    before = files()
    # The keys were drawn an hour in the future.
    MixerKey.objects.update(
        drawn_at=timezone.now() + timedelta(hours=1),
        vouched_until=timezone.now() + timedelta(hours=1) + LIFE,
    )
    mix_waiting()
    mix_waiting()
    assert not before & files()
    assert waiting_counted().total() == 1


def test_missing_cut_or_renamed_key_files_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    assert mixer_ready()
    folder, name = key_folder(), current().name
    assert folder.read(bytes(16)) is None
    (folder.path / name.hex()).rename(folder.path / bytes(16).hex())
    assert folder.read(bytes(16)) is None
    (folder.path / name.hex()).write_bytes(b"cut off")
    assert folder.read(name) is None
    with folder.lock(seconds=0) as locked:
        keyring = Keyring(folder=folder, mixer=folder.mixer(), holds_lease=True)
        assert (locked, keyring.vouch()) == (True, False)


def test_the_log_is_not_truncated_during_a_transaction() -> None:
    with transaction.atomic():
        assert database_log.truncate_log() is (connection.vendor == "postgresql")


def test_unneeded_keys_drawn_ahead_are_retired(version: Version, monkeypatch: pytest.MonkeyPatch) -> None:
    mix_waiting()
    own = MixerKey.objects.filter(version_id=version.pk, current=True)
    assert own.exists()
    monkeypatch.setattr(keys, "MOST_AHEAD", 0)
    mix_waiting()
    assert not own.exists()


def test_a_mixer_without_the_lock_mixes_nothing(version: Version, monkeypatch: pytest.MonkeyPatch) -> None:
    answer(version, 120)
    monkeypatch.setattr(keys, "SECONDS_TO_WAIT", 0)
    with key_folder().lock(seconds=0):
        mix(now=NOW)
    # It loses the lease after checking it, and gets no key for the rows that would stay.
    with monkeypatch.context() as patch:
        patch.setattr(Keyring, "offer", lambda self, versions: {})
        mix(now=NOW)
    assert Batch.objects.count() == 0
    mix(now=NOW)
    assert Batch.objects.get().n == 70


def test_rows_with_a_missing_key_wait_for_the_survey_to_end(version: Version) -> None:
    answer(version, 120)
    with locked_keyring(offers=True) as keyring:
        assert keyring is not None
        assert len(inbox.open_inbox(version, keyring, most=1_000).names) == 120
        key_folder().destroy(*key_folder().names())
        keyring = Keyring(folder=keyring.folder, mixer=keyring.mixer, holds_lease=True)
        assert inbox.open_inbox(version, keyring, most=1_000).names == []
    mix(now=NOW)
    assert Inbox.objects.count() == 120
    MixerKey.objects.all().delete()
    assert inbox.rows_without_key().count() == 120


def test_surveys_do_not_settle_by_an_unreliable_clock(version: Version) -> None:
    survey_close(survey_of(version), by="alice", now=NOW)
    mix(now=NOW + timedelta(hours=48), settles=Q(accepts_until__isnull=True))
    assert not survey_of(version).settled
    mix(now=NOW + timedelta(hours=48))
    assert survey_of(version).settled


def test_rows_need_their_key_but_empty_surveys_settle_anywhere(
    version: Version, settings: Any, tmp_path: Path
) -> None:
    answer(version, 3)
    survey_close(survey_of(version), by="alice", now=NOW)
    expire_vouch()
    with key_folder().lock(seconds=0):
        folder = key_folder()
        mixer._seal_for_leaseholder(Keyring(folder=folder, mixer=folder.mixer(), holds_lease=False))
    assert Inbox.objects.count() == 3
    settings.SOTTOVOCE_MIXER_KEYS = tmp_path / "web host"
    mix(now=NOW + timedelta(days=3))
    assert not survey_of(version).settled
    Inbox.objects.all().delete()
    mix(now=NOW + timedelta(days=3))
    assert survey_of(version).settled


def test_removed_rows_are_not_resealed(version: Version, monkeypatch: pytest.MonkeyPatch) -> None:
    answer(version, 2)

    def fail(names: object) -> None:
        raise Inbox.DoesNotExist

    age_keys()
    monkeypatch.setattr(mixer, "rows_delete", fail)
    mix_waiting()
    assert Inbox.objects.count() == 2


def test_rows_are_not_resealed_under_a_key_retired_meanwhile(
    version: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer(version, 2)
    age_keys()
    before = sealed_under(version)

    def opened(*given: Any, **named: Any) -> Any:
        result = open_inbox(*given, **named)
        MixerKey.objects.update(current=False)
        return result

    monkeypatch.setattr(mixer, "open_inbox", opened)
    mix_waiting()
    assert sealed_under(version) == before


def test_a_design_key_alone_seals_no_row(version: Version) -> None:
    """The mixer vouches for its shared key; without that, answers to every design are refused."""
    answer(version, 1)
    mix_waiting()
    assert current_key(version.pk, anew=True) is not None
    MixerKey.objects.filter(version_id=None).update(vouched_until=timezone.now())
    outcome = submission_receive(request_of(version), now=NOW)
    assert (outcome.status, outcome.answer["error"]) == (503, "no_key")
    keys.renew_vouch()
    assert submission_receive(request_of(version), now=NOW).status == 200


def test_a_thread_vouches_while_a_step_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys, "SECONDS_BETWEEN_VOUCHES", 0.01)
    assert mixer_ready()
    expire_vouch()
    with keys.vouching():
        wait_until(lambda: current_key(anew=True) is not None, what="a vouch")


def test_a_failing_database_ends_no_vouching(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys, "SECONDS_BETWEEN_VOUCHES", 0.01)
    calls = []

    def fail() -> None:
        calls.append(1)
        raise OperationalError

    monkeypatch.setattr(keys, "renew_vouch", fail)
    with keys.vouching():
        wait_until(lambda: len(calls) > 2, what="further attempts")


def test_a_process_without_keys_vouches_for_none(settings: Any, tmp_path: Path) -> None:
    settings.SOTTOVOCE_MIXER_KEYS = tmp_path / "none"
    keys.renew_vouch()
    assert not settings.SOTTOVOCE_MIXER_KEYS.exists()
