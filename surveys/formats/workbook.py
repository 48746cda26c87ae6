"""A workbook of texts, formatted for human readers."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Final

XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
SHEET: Final = "texts"
_WIDTH: Final = 48.0


def workbook_write(rows: Sequence[Mapping[str, str]]) -> bytes:
    """Return a workbook of one sheet, formatted for human readers; each row maps headers to texts."""
    # Imported here because openpyxl takes a quarter of a second to load.
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Alignment
    from openpyxl.utils import get_column_letter

    book = Workbook(write_only=True)
    sheet = book.create_sheet(SHEET)
    headers = list(dict.fromkeys(header for row in rows for header in row))
    # Set before the first row: in a write-only workbook, later settings are lost.
    sheet.freeze_panes = "B2"
    for number in range(1, len(headers) + 1):
        sheet.column_dimensions[get_column_letter(number)].width = _WIDTH
    sheet.append(headers)
    for row in rows:
        cells = [WriteOnlyCell(sheet, value=row.get(header)) for header in headers]
        for cell in (cell for cell in cells if cell.value is not None):
            # Keep a text that begins with "=" a text, so that no spreadsheet program evaluates it.
            cell.data_type = "s"
            cell.alignment = Alignment(wrap_text=True, vertical="top")
        sheet.append(cells)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()
