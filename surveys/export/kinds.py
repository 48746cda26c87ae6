"""Which files a run's rows leave in: light to import, for the pages that offer them."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from surveys.models import Version

FileKind: TypeAlias = Literal["zip", "sav", "dta", "xml"]

TYPES: Final[dict[FileKind, str]] = {
    "zip": "application/zip",
    "sav": "application/x-spss-sav",
    "dta": "application/x-stata-dta",
    "xml": "application/xml",
}
"""Media types, by the ending of the file's name."""


def languages_of(version: Version) -> tuple[str, ...]:
    """Return the languages that the survey has."""
    return tuple(version.wording["title"]) if "title" in version.wording else tuple(version.survey.title)
