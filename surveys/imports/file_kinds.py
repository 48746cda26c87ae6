"""What a file with a questionnaire holds: a definition, an XLSForm, or text."""

from __future__ import annotations

from typing import Final, Literal

from django.utils.translation import gettext as _

from privacy.tables.file_signs import LOCKED, file_sign
from surveys.formats.numbers import count_text
from surveys.imports.files.foreign_sources import foreign_bytes, foreign_text
from surveys.imports.pasted_text import MOST_CHARACTERS
from surveys.questionnaire.document import DefinitionError, Problem

FileKind = Literal["definition", "xlsform", "text"]

_WORKBOOKS: Final = frozenset(["xlsx", "xls", "office"])
"""Signs of workbooks, and of old Office files of an unknown kind."""
_WORKBOOK_ENDINGS: Final = frozenset(["xlsx", "xls", "xlsm", "xltx"])
_MARKS: Final = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


def file_kind(raw: bytes, name: str) -> FileKind:
    """Return what a file holds, from its bytes; its name matters only for definitions.

    Parameters
    ----------
    raw : bytes
    name : str

    Raises
    ------
    DefinitionError
        It is a file of another program, which the message names; a text that is too long; or not text at all.

    Examples
    --------
    >>> file_kind(b'{"sottovoce": 1}', "work"), file_kind(b"1. Do you smoke?", "work.txt")
    ('definition', 'text')
    """
    sign = file_sign(raw)
    if sign == LOCKED:
        raise DefinitionError.at("", "table_file.locked")
    if sign and (foreign := foreign_bytes(raw, name)):
        raise DefinitionError([foreign])
    if sign in _WORKBOOKS:
        return "xlsform"
    text = file_text(raw, name)
    if foreign := foreign_text(text):
        raise DefinitionError([foreign])
    if name.lower().endswith(".json") or text.lstrip().startswith(("{", "[{")):
        return "definition"
    if len(text) > MOST_CHARACTERS:
        raise _refusal(
            _("this text has more than %(most)s characters") % {"most": count_text(MOST_CHARACTERS)},
            _("make several surveys of it"),
        )
    return "text"


def file_text(raw: bytes, name: str = "") -> str:
    """Return the text of a file in UTF-8, or in UTF-16 with a byte order mark.

    Parameters
    ----------
    raw : bytes
    name : str
        Name of the file. If the file is not a text, its ending decides what the refusal says: only a
        workbook is worth saving again, because other kinds are never read.

    Raises
    ------
    DefinitionError
        The file is empty or not text in one of these.

    Examples
    --------
    >>> file_text("想想".encode("utf-16"))
    '想想'
    """
    encoding = next((encoding for mark, encoding in _MARKS.items() if raw.startswith(mark)), "utf-8")
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError:
        text = "\0"
    ending = name.lower().rpartition(".")[2]
    if "\0" in text and (foreign := foreign_bytes(raw, name)):
        raise DefinitionError([foreign])
    if "\0" in text and ending in _WORKBOOK_ENDINGS:
        raise _refusal(
            _("this is not a readable .%(ending)s file: it is damaged or incomplete") % {"ending": ending},
            _("open it in the program that wrote it, and save it again"),
        )
    if "\0" in text:
        # Marks of other programs are the same in most encodings.
        if b"\0" not in raw and (foreign := foreign_text(raw.decode("latin-1"))):
            raise DefinitionError([foreign])
        raise _refusal(
            _("this file is not text in UTF-8"),
            _("save it as text in UTF-8, or copy its text and paste it into the box"),
        )
    if not text.strip():
        raise _refusal(_("this file is empty"), _("choose another file"))
    return text


def _refusal(message: str, remedy: str) -> DefinitionError:
    return DefinitionError([Problem(path="", message=message, remedy=remedy)])
