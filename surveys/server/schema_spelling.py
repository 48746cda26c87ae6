"""Spell types, triggers and other texts of a schema as both databases and Django do."""

from __future__ import annotations

import re
from typing import Final


def type_text(kind: str, *, nullable: bool) -> str:
    """Return a column's type as both databases and Django spell it.

    >>> type_text("varchar(150)", nullable=False), type_text("character varying(150)", nullable=True)
    ('varchar(150)', 'varchar(150) or null')
    """
    text = kind.lower().replace("character varying", "varchar")
    return f"{text} or null" if nullable else text


# PostgreSQL prints a condition with types and parentheses that its author did not write.
_CAST: Final = re.compile(r"::(?:character varying|timestamp with time zone|double precision|\w+)(?:\[\])?")


def trigger_text(text: str) -> str:
    """Return a trigger's text without what a database adds to it or leaves out.

    >>> trigger_text("CREATE TRIGGER a WHEN (OLD.b <> 'c')") == trigger_text(
    ...     "CREATE TRIGGER a WHEN (old.b::text <> 'c'::text)")
    True
    """
    return bare_text(re.sub(r"[()]", " ", _CAST.sub("", text)).replace('"', "").replace("public.", ""))


def bare_text(text: str) -> str:
    """Return a text in lower case with single blanks.

    >>> bare_text(" BEGIN\\n  RAISE;")
    'begin raise;'
    """
    return " ".join(text.lower().split()).rstrip("; ") + (";" if text.rstrip().endswith(";") else "")


def without_row_numbers(text: str) -> bool:
    """Return whether the statement that creates a table leaves out its row numbers."""
    return "WITHOUT ROWID" in text.upper()
