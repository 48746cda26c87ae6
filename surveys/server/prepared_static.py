"""Collect the static files before a start, unless the collected ones are up to date."""

from __future__ import annotations

import json
from pathlib import Path

from django.conf import settings
from django.core.management import call_command

from surveys.server.launch import Say
from surveys.server.static_files import source_digest

STATIC_STAMP = "made-from"


def prepare_static(*, say: Say) -> None:
    """Collect the static files, unless the collected ones are up to date.

    The comparison takes a tenth of a second; hashing and compressing every file takes seconds.
    """
    root = Path(settings.STATIC_ROOT)
    stamp, manifest = root / STATIC_STAMP, root / "staticfiles.json"
    source = source_digest()
    try:
        names = json.loads(manifest.read_text(encoding="utf-8"))["paths"].values()
        if stamp.read_text(encoding="ascii") == source and all((root / name).is_file() for name in names):
            say("static files: up to date")
            return
    except (OSError, ValueError, KeyError):
        pass  # The files are missing or incomplete.
    say("collecting static files")
    # Without the stamp, the next start collects again if this one is interrupted.
    stamp.unlink(missing_ok=True)
    call_command("collectstatic", interactive=False, verbosity=0)
    stamp.write_text(source, encoding="ascii")
