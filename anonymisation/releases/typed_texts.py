"""Texts typed about the table of a release, sealed in the database and deleted with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from anonymisation.models import Release, ReleaseTable
from anonymisation.releases.sealed_documents import document_open, document_seal
from surveys.errors.error import SurveyError

TABLE: Final = "table"
"""Kind of the sealed document that contains the typed texts."""


@dataclass(frozen=True, kw_only=True)
class DraftTexts:
    """Texts typed about a table, and the profile of its columns; sealed and deleted with it.

    Parameters
    ----------
    trees, ends, beliefs : dict of str to str
        Trees of categories, ends of intervals, and the beliefs of an attacker, as text, by column.
    matrix : str
        The utility of each column according to an expert, as text; "" if it is computed from the table.
    respondent : tuple of str
        Columns that together identify respondents; empty for none.
    people : str
        Statement about the people of an uploaded table, as for `counting_of`.
    ledgers : sequence of dict
        Ledgers of earlier releases of the same people.
    profile : dict of str to dict
        Profile of each column, from `profile_of`.
    decisions : sequence
        What was decided when the file was read, as `Decisions.documents`.
    as_written : str
        Digest of the people as written, to find releases of earlier programs.
    """

    trees: dict[str, str] = field(default_factory=dict)
    ends: dict[str, str] = field(default_factory=dict)
    beliefs: dict[str, str] = field(default_factory=dict)
    matrix: str = ""
    respondent: tuple[str, ...] = ()
    people: str = ""
    ledgers: Sequence[dict[str, Any]] = ()
    profile: dict[str, dict[str, Any]] = field(default_factory=dict)
    decisions: Sequence[Any] = ()
    as_written: str = ""


def texts_of(release: Release) -> DraftTexts:
    """Return the texts typed about a release's table; the records stay sealed.

    Raises
    ------
    SurveyError
        ``release.gone``, ``release.sealed``.
    """
    table = ReleaseTable.objects.filter(release=release).first()
    if table is None:
        raise SurveyError("release.gone")
    document = document_open(table.sealed, release_id=release.pk, kind=TABLE)
    # Drafts that were started before several columns could be named have one name, or "".
    named = document.pop("respondent", ())
    respondent = tuple(filter(None, [named])) if isinstance(named, str) else tuple(named)
    return DraftTexts(**document, respondent=respondent)


def texts_save(release: Release, **more: Any) -> None:
    """Seal texts with the table; they contain its values and are deleted with it."""
    document = asdict(texts_of(release)) | more
    ciphertext = document_seal(document, release_id=release.pk, kind=TABLE)
    ReleaseTable.objects.filter(release=release).update(sealed=ciphertext)
