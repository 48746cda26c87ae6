"""Parse the JSON of a definition, and refuse texts and numbers that devices could read differently."""

from __future__ import annotations

import json
import math
from typing import Any, Final

from surveys.errors.error import short_json
from surveys.questionnaire.document import DefinitionError, member_path

MOST_DOCUMENT_BYTES: Final = 2_000_000
DEEPEST: Final = 32


def document_parse(raw: bytes, *, name: str) -> Any:
    """Parse bytes into a JSON document.

    Parameters
    ----------
    raw : bytes
        At most `MOST_DOCUMENT_BYTES`, UTF-8.
    name : str
        Description of the bytes for the error message.

    Raises
    ------
    DefinitionError
        They are too many, not UTF-8, or not JSON; an object repeats a member; they are nested more than
        `DEEPEST` deep; or they contain a number or a character that no database can store.
    """
    if len(raw) > MOST_DOCUMENT_BYTES:
        raise DefinitionError.at("", "document.too_large", name=name, most=MOST_DOCUMENT_BYTES)
    if raw.startswith(b"PK\x03\x04"):
        raise DefinitionError.at("", "document.workbook", name=name)
    try:
        document = json.loads(raw.decode("utf-8"), object_pairs_hook=_object, parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        raise DefinitionError.at("", "document.encoding", name=name, place=error.start) from error
    except json.JSONDecodeError as error:
        raise DefinitionError.at(
            "", "document.syntax", name=name, line=error.lineno, column=error.colno, reason=error.msg
        ) from error
    except DefinitionError:
        raise
    except ValueError as error:
        # Python refuses to convert a number of thousands of digits.
        raise DefinitionError.at("", "document.long_number", name=name) from error
    except RecursionError as error:
        raise DefinitionError.at("", "document.deep") from error
    document_check(document)
    return document


def document_check(document: object) -> None:
    """Refuse values that JSON allows and PostgreSQL cannot store, and documents nested too deeply to read.

    Raises
    ------
    DefinitionError
        Names the first such place.
    """
    waiting: list[tuple[object, str, int]] = [(document, "", 0)]
    while waiting:
        value, path, depth = waiting.pop()
        if depth > DEEPEST:
            raise DefinitionError.at(path[:200], "document.deep")
        if isinstance(value, dict):
            for name, member in value.items():
                _check_text(name, path)
                waiting.append((member, member_path(path, name), depth + 1))
        elif isinstance(value, list):
            waiting += [(entry, f"{path}[{number}]", depth + 1) for number, entry in enumerate(value)]
        elif isinstance(value, str):
            _check_text(value, path)
        elif isinstance(value, float) and not math.isfinite(value):
            raise DefinitionError.at(path, "document.number", value=value)


def _check_text(text: str, path: str) -> None:
    if not text.isprintable() and any(sign == "\x00" or "\ud800" <= sign <= "\udfff" for sign in text):
        raise DefinitionError.at(path, "document.control", text=short_json(text))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document: dict[str, Any] = {}
    for name, value in pairs:
        if name in document:
            raise DefinitionError.at("", "document.twice", name=short_json(name))
        document[name] = value
    return document


def _no_constant(name: str) -> None:
    raise DefinitionError.at("", "document.constant", name=name)
