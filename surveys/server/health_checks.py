"""Checks of broker, worker, sweeper, files, settings and pages."""

from __future__ import annotations

import hashlib
import json
import secrets
import stat
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import get_connection
from django.db import connection
from django.urls import reverse
from django.utils import timezone
from kombu.exceptions import OperationalError
from kombu.utils.url import maybe_sanitize_url

from surveys.accounts.people import people
from surveys.accounts.permissions import Role
from surveys.celery import app
from surveys.intake.mix import versions_ready
from surveys.jobs.provenance import program_version
from surveys.jobs.workers import KEY_HEARTBEAT, SECONDS_BETWEEN_ROUNDS, WORKER_HEARTBEAT, Task, key_mark
from surveys.models import Batch, Beat, Job, Survey, Version
from surveys.models.staff import SECONDS_UNTIL_LATE
from surveys.respondent.client_documents import digest_in_link, documents_of
from surveys.respondent.client_program import client, releases_of
from surveys.server.alerts import (
    COMFORTABLE_BYTES,
    LEAST_BYTES,
    LOOKED_BACK,
    administrators_addresses,
    faulty_jobs,
    free_bytes,
)
from surveys.server.health import CheckContext, Diagnosis, failure, ok, warning
from surveys.server.launch import allowed_host
from surveys.watch.comparison import compare
from surveys.watch.download import BROWSERS, Answer, WatchTarget, fetch

# An idle worker answers immediately; one that is busy with a run may not.
SECONDS_TO_ANSWER = 10.0
SECONDS_TO_MIX = 8 * SECONDS_BETWEEN_ROUNDS


def a_worker_answers(context: CheckContext) -> Iterator[Diagnosis]:
    """Check that a worker answers in the same way as for runs: through the broker, into the database."""
    promise = "the broker accepts jobs and a worker runs them"
    where = maybe_sanitize_url(settings.CELERY_BROKER_URL)
    if context.facts.parts["broker"] != "ok":
        yield failure(promise, f"no broker at {where}", "Start the broker, or set REDIS_URL to its address.")
        return
    began = timezone.now()
    try:
        app.send_task(Task.PING.value)
    except (OperationalError, OSError) as error:
        yield failure(
            promise, f"the broker refused a message: {type(error).__name__}", "Check the broker's log."
        )
        return
    if _wait_until(
        lambda: Beat.objects.filter(name=WORKER_HEARTBEAT, at__gte=began).exists(), SECONDS_TO_ANSWER
    ):
        yield ok(promise, f"a worker answered through {where}")
    elif Job.objects.filter(state=Job.State.RUNNING).exists():
        yield warning(promise, "no answer, but a run is in progress", "Run doctor again when it ends.")
    else:
        yield failure(
            promise,
            f"no worker answered within {SECONDS_TO_ANSWER:g} s",
            "Start a worker: python -m celery -A surveys worker (docs/operators.md).",
        )


def workers_run_this_program(context: CheckContext) -> Iterator[Diagnosis]:
    """Check the version of workers: a worker that was not restarted after an upgrade runs the old program."""
    promise = "workers run this release with this secret key"
    living = [worker for worker in context.facts.workers if worker.lives]
    odd = [f"{worker.name} runs another release" for worker in living if worker.program != program_version()]
    odd += [f"{worker.name} has another secret key" for worker in living if worker.key != key_mark()]
    if odd:
        remedy = "Restart them from this release, with the SECRET_KEY or secret_key of this machine."
        yield failure(promise, ", ".join(odd), remedy)
    elif living:
        yield ok(promise, ", ".join(worker.name for worker in living))
    else:
        yield warning(promise, "no worker was seen recently", "Start a worker, then run doctor again.")


def runs_do_not_fail(context: CheckContext) -> Iterator[Diagnosis]:
    """Check for runs that failed because of a bug or the machine; refusals concern only the requester."""
    promise = "no run failed because of the machine or the program"
    failed = faulty_jobs(now=context.now)
    seen = [f"{job} on {job.ended_at:%Y-%m-%d %H:%M}: {job.message.partition('.')[0]}" for job in failed[:3]]
    if seen:
        remedy = "Check the worker's log. The usual cause is too little memory."
        yield warning(promise, f"{failed.count()} failed. {'; '.join(seen)}", remedy)
    else:
        yield ok(promise, f"none in the last {LOOKED_BACK.days} days")


def the_sweeper_runs(context: CheckContext) -> Iterator[Diagnosis]:
    """Check the sweeper: without it, surveys are not mixed, opened or closed, and lost jobs are not found."""
    promise = "the sweeper runs regularly"
    age, status = context.facts.sweeper_age_seconds, context.facts.parts["sweeper"]
    if status == "ok":
        yield ok(promise, f"last round {age:g} s ago")
    elif status == "unknown":
        remedy = "Set the clocks by NTP, then check that the sweeper runs."
        yield failure(promise, f"unknown, because a clock is wrong: {context.facts.clock}", remedy)
    else:
        seen = "it never ran" if age is None else f"last round {age:g} s ago"
        yield failure(promise, seen, "Start sottovoce sweep and keep it running (docs/operators.md).")


def rows_are_mixed(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that rows are mixed. Rows have no time, but enough of them never wait for several rounds."""
    promise = "waiting rows are mixed once there are enough"
    before = Batch.objects.count()
    # A survey that is answered continuously always has waiting rows, so new batches also count as evidence.
    if _wait_until(lambda: not versions_ready() or Batch.objects.count() > before, SECONDS_TO_MIX):
        yield ok(promise, "no survey has enough rows waiting")
    else:
        yield failure(
            promise,
            f"a survey still had enough rows waiting after {SECONDS_TO_MIX:g} s",
            "Check the sweeper's log: its step mix fails or does not run.",
        )


def closed_surveys_are_settled(context: CheckContext) -> Iterator[Diagnosis]:
    """Check that closed surveys are settled: the last batch is written when acceptance ends."""
    promise = "the last rows of closed surveys are mixed when they stop accepting answers"
    late = Survey.objects.filter(
        state=Survey.State.CLOSED, settled=False, accepts_until__lt=context.now - A_MOMENT
    )
    slugs = list(late.values_list("slug", flat=True)[:5])
    if slugs:
        yield failure(promise, f"not mixed: {', '.join(slugs)}", "Check the sweeper's log: step mix fails.")
    else:
        yield ok(promise, "no closed survey has unmixed rows")


A_MOMENT = timedelta(seconds=SECONDS_UNTIL_LATE)


def _wait_until(condition: Callable[[], bool], seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.2)
    return True


PARTS_CHECKS = (
    a_worker_answers,
    workers_run_this_program,
    runs_do_not_fail,
    the_sweeper_runs,
    rows_are_mixed,
    closed_surveys_are_settled,
)


LONGEST_COPY: Final = timedelta(days=7)
COPY_SUFFIX: Final = ".before-migration"


def only_the_owner_reads_files(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that only Sottovoce's account can read the secret key, database and columns."""
    promise = "only Sottovoce's account can read its files"
    home = Path(settings.SOTTOVOCE_HOME)
    private = [home, home / "secret_key", home / "columns", home / "log", *home.glob("*.sqlite3*")]
    if connection.vendor == "sqlite":
        database = Path(connection.settings_dict["NAME"])
        private += [path for path in database.parent.glob(f"{database.name}*") if path not in private]
    # A file's own permissions do not matter in a directory that others cannot enter.
    open_to_others = [
        path
        for path in private
        if path.exists() and _rights(path) & 0o077 and (path == home or _rights(path.parent) & 0o011)
    ]
    if open_to_others:
        names = ", ".join(str(path) for path in open_to_others[:5])
        yield failure(promise, f"other accounts can read {names}", f"chmod -R go-rwx {home}")
    else:
        yield ok(promise, f"no other account can read {home}")


def _rights(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def there_is_disk_space(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check free space: with a full disk, the server refuses answers, and devices retry for a week."""
    promise = "there is enough disk space"
    free = free_bytes()
    seen = f"{free / (1 << 30):.1f} GiB free"
    if connection.vendor != "sqlite":
        seen += " on this machine; the database's disk was not checked"
    if free < LEAST_BYTES:
        yield failure(promise, seen, "Free disk space: answers are refused while the disk is full.")
    elif free < COMFORTABLE_BYTES:
        yield warning(promise, seen, "Free disk space soon.")
    else:
        yield ok(promise, seen)


def old_copies_are_deleted(context: CheckContext) -> Iterator[Diagnosis]:
    """Check for old copies from before migrations, which contain the rows that waited at that time."""
    promise = "no leftover database copies"
    homes = {Path(settings.SOTTOVOCE_HOME)}
    if connection.vendor == "sqlite":
        homes.add(Path(connection.settings_dict["NAME"]).parent)
    copies = {path for home in homes for path in home.glob(f"*{COPY_SUFFIX}*")}
    ages = {path: context.now - datetime.fromtimestamp(path.stat().st_mtime, UTC) for path in copies}
    old = [f"{path} ({age.days} days)" for path, age in ages.items() if age > LONGEST_COPY]
    if old:
        yield warning(
            promise,
            f"{', '.join(old)}",
            "Delete it: receipts can be matched to the rows that waited when it was made.",
        )
    else:
        yield ok(promise, f"{len(copies)} made within a week" if copies else "none")


FILES_CHECKS = (only_the_owner_reads_files, there_is_disk_space, old_copies_are_deleted)


LOCAL = frozenset({"localhost", "127.0.0.1", "[::1]", "::1", "testserver"})
SHORTEST_KEY = 32


def error_pages_reveal_nothing(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that DEBUG is off, because it shows source, settings and queries on every error page."""
    promise = "error pages reveal no internals"
    if settings.DEBUG:
        yield failure(promise, "DEBUG is on", "Unset DEBUG and restart the web server.")
    else:
        yield ok(promise, "DEBUG is off")


def sessions_cannot_be_forged(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that SECRET_KEY cannot be guessed, because anyone who knows it can forge sessions."""
    promise = "the secret key is long and random"
    key = str(settings.SECRET_KEY)
    remedy = "Unset SECRET_KEY: a new key is created in SOTTOVOCE_HOME. Everyone has to log in again."
    if len(key) < SHORTEST_KEY or len(set(key)) < SHORTEST_KEY // 3:
        yield failure(promise, f"{len(key)} characters, {len(set(key))} different ones", remedy)
    elif key.startswith("django-insecure"):
        yield failure(promise, "it is a development key", remedy)
    else:
        yield ok(promise, f"{len(key)} characters")


def the_secret_key_is_unchanged(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that the secret key is unchanged, because it encrypts stored secrets and signs exports."""
    promise = "the secret key has not changed"
    note = Beat.objects.filter(name=KEY_HEARTBEAT).first()
    if note is None:
        yield ok(promise, "none is recorded yet")
    elif note.says.get("key") == key_mark():
        yield ok(promise, f"unchanged since {note.at:%Y-%m-%d}")
    else:
        yield failure(
            promise,
            f"it differs from that of {note.at:%Y-%m-%d}, so stored secrets cannot be decrypted",
            "Restore secret_key from the backup and restart all processes. If it is lost, accept "
            "the new one: sottovoce doctor --accept-key",
        )


def hosts_are_named(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that ALLOWED_HOSTS lists names; otherwise the request's host header decides where links lead."""
    promise = "the web server accepts only its own host names"
    hosts = list(settings.ALLOWED_HOSTS)
    if "*" in hosts:
        yield failure(promise, "ALLOWED_HOSTS accepts any name", "List the host names in ALLOWED_HOSTS.")
    else:
        yield ok(promise, ", ".join(hosts))


def transport_is_protected(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that a server that others can reach is behind a proxy with HTTPS."""
    promise = "network traffic is encrypted"
    plain = [origin for origin in settings.CSRF_TRUSTED_ORIGINS if not origin.startswith("https://")]
    if settings.HTTPS and plain:
        seen = f"CSRF_TRUSTED_ORIGINS contains {', '.join(plain)}"
        yield failure(promise, seen, "Change these origins to https://.")
    elif settings.HTTPS:
        yield ok(promise, "SOTTOVOCE_HTTPS is on: secure cookies, strict transport")
    elif LOCAL.issuperset(settings.ALLOWED_HOSTS):
        yield ok(promise, "only this machine can connect")
    else:
        yield failure(
            promise,
            f"SOTTOVOCE_HTTPS is off, and ALLOWED_HOSTS names {', '.join(settings.ALLOWED_HOSTS)}",
            "Put a proxy that speaks HTTPS in front and set SOTTOVOCE_HTTPS=1 (docs/operators.md).",
        )


def administrators_have_a_second_factor(context: CheckContext) -> Iterator[Diagnosis]:
    """Check that administrators have a second factor; without one, the password alone can set it up."""
    promise = "administrators have the second factor that the settings require"
    administrators = [
        person
        for person in people(now=context.now)
        if Role.ADMINISTRATOR in person.roles and person.state != "stopped"
    ]
    without = [
        administrator.user.get_username()
        for administrator in administrators
        if not administrator.second_factor
    ]
    seen = f"{', '.join(without)} {'has' if len(without) == 1 else 'have'} none"
    if not without:
        yield ok(promise, f"{len(administrators)} of {len(administrators)} have one")
    elif "administrators" in settings.SECOND_FACTOR_FOR:
        yield warning(
            promise, seen, "Ask them to log in and set it up, or stop these accounts (docs/people.md)."
        )
    else:
        yield ok(promise, f"{seen}, allowed by the settings (SOTTOVOCE_SECOND_FACTOR)")


def mail_reaches_administrators(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that mail about problems has a server and a recipient."""
    promise = "mail about problems reaches an administrator"
    where = f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}"
    if not settings.EMAIL_HOST:
        yield ok(promise, "SOTTOVOCE_MAIL is not set, so no mail is sent")
        return
    if not administrators_addresses():
        seen = "SOTTOVOCE_MAIL is set, but no administrator has an address"
        yield warning(promise, seen, "Add one to an administrator's page under People.")
        return
    try:
        with get_connection():
            yield ok(promise, f"{where} accepts the login; {len(administrators_addresses())} have an address")
    except OSError as error:
        # OSError includes smtplib's errors, which are its subclasses.
        remedy = (
            "Check SOTTOVOCE_MAIL, and that the units can reach that machine: systemctl edit "
            "sottovoce-sweeper sottovoce-doctor, with IPAddressAllow= and its address."
        )
        yield failure(promise, f"no connection to {where}: {type(error).__name__} {error}", remedy)


SETTINGS_CHECKS = (
    error_pages_reveal_nothing,
    sessions_cannot_be_forged,
    the_secret_key_is_unchanged,
    hosts_are_named,
    transport_is_protected,
    administrators_have_a_second_factor,
    mail_reaches_administrators,
)


MOST_SURVEYS = 20
NO_HEADERS: Mapping[str, str] = MappingProxyType({})
# An origin that cannot exist.
NOBODY = "https://nobody.invalid"
GIVE_ADDRESS = "Give the web server's address: sottovoce doctor --address https://..."


def get(
    context: CheckContext, path: str, *, method: str = "GET", headers: Mapping[str, str] = NO_HEADERS
) -> Answer:
    """Fetch a page.

    Raises
    ------
    OSError
        The server does not answer.
    """
    # The checks test this before they call `get`.
    assert context.address is not None  # noqa: S101  # for the type checker
    url = context.address.rstrip("/") + path
    fields = dict(headers)
    if urlsplit(context.address).hostname in {"localhost", "127.0.0.1", "::1"}:
        fields["Host"] = allowed_host()
        if settings.HTTPS:
            # Mark the request as one that a proxy forwarded from HTTPS.
            fields["X-Forwarded-Proto"] = "https"
    return fetch(url, fields, method=method, seconds=SECONDS_TO_ANSWER)


def respondents_are_protected_by_their_page(context: CheckContext) -> Iterator[Diagnosis]:
    """Check the respondents' page: its content security policy, and no cookie, cached copy or referrer."""
    promise = "the respondents' page sends only sealed answers and leaves no traces"
    if context.address is None:
        yield warning(promise, "no page was fetched", GIVE_ADDRESS)
        return
    # The page is the same at the address of any survey.
    path = reverse("respond:page", args=["any"])
    answer = get(context, path)
    policy = answer.headers.get("Content-Security-Policy", "")
    directives = {part.split()[0]: part.split()[1:] for part in policy.split(";") if part.split()}
    odd = [
        f"{name} {' '.join(directives.get(name, ['is missing']))}"
        for name, sources in (
            ("default-src", ["'none'"]),
            ("form-action", ["'none'"]),
            ("frame-ancestors", ["'none'"]),
            ("script-src", ["'self'"]),
            ("connect-src", ["'self'"]),
        )
        if directives.get(name) != sources
    ]
    if answer.headers.get("Set-Cookie"):
        odd.append("a cookie is set")
    if "no-store" not in answer.headers.get("Cache-Control", ""):
        odd.append("caches may store it")
    if answer.headers.get("Referrer-Policy") != "no-referrer":
        odd.append("Referrer-Policy is not no-referrer")
    if answer.status != 200:
        odd.append(f"status {answer.status}")
    if odd:
        remedy = "Let the proxy forward headers unchanged and add none, or restore surveys/settings.py."
        yield failure(promise, f"{path}: {'; '.join(odd)}", remedy)
    else:
        yield ok(promise, f"{path}: strict policy, no cookie, not cached")


def the_published_program_is_served(context: CheckContext) -> Iterator[Diagnosis]:
    """Check the digest of the client that a browser fetches."""
    promise = "browsers receive the published program"
    ours = client()
    if context.client_digest is not None and context.client_digest != ours.digest:
        seen = f"the digest here is {ours.digest}"
        yield failure(promise, seen, "Reinstall the release, or publish this digest.")
        return
    if context.address is None:
        yield warning(promise, f"{ours.digest}; no page was fetched", GIVE_ADDRESS)
        return
    whole, odd, closed_to_previews = hashlib.sha256(), [], False
    for file in ours.program:
        answer = get(context, file.url)
        whole.update(answer.body)
        if hashlib.sha256(answer.body).hexdigest() != file.digest:
            odd.append(f"{file.url} ({answer.status})")
        closed_to_previews |= answer.headers.get("Access-Control-Allow-Origin") != "*"
    page = get(context, reverse("respond:page", args=["any"])).body
    whole.update(page.replace(ours.digest.encode(), b"DIGEST"))
    if page != ours.index.content:
        odd.append(ours.index.path)
    if odd or whole.hexdigest() != ours.digest:
        remedy = "Restart the web server, and check what the proxy serves."
        yield failure(promise, f"changed: {', '.join(odd[:3])}", remedy)
        return
    yield _release_diagnosis(promise, ours.digest, is_stated=context.client_digest is not None)
    promise = "previews of drafts can load the program"
    if closed_to_previews:
        remedy = "Let the proxy forward Access-Control-Allow-Origin of /program/ (docs/operators.md)."
        yield warning(promise, "Access-Control-Allow-Origin is missing", remedy)
    else:
        yield ok(promise, "all origins can load its scripts")


def _release_diagnosis(promise: str, digest: str, *, is_stated: bool) -> Diagnosis:
    """Report whether a digest belongs to a release. A digest given with the command need not."""
    releases = releases_of(digest)
    if releases:
        return ok(promise, f"{digest}, {' and '.join(releases)} in the published list")
    if is_stated:
        return ok(promise, f"{digest}, as given; no release in the published list has it")
    seen = f"no release in the published list has {digest} ({settings.PROGRAM} client --published)"
    return warning(
        promise, seen, "Reinstall a release, or publish this digest yourself and give it as --client-digest."
    )


def browsers_get_the_published_survey(context: CheckContext) -> Iterator[Diagnosis]:
    """Check open surveys from outside: the page, its files, the definition and the texts."""
    promise = "every browser receives the survey as published"
    if context.address is None:
        yield warning(promise, "no page was fetched", GIVE_ADDRESS)
        return
    origin = context.address.rstrip("/")
    manifest = json.loads(client().manifest.content)
    newest = Version.objects.select_related("survey").filter(survey__state=Survey.State.OPEN)
    by_slug = {version.survey.slug: version for version in newest.order_by("number")}
    for slug, version in list(by_slug.items())[:MOST_SURVEYS]:
        seen = compare(
            WatchTarget(
                origin=origin,
                survey=slug,
                language=settings.LANGUAGE_CODE,
                is_path=True,
                digest=digest_in_link(documents_of(version).root),
            ),
            manifest,
            browsers=BROWSERS[::2],  # half of the pairs: every browser, and every language
            fetch=lambda url, headers: get(context, url.removeprefix(origin), headers=headers),
        )
        if seen.differences:
            remedy = "Check what the proxy serves and caches; sottovoce watch checks the same from outside."
            yield failure(promise, f"{slug}: {'; '.join(seen.differences[:3])}", remedy)
            return
    yield ok(promise, f"{min(len(by_slug), MOST_SURVEYS)} of {len(by_slug)} open surveys, all unchanged")


def no_log_records_visits(context: CheckContext) -> Iterator[Diagnosis]:
    """Check that none of Sottovoce's logs records page requests."""
    promise = "no log records visits"
    if context.address is None:
        yield warning(promise, "no page was fetched", GIVE_ADDRESS)
        return
    mark = secrets.token_hex(16)
    get(context, f"/en/{mark}")
    logs = [path for path in Path(settings.SOTTOVOCE_HOME).rglob("*.log*") if path.is_file()]
    bad_logs = [str(path) for path in logs if mark.encode() in path.read_bytes()]
    if bad_logs:
        seen = f"a visit was logged in {', '.join(bad_logs)}"
        yield failure(promise, seen, "Restart the web server without an access log, and delete the log.")
    else:
        yield ok(promise, f"none of Sottovoce's {len(logs)} log files does; check the proxy's logs yourself")


def only_listed_origins_can_send(context: CheckContext) -> Iterator[Diagnosis]:
    """Check that only the origins in SOTTOVOCE_CLIENT_ORIGINS may read a survey and send an answer."""
    promise = "only pages of SOTTOVOCE_CLIENT_ORIGINS can send answers from other sites"
    origins = list(settings.SOTTOVOCE_CLIENT_ORIGINS)
    if context.address is None:
        yield warning(promise, "no page was fetched", GIVE_ADDRESS)
        return
    odd = [
        f"{path} {'accepts' if allowed else 'refuses'} {origin}"
        for origin in (*origins, NOBODY)
        for path, method in ((reverse("submit"), "POST"), (reverse("client:state", args=["-"]), "GET"))
        if (allowed := _is_allowed(context, path, method, origin)) is not (origin in origins)
    ]
    if odd:
        remedy = (
            "Let the proxy forward OPTIONS, Origin and all Access-Control- headers unchanged, and add "
            "none (docs/operators.md)."
        )
        yield failure(promise, "; ".join(odd), remedy)
    else:
        yield ok(promise, ", ".join(origins) or "SOTTOVOCE_CLIENT_ORIGINS is empty")


def _is_allowed(context: CheckContext, path: str, method: str, origin: str) -> bool:
    """Return whether a browser would let a page of this origin send a request and read the response."""
    headers = {"Origin": origin, "Access-Control-Request-Method": method}
    answers = [get(context, path, method="OPTIONS", headers=headers), get(context, path, headers=headers)]
    allowed = {answer.headers.get("Access-Control-Allow-Origin") for answer in answers}
    return bool(allowed & {origin, "*"}) if origin == NOBODY else allowed == {origin}


PAGES_CHECKS = (
    respondents_are_protected_by_their_page,
    the_published_program_is_served,
    browsers_get_the_published_survey,
    no_log_records_visits,
    only_listed_origins_can_send,
)
