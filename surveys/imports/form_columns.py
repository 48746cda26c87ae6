"""Columns of an XLSForm: numbers and places, conditions that a part can have, and unsupported columns.

A part's condition can name several questions, joined by *and* alone or by *or* alone. The answers of each
question are joined by *or*.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.errors import PrivacyError
from privacy.scales.number_range import calendar_tick
from surveys.errors.error import short_json
from surveys.imports.questionnaire import LOST, SEVERAL, Question
from surveys.questionnaire.checks.content import means_none

INTEGER: Final = "int"
RANGE: Final = "range"
DATE: Final = "date"
MONTHS: Final = "month-year"
"""Appearance of a date without a day."""
TYPES: Final = {INTEGER: "number", "decimal": "number", RANGE: "number", DATE: "number", "geopoint": "place"}
_CELL: Final = 100
_BINS: Final = 20
_MOST_BINS: Final = 10_000
_BOUND: Final = re.compile(
    r"\(?\s*\.\s*(?P<side>[<>])(?P<equal>=?)\s*"
    r"(?:(?P<number>-?[0-9]+(?:\.[0-9]+)?)|date\('(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})'\))\s*\)?",
    re.ASCII,
)
_PARAMETER: Final = re.compile(r"(start|end)\s*=\s*(-?[0-9]+(?:\.[0-9]+)?)", re.ASCII)


def scale_members(cells: Mapping[str, str], kind: str) -> dict[str, Any]:
    """Return the member of a definition for a row with a number or a place.

    Parameters
    ----------
    cells : mapping of str to str
        The row by column; its type is pyxform's.
    kind : str
        One of `TYPES`.
    """
    if TYPES[kind] == "place":
        return {"place": {"mechanism": "square", "cell": _CELL, "area": {}}}
    if kind == DATE:
        calendar = "month" if MONTHS in cells.get("appearance", "").split() else "day"
        ends = [end[:7] if calendar == "month" else end for end in _ends(cells)]
        return {"number": dates_between(calendar, ends)}
    decimals = None if kind == INTEGER else int(kind == "decimal")
    return {"number": number_between(list(map(Decimal, _ends(cells))), decimals=decimals)}


def is_slider(cells: Mapping[str, str], kind: str) -> bool:
    """Return whether a number is shown as a slider: a ``range``, unless its appearance says otherwise."""
    return kind == RANGE and not {"picker", "rating"} & set(cells.get("appearance", "").split())


def number_between(ends: Sequence[Decimal], *, decimals: int | None) -> dict[str, Any]:
    """Return the JSON members of a number question: a square wave with about twenty bins.

    Parameters
    ----------
    ends : sequence of Decimal
        The lower and the upper end; empty if they are unknown and must be stated later.
    decimals : int or None
        Least number of decimals; the ends may have more. None for whole numbers.

    Examples
    --------
    >>> number_between([Decimal(0), Decimal(99)], decimals=None)
    {'mechanism': 'square_wave', 'low': 0, 'high': 99, 'bin': 5}
    """
    places = 0
    if decimals is not None:
        places = max([decimals, *(-int(end.as_tuple().exponent) for end in ends)])
    number: dict[str, Any] = {"mechanism": "square_wave"}
    if len(ends) == 2 and ends[0] < ends[1]:
        low, high = ends
        number |= {"low": _plain(low), "high": _plain(high), "bin": bin_width(low, high, places)}
    if places:
        number["decimals"] = places
    return number


def dates_between(calendar: str, ends: Sequence[str]) -> dict[str, Any]:
    """Return the JSON members of a date question: a square wave with about twenty bins.

    Parameters
    ----------
    calendar : {"month", "day"}
    ends : sequence of str
        The first and the last date, in ISO 8601. If they are missing or invalid, they must be stated later.

    Examples
    --------
    >>> dates_between("month", ["2020-01", "2024-12"])["bin"]
    3
    """
    number: dict[str, Any] = {"mechanism": "square_wave", "calendar": calendar}
    try:
        low, high = (calendar_tick(calendar, end) for end in ends)
    except (PrivacyError, ValueError):
        return number
    if low < high:
        number |= {"low": ends[0], "high": ends[1], "bin": bin_width(Decimal(low), Decimal(high), 0)}
    return number


def bounded_by_constraint(cells: Mapping[str, str]) -> bool:
    """Return whether a row's constraint states ends of its range, and nothing else."""
    kind, ends = cells["type"], bounds_of(cells)
    if TYPES.get(kind) != "number" or not ends:
        return False
    return kind == INTEGER or _ends(cells) == [ends.get(">"), ends.get("<")]


def bounds_of(cells: Mapping[str, str]) -> dict[str, str]:
    """Return the ends that a constraint states, by ">" and "<"; empty if it says anything else.

    Examples
    --------
    >>> bounds_of({"type": "int", "constraint": ". > 0 and . <= 12"})
    {'>': '1', '<': '12'}
    """
    ends: dict[str, str] = {}
    for part in cells.get("constraint", "").split(" and "):
        match = _BOUND.fullmatch(part.strip())
        is_beyond = match is not None and not match["equal"]
        if match is None or match["side"] in ends or (is_beyond and cells.get("type") != INTEGER):
            return {}
        beyond = {">": 1, "<": -1}[match["side"]] if is_beyond else 0
        ends[match["side"]] = match["day"] or str(Decimal(match["number"]) + beyond)
    return ends


def _ends(cells: Mapping[str, str]) -> list[str]:
    """Return the lower and the upper end of a row's range; empty unless it states both."""
    parameters = dict(_PARAMETER.findall(cells.get("parameters", "")))
    if {"start", "end"} <= set(parameters):
        return [parameters["start"], parameters["end"]]
    ends = bounds_of(cells)
    return [ends[">"], ends["<"]] if len(ends) == 2 else []


def bin_width(low: Decimal, high: Decimal, decimals: int) -> int | float:
    """Return a bin width that divides a range into about twenty bins."""
    values = int((high - low) * 10**decimals) + 1
    # For a range with very many values, require few enough bins first.
    widths = [width for width in range(1, min(values // 2, 100_000) + 1) if values % width == 0]
    fitting = [width for width in widths if values // width <= _MOST_BINS] or [1]
    best = min(fitting, key=lambda width: abs(values // width - _BINS))
    return _plain(Decimal(best).scaleb(-decimals))


def _plain(number: Decimal) -> int | float:
    return int(number) if number == int(number) else float(number)


LOOKS: Final = {"likert": "rating", "list-nolabel": "table"}
"""Flags for the supported appearances of a question with options."""
_TRACES: Final = frozenset(
    {"start", "end", "today", "deviceid", "phonenumber", "username", "email", "audit", "simserial"}
    | {"subscriberid", "start-geopoint", "background-geopoint", "background-audio", "imei"}
)
_SILENT: Final = frozenset({"hidden", "xml-external", "csv-external"})
_OF_TABLES: Final = "table-list"
_FALSE: Final = frozenset({"", "no", "false", "false()", "0"})
_SHEETS: Final = frozenset({"survey", "choices", "settings", "external_choices", "entities", "osm"})
_OF_DATA: Final = frozenset(
    {"type", "name", "title", "id_string", "sms_keyword", "default_language", "version", "entity_version"}
    | {"instance_name", "instance_xmlns", "prefix", "delimiter", "allow_choice_duplicates"}
    | {"clean_text_values", "omit_instanceid", "add_none_option"}
)
"""Settings that are imported, or that only affect how other programs store answers."""


def unsupported_reason(kind: str) -> str:
    """Explain why a row of this unsupported type is left out."""
    if kind in _SILENT:
        return _("not asked, because another program computes it")
    if kind in _TRACES:
        return _("surveys here record no time, place or device")
    if kind == "text":
        return _("free text can show who wrote it and cannot be disguised: offer answers instead")
    if kind == "note":
        return _("a text between questions is not shown: put it into the title of a part or the help")
    return _("there is no such question here: ask with options, a number or a place")


def note_unused(
    node: Mapping[str, Any],
    cells: Mapping[str, str],
    options: Iterable[Mapping[str, Any]],
    note: Callable[..., None],
) -> None:
    """Note a row's settings that have no effect here.

    Parameters
    ----------
    node : mapping
        The row in pyxform's tree.
    cells : mapping of str to str
        The row by column; its type is pyxform's.
    options : iterable of mapping
        Options of the row's list.
    note : callable
        Called with a column, a message, a remedy and optional fields of a `Note`.
    """
    bind = node.get("bind", {})
    if _is_true(bind.get("required")):
        note("required", _("the form requires an answer, but respondents can skip any question here"), "")
    if bind.get("calculate"):
        note("calculation", _("the form calculates this answer, but respondents enter it here"), "")
    if _is_true(bind.get("readonly")):
        note("read_only", _("the form only displays this answer, but respondents enter it here"), "")
    if node.get("default"):
        note("default", _("the form fills in an answer, but the question starts empty here"), "")
    if cells.get("constraint") and not bounded_by_constraint(cells):
        note("constraint", _("the rule for allowed answers is not applied"), "", effect=LOST)
    if node.get("guidance_hint"):
        note("guidance_hint", _("guidance for interviewers is left out"), "", effect=LOST)
    if node.get("media") or any(option.get("media") for option in options):
        note("media", _("pictures and sound are left out"), "", effect=LOST)
    if looks := [look for look in cells.get("appearance", "").split() if not _is_followed(look, cells)]:
        message = _(
            "the appearance %(text)s is not available here, so the question looks like others of its kind"
        )
        note("appearance", message % {"text": short_json(" ".join(looks))}, "", cause="appearance")
    parameters = node.get("parameters")
    for name, value in parameters.items() if isinstance(parameters, dict) else ():
        if name == "randomize" and _is_true(value):
            note("parameters", _("the form shuffles the options, but they keep their order here"), "")
        elif name not in ("randomize", "seed", "start", "end") and (name, value) != ("step", "1"):
            message = _("the parameter %(text)s has no effect here")
            note("parameters", message % {"text": short_json(f"{name}={value}")}, "", cause="parameters")


def unused_settings(form: Mapping[str, Any]) -> list[str]:
    """Return the unsupported settings that can change what respondents see."""
    return [name for name, value in form.items() if isinstance(value, str) and name not in _OF_DATA]


def unused_sheets(names: Iterable[str]) -> list[str]:
    """Return the sheets of a workbook that are ignored.

    Examples
    --------
    >>> unused_sheets(["survey", "Choices", "Translations", "entities"])
    ['Translations']
    """
    return [name for name in names if name.strip().lower() not in _SHEETS]


def _is_true(cell: object) -> bool:
    return str(cell or "").strip().lower() not in _FALSE


def _is_followed(look: str, cells: Mapping[str, str]) -> bool:
    kind = cells["type"]
    if kind.startswith("select"):
        return look in LOOKS and look == cells["appearance"].split()[0]
    return look == MONTHS if kind == DATE else look == _OF_TABLES


MOST_BRACKETS: Final = 100
"""Most brackets and negations in a condition; Python's parser allows 200."""
_LONGEST: Final = 10_000
_SIGNS: Final = re.compile(
    r"""(?P<quoted>'[^']*'|"[^"]*")|\$\{\s?(?P<name>[^{}\s]{1,100})\s?\}|(?P<number>(?<![\w.])[0-9]{1,9}(?![\w.]))"""
    r"""|&&|\|\||(?<![<>!=])=|\b(?:and|or|not|selected)\b""",
    re.IGNORECASE,
)
_IN_PYTHON: Final = {"&&": " and ", "||": " or ", "=": "=="}

Known = dict[str, tuple[Question, Mapping[str, str]]]
"""Earlier questions by their names in the form, with the option key of each value."""
Term = tuple[str, bool, str, bool]
"""Name of a question, whether its answer must differ, a value, and whether the value is the whole answer."""


def usable_clauses(text: str, questions: Known) -> tuple[list[dict[str, list[str]]], bool]:
    """Return the clauses of a condition that a part can have, and whether these are all of it.

    Supported are equality, inequality (as all other options), ``selected`` and negation, joined by *and* and
    *or*. A condition on a question with several answers becomes one on the lines of its list. An unsupported
    clause is dropped, so that more people are asked.
    """
    clauses = [options for clause in clauses_of(text) for options in _options(clause, questions)]
    usable = [options for options in clauses if options]
    if len(clauses) > 1:
        usable = [options for options in usable if len(options) == 1]
    return usable, bool(clauses) and len(usable) == len(clauses)


def holds_if_empty(text: str, questions: Known) -> bool:
    """Return whether a condition is true if an answer is empty: an inequality is, in an XLSForm.

    A part here is asked only after one of the stated answers.

    Examples
    --------
    >>> known = {"a": (Question(line=1, texts={}, key="a"), {"1": "yes", "2": "no"})}
    >>> [holds_if_empty(text, known) for text in ("${a} != '1'", "${a} = '2'", "not(${b} = '1')")]
    [True, False, False]
    """
    return any(
        bool(clause)
        and any(term is not None and term[1] for term in clause)
        and all(_options(clause, questions))
        for clause in clauses_of(text)
    )


def clauses_of(text: str) -> list[list[Term | None]]:
    """Parse a condition into clauses that must all hold; each is a list of terms, any of which suffices.

    A term is None unless it compares an answer with a value. There are no clauses if the text is malformed or
    has an *and* inside an *or*.

    Examples
    --------
    >>> clauses_of("not(${a} = 1 or selected(${b}, 'x')) and (${c} > 3 or ${d} = 'and')")
    [[('a', True, '1', True)], [('b', True, 'x', False)], [None, ('d', False, 'and', True)]]
    """
    if len(text) > _LONGEST or text.count("(") + text.lower().count("not") > MOST_BRACKETS:
        return []
    try:
        # Translate to Python syntax and use Python's parser; nothing is executed.
        tree = ast.parse(_SIGNS.sub(_in_python, " ".join(text.split())), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    return _clauses(tree, is_not=False) or []


def _in_python(match: re.Match[str]) -> str:
    if match["name"]:
        return f"_[{match['name']!r}]"
    value = match["number"] or (match["quoted"] and match["quoted"][1:-1])
    return repr(value) if value is not None else _IN_PYTHON.get(match[0], match[0].lower())


def _clauses(node: ast.expr, *, is_not: bool) -> list[list[Term | None]] | None:
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _clauses(operand, is_not=not is_not)
        case ast.BoolOp(op=op, values=values):
            parts = [_clauses(value, is_not=is_not) for value in values]
            if isinstance(op, ast.And) != is_not:
                return None if None in parts else [clause for part in parts for clause in part or ()]
            if any(part is None or len(part) != 1 for part in parts):
                return None
            return [[term for part in parts for clause in part or () for term in clause]]
        case ast.Compare(
            left=ast.Subscript(slice=ast.Constant(value=str(name))),
            ops=[ast.Eq() | ast.NotEq() as how],
            comparators=[ast.Constant(value=str(value))],
        ):
            return [[(name, isinstance(how, ast.NotEq) != is_not, value, True)]]
        case ast.Call(
            func=ast.Name(id="selected"),
            args=[ast.Subscript(slice=ast.Constant(value=str(name))), ast.Constant(value=str(value))],
        ):
            return [[(name, is_not, value, False)]]
    return [[None]]


def _options(clause: Sequence[Term | None], questions: Known) -> list[dict[str, list[str]]]:
    """Return the options of a clause by key of the question, for each clause that it becomes.

    A clause that no part can have becomes an empty one.
    """
    options: dict[str, list[str]] = {}
    for term in clause:
        joined, answers = ("any", {}) if term is None else _answers(term, questions)
        if not all(answers.values()) or not answers:
            return [{}]
        if joined == "all" and len(answers) > 1:
            # Alternatives to several answers together are no clauses of a part.
            return [{key: each} for key, each in answers.items()] if len(clause) == 1 else [{}]
        for key, each in answers.items():
            options.setdefault(key, []).extend(each)
    return [options]


def _answers(term: Term, questions: Known) -> tuple[str, dict[str, list[str]]]:
    """Return the answers that a term asks for, by key of the question, and whether any or all are needed."""
    name, is_not, value, is_whole = term
    question, values = questions.get(name, (None, {}))
    if question is None:
        return "any", {}
    if question.kind != SEVERAL:
        return "any", {question.key: [key for each, key in values.items() if (each == value) != is_not]}
    option = values.get(value, "")
    if option in question.lines:
        lines = question.lines.values() if is_whole else [question.lines[option]]
        ticked = {question.lines[option]}
    elif any(each.key == option and means_none(each.texts) for each in question.options):
        lines, ticked = question.lines.values(), set()
    else:
        return "any", {}
    return "any" if is_not else "all", {key: ["yes" if (key in ticked) != is_not else "no"] for key in lines}


def asked_if_of(clauses: Sequence[Mapping[str, Sequence[str]]]) -> dict[str, Any] | None:
    """Return the condition of a block as in a definition; None if no block can have it.

    Parameters
    ----------
    clauses : sequence of mapping
        Clauses that must all hold. Each maps keys of questions to options, any of which suffices.

    Examples
    --------
    >>> asked_if_of([{"age": ["30", "40"]}, {"age": ["40", "50"]}])
    {'question': 'age', 'options': ['40']}
    >>> asked_if_of([{"leads": ["yes"], "age": ["40"]}, {"age": ["40"]}]) is None
    True
    """
    if len(clauses) == 1:
        operator, answers = "any", dict(clauses[0])
    else:
        operator, answers = "all", {}
        for clause in clauses:
            if len(clause) != 1:
                return None
            ((key, options),) = clause.items()
            answers[key] = [option for option in answers.get(key, options) if option in options]
    terms = [{"question": key, "options": list(dict.fromkeys(options))} for key, options in answers.items()]
    if not terms or not all(term["options"] for term in terms):
        return None
    return terms[0] if len(terms) == 1 else {operator: terms}
