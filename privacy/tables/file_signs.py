"""Detect the kind of a file from its first bytes and the names inside it; its own name may be wrong."""

from __future__ import annotations

from typing import Final

LOCKED: Final = "locked"
"""An Office file that is protected by a password."""
# Longer than the letters alone, because a text table could begin with them: with a column PAR1.
_FIRST: Final = (
    (b"PAR1\x15", "parquet"),
    (b"$FL2", "sav"),
    (b"$FL3", "zsav"),
    (b"<stata_dta>", "dta"),
    (b"%PDF", "pdf"),
    (b"{\\rtf", "rtf"),
    (b"\x89PNG", "png"),
    (b"\xff\xd8\xff", "jpg"),
    (b"GIF87a", "gif"),
    (b"GIF89a", "gif"),
)
_ARCHIVE: Final = b"PK\x03\x04"
_DIRECTORY: Final = b"PK\x05\x06"
"""Begins the end of an archive, whose last part is a comment of at most 65,535 bytes."""
_LONGEST_END: Final = 65_557
_INSIDE_ARCHIVE: Final = (
    (b"xl/workbook.bin", "xlsb"),
    (b"xl/workbook", "xlsx"),
    (b"xl/worksheets", "xlsx"),
    (b"word/document.xml", "docx"),
    (b"ppt/presentation.xml", "pptx"),
    (b"opendocument.spreadsheet", "ods"),
    (b"opendocument.text", "odt"),
)
OLD_OFFICE: Final = b"\xd0\xcf\x11\xe0"
"""The first bytes of Office files before 2007, and of those with a password."""
_INSIDE_OLD: Final = (
    ("EncryptedPackage", LOCKED),
    ("WordDocument", "doc"),
    ("Workbook", "xls"),
    ("Book", "xls"),
)
MOST_SEARCHED: Final = 64_000_000
"""Most bytes in which names are searched."""


def file_sign(raw: bytes) -> str:
    """Return the ending of the name that a file of this kind has.

    Parameters
    ----------
    raw : bytes

    Returns
    -------
    str
        For example "xlsx" or "pdf"; "zip" or "office" if its contents are unknown, `LOCKED` for an Office
        file with a password, "" for a text or anything else.

    Examples
    --------
    >>> file_sign(b"%PDF-1.7"), file_sign(b"PK\\x03\\x04 xl/workbook.xml"), file_sign(b"age,ill")
    ('pdf', 'xlsx', '')
    """
    for first, sign in _FIRST:
        if raw.startswith(first):
            return sign
    searched = raw[:MOST_SEARCHED]
    if raw.startswith(_ARCHIVE):
        # The first one decides, because a document can contain a workbook, and a workbook a document.
        places = ((searched.find(name), sign) for name, sign in _INSIDE_ARCHIVE)
        return min((each for each in places if each[0] >= 0), default=(0, "zip"))[1]
    if raw.startswith(OLD_OFFICE):
        names = ((name.encode("utf-16-le"), sign) for name, sign in _INSIDE_OLD)
        return next((sign for name, sign in names if name in searched), "office")
    return ""


def is_whole(raw: bytes, sign: str) -> bool:
    """Return whether a Stata file, whose readers accept truncated ones, or an unknown archive is complete.

    Parameters
    ----------
    raw : bytes
    sign : str
        As `file_sign` returns it.
    """
    if sign == "zip":
        return _DIRECTORY in raw[-_LONGEST_END:]
    return sign != "dta" or raw.rstrip().endswith(b"</stata_dta>")
