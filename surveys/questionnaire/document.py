"""JSON documents from outside: bytes, bounded, that the database can keep as they are."""

from __future__ import annotations

import json
import math
from typing import Any, Final

from django.utils.translation import gettext as _

from surveys.errors.error import shown
from surveys.questionnaire.problems import DefinitionError, Problem, joined

MOST_BYTES: Final = 2_000_000
DEEPEST: Final = 32


def document_parse(raw: bytes, *, name: str) -> Any:
    """Return the JSON document that bytes spell.

    Parameters
    ----------
    raw : bytes
        At most `MOST_BYTES`, UTF-8.
    name : str
        What the bytes are, for the refusal.

    Raises
    ------
    DefinitionError
        They are too many, not UTF-8, not JSON, name a member of an object twice, are nested more than
        `DEEPEST` deep, or hold a number or a sign that no database keeps.
    """
    if len(raw) > MOST_BYTES:
        raise _refusal(
            _("%(name)s has more than %(most)s bytes") % {"name": name, "most": MOST_BYTES},
            _("make it smaller"),
        )
    try:
        document = json.loads(raw.decode("utf-8"), object_pairs_hook=_object, parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        raise _refusal(
            _("%(name)s is not UTF-8 from byte %(place)s on") % {"name": name, "place": error.start},
            _("save it as UTF-8"),
        ) from error
    except json.JSONDecodeError as error:
        raise _refusal(
            _("%(name)s is not JSON: line %(line)s, column %(column)s: %(reason)s")
            % {"name": name, "line": error.lineno, "column": error.colno, "reason": error.msg},
            _("mend it there"),
        ) from error
    except DefinitionError:
        raise
    except ValueError as error:
        # Python does not turn thousands of digits into a number.
        raise _refusal(
            _("%(name)s holds too long a number") % {"name": name}, _("write ten-thousandths, 0 to 10000")
        ) from error
    except RecursionError as error:
        raise _too_deep("") from error
    document_check(document)
    return document


def document_check(document: object) -> None:
    """Refuse what JSON can spell and PostgreSQL cannot keep, and what is nested too deeply to be read.

    Raises
    ------
    DefinitionError
        At the first such place.
    """
    waiting: list[tuple[object, str, int]] = [(document, "", 0)]
    while waiting:
        value, path, depth = waiting.pop()
        if depth > DEEPEST:
            raise _too_deep(path)
        if isinstance(value, dict):
            for name, member in value.items():
                _check_text(name, path)
                waiting.append((member, joined(path, name), depth + 1))
        elif isinstance(value, list):
            waiting += [(entry, f"{path}[{number}]", depth + 1) for number, entry in enumerate(value)]
        elif isinstance(value, str):
            _check_text(value, path)
        elif isinstance(value, float) and not math.isfinite(value):
            raise _refusal(_("%(value)s is no number") % {"value": value}, _("write a number"), path=path)


def _check_text(text: str, path: str) -> None:
    if "\x00" in text or any("\ud800" <= sign <= "\udfff" for sign in text):
        raise _refusal(
            _("%(text)s holds control characters") % {"text": shown(text)}, _("leave them out"), path=path
        )


def _too_deep(path: str) -> DefinitionError:
    return _refusal(
        _("the document is nested too deeply"), _("follow the shape of the example"), path=path[:200]
    )


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document: dict[str, Any] = {}
    for name, value in pairs:
        if name in document:
            raise _refusal(
                _("%(name)s occurs twice in one object") % {"name": shown(name)}, _("keep one of the two")
            )
        document[name] = value
    return document


def _no_constant(name: str) -> None:
    raise _refusal(_("%(name)s is not JSON") % {"name": name}, _("write a number"))


def _refusal(message: str, remedy: str, *, path: str = "") -> DefinitionError:
    return DefinitionError([Problem(path=path, message=message, remedy=remedy)])
