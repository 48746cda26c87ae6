"""Description of a study as archives ask for it: who made the data, about whom, and on what terms."""

from __future__ import annotations

import datetime
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from surveys.errors.error import SurveyError
from surveys.formats.ddi import Person, Study

__all__ = ["FIELDS", "LICENCES", "NEEDED", "SUBJECTS", "Description", "description_file", "description_read"]

LICENCES: Final[Mapping[str, tuple[str, str]]] = {
    "CC0-1.0": ("CC0 1.0", "https://creativecommons.org/publicdomain/zero/1.0/"),
    "CC-BY-4.0": ("CC BY 4.0", "https://creativecommons.org/licenses/by/4.0/"),
    "CC-BY-SA-4.0": ("CC BY-SA 4.0", "https://creativecommons.org/licenses/by-sa/4.0/"),
    "CC-BY-NC-4.0": ("CC BY-NC 4.0", "https://creativecommons.org/licenses/by-nc/4.0/"),
    "ODC-By-1.0": ("ODC Attribution 1.0", "https://opendatacommons.org/licenses/by/1-0/"),
    "ODbL-1.0": ("ODC Open Database 1.0", "https://opendatacommons.org/licenses/odbl/1-0/"),
}
"""Licences by their SPDX identifiers: name, address."""

SUBJECTS: Final = (
    *("Social Sciences", "Medicine, Health and Life Sciences", "Business and Management", "Law"),
    *("Arts and Humanities", "Agricultural Sciences", "Astronomy and Astrophysics", "Chemistry"),
    *("Computer and Information Science", "Earth and Environmental Sciences", "Engineering"),
    *("Mathematical Sciences", "Physics", "Other"),
)
"""Subjects as Dataverse's citation metadata names them."""

FIELDS: Final = (
    *("title", "creators", "abstract", "publisher", "contact"),
    *("universe", "sampling", "start", "end", "keywords", "funding", "licence", "subject", "doi"),
)
NEEDED: Final = FIELDS[:5]

_LISTED: Final = re.compile(r"[\n,;，；、]")
_PARTS: Final = re.compile(r"[;；]")
_COMMA: Final = re.compile(r"[,，]")


@dataclass(frozen=True, kw_only=True)
class Description:
    """Description of a study.

    Parameters
    ----------
    title, abstract, publisher, contact : str
        `contact` is an e-mail address; `publisher` is the archive or the institution.
    creators : tuple of Person
        At least one.
    universe, sampling : str
        About whom the data are, and how they were chosen.
    start, end : str
        Days of collection, as ISO 8601 writes them.
    keywords : tuple of str
    funding : tuple of (str, str)
        Funder and number of the grant.
    licence : str
        Key of `LICENCES`; "" for terms of the archive.
    subject : str
        One of `SUBJECTS`.
    doi : str
        Of the deposit, where the archive has given one already.
    version : int
        Of the deposit, 1 or more.
    replaces : str
        DOI of the version before.
    """

    title: str
    creators: tuple[Person, ...]
    abstract: str
    publisher: str
    contact: str
    universe: str = ""
    sampling: str = ""
    start: str = ""
    end: str = ""
    keywords: tuple[str, ...] = ()
    funding: tuple[tuple[str, str], ...] = ()
    licence: str = ""
    subject: str = SUBJECTS[0]
    doi: str = ""
    version: int = 1
    replaces: str = ""

    def study(self, known: Study) -> Study:
        """Return what is known of a study with what its description says in place of it."""
        said = {"purpose": self.abstract, "population": self.universe, "frame": self.sampling}
        about = {key: {"": text} for key, text in {**said, "contact": self.contact}.items() if text}
        collected = tuple((event, day) for event, day in (("start", self.start), ("end", self.end)) if day)
        return replace(
            known,
            title={"": self.title, **{language: text for language, text in known.title.items() if language}},
            about={**known.about, **about},
            creators=self.creators,
            publisher=self.publisher,
            keywords=self.keywords,
            funding=self.funding,
            licence=LICENCES.get(self.licence, ("", "")),
            collected=collected or known.collected,
            identifier=self.doi or known.identifier,
            agency="DOI" if self.doi else known.agency,
            versions=(("deposit", str(self.version)), *known.versions),
        )


def description_file(path: Path) -> Description:
    """Read a description from a TOML file.

    Raises
    ------
    SurveyError
        ``study.file``, and as `description_read`.
    """
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SurveyError("study.file", str(path), path=path, error=error) from error
    description = description_read(document)
    if description is None:
        raise SurveyError("study.needed", ", ".join(NEEDED))
    return description


def description_read(given: Mapping[str, Any], *, version: int = 1, replaces: str = "") -> Description | None:
    """Return a description from its fields; None where none of them says anything.

    Parameters
    ----------
    given : mapping of str to str or list of str
        A list counts as its texts on lines of their own.
    version : int
        Of the deposit.
    replaces : str
        DOI of the version before.

    Raises
    ------
    SurveyError
        ``study.unknown``, ``study.needed``, ``study.creator``, ``study.orcid``, ``study.contact``,
        ``study.day``, ``study.days``, ``study.licence``, ``study.subject`` or ``study.doi``.
    """
    for name in given:
        if name not in FIELDS:
            raise SurveyError("study.unknown", name, known=", ".join(FIELDS))
    said = {name: _text(value) for name, value in given.items() if _text(value)}
    if not set(said) - {"subject"}:
        return None
    if lacking := [name for name in NEEDED if name not in said]:
        raise SurveyError("study.needed", ", ".join(lacking))
    for name in ("start", "end"):
        _check_day(said.get(name, ""))
    if said.get("start", "") > said.get("end", "9999"):
        raise SurveyError("study.days", said["start"], end=said["end"])
    for name, known in (("licence", tuple(LICENCES)), ("subject", SUBJECTS)):
        if name in said and said[name] not in known:
            raise SurveyError(f"study.{name}", said[name], known="; ".join(known))
    if "doi" in said and not re.fullmatch(r"10\.\d{4,9}/\S+", said["doi"]):
        raise SurveyError("study.doi", said["doi"])
    try:
        validate_email(said["contact"])
    except ValidationError as error:
        raise SurveyError("study.contact", said["contact"]) from error
    listed: dict[str, Any] = {
        "creators": tuple(_creator(line) for line in said["creators"].splitlines() if line.strip()),
        "keywords": tuple(word.strip() for word in _LISTED.split(said.get("keywords", "")) if word.strip()),
        "funding": tuple(_funding(line) for line in said.get("funding", "").splitlines() if line.strip()),
    }
    return Description(**{**said, **listed}, version=version, replaces=replaces)


def _text(value: object) -> str:
    lines = value if isinstance(value, list) else [value]
    return "\n".join(str(line) for line in lines).strip()


def _check_day(text: str) -> None:
    try:
        if text and datetime.date.fromisoformat(text).isoformat() != text:
            raise ValueError(text)
    except ValueError as error:
        raise SurveyError("study.day", text) from error


def _creator(line: str) -> Person:
    name, *rest = (part.strip() for part in _PARTS.split(line))
    family, _, given = (part.strip() for part in _COMMA.sub(",", name).partition(","))
    if not family or len(rest) > 2:
        raise SurveyError("study.creator", line)
    affiliation, orcid = (*rest, "", "")[:2]
    orcid = orcid.rpartition("/")[2]
    if orcid and not _is_orcid(orcid):
        raise SurveyError("study.orcid", orcid)
    return Person(family=family, given=given, affiliation=affiliation, orcid=orcid)


def _is_orcid(text: str) -> bool:
    """Whether the last sign of an ORCID checks the others (ISO 7064, 11-2).

    Examples
    --------
    >>> _is_orcid("0000-0002-1825-0097"), _is_orcid("0000-0002-1825-0098")
    (True, False)
    """
    if not re.fullmatch(r"(\d{4}-){3}\d{3}[\dX]", text):
        return False
    total = 0
    for digit in text.replace("-", "")[:-1]:
        total = (total + int(digit)) * 2
    return "0123456789X"[(12 - total % 11) % 11] == text[-1]


def _funding(line: str) -> tuple[str, str]:
    funder, _, grant = _PARTS.sub(";", line).partition(";")
    return funder.strip(), grant.strip()
