"""The digests of the respondents' program that were published: one line for each release.

The list stands in the repository, where nobody who runs a server can change it: who wants to know whether an
installation serves what was published compares with the list as it stands there, and not as that server has
it. A release gives the line ``unreleased`` its own version; the next change of a script adds that line anew.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

__all__ = ["LIST", "UNRELEASED", "published_digests", "releases_of"]

LIST: Final = Path(__file__).with_name("published_digests.txt")

UNRELEASED: Final = "unreleased"
"""Stands for a version where the scripts are those of the source as it is now, and of no release."""

_LINE: Final = re.compile(r"(\S+) +([0-9a-f]{64})")


def published_digests(text: str | None = None) -> dict[str, str]:
    """Return the digest of each release, oldest first.

    Parameters
    ----------
    text : str, optional
        Lines of a version and a digest; the list of the source where none is given. What follows ``#`` is a
        comment.

    Raises
    ------
    ValueError
        A line is something else, or a version has two.

    Examples
    --------
    >>> list(published_digests(f"# a comment\\n1.0  {'0' * 64}\\n"))
    ['1.0']
    """
    digests: dict[str, str] = {}
    for line in (LIST.read_text(encoding="utf-8") if text is None else text).splitlines():
        stated = line.partition("#")[0].strip()
        if not stated:
            continue
        read = _LINE.fullmatch(stated)
        if read is None or read[1] in digests:
            raise ValueError(f"{line!r} is no line of a version and its digest, or a second one of it")
        digests[read[1]] = read[2]
    return digests


def releases_of(digest: str) -> list[str]:
    """Return the releases whose program has this digest."""
    return [release for release, published in published_digests().items() if published == digest]
