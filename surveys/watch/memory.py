"""Remember a watch's last observations in a small file, so that each change is reported once."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from surveys.errors.error import SurveyError
from surveys.watch.comparing import Seen

__all__ = ["memory_read", "memory_write", "news_of"]

MEMBERS = {"client": "the client", "root": "the survey"}


def memory_read(path: Path) -> dict[str, Any]:
    """Return the stored observations by address; empty if the file does not exist yet.

    Raises
    ------
    SurveyError
        ``watch.file``.
    """
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        return {address: dict(seen) for address, seen in stored.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise SurveyError(
            "watch.file", str(path), path=path, reason=error, kind="file of an earlier watch"
        ) from error


def news_of(seen: Seen, stored: Mapping[str, Any]) -> list[str]:
    """Return the differences from the last observations."""
    before = stored.get(seen.address, {})
    return [
        f"{name} is another one since {before.get('since')}: {before[member]} before, {now} now"
        for member, name in MEMBERS.items()
        if before.get(member) and (now := getattr(seen, member)) and before[member] != now
    ]


def memory_write(path: Path, stored: Mapping[str, Any], seen: list[Seen], *, today: date) -> None:
    """Write the current observations; keep the stored ones of addresses that were not visited."""
    for each in seen:
        before = stored.get(each.address, {})
        now = {member: getattr(each, member) or before.get(member) for member in MEMBERS}
        since = (
            before.get("since") if now == {member: before.get(member) for member in MEMBERS} else str(today)
        )
        stored = {**stored, each.address: {**now, "since": since, "differences": each.differences}}
    new = path.with_name(f"{path.name}.new")
    try:
        new.write_text(json.dumps(stored, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        os.replace(new, path)
    except OSError as error:
        raise SurveyError("watch.file", str(path), path=path, reason=error, kind="file") from error
