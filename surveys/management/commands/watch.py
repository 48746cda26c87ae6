"""`manage.py watch URL`: compare a server's respondent page with the published one."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.management.base import CommandParser
from django.utils import timezone

from privacy.counted_nouns import counted
from surveys.errors.error import SurveyError
from surveys.management.refusing_command import RefusingCommand
from surveys.respondent.client_program import client
from surveys.respondent.client_releases import releases_of
from surveys.respondent.survey_digests import digest_in_print
from surveys.watch.download import fetching_within
from surveys.watch.file_comparison import NO_SURVEY, AddressView, compare
from surveys.watch.memory import changes_since, lost_survey, memory_read, memory_write
from surveys.watch.target import WatchTarget

EXIT_DIFFERS: Final = 1
EXIT_REFUSED: Final = 2
"""Exit code of wrong arguments, which say nothing about a server."""
EXIT_UNCHECKED: Final = 3
"""Exit code if nothing differs, but an address could not be checked completely."""


class Command(RefusingCommand):
    """Watch surveys from outside."""

    error_returncode = EXIT_REFUSED
    help = (
        "Fetch the respondents' page of each address as several browsers in several languages do, with all "
        "its files, the survey's definition and its words, and compare them with this installation's own "
        "build and with their digests. It needs no database. Exit code 1 if anything differs from "
        "the build or from the last run, 2 if an argument is wrong, 3 if an address could not be checked "
        "completely."
    )
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        """Add URLs, --manifest, --bare-host, --remember, --mail and --json."""
        parser.add_argument(
            "urls",
            nargs="+",
            metavar="URL",
            help="as printed in a letter, without the code; the digest after #d= is compared",
        )
        parser.add_argument(
            "--manifest", type=Path, help="the manifest.json of the build (default: this installation's)"
        )
        parser.add_argument("--bare-host", action="store_true", help="the page's host cannot set headers")
        parser.add_argument("--remember", type=Path, help="a file that stores the result for the next run")
        parser.add_argument("--mail", metavar="ADDRESS", help="mail differences there, each once")
        parser.add_argument("--json", action="store_true", help="print the result as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Compare the pages, print differences and what was not checked, and set the exit code."""
        if options["mail"] and not settings.EMAIL_HOST:
            raise SurveyError("watch.no_mail")
        targets = [WatchTarget.read(url) for url in options["urls"]]
        manifest = _manifest(options["manifest"])
        memory = memory_read(options["remember"]) if options["remember"] else {}
        # One time limit for all targets, so that a slow server leaves enough time to report it.
        fetch = fetching_within()
        visits = [compare(each, manifest, bare=options["bare_host"], fetch=fetch) for each in targets]
        for seen in visits:
            seen.differences += lost_survey(seen, memory)
        news = [seen.differences + changes_since(seen, memory) for seen in visits]
        for seen, different in zip(visits, news, strict=True):
            if not options["json"]:
                self._print_visit(seen, different)
            before = memory.get(seen.address, {})
            if options["mail"] and (
                different != before.get("differences", []) or seen.unchecked != before.get("unchecked", [])
            ):
                _mail(options["mail"], seen, different)
        if options["json"]:
            records = [{**asdict(seen), "differences": each} for seen, each in zip(visits, news, strict=True)]
            self.stdout.write(json.dumps(records))
        # Store the result last, so that differences that could not be printed or mailed count as new next
        # time.
        if options["remember"]:
            memory_write(options["remember"], memory, visits, today=timezone.localdate())
        if any(news):
            sys.exit(EXIT_DIFFERS)
        if any(seen.unchecked for seen in visits):
            sys.exit(EXIT_UNCHECKED)

    def _print_visit(self, seen: AddressView, different: list[str]) -> None:
        for each in different:
            label = "NO SURVEY" if each.startswith(NO_SURVEY) else "DIFFERS "
            self.stdout.write(f"{label} {seen.address}: {each}")
        for each in seen.unchecked:
            self.stdout.write(f"UNCHECKED {seen.address}: {each}")
        if not different and not seen.unchecked:
            release = " and ".join(releases_of(seen.client)) or "no release in this list"
            survey = f"survey {digest_in_print(seen.root)}" if seen.root else "no survey to be answered"
            self.stdout.write(
                f"as built {seen.address}: {survey}, {seen.state}; client {seen.client} ({release}); "
                f"{counted(seen.requests, 'request')}"
            )


def _manifest(path: Path | None) -> dict[str, Any]:
    """Return the manifest of the build: its files with their digests, and the digest of all."""
    try:
        read = json.loads(path.read_text(encoding="utf-8") if path else client().manifest.content)
        return {**read, "files": dict(read["files"]), "digest": str(read["digest"])}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SurveyError("watch.file", str(path), path=path, reason=error, kind="manifest.json") from error


def _mail(address: str, seen: AddressView, different: list[str]) -> None:
    unchecked = [f"- not checked: {each}" for each in seen.unchecked]
    lines = [*(f"- {each}" for each in different), *unchecked] or ["All is as it was built."]
    result = (
        "could not be checked" if unchecked and not different else f"{counted(len(different), 'difference')}"
    )
    message = EmailMessage(
        subject=f"[Sottovoce] {seen.address}: {result}",
        body="\n".join([seen.address, "", *lines, ""]),
        to=[address],
    )
    try:
        message.send()
    except OSError as error:
        raise SurveyError("watch.mail", address, address=address, reason=error) from error
