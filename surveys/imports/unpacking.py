"""Read an uploaded file (a table or a form) in a child process, so that the web process unpacks nothing.

A file's stated size cannot be trusted: a few kilobytes can expand to gigabytes. The child's limits on memory
and time do not depend on the file, and it yields the processor to respondents' answers.

A form in XLSX is a zip of XML. Before a workbook reader sees the file, the sizes declared in the zip are
checked (Python reads no more than that), and workbooks with macros are refused. Openpyxl reads XML through
defusedxml, which refuses entities, because these can grow without limit.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.utils.translation import get_language
from django.utils.translation import gettext as _

import surveys
from surveys.errors.error import SurveyError
from surveys.imports.child import MEGABYTES, SECONDS
from surveys.questionnaire.document import DefinitionError, Problem

PATIENCE: Final = 50.0
"""Limit on the elapsed time in seconds; shorter than proxies wait for a page."""

_ROOT: Final = Path(str(surveys.__file__)).resolve().parent.parent
# Environment variables that are needed to find programs and libraries; none is a secret of the
# installation. The others keep libraries from allocating memory for each processor.
_PASSED_ON: Final = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "LANG", "LC_ALL", "TMPDIR")
_SPARING: Final = {
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "MALLOC_ARENA_MAX": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
}
_ONE_AT_A_TIME: Final = threading.Lock()


def read_in_child(
    read: Callable[..., tuple[Any, bytes]], raw: bytes, *arguments: Any, seconds: float | None = None
) -> tuple[Any, bytes]:
    """Unpack a file in a child process; each web process unpacks one at a time.

    Parameters
    ----------
    read : callable
        A top-level function of a module that needs no database. It receives the file and `arguments`, and
        returns a JSON-serialisable value and bytes.
    raw : bytes
        Contents of the file, sent to the child through a pipe and stored nowhere.
    *arguments : object
        JSON-serialisable values.
    seconds : float, optional
        Limit on the elapsed time, and on waiting for another file; the default is `PATIENCE`.

    Raises
    ------
    SurveyError
        An error of `read`; or ``upload``: too much memory or time, a failure, or another file is being read.
    """
    seconds = PATIENCE if seconds is None else seconds
    request = {
        "read": [read.__module__, read.__name__],
        "arguments": arguments,
        "language": get_language() or "en",
        "locale": list(map(str, settings.LOCALE_PATHS)),
    }
    if not _ONE_AT_A_TIME.acquire(timeout=seconds):
        raise SurveyError("upload.waiting", retry_after=60)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "surveys.imports.child"],
            input=json.dumps(request).encode() + b"\n" + raw,
            stdout=subprocess.PIPE,
            # Discarded, because a library's warning may quote a value from the file.
            stderr=subprocess.DEVNULL,
            cwd=_ROOT,
            env={name: os.environ[name] for name in _PASSED_ON if name in os.environ} | _SPARING,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise SurveyError("upload.seconds", most=f"{seconds:g}") from None
    finally:
        _ONE_AT_A_TIME.release()
    if done.returncode == -signal.SIGXCPU:
        raise SurveyError("upload.seconds", most=SECONDS)
    head, _newline, payload = done.stdout.partition(b"\n")
    # A child that was killed reports nothing. Native code crashes when memory runs out, or on damaged
    # files.
    answer: dict[str, Any] = json.loads(head) if done.returncode == 0 and head else {"memory": True}
    if "refused" in answer:
        refusal = answer["refused"]
        raise SurveyError(refusal.pop("case"), refusal.pop("value", None), **refusal)
    if "memory" in answer:
        raise SurveyError("upload.memory", most=MEGABYTES)
    if "failed" in answer:
        raise SurveyError("upload.failed", answer["failed"])
    return answer["plain"], payload


MOST_BYTES: Final = 2_000_000
MOST_UNPACKED: Final = 20_000_000
MOST_PARTS: Final = 200


def cell_name(sheet: str, row: int | None = None, column: str | None = None) -> str:
    """Describe a place in a workbook.

    >>> cell_name("survey", 3, "type")
    'survey, row 3, column type'
    """
    words = [sheet]
    if row is not None:
        words.append(_("row %(row)s") % {"row": row})
    if column is not None:
        words.append(_("column %(column)s") % {"column": column})
    return ", ".join(words)


def check_parts(raw: bytes) -> None:
    """Refuse a file that is not a workbook, unpacks to too much, or contains macros."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as parts:
            infos = parts.infolist()
            n_bytes = sum(info.file_size for info in infos)
            if len(infos) > MOST_PARTS or n_bytes > MOST_UNPACKED:
                raise DefinitionError.at(
                    "",
                    "workbook.unpacked",
                    count=len(infos),
                    size=n_bytes,
                    most=MOST_PARTS,
                    largest=MOST_UNPACKED,
                )
            if any("vbaproject" in info.filename.lower() for info in infos):
                raise DefinitionError.at("", "workbook.macros")
            if parts.testzip() is not None:
                raise DefinitionError.at("", "workbook.none")
    except (DefinitionError, MemoryError):
        raise
    except Exception as error:
        # The zip is broken, encrypted or packed by an unknown method. zlib and lzma raise errors without a
        # common base class.
        raise DefinitionError.at("", "workbook.none") from error


ROW: Final = "sottovoce_row"
SCALES: Final = ("int", "decimal", "date", "geopoint")
_OLE: Final = b"\xd0\xcf\x11\xe0"
_TEXTS: Final = ("label", "caption", "hint", "guidance", "form_title", "title")
_KEPT: Final = str.maketrans("‘’“”", "\ue000\ue001\ue002\ue003")
_BACK: Final = str.maketrans("\ue000\ue001\ue002\ue003", "‘’“”")
_MACROS: Final = "_VBA_PROJECT".encode("utf-16-le")


def form_parse(raw: bytes) -> dict[str, Any]:
    """Return pyxform's parse of a workbook, made in a child process.

    Returns
    -------
    dict
        ``form``: pyxform's tree, with the number of each row as `ROW`; ``external``: the lists in the sheet
        *external_choices*; ``rows``: the rows of the sheet *survey*, by number; ``sheets``: names.

    Raises
    ------
    DefinitionError
        It is not a workbook, is too large, contains macros, or pyxform refuses it (in pyxform's words).
    """
    if len(raw) > MOST_BYTES:
        raise DefinitionError.at("", "workbook.too_large", most=MOST_BYTES)
    try:
        plain, payload = read_in_child(form_plain, raw)
    except SurveyError as error:
        raise DefinitionError([Problem(path="", message=error.message, remedy=error.remedy)]) from error
    if "problems" in plain:
        raise DefinitionError([Problem(**problem) for problem in plain["problems"]])
    form: dict[str, Any] = json.loads(payload)
    return form


def form_plain(raw: bytes) -> tuple[dict[str, Any], bytes]:
    """Return a parsed form as JSON, or its problems."""
    try:
        return {}, json.dumps(_parse_form(raw), default=str).encode()
    except DefinitionError as error:
        return {"problems": list(map(asdict, error.problems))}, b""


def _parse_form(raw: bytes) -> dict[str, Any]:
    # Imported only in the child, because pyxform takes half a second to load.
    from pyxform import aliases, constants
    from pyxform.builder import create_survey_element_from_dict
    from pyxform.errors import PyXFormError
    from pyxform.parsing.sheet_headers import dealias_and_group_headers
    from pyxform.question import Option
    from pyxform.question_type_dictionary import QUESTION_TYPE_DICT
    from pyxform.xls2json import group_dictionaries_by_key, workbook_to_json
    from pyxform.xls2json_backends import get_xlsform

    if raw.startswith(_OLE):
        if _MACROS in raw:
            raise DefinitionError.at("", "workbook.macros")
        kind = ".xls"
    else:
        check_parts(raw)
        kind = ".xlsx"
    try:
        data = get_xlsform(io.BytesIO(raw), file_type=kind)
        rows = {number: dict(row) for number, row in enumerate(data.survey or (), start=2) if row}
        for number, row in enumerate(data.survey or (), start=2):
            if row:
                row[ROW] = str(number)
        for header in data.survey_header or ():
            header[ROW] = None
        for sheet in (data.survey, data.choices, data.settings, data.external_choices):
            for row in sheet or ():
                row |= {name: cell.translate(_KEPT) for name, cell in row.items() if _is_text(name)}
        # Without this setting, pyxform refuses a list in which two options have the same name.
        data.settings = [dict((data.settings or [{}])[0]) | {"allow_choice_duplicates": "yes"}]
        data.settings_header = [dict((data.settings_header or [{}])[0]) | {"allow_choice_duplicates": None}]
        form = workbook_to_json(workbook_dict=data, form_name="form", warnings=[])
        plain = json.loads(json.dumps(form, default=str, ensure_ascii=False).translate(_BACK))
        _name_scales(plain, QUESTION_TYPE_DICT)
        # A TypeError is pyxform's own: of instance:: columns with empty cells, for example.
        with contextlib.suppress(TypeError):
            create_survey_element_from_dict(form).xml()
        external = {}
        if data.external_choices:
            table = dealias_and_group_headers(
                sheet_name=constants.EXTERNAL_CHOICES,
                sheet_data=data.external_choices,
                sheet_header=data.external_choices_header,
                header_aliases=aliases.list_header,
                header_columns=set(Option.get_slot_names()),
            )
            external = group_dictionaries_by_key(list_of_dicts=table.data, key=constants.LIST_NAME_S)
    except PyXFormError as error:
        if "supported type" in str(error):
            raise DefinitionError.at("", "workbook.none") from error
        raise DefinitionError.at("survey", "workbook.xlsform", said=str(error)) from error
    except (MemoryError, DefinitionError):
        raise
    except Exception as error:
        # Workbook readers and pyxform raise arbitrary exceptions on unexpected files.
        raise DefinitionError.at("", "workbook.none") from error
    external = json.loads(json.dumps(external, default=str, ensure_ascii=False).translate(_BACK))
    return {"form": plain, "external": external, "rows": rows, "sheets": list(data.sheet_names or ())}


def _name_scales(node: dict[str, Any], types: Mapping[str, Any]) -> None:
    """Rename numbers, dates and places to their data type; pyxform has up to five names for each."""
    for child in node.get("children", ()):
        spec = types.get(child.get("type"), {})
        if spec.get("control", {}).get("tag") == "input" and spec["bind"]["type"] in SCALES:
            child["type"] = spec["bind"]["type"]
        _name_scales(child, types)


def _is_text(header: str) -> bool:
    """Return whether people read this column; pyxform would straighten its quotation marks."""
    return header.strip().lower().startswith(_TEXTS)
