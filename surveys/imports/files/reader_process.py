"""Read an uploaded file (a table or a form) in a child process, so that the web process unpacks nothing.

A file's stated size cannot be trusted: a few kilobytes can expand to gigabytes. The child's limits on memory
and time do not depend on the file, and it yields the processor to respondents' answers.

A form in XLSX is a zip of XML. Before a workbook reader sees the file, the sizes declared in the zip are
checked (Python reads no more than that), and workbooks with macros are refused
(`surveys.imports.files.workbook_parts`). Openpyxl reads XML through defusedxml, which refuses entities,
because these can grow without limit.
"""

from __future__ import annotations

import contextlib
import copy
import io
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.utils.translation import get_language
from django.utils.translation import gettext as _

import surveys
from privacy.tables.file_signs import OLD_OFFICE
from surveys.errors.error import SurveyError
from surveys.imports.files.answer_exports import no_questionnaire, tool_of_answers
from surveys.imports.files.child import MEGABYTES, MOST_ANSWER, SECONDS, check_answer
from surveys.imports.files.foreign_sources import foreign_text
from surveys.imports.files.form_headers import is_of_odk_x, name_columns, repeated_headers, unused_columns
from surveys.imports.files.form_layout import has_usual_layout, usual_layout
from surveys.imports.files.form_repairs import (
    Repair,
    is_about_types,
    repair,
    repair_by_trial,
    with_lists,
)
from surveys.imports.files.form_types import name_types, unknown_types
from surveys.imports.files.workbook_parts import sound_workbook
from surveys.questionnaire.document import DefinitionError, Problem

PATIENCE: Final = 50.0
"""Limit in seconds on reading, and on waiting for another file; shorter than proxies wait for a page."""

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
_MOST_HEAD: Final = 1_000_000
"""Most bytes of the line of JSON before the pieces."""
_APPS_WITH_MODELS: Final = (
    *("django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions"),
    *("django_otp", "django_otp.plugins.otp_totp", "django_otp.plugins.otp_static", "surveys"),
)


Read = tuple[Any, Sequence[bytes | memoryview]]
"""Result of a function that reads a file: a JSON-serialisable value, and pieces of bytes."""


def read_in_child(
    read: Callable[..., Read],
    raw: bytes,
    *arguments: Any,
    most: int = MOST_ANSWER,
    with_models: bool = False,
) -> Read:
    """Read a file in a child process; each web process reads one at a time.

    Parameters
    ----------
    read : callable
        A top-level function of a module. It receives the file and `arguments`, and uses no database.
    raw : bytes
        Contents of the file, sent to the child through a pipe and stored nowhere.
    *arguments : object
        JSON-serialisable values.
    most : int
        Most bytes that this process receives, whatever the child sends.
    with_models : bool
        Whether the module of `read` imports Django models, which takes another half second.

    Raises
    ------
    SurveyError
        An error of `read`; or ``upload``: too much memory or time, too large an answer, a failure, or another
        file is being read.
    """
    given: dict[str, Any] = {
        "LOCALE_PATHS": list(map(str, settings.LOCALE_PATHS)),
        "PROGRAM": settings.PROGRAM,
        "START": settings.START,
    }
    if with_models:
        given["INSTALLED_APPS"] = _APPS_WITH_MODELS
        given["LANGUAGES"] = [(tag, str(name)) for tag, name in settings.LANGUAGES]
    request = {
        "read": [read.__module__, read.__name__],
        "arguments": arguments,
        "language": get_language() or "en",
        "settings": given,
        "most": most,
    }
    if not _ONE_AT_A_TIME.acquire(timeout=PATIENCE):
        raise SurveyError("upload.waiting", retry_after=60)
    try:
        code, received = _exchange(json.dumps(request).encode() + b"\n", raw, most + _MOST_HEAD)
    finally:
        _ONE_AT_A_TIME.release()
    if code == -signal.SIGXCPU:
        raise SurveyError("upload.seconds", most=SECONDS)
    end = received.find(b"\n") + 1
    # A child that was killed reports nothing. Native code crashes when memory runs out, or on damaged
    # files.
    answer: dict[str, Any] = json.loads(received[:end]) if code == 0 and end else {"memory": True}
    if "refused" in answer:
        refusal = answer["refused"]
        raise SurveyError(refusal.pop("case"), refusal.pop("value", None), **refusal)
    if "memory" in answer:
        raise SurveyError("upload.memory", most=MEGABYTES)
    if "failed" in answer:
        raise SurveyError("upload.failed", answer["failed"])
    ends = list(itertools.accumulate(answer["sizes"], initial=end))
    payload = memoryview(received)
    return answer["plain"], [payload[start:stop] for start, stop in itertools.pairwise(ends)]


def _exchange(request: bytes, raw: bytes, most: int) -> tuple[int, bytes]:
    """Start a child, send it a request and a file, and return its exit code and its answer.

    Raises
    ------
    SurveyError
        ``upload.busy``, or ``upload.answer``: the child sent more than `most` bytes.
    """
    with subprocess.Popen(
        [sys.executable, "-m", "surveys.imports.files.child"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        # Discarded, because a library's warning may quote a value from the file.
        stderr=subprocess.DEVNULL,
        cwd=_ROOT,
        env={name: os.environ[name] for name in _PASSED_ON if name in os.environ} | _SPARING,
    ) as child:
        is_late = threading.Event()

        def stop() -> None:
            is_late.set()
            child.kill()

        timer = threading.Timer(PATIENCE, stop)
        timer.start()
        try:
            assert child.stdin and child.stdout  # noqa: S101, PT018  # for the type checker
            # The child reads all of its input before it answers. If it ends earlier, its exit code says why.
            with contextlib.suppress(BrokenPipeError), child.stdin:
                child.stdin.write(request)
                child.stdin.write(raw)
            received = child.stdout.read(most + 1)
            check_answer(len(received), most)
            code = child.wait()
        finally:
            timer.cancel()
            child.kill()
    if is_late.is_set() and code == -signal.SIGKILL:
        # The limit on processor time is lower, so the child waited for other processes.
        raise SurveyError("upload.busy", most=f"{PATIENCE:g}", retry_after=60)
    return code, received


MOST_FORM_BYTES: Final = 2_000_000


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


def _first_rows(raw: bytes) -> list[list[str]]:
    """Return the first rows of a workbook's first sheet as text; none if it cannot be read."""
    from openpyxl import load_workbook

    try:
        with warnings.catch_warnings(action="ignore"):
            sheet = load_workbook(io.BytesIO(raw), read_only=True, data_only=True).worksheets[0]
        rows = [*sheet.iter_rows(max_row=_HEAD_ROWS, max_col=_HEAD_COLUMNS, values_only=True)]
    except MemoryError:
        raise
    except Exception:
        # Openpyxl raises arbitrary exceptions on unexpected files; pyxform's own words are shown then.
        return []
    return [["" if cell is None else str(cell) for cell in row] for row in rows]


_HEAD_ROWS, _HEAD_COLUMNS = 12, 200
"""Cells of a workbook that are searched for signs of answers."""
ROW: Final = "sottovoce_row"
SCALES: Final = ("int", "decimal", "date", "geopoint")
_TEXTS: Final = ("label", "hint", "guidance", "title")
_KEPT: Final = str.maketrans("‘’“”", "\ue000\ue001\ue002\ue003")
_JOINED: Final = str.maketrans(" ", "\ue004")
"""Blanks in the names of options: pyxform refuses them in lists with several answers."""
_SPACED: Final = re.compile(r"\$\{\s{0,9}([^{}\s]{1,100})\s{0,9}\}")
"""A reference that may have blanks in its brackets, which pyxform refuses."""
_REFERENCE, _HIDDEN_REFERENCE = "${", "\ue005"
"""Texts may refer to a question that the form lacks; pyxform would object to the row."""
_BACK: Final = str.maketrans(
    dict(zip("\ue000\ue001\ue002\ue003\ue004", "‘’“” ", strict=True)) | {_HIDDEN_REFERENCE: _REFERENCE}
)
_MACROS: Final = "_VBA_PROJECT".encode("utf-16-le")


def form_parse(raw: bytes) -> dict[str, Any]:
    """Return pyxform's parse of a workbook. Only a child process may call this.

    Returns
    -------
    dict
        ``form``: pyxform's tree, with the number of each row as `ROW`; ``external``: the lists in the sheet
        *external_choices*; ``rows``: the rows of the sheet *survey*, by number; ``sheets``: names;
        ``headers``: the headers of the sheets with texts; ``unused``: the columns that nothing here reads,
        by sheet; ``repairs``: what was changed because pyxform refused it; ``objection``: what pyxform says
        about the form as a whole, or nothing; ``unknown``: types that it does not know. Questions with the
        same list share it.

    Raises
    ------
    DefinitionError
        It is not a workbook, contains macros, is made for another tool, or pyxform refuses it (in pyxform's
        words) and no change of a row or column helps; or this reader has a fault.
    """
    # Imported only in the child, because pyxform takes half a second to load.
    from pyxform.errors import PyXFormError

    kind, raw = _sound_form(raw)
    try:
        return _parsed(*_usual(_content(raw, kind), raw, kind))
    except PyXFormError as error:
        raise _refusal_of(error, raw, kind) from error
    except (MemoryError, DefinitionError):
        raise
    except Exception as error:
        # A fault of pyxform or of this package.
        raise DefinitionError.at("", "workbook.failed", name=type(error).__name__) from error


def _sound_form(raw: bytes) -> tuple[str, bytes]:
    """Return the ending of a workbook's name, and its bytes without faulty parts; refuse macros."""
    if not raw.startswith(OLD_OFFICE):
        return ".xlsx", sound_workbook(raw)
    if _MACROS in raw:
        raise DefinitionError.at("", "workbook.macros")
    return ".xls", raw


def _refusal_of(error: Exception, raw: bytes, kind: str) -> DefinitionError:
    """Return the error for a form that pyxform refuses: not a form, answers, or pyxform's own words."""
    if "supported type" in str(error):
        return DefinitionError.at("", "workbook.none")
    rows = _first_rows(raw) if kind == ".xlsx" else []
    if tool := tool_of_answers(rows):
        return DefinitionError([no_questionnaire(tool)])
    if _NO_FORM.search(str(error)):
        if any(_SELECTS.match(cell) for row in rows for cell in row):
            return DefinitionError.at("survey", "workbook.headers")
        foreign = foreign_text("\n".join("\t".join(row).rstrip("\t") for row in rows))
        return DefinitionError([foreign]) if foreign else DefinitionError.at("survey", "workbook.sheet")
    return DefinitionError.at("survey", "workbook.xlsform", said=str(error))


_SELECTS: Final = re.compile(r"select_(?:one|multiple)\s", re.IGNORECASE)
"""A cell of the column *type*, which shows an XLSForm whatever its headers are."""
_NO_FORM: Final = re.compile(r"sheet named 'survey'|header row|'type'\. Learn")
"""What pyxform says of workbooks without the sheet *survey* or its column *type*."""


def _content(raw: bytes, kind: str) -> Any:
    """Return the rows of a workbook's sheets, as pyxform's DefinitionData.

    Raises
    ------
    DefinitionError
        It is not a workbook.
    """
    from pyxform.errors import PyXFormError
    from pyxform.xls2json_backends import get_xlsform

    try:
        # Openpyxl warns about each missing style.
        with warnings.catch_warnings(action="ignore"), repeated_headers():
            return get_xlsform(io.BytesIO(raw), file_type=kind)
    except (MemoryError, PyXFormError):
        raise
    except Exception as error:
        # Readers of workbooks raise arbitrary exceptions on unexpected files.
        raise DefinitionError.at("", "workbook.none") from error


def _usual(data: Any, raw: bytes, kind: str) -> tuple[Any, list[Repair]]:
    """Return the rows of sheets in the usual layout, and what was changed to get it."""
    return usual_layout(raw) if kind == ".xlsx" and not has_usual_layout(data) else (data, [])


def _parsed(data: Any, changes: Sequence[Repair] = ()) -> dict[str, Any]:
    """Return what `form_parse` returns, after changes of the layout."""
    from pyxform.question_type_dictionary import QUESTION_TYPE_DICT
    from pyxform.xls2json import workbook_to_json

    repairs = [*changes, *name_columns(data)]
    rows = _number_rows(data)
    _leave_entities(data)
    unknown = unknown_types(data.survey or (), QUESTION_TYPE_DICT)
    name_types(data.survey or (), QUESTION_TYPE_DICT)
    for header in data.survey_header or ():
        header.setdefault("appearance", "appearance")
    headers = {
        "survey": list((data.survey_header or [{}])[0]),
        "choices": list((data.choices_header or [{}])[0]),
    }
    _refuse_odk_x(headers)
    repairs += with_lists(data.choices or [])
    if not data.choices:
        data.choices_header, headers["choices"] = None, []
    unused = unused_columns(data)
    for header in data.survey_header or ():
        header[ROW] = None
    _mask(data)
    # Without this setting, pyxform refuses a list in which two options have the same name.
    data.settings = [dict((data.settings or [{}])[0]) | {"allow_choice_duplicates": "yes"}]
    data.settings_header = [dict((data.settings_header or [{}])[0]) | {"allow_choice_duplicates": None}]
    form = _repaired(partial(workbook_to_json, form_name="form", warnings=[]), data, repairs)
    plain = _as_written(form, {})
    _name_scales(plain, QUESTION_TYPE_DICT)
    return {
        "form": plain,
        "external": _as_written(_external_lists(data), {}),
        "rows": rows,
        "sheets": list(data.sheet_names or ()),
        "headers": headers,
        "unused": unused,
        "repairs": repairs,
        "objection": _objection(form),
        "unknown": unknown,
    }


def _number_rows(data: Any) -> dict[str, dict[str, Any]]:
    """Number the rows of the sheet *survey*; return copies of the rows without their numbers."""
    rows = {str(number): dict(row) for number, row in enumerate(data.survey or (), start=2) if row}
    for number, row in enumerate(data.survey or (), start=2):
        if row:
            row[ROW] = str(number)
    return rows


def _leave_entities(data: Any) -> None:
    """Leave out what only says how another program stores answers."""
    data.entities = data.entities_header = None
    for row in (*(data.survey or ()), *(data.survey_header or ())):
        row.pop("save_to", None)


def _refuse_odk_x(headers: Mapping[str, list[str]]) -> None:
    if is_of_odk_x(headers):
        message = _("this form is made for ODK-X, whose forms differ from XLSForms")
        remedy = _("copy its questions with their answers, and paste them into the box")
        raise DefinitionError([Problem(path="", message=message, remedy=remedy)])


def _mask(data: Any) -> None:
    """Replace signs that pyxform would change or refuse in texts and in names of options."""
    for sheet in (data.survey, data.choices, data.settings, data.external_choices):
        for row in sheet or ():
            row |= {name: _masked(cell) for name, cell in row.items() if is_text(name)}
    for row in data.choices or ():
        row |= {name: cell.translate(_JOINED) for name, cell in row.items() if name == "name"}
    for row in data.survey or ():
        row |= {
            name: _SPACED.sub(r"${\1}", cell)
            for name, cell in row.items()
            if isinstance(cell, str) and not is_text(name)
        }


def _objection(form: Mapping[str, Any]) -> str:
    """Return what pyxform says about a form as a whole, or nothing."""
    from pyxform.builder import create_survey_element_from_dict
    from pyxform.errors import PyXFormError

    # A TypeError is pyxform's own: of instance:: columns with empty cells, for example.
    with contextlib.suppress(TypeError), _compared_by_identity():
        try:
            create_survey_element_from_dict(form).xml()
        except PyXFormError as error:
            # The tree is complete, and the reader lists the rows with types that it does not know.
            return "" if is_about_types(str(error)) else str(error)
    return ""


@contextlib.contextmanager
def _compared_by_identity() -> Iterator[None]:
    """Let pyxform compare elements of a form by identity.

    To compare two groups, pyxform writes both out with all their questions, once for each question in a
    group within a repeated one: 14 s for a form of 1,200 rows.

    Only a child process may use this, because it replaces a method of pyxform's for a while.
    """
    from pyxform.survey_element import SurveyElement

    compared = SurveyElement.__eq__
    SurveyElement.__eq__ = object.__eq__
    try:
        yield
    finally:
        SurveyElement.__eq__ = compared


def _external_lists(data: Any) -> dict[str, Any]:
    """Return the lists in the sheet *external_choices*, by name."""
    from pyxform import aliases, constants
    from pyxform.parsing.sheet_headers import dealias_and_group_headers
    from pyxform.question import Option
    from pyxform.xls2json import group_dictionaries_by_key

    if not data.external_choices:
        return {}
    table = dealias_and_group_headers(
        sheet_name=constants.EXTERNAL_CHOICES,
        sheet_data=data.external_choices,
        sheet_header=data.external_choices_header,
        header_aliases=aliases.list_header,
        header_columns=set(Option.get_slot_names()),
    )
    lists: dict[str, Any] = group_dictionaries_by_key(list_of_dicts=table.data, key=constants.LIST_NAME_S)
    return lists


def _repaired(parse: Callable[..., Any], data: Any, repairs: list[Repair]) -> Any:
    """Return pyxform's tree of a form, changed until pyxform accepts it.

    Parameters
    ----------
    parse : callable
        pyxform's function, which receives a copy of the rows.
    data : pyxform.xls2json_backends.DefinitionData
    repairs : list of Repair
        What had to be changed is added here.
    """
    from pyxform.errors import PyXFormError

    n_tried, start = 0, time.process_time()

    def refusal() -> str:
        nonlocal n_tried
        n_tried += len(data.survey or ())
        try:
            parse(workbook_dict=copy.deepcopy(data))
        except PyXFormError as error:
            return str(error)
        return ""

    for round_ in itertools.count():
        try:
            return parse(workbook_dict=copy.deepcopy(data))
        except PyXFormError as error:
            said = str(error)
            if round_ >= _LEAST_CAUSES and time.process_time() - start > _MOST_SECONDS:
                raise DefinitionError.at("survey", "workbook.faults", most=round_, said=said) from error
            names = ("survey", "choices", "settings", "external_choices", "osm")
            sheets = {name: rows for name in names if (rows := getattr(data, name, None))}
            changes = repair(sheets, said)
            if not changes and n_tried < _MOST_TRIED:
                changes = repair_by_trial(sheets.get("survey", []), said, refusal)
            if not changes:
                raise
            repairs += changes


_LEAST_CAUSES: Final = 20
"""Causes of changes that any form may have."""
_MOST_SECONDS: Final = 8.0
"""Processor time for changes, after which a form with more causes is refused."""
_MOST_TRIED: Final = 40_000
"""Rows parsed in search of faults without a place, after which no other search begins: four seconds or so."""


def _as_written(value: Any, known: dict[int, Any]) -> Any:
    """Copy a tree with the quotation marks that the file has; a list that occurs twice is copied once.

    Parameters
    ----------
    value : object
    known : dict
        The copies so far, by the identity of the original.
    """
    if isinstance(value, str):
        return value.translate(_BACK)
    if value is None or isinstance(value, bool | int | float):
        return value
    if id(value) in known:
        return known[id(value)]
    if isinstance(value, Mapping):
        copied: Any = {_as_written(name, known): _as_written(member, known) for name, member in value.items()}
    elif isinstance(value, list | tuple):
        copied = [_as_written(member, known) for member in value]
    else:
        return str(value)
    known[id(value)] = copied
    return copied


def _name_scales(node: dict[str, Any], types: Mapping[str, Any]) -> None:
    """Rename numbers, dates and places to their data type; pyxform has up to five names for each."""
    for child in node.get("children", ()):
        spec = types.get(child.get("type"), {})
        if spec.get("control", {}).get("tag") == "input" and spec["bind"]["type"] in SCALES:
            child["type"] = spec["bind"]["type"]
        _name_scales(child, types)


def _masked(text: str) -> str:
    return text.translate(_KEPT).replace(_REFERENCE, _HIDDEN_REFERENCE)


def is_text(header: str) -> bool:
    """Return whether people read this column; pyxform would straighten its quotation marks."""
    return header.strip().lower().startswith(_TEXTS)
