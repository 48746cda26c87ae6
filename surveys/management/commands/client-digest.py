"""`manage.py client-digest`: which code runs in a respondent's browser."""

import json
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from surveys.respondent.client_program import client
from surveys.respondent.published_digests import published_digests, releases_of


class Command(BaseCommand):
    """Print the client digest."""

    help = (
        "Print the SHA-256 over the scripts of the respondent's page, as this installation serves them. To "
        "compare with what a browser gets, fetch the files in this order and pipe them into one sha256sum."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add --json."""
        how = parser.add_mutually_exclusive_group()
        how.add_argument("--json", action="store_true", help="print the files too, as JSON")
        how.add_argument(
            "--published",
            action="store_true",
            help="print the digests of all releases and say which is served; exit code 1 if none is",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Print."""
        scripts = client()
        if options["published"]:
            self._compare(scripts.digest)
            return
        if options["json"]:
            files = [{"name": file.name, "url": file.url, "digest": file.digest} for file in scripts.files]
            self.stdout.write(json.dumps({"files": files, "digest": scripts.digest}))
            return
        for file in scripts.files:
            self.stdout.write(f"{file.digest}  {file.url}")
        self.stdout.write(f"{scripts.digest}  all, one after another")

    def _compare(self, digest: str) -> None:
        for release, published in published_digests().items():
            self.stdout.write(f"{published}  {release}{' (served here)' * (published == digest)}")
        if not releases_of(digest):
            self.stdout.write(f"{digest}  served here: it is of no release")
            sys.exit(1)
