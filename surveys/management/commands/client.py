"""`manage.py client --out DIR`: the respondents' client, for a host that another owner has."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from surveys.errors.error import SurveyError
from surveys.formats.origins import is_origin
from surveys.management.refusing import RefusingCommand
from surveys.respondent.client_program import client


class Command(RefusingCommand):
    """Write the client as a folder of static files."""

    help = (
        "Write the page of respondents, the same for all surveys, as static files for a web host of another "
        "owner, and the file that names the server it talks to. That server lists the host's origin in "
        "SOTTO_CLIENT_ORIGINS. Exit code 1 if refused."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add --out, --server and --json."""
        parser.add_argument("--out", type=Path, required=True, help="a new or empty folder")
        parser.add_argument(
            "--server",
            help="the origin of the survey's server, such as https://survey.uni.example: into config.json",
        )
        parser.add_argument("--json", action="store_true", help="print the result as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write, or say why not."""
        out: Path = options["out"]
        server = options["server"]
        if server is not None and not is_origin(server):
            raise SurveyError("client.server", server, server=server[:80])
        if out.exists() and (not out.is_dir() or any(out.iterdir())):
            raise SurveyError("frame.folder", str(out), folder=out)
        written = client()
        files = {file.path: file.content for file in written.files}
        if server is not None:
            files["config.json"] = f"{json.dumps({'server': server})}\n".encode()
        try:
            for name, content in files.items():
                path = out / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
        except OSError as error:
            raise CommandError(f"{out} cannot be written: {error.strerror}. Name another folder.") from error
        if options["json"]:
            self.stdout.write(json.dumps({"folder": str(out), "digest": written.digest}))
            return
        self.stdout.write(f"{out}: {written.digest}; how to serve it is in docs/client.md")
