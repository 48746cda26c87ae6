"""The parts of an XLSX file: check them, and remove parts that are often faulty and not needed to read cells.

Programs other than Excel write sheets whose stated size is too small, and styles that no reader accepts.
Excel shows all rows of such a file, so the import must read them, too.
"""

from __future__ import annotations

import io
import re
import zipfile
from typing import Any, Final

from surveys.questionnaire.document import DefinitionError

MOST_UNPACKED: Final = 20_000_000
MOST_PARTS: Final = 200
_DIMENSION: Final = re.compile(rb"<(?:\w{1,20}:)?dimension\b[^<>]{0,200}/>")
_STYLES: Final = "xl/styles.xml"
_PROPERTIES: Final = "docProps/"
_READ_STYLES: Final = ("numFmts", "cellXfs")
"""The styles that decide whether a number is a date."""


def sound_workbook(raw: bytes) -> bytes:
    """Return a workbook without the stated size of its sheets, its properties and most of its styles.

    Parameters
    ----------
    raw : bytes
        An XLSX file.

    Raises
    ------
    DefinitionError
        It is not a workbook, unpacks to too much, or contains macros.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as parts:
            _check_parts(parts)
            content = io.BytesIO()
            with zipfile.ZipFile(content, "w") as sound:
                for name in dict.fromkeys(parts.namelist()):
                    if not name.startswith(_PROPERTIES):
                        sound.writestr(name, _sound_part(name, parts.read(name)))
            return content.getvalue()
    except (DefinitionError, MemoryError):
        raise
    except Exception as error:
        # The zip is broken, encrypted or packed by an unknown method. zlib and lzma raise errors without a
        # common base class.
        raise DefinitionError.at("", "workbook.none") from error


def _check_parts(parts: zipfile.ZipFile) -> None:
    infos = parts.infolist()
    n_bytes = sum(info.file_size for info in infos)
    if len(infos) > MOST_PARTS or n_bytes > MOST_UNPACKED:
        raise DefinitionError.at(
            "", "workbook.unpacked", count=len(infos), size=n_bytes, most=MOST_PARTS, largest=MOST_UNPACKED
        )
    if any("vbaproject" in info.filename.lower() for info in infos):
        raise DefinitionError.at("", "workbook.macros")
    if parts.testzip() is not None:
        raise DefinitionError.at("", "workbook.none")


def _sound_part(name: str, part: bytes) -> bytes:
    if name == _STYLES:
        return _number_formats(part)
    return _DIMENSION.sub(b"", part, count=1) if name.startswith("xl/worksheets/") else part


def _number_formats(part: bytes) -> bytes:
    """Return styles with nothing but the number format of each cell style."""
    from openpyxl.xml.functions import fromstring, tostring

    root: Any = fromstring(part)
    for group in list(root):
        kind = group.tag.rpartition("}")[2]
        if kind not in _READ_STYLES:
            root.remove(group)
        for style in group if kind == "cellXfs" else ():
            number_format = style.get("numFmtId", "0")
            style.clear()
            style.set("numFmtId", number_format)
    return bytes(tostring(root))
