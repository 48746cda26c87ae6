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
        "Print the SHA-256 over the files of the respondents' client, as this installation serves them. To "
        "compare with what a browser gets, fetch the files in this order, write DIGEST in its place into the "
        "last one, the page, and pipe all into one sha256sum."
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
        served = client()
        files = (*served.program, served.index)
        if options["published"]:
            self._compare(served.digest)
            return
        if options["json"]:
            listed = [{"path": file.path, "digest": file.digest} for file in files]
            self.stdout.write(json.dumps({"files": listed, "digest": served.digest}))
            return
        for file in files:
            self.stdout.write(f"{file.digest}  {file.path}")
        self.stdout.write(f"{served.digest}  all, one after another")

    def _compare(self, digest: str) -> None:
        for release, published in published_digests().items():
            self.stdout.write(f"{published}  {release}{' (served here)' * (published == digest)}")
        if not releases_of(digest):
            self.stdout.write(f"{digest}  served here: it is of no release")
            sys.exit(1)
