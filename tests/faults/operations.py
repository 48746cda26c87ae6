"""Operations whose calls fail in turn, each with what must hold after a failure."""

import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Final, Self

from django.conf import settings
from django.db import connection
from django.utils import timezone

from surveys.authoring.deletion import dependants, survey_delete
from surveys.authoring.drafts import survey_import
from surveys.authoring.lifecycle import survey_close
from surveys.authoring.publish import survey_publish
from surveys.errors.error import SurveyError
from surveys.intake import keys, sealed_boxes
from surveys.intake.mix import NIGHT, mix_waiting
from surveys.intake.receive import submission_receive
from surveys.jobs import lease
from surveys.jobs.home_files import columns_clear
from surveys.models import AuditEvent, Batch, Beat, Inbox, Job, MixerKey, Receipt, Run, Survey, Version
from surveys.runs.mining_job import mine_snapshot
from surveys.runs.run_requests import run_request
from surveys.server.backup import (
    BACKUP_MANIFEST,
    backup_make_dated,
    backup_newest,
    backup_restore,
    manifest_check,
    manifest_read,
)
from surveys.server.database_copy import database_is_empty
from tests.attack.kept_keys import age_keys
from tests.attack.traces import database_files, split_rows
from tests.faults.nth_call import forget_caches
from tests.fixtures.devices import published, request_of, stored, wide_definition
from tests.fixtures.inbox_rows import waiting_rows
from tests.fixtures.invitations import codes_of, invited
from tests.fixtures.runs import LOOSE, answered_version, everything_once
from tests.surveys.intake.test_views import body_of
from tests.surveys.test_tasks import result_of

FEW: Final = 6
"""Rows in a batch here, so few that thousands of trials take seconds."""


class Answers:
    """Answers that devices sent, and those that the server acknowledged."""

    def __init__(self) -> None:
        self.received: list[bytes] = []
        self.unsure: list[bytes] = []

    def send(self, raw: bytes) -> bool:
        """Send a body; return whether the server received it."""
        self.unsure.append(raw)
        if submission_receive(raw, now=timezone.now()).status != 200:
            return False
        self.unsure.remove(raw)
        self.received.append(raw)
        return True

    def copy(self) -> Self:
        """Return a copy that does not change with this object."""
        copied = type(self)()
        copied.received, copied.unsure = self.received.copy(), self.unsure.copy()
        return copied

    def of(self, version: Version, number: int) -> None:
        """Let people answer a survey successfully."""
        for _ in range(number):
            assert self.send(request_of(version))

    def hold(self, of: Survey | None = None) -> None:
        """Assert that received answers are stored once and others at most once, each with its receipt."""
        chosen = {"survey": of} if of else {}
        stored, used = Counter[bytes](), Receipt.objects.filter(digest__isnull=False, **chosen).count()
        for version in Version.objects.filter(**chosen):
            stored.update(waiting_rows(version))
            size = version.row_bytes
            for batch in version.batches.all():
                stored.update(split_rows(bytes(batch.packed), size))
        received, unsure = Counter(map(body_of, self.received)), Counter(map(body_of, self.unsure))
        assert not received - stored, "a received answer is lost"
        assert not stored - received - unsure, "an answer is stored twice"
        assert used == stored.total(), "a receipt has no row, or a row no receipt"

    def are_sealed(self, files: Mapping[str, bytes] | None = None) -> None:
        """Assert that no file of the database contains a plain waiting row or a private key."""
        rows, secrets = waiting_rows(), [key.raw for key in folder_keys()]
        for name, content in (files or database_files()).items():
            assert not [row for row in rows if row in content], f"a plain row in {name}"
            assert not [raw for raw in secrets if raw in content], f"a key in {name}"


def folder_keys() -> list[sealed_boxes.PrivateKey]:
    """Return the private keys in the mixer's folder."""
    folder = keys.key_folder()
    found = [folder.read(name) for name in folder.names()] if folder.exists() else []
    return [key for key in found if key is not None]


class Submit:
    """A device sends an answer."""

    def __init__(self, *, by_invitation: bool = False) -> None:
        self.answers = Answers()
        if by_invitation:
            version = invited(wide_definition("invited", questions=90))
            codes = iter(codes_of(version, 100))
            self.make: Callable[[], bytes] = lambda: request_of(version, code=next(codes))
        else:
            self.make = partial(request_of, published(wide_definition("open", questions=90)))

    def begin(self) -> None:
        forget_caches()
        self.raw = self.make()

    def act(self) -> None:
        self.answers.send(self.raw)

    def hold(self) -> None:
        self.answers.hold()

    def again(self) -> None:
        if self.raw in self.answers.unsure:
            self.answers.unsure.remove(self.raw)
        assert self.answers.send(self.raw), "the retry is refused"

    def done(self) -> None:
        assert self.raw in self.answers.received
        self.answers.hold()

    def end(self) -> None:
        self.answers.are_sealed()


class Mix:
    """The mixer makes a batch, reseals a quiet survey's row, destroys keys, and rewrites receipts."""

    def __init__(self) -> None:
        self.answers = Answers()
        self.busy = published(wide_definition("busy", questions=90))
        self.answers.of(published(wide_definition("quiet", questions=90)), 1)
        mix_waiting()

    def begin(self) -> None:
        forget_caches()
        self.batches = Batch.objects.count()
        self.answers.of(self.busy, FEW)
        Beat.objects.filter(name=NIGHT).delete()
        age_keys()
        self.begun = self.answers.copy()

    def restored(self) -> None:
        """Forget later answers."""
        self.answers = self.begun.copy()

    def act(self) -> None:
        mix_waiting()

    def hold(self) -> None:
        self.answers.hold()
        if connection.vendor == "sqlite":
            self.answers.are_sealed({"the database": connection.connection.serialize()})

    def again(self) -> None:
        retired = MixerKey.objects.filter(current=False)
        unneeded = list(retired.exclude(name__in=Inbox.objects.values("sealed_under")))
        mix_waiting()
        assert not MixerKey.objects.filter(name__in=[key.name for key in unneeded]).exists(), (
            "keys that are not needed are left"
        )

    def done(self) -> None:
        self.answers.hold()
        current = MixerKey.objects.filter(current=True).values("name")
        assert not Inbox.objects.exclude(sealed_under__in=current).exists(), "a row waits under an old key"
        assert Batch.objects.count() > self.batches
        listed = {bytes(name) for name in MixerKey.objects.values_list("name", flat=True)}
        assert {key.public_key.name for key in folder_keys()} == listed, "a key outlives its pass"
        assert keys.current_key(anew=True) is not None

    def end(self) -> None:
        # An attacker with old copies needs the key of a mixed row.
        self.answers.are_sealed()
        age_keys()
        mix_waiting()
        mix_waiting()
        assert len(folder_keys()) == 3, "keys that are not needed are left"


class Publish:
    """A researcher publishes a draft."""

    def __init__(self) -> None:
        self.numbers = count()

    def begin(self) -> None:
        assert keys.mixer_ready()
        self.survey = survey_import(wide_definition(f"draft-{next(self.numbers)}", questions=2), by="alice")

    def act(self) -> None:
        survey_publish(
            self.survey, by="alice", now=timezone.now(), reason="Made for a test.", is_readable_seen=True
        )

    def hold(self) -> None:
        versions = Version.objects.filter(survey=self.survey).count()
        is_open = Survey.objects.filter(pk=self.survey.pk, state=Survey.State.OPEN).count()
        events = AuditEvent.objects.filter(target=self.survey.slug, action="survey_publish").count()
        assert (versions, is_open, events) in {(0, 0, 0), (1, 1, 1)}, "half published"

    def again(self) -> None:
        with already_done("unchanged"):
            self.act()

    def done(self) -> None:
        self.hold()
        assert Version.objects.filter(survey=self.survey).exists()


class Close:
    """A researcher closes a survey immediately, which makes its last batch."""

    def __init__(self) -> None:
        self.numbers = count()

    def begin(self) -> None:
        self.answers = Answers()
        self.survey = published(wide_definition(f"closing-{next(self.numbers)}", questions=2)).survey
        self.answers.of(self.survey.versions.get(), FEW)

    def restored(self) -> None:
        """Keep the answers: closing receives none."""

    def act(self) -> None:
        survey_close(self.survey, by="alice", now=timezone.now(), at_once=True)

    def hold(self) -> None:
        self.answers.hold(of=self.survey)
        closed = Survey.objects.filter(pk=self.survey.pk, state=Survey.State.CLOSED).count()
        assert AuditEvent.objects.filter(target=self.survey.slug, action="survey_close").count() == closed

    def again(self) -> None:
        with already_done("closed"):
            self.act()
        mix_waiting()

    def done(self) -> None:
        self.hold()
        survey = Survey.objects.get(pk=self.survey.pk)
        assert (survey.settled, survey.rows_lost, survey.rows_too_few) == (True, 0, 0)
        assert sum(batch.n for batch in Batch.objects.filter(version__survey=self.survey)) == FEW
        assert not Inbox.objects.filter(version__survey=self.survey).exists()


class Delete:
    """A researcher deletes a closed survey."""

    def __init__(self) -> None:
        self.numbers, self.triggers = count(), triggers()

    def begin(self) -> None:
        version = published(wide_definition(f"gone-{next(self.numbers)}", questions=2))
        self.survey = version.survey
        stored(version, [bytes(version.row_bytes)] * FEW)
        names = [bytes([n] * 32) for n in range(FEW)]
        Receipt.objects.bulk_create(Receipt(survey=self.survey, key=each, digest=each) for each in names)
        over = {"state": Survey.State.CLOSED, "accepts_until": timezone.now(), "settled": True}
        Survey.objects.filter(pk=self.survey.pk).update(**over)

    def restored(self) -> None:
        """Nothing outside the database changes."""

    def act(self) -> None:
        survey_delete(self.survey, by="alice")

    def hold(self) -> None:
        assert triggers() == self.triggers, "rows can be deleted from now on"
        kept = Survey.objects.filter(pk=self.survey.pk).exists()
        assert Version.objects.filter(survey=self.survey).exists() == kept
        assert Batch.objects.filter(version__survey=self.survey).exists() == kept
        events = AuditEvent.objects.filter(target=self.survey.slug, action="survey_delete").count()
        assert events == 1 - kept, "a deletion is not logged, or logged twice"

    def again(self) -> None:
        if Survey.objects.filter(pk=self.survey.pk).exists():
            self.act()
        # Another process does this at a worker's next heartbeat.
        columns_clear()

    def done(self) -> None:
        self.hold()
        for model, path in dependants():
            assert not model._base_manager.filter(**{path: self.survey.pk}).exists(), model


class Mine:
    """A researcher requests a run, and a worker performs it."""

    def __init__(self) -> None:
        self.version = answered_version(400, n_direct=80)
        self.wanted: str | None = None

    def begin(self) -> None:
        self.runs = set(Run.objects.values_list("pk", flat=True))

    def restored(self) -> None:
        """Nothing outside the database changes."""

    def act(self) -> None:
        with everything_once():
            run = run_request(
                version=self.version, thresholds=LOOSE, by=None, now=timezone.now(), announce=False
            )
            lease.perform(run.job_id, mine_snapshot)

    def made(self) -> Run | None:
        """Return the run that this trial requested."""
        return Run.objects.select_related("job").exclude(pk__in=self.runs).first()

    def hold(self) -> None:
        run = self.made()
        if run is not None:
            has_rows = run.rules.exists() and run.itemsets.exists()
            assert has_rows == (run.job.state == Job.State.FINISHED), "half a result"

    def again(self) -> None:
        run = self.made()
        if run is None:
            self.act()
            return
        # The lost worker's lease expires, and the sweeper puts the job back into the queue.
        lease.sweep(now=timezone.now() + lease.LEASE)
        with everything_once():
            lease.perform(run.job_id, mine_snapshot)

    def done(self) -> None:
        run = self.made()
        assert run is not None
        assert run.job.state == Job.State.FINISHED, run.job.message
        self.wanted = self.wanted or result_of(run)
        assert result_of(run) == self.wanted, "the result differs, or is stored twice"


class Backup:
    """The nightly backup of an installation with waiting answers."""

    def __init__(self, folder: Path) -> None:
        self.answers, self.folder, self.nights = Answers(), folder, count()
        self.answers.of(published(wide_definition("waiting", questions=90)), FEW)

    def begin(self) -> None:
        self.night = timezone.now() + timedelta(days=2 * next(self.nights))
        self.before = self.newest()

    def newest(self) -> Path | None:
        """Return the newest complete backup."""
        try:
            return backup_newest(self.folder)
        except SurveyError:
            return None

    def act(self) -> None:
        backup_make_dated(self.folder, most=2, version="1", now=self.night)

    def hold(self) -> None:
        newest = self.newest()
        assert newest is not None or self.before is None, "the older backup is gone"
        if newest is None:
            return
        manifest_check(newest, manifest_read(newest))
        content = b"".join(path.read_bytes() for path in newest.iterdir())
        assert not [row for row in waiting_rows() if row in content], "a plain row in the backup"
        assert not [key for key in folder_keys() if key.raw in content], "a key in the backup"

    def again(self) -> None:
        self.night += timedelta(days=1)
        self.act()

    def done(self) -> None:
        self.hold()
        assert self.newest() != self.before
        assert all((path / BACKUP_MANIFEST).is_file() for path in self.folder.iterdir()), (
            "half a backup is left"
        )


class Restore:
    """An operator restores a backup of SQLite into an empty home and database."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.numbers = folder, count()
        answers = Answers()
        answers.of(published(wide_definition("waiting", questions=90)), FEW)
        self.receipts = Receipt.objects.count()
        backup_make_dated(folder / "backups", most=1, version="1", now=timezone.now())
        self.backup = backup_newest(folder / "backups")
        self.key = settings.SECRET_KEY

    def begin(self) -> None:
        self.home = self.folder / f"home{next(self.numbers)}"
        self.home.mkdir()
        (self.home / "secret_key").write_text("the key that a new home begins with, as long as any")
        connection.close()
        connection.settings_dict["NAME"] = str(self.home / "sottovoce.sqlite3")
        settings.SOTTOVOCE_HOME = self.home
        self.start()

    def start(self) -> None:
        """Load the home's secret key, as the program does at its start."""
        settings.SECRET_KEY = (self.home / "secret_key").read_text()

    def act(self) -> None:
        backup_restore(self.backup)

    def hold(self) -> None:
        assert (self.home / "secret_key").read_text(), "the home has no key"
        if database_is_empty():
            return
        assert Receipt.objects.count() == Inbox.objects.count() == self.receipts, "half a database"
        assert not MixerKey.objects.filter(current=True).exists(), (
            "an answer would be sealed under a lost key"
        )
        assert (self.home / "secret_key").read_text() == self.key, "a database without its key"

    def again(self) -> None:
        self.start()
        with already_done("backup.tables"):
            self.act()

    def done(self) -> None:
        assert not database_is_empty()
        self.hold()
        connection.close()
        shutil.rmtree(self.home)


@contextmanager
def already_done(*codes: str) -> Iterator[None]:
    """Accept refusals with these codes, which say that the operation was already done."""
    try:
        yield
    except SurveyError as refused:
        if refused.code not in {code.partition(".")[0] for code in codes}:
            raise


def triggers() -> list[Any]:
    """Return the triggers of the database, and whether they are enabled."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name")
        else:
            cursor.execute(
                "SELECT tgname, tgenabled::text FROM pg_trigger WHERE NOT tgisinternal ORDER BY tgname"
            )
        return list(cursor.fetchall())
