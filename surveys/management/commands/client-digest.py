"""`manage.py client-digest`: which code runs in a respondent's browser."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from surveys.respondent.client_program import client


class Command(BaseCommand):
    """Print the client digest."""

    help = (
        "Print the SHA-256 over the scripts of the respondent's page, as this installation serves them. To "
        "compare with what a browser gets, fetch the files in this order and pipe them into one sha256sum."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add --json."""
        parser.add_argument("--json", action="store_true", help="print the files too, as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print."""
        scripts = client()
        if options["json"]:
            files = [{"name": file.name, "url": file.url, "digest": file.digest} for file in scripts.files]
            self.stdout.write(json.dumps({"files": files, "digest": scripts.digest}))
            return
        for file in scripts.files:
            self.stdout.write(f"{file.digest}  {file.url}")
        self.stdout.write(f"{scripts.digest}  all, one after another")
