"""`manage.py doctor`: check a running installation."""

import dataclasses
import json
import sys
from argparse import ArgumentTypeError
from contextlib import suppress
from datetime import datetime
from typing import Any, ClassVar
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.db import DatabaseError
from django.utils import timezone

from privacy.counted_nouns import counted
from surveys.extension import extensions
from surveys.jobs.key_mark import key_note
from surveys.management.refusing_command import OneSentenceCommand
from surveys.models.heartbeat import record_heartbeat
from surveys.run_lock import running_in
from surveys.server.alerts import mail_once
from surveys.server.doctor import (
    certificates,
    clocks,
    configuration,
    durability,
    files,
    mixer_keys,
    parts,
    respondent_pages,
    respondent_promises,
    storage,
    traces,
)
from surveys.server.doctor.diagnosis import Check, CheckContext, Diagnosis, Severity, examine
from surveys.server.health import CHECKED
from surveys.server.refused_database import RefusedDatabaseError
from surveys.server.state import any_database_allowed

CHECKS: tuple[Check, ...] = (
    *configuration.SETTINGS_CHECKS,
    *storage.STORAGE_CHECKS,
    *respondent_promises.PROMISE_CHECKS,
    *clocks.CLOCK_CHECKS,
    *durability.DURABILITY_CHECKS,
    *traces.TRACES_CHECKS,
    *mixer_keys.MIXER_CHECKS,
    *parts.PARTS_CHECKS,
    *files.FILES_CHECKS,
    *respondent_pages.PAGES_CHECKS,
    *certificates.CERTIFICATE_CHECKS,
)
"""All checks in the order of the report; checks of enabled applications follow."""


def _note_failures(findings: list[Diagnosis], *, now: datetime) -> None:
    """Leave a note of the failed promises for the administrators' first page."""
    # The certificate has a note of its own, which counts without another run.
    failed = [
        finding.promise
        for finding in findings
        if finding.level is Severity.ERROR and finding.promise != certificates.PROMISE
    ]
    with suppress(DatabaseError, RefusedDatabaseError):
        record_heartbeat(CHECKED, now=now, says={"failed": failed})


class Command(OneSentenceCommand):
    """Check a running installation."""

    help = (
        "Check that this running installation keeps the promises of the README: settings, database, broker, "
        "worker, sweeper, files and pages. Exit codes: 0: all checks passed; 1: warnings; 2: errors."
    )
    requires_system_checks = []
    requires_migrations_checks = False
    checks: ClassVar[tuple[Check, ...]] = CHECKS

    def add_arguments(self, parser: CommandParser) -> None:
        """Add --address, --client-digest, --accept-key, --stored, --json and --mail."""
        parser.add_argument(
            "--address",
            type=web_address,
            help="address of the web server (default: of the one that runs with this SOTTOVOCE_HOME)",
        )
        parser.add_argument("--client-digest", help="published digest of the respondents' program")
        parser.add_argument("--accept-key", action="store_true", help="accept the current secret key")
        parser.add_argument(
            "--stored", action="store_true", help="check only the database's contents, as after a restore"
        )
        parser.add_argument("--json", action="store_true", help="print findings as JSON")
        parser.add_argument(
            "--mail", action="store_true", help="mail new problems to the administrators, each once"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the checks, and exit with the worst severity."""
        if options["accept_key"]:
            try:
                key_note(now=timezone.now(), accept=True)
            except RefusedDatabaseError as error:
                # Do not write to a database that is not this program's.
                raise CommandError(str(error)) from None
        running = running_in(settings.SOTTOVOCE_HOME)
        context = CheckContext(
            address=options["address"] or (running.address if running else None),
            client_digest=options["client_digest"],
            now=timezone.now(),
        )
        app_checks = (check for app in extensions() for check in app.doctor_checks())
        checks = storage.STORED if options["stored"] else (*self.checks, *app_checks)
        self.report(context, checks, as_json=options["json"], mail=options["mail"])

    def report(
        self, context: CheckContext, checks: tuple[Check, ...], *, as_json: bool, mail: bool = False
    ) -> None:
        """Run checks, print their findings, and exit with the worst severity."""
        findings = []
        # Without `any_database_allowed`, connections to a database of another program are refused.
        with any_database_allowed():
            for finding in examine(context, checks):
                findings.append(finding)
                if not as_json:
                    self._print_finding(finding)
        if mail:
            try:
                mail_findings(findings, now=context.now)
            except (DatabaseError, RefusedDatabaseError):
                self.stderr.write("no mail was sent: the database with the earlier mails cannot be read")
        if checks != storage.STORED:
            _note_failures(findings, now=context.now)
        worst = max(finding.level for finding in findings)
        if as_json:
            records = [dataclasses.asdict(f) | {"level": f.level.name.lower()} for f in findings]
            self.stdout.write(json.dumps({"level": worst.name.lower(), "findings": records}))
        else:
            passed, warned, failed = (sum(f.level is level for f in findings) for level in Severity)
            self.stdout.write(f"{passed} OK, {counted(warned, 'warning')}, {counted(failed, 'error')}")
        sys.exit(int(worst))

    def _print_finding(self, finding: Diagnosis) -> None:
        self.stdout.write(f"{finding.level.name:>7}  {finding.promise}: {finding.seen}")
        if finding.remedy:
            self.stdout.write(f"         -> {finding.remedy}")


def web_address(text: str) -> str:
    """Return a typed address if it is the address of a web server.

    >>> web_address("https://survey.example.org/")
    'https://survey.example.org/'
    >>> web_address("survey")
    Traceback (most recent call last):
    argparse.ArgumentTypeError: 'survey' is not the address of a web server, such as https://survey.example.org
    """
    address = urlsplit(text)
    if address.scheme not in {"http", "https"} or not address.hostname:
        raise ArgumentTypeError(
            f"{text!r} is not the address of a web server, such as https://survey.example.org"
        )
    return text


def mail_findings(findings: list[Diagnosis], *, now: datetime) -> list[str]:
    """Mail new findings to the administrators."""
    wrong = {
        f"{finding.level.name}: {finding.promise}": (
            f"{finding.level.name}: {finding.promise}: {finding.seen}. {finding.remedy}"
        )
        for finding in findings
        if finding.level is not Severity.OK
    }
    return mail_once("doctor", wrong, now=now)
