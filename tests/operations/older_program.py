"""Answers that an older program takes: ``python older_program.py N``, run in its folder, with its modules.

It publishes a survey of 48 questions by itself, stores the answers of N made-up devices, mixes none, and
prints what each device sent.
"""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import Any

# Where releases kept what takes a submission, and what made up devices for their tests; newest first.
DEVICES = ("tests.cast.devices", "tests.surveys.devices")
RECEIVE = ("surveys.intake.receive", "surveys.respond.receive")


def first(names: tuple[str, ...]) -> Any:
    """Import the first of several modules that this program has."""
    found = [name for name in names if Path(*name.split(".")).with_suffix(".py").exists()]
    return importlib.import_module(found[0])


def main(number: int) -> None:
    """Store answers and print them."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "surveys.settings"
    sys.path.insert(0, os.getcwd())
    importlib.import_module("django").setup()
    devices, receive = first(DEVICES), first(RECEIVE)
    now = importlib.import_module("django.utils.timezone").now
    version = devices.published(devices.wide_definition("older", questions=48))
    for _number in range(number):
        raw = devices.request_of(version)
        result = receive.submission_receive(raw, now=now())
        if result.status != 200:
            raise SystemExit(str(result))
        sys.stdout.write(raw.decode("ascii") + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]))
