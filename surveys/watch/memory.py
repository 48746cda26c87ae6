"""What earlier watches of an address saw, in a file, and what has changed since."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from surveys.errors.error import SurveyError
from surveys.watch.file_comparison import AddressView

MEMBERS = {"client": "the client", "root": "the survey"}


def memory_read(path: Path) -> dict[str, Any]:
    """Return the stored observations by address; empty if the file does not exist yet.

    Raises
    ------
    SurveyError
        ``watch.file``: the file cannot be read.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return {address: dict(seen) for address, seen in content.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise SurveyError(
            "watch.file", str(path), path=path, reason=error, kind="file of an earlier watch"
        ) from error


def changes_since(seen: AddressView, memory: Mapping[str, Any]) -> list[str]:
    """Return the differences from the observations of the last run."""
    before = memory.get(seen.address, {})
    return [
        f"{name} is another one since {before.get('since')}: {before[member]} before, {now} now"
        for member, name in MEMBERS.items()
        if before.get(member) and (now := getattr(seen, member)) and before[member] != now
    ]


def lost_survey(seen: AddressView, memory: Mapping[str, Any]) -> list[str]:
    """Return the difference that a survey of an earlier run is no longer on a Sottovoce server."""
    before = memory.get(seen.address, {})
    if seen.is_sottovoce or not before.get("root"):
        return []
    return [f"an earlier check found a survey here (since {before.get('since')}): now another server answers"]


def memory_write(path: Path, memory: Mapping[str, Any], seen: list[AddressView], *, today: date) -> None:
    """Write the current observations; keep stored ones of addresses that were not visited."""
    for each in seen:
        before = memory.get(each.address, {})
        now = {member: getattr(each, member) or before.get(member) for member in MEMBERS}
        since = (
            before.get("since") if now == {member: before.get(member) for member in MEMBERS} else str(today)
        )
        memory = {
            **memory,
            each.address: {
                **now,
                "since": since,
                "differences": each.differences,
                "unchecked": each.unchecked,
            },
        }
    new = path.with_name(f"{path.name}.new")
    try:
        new.write_text(json.dumps(memory, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        os.replace(new, path)
    except OSError as error:
        raise SurveyError("watch.file", str(path), path=path, reason=error, kind="file") from error
