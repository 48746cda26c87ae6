"""The published releases of the respondent's program."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

LIST: Final = Path(__file__).with_name("published_digests.txt")
UNRELEASED: Final = "unreleased"
"""Replaces the version of a digest whose scripts are those of the current source, not of a release."""
_LINE: Final = re.compile(r"(\S+) +([0-9a-f]{64})")


def published_digests(text: str | None = None) -> dict[str, str]:
    """Return the digest of each release, oldest first.

    Parameters
    ----------
    text : str, optional
        Lines with a version and a digest; by default the list in the source. ``#`` begins a comment.

    Raises
    ------
    ValueError
        A line has a wrong form, or a version has two digests.

    Examples
    --------
    >>> list(published_digests(f"# a comment\\n1.0  {'0' * 64}\\n"))
    ['1.0']
    """
    digests: dict[str, str] = {}
    for line in (LIST.read_text(encoding="utf-8") if text is None else text).splitlines():
        entry = line.partition("#")[0].strip()
        if not entry:
            continue
        read = _LINE.fullmatch(entry)
        if read is None or read[1] in digests:
            raise ValueError(f"{line!r} is no line of a version and its digest, or a second one of it")
        digests[read[1]] = read[2]
    return digests


def releases_of(digest: str) -> list[str]:
    """Return the releases whose program has this digest."""
    return [release for release, release_digest in published_digests().items() if release_digest == digest]
