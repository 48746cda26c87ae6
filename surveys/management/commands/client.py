"""`manage.py client`: show the version of the respondents' client, or write its files for another host."""

import json
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from surveys.environment import is_origin
from surveys.errors.error import SurveyError
from surveys.management.refusing_command import RefusingCommand
from surveys.respondent.client_program import Client, client
from surveys.respondent.client_releases import published_digests, releases_of


class Command(RefusingCommand):
    """Print the digest of the client, or write it as a folder of static files."""

    help = (
        "Print the SHA-256 over the files of the respondents' client, as this installation serves them. To "
        "check a browser's download, fetch the files in this order, replace the digest in the last "
        "one (the page) by DIGEST, and pipe all into one sha256sum. With --out, write the client as static "
        "files for a web host of another owner instead; the server lists that host's origin in "
        "SOTTOVOCE_CLIENT_ORIGINS. Exit code 1 if refused."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add --out, --published, --server and --json."""
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--out", type=Path, help="write the files into this new or empty folder")
        what.add_argument(
            "--published",
            action="store_true",
            help="print the digests of all releases and mark the served one; exit code 1 if none is served",
        )
        parser.add_argument(
            "--server",
            help="with --out: the origin of the survey's server, such as https://survey.uni.example",
        )
        parser.add_argument("--json", action="store_true", help="print the result as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the digests, compare them with releases, or write the files."""
        bundle = client()
        if options["published"]:
            self._compare(bundle.digest)
        elif options["out"] is None:
            self._print_digests(bundle, as_json=options["json"])
        else:
            self._write(bundle, options["out"], options["server"], as_json=options["json"])

    def _print_digests(self, client: Client, *, as_json: bool) -> None:
        files = (*client.program, client.index)
        records = [{"path": file.path, "digest": file.digest} for file in files]
        lines = [f"{file.digest}  {file.path}" for file in files]
        record = {"files": records, "digest": client.digest}
        self._print(record, *lines, f"{client.digest}  all, one after another", as_json=as_json)

    def _compare(self, digest: str) -> None:
        for release, release_digest in published_digests().items():
            self.stdout.write(f"{release_digest}  {release}{' (served here)' * (release_digest == digest)}")
        if not releases_of(digest):
            self.stdout.write(f"{digest}  served here, but no release has it")
            sys.exit(1)

    def _write(self, client: Client, out: Path, server: str | None, *, as_json: bool) -> None:
        if server is not None and not is_origin(server):
            raise SurveyError("client.server", server, server=server[:80])
        if out.exists() and (not out.is_dir() or any(out.iterdir())):
            raise SurveyError("frame.folder", str(out), folder=out)
        files = {file.path: file.content for file in client.files}
        if server is not None:
            files["config.json"] = f"{json.dumps({'server': server})}\n".encode()
        try:
            for name, content in files.items():
                path = out / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
        except OSError as error:
            raise CommandError(f"{out} cannot be written: {error.strerror}. Name another folder.") from error
        text = f"{out}: {client.digest}; how to serve it is in docs/client.md"
        self._print({"folder": str(out), "digest": client.digest}, text, as_json=as_json)
