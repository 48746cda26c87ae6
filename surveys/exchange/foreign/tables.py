"""The tables of a file that LimeSurvey exports (.lss): XML, read with nothing that expands or reaches out."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Any, Final

from surveys.questionnaire.document import MOST_BYTES
from surveys.questionnaire.problems import DefinitionError

__all__ = ["Row", "Tables", "tables_read"]

Row = dict[str, str]
Tables = dict[str, list[Row]]

_MOST_ELEMENTS: Final = 400_000
_DEEPEST: Final = 16


class _Refusing(ET.TreeBuilder):
    """Builds a tree, and stops at what no export has and an attack needs."""

    def __init__(self) -> None:
        super().__init__()
        self._elements = 0
        self._depth = 0

    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:
        """Refuse declarations: entities that grow, and files and addresses that they name."""
        raise DefinitionError.at("", "foreign.doctype")

    def start(self, tag: Any, attrs: Any) -> Any:
        self._elements += 1
        self._depth += 1
        if self._elements > _MOST_ELEMENTS or self._depth > _DEEPEST:
            raise DefinitionError.at("", "foreign.deep")
        return super().start(tag, attrs)

    def end(self, tag: Any) -> Any:
        self._depth -= 1
        return super().end(tag)


def tables_read(raw: bytes, *, name: str) -> Tables:
    """Return the rows of each table, in their order, and the languages as the table ``languages``.

    Parameters
    ----------
    raw : bytes
        At most `MOST_BYTES`.
    name : str
        What the bytes are, for the refusal.

    Raises
    ------
    DefinitionError
        They are too many, no XML, declare a document type, or are no survey of LimeSurvey.
    """
    if len(raw) > MOST_BYTES:
        raise DefinitionError.at("", "document.too_large", name=name, most=MOST_BYTES)
    # The target refuses every declaration before anything in it is expanded; tests try the known attacks.
    parser = ET.XMLParser(target=_Refusing())  # nosec B314
    try:
        parser.feed(raw)
        root = parser.close()
    except (ET.ParseError, LookupError, ValueError) as error:
        if isinstance(error, DefinitionError):
            raise
        raise DefinitionError.at("", "foreign.xml", name=name, reason=str(error)[:200]) from error
    if root.tag != "document" or root.findtext("LimeSurveyDocType") != "Survey":
        raise DefinitionError.at("LimeSurveyDocType", "foreign.limesurvey", name=name)
    tables: Tables = {
        "languages": [{"language": language.text or ""} for language in root.findall("languages/language")]
    }
    for table in root:
        if table.find("rows") is not None:
            tables[str(table.tag)] = list(_rows(table))
    return tables


def _rows(table: ET.Element) -> Iterator[Row]:
    for row in table.findall("rows/row"):
        yield {str(cell.tag): (cell.text or "").replace("\x00", "") for cell in row}
