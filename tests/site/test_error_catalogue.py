"""Every raised refusal has a message in the catalogue, and every entry is used."""

import ast
import functools
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from privacy.catalogue import WORDS as CORE_WORDS
from surveys.errors import fields, one_answers, pages, programs, sheets
from surveys.errors.error import WORDS
from surveys.extension import extensions
from tests.architecture import nodes

ROOT = Path(__file__).resolve().parents[2]
RAISED_BY = {"SurveyError": 0, "refusal": 0, "field_error": 0, "at": 1}
"""Functions that create a refusal -> position of the case among their arguments."""

PARTS = (fields, one_answers, pages, programs, sheets)
CATALOGUE = {f"{part.__name__.replace('.', '/')}.py" for part in PARTS}

FIELD = re.compile(r"%\((\w+)\)")


def catalogues() -> dict[str, dict[str, tuple[str, ...]]]:
    """Return the messages of each application's own refusals."""
    own = {"surveys": WORDS} | {app.name: dict(app.refusals) for app in extensions()}
    return {app: {case: entry[:2] for case, entry in refusals.items()} for app, refusals in own.items()}


OWN = {case: words for part in catalogues().values() for case, words in part.items()}
EVERY = {case: words[:2] for case, words in CORE_WORDS.items()} | OWN
"""Message and remedy of each case that a service can raise; the core's are shared."""


def sources(*names: str) -> Iterator[tuple[str, tuple[ast.AST, ...]]]:
    for path in sorted(path for name in names or catalogues() for path in (ROOT / name).rglob("*.py")):
        inside = path.relative_to(ROOT).as_posix()
        if inside not in CATALOGUE and not {"refusals", "refusals.py"} & set(path.parts):
            yield inside, nodes(path)


def texts(parts: Iterable[ast.AST]) -> set[str]:
    return {part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)}


def keys(parts: Iterable[ast.AST]) -> set[str]:
    """Return strings that are used as keys, which are not cases of refusals."""
    looked_up = [part.slice for part in parts if isinstance(part, ast.Subscript)]
    asked_for = [
        argument
        for part in parts
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr == "get"
        for argument in part.args
    ]
    return texts([*looked_up, *asked_for])


@functools.cache
def sites(parts: tuple[ast.AST, ...]) -> list[tuple[ast.Call, list[str] | None, set[str]]]:
    """Return calls that create a refusal, each with its cases (None for a variable) and fields."""
    found: list[tuple[ast.Call, list[str] | None, set[str]]] = []
    for node in parts:
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            place = RAISED_BY.get(name)
            if place is None or len(node.args) <= place:
                continue
            argument = node.args[place]
            chosen = [argument.body, argument.orelse] if isinstance(argument, ast.IfExp) else [argument]
            fields = {str(keyword.arg) for keyword in node.keywords}
            if len(node.args) > place + 1:
                fields.add("value")
            if all(isinstance(one, ast.Constant) for one in chosen):
                found.append((node, [str(ast.literal_eval(one)) for one in chosen], fields))
            elif isinstance(argument, ast.Name):
                found.append((node, None, fields))
    return found


def test_each_error_case_has_only_one_catalogue_entry() -> None:
    assert sum(len(part.WORDS) for part in PARTS) == len(WORDS)
    assert sum(map(len, catalogues().values())) == len(OWN)


def test_each_function_that_makes_refusals_is_found_in_the_product() -> None:
    calls = [call.func for _, tree in sources() for call, *_ in sites(tree)]
    assert {getattr(func, "attr", getattr(func, "id", "")) for func in calls} == RAISED_BY.keys()


def test_every_raised_error_case_has_a_message() -> None:
    """`surveys` needs its own messages or the core's: an application's are missing if it is disabled."""
    present = WORDS.keys() | CORE_WORDS.keys()
    unknown = {
        (name, call.lineno, case)
        for app in catalogues()
        for name, tree in sources(app)
        for call, cases, _ in sites(tree)
        for case in cases or ()
        if case not in (present if app == "surveys" else EVERY)
    }
    assert unknown == set()


def test_every_error_message_is_used() -> None:
    """`surveys` or, for an application's messages, that application must use them."""
    left = {
        app: set(words) - {text for _, tree in sources(app) for text in texts(tree)}
        for app, words in catalogues().items()
    }
    assert not any(left.values()), left


def needed(case: str) -> set[str]:
    return set(FIELD.findall(" ".join(EVERY[case])))


def test_errors_receive_all_fields_of_their_message() -> None:
    lacking = {
        (name, call.lineno, case): needed(case) - fields
        for name, tree in sources()
        for call, cases, fields in sites(tree)
        for case in cases or ()
        if needed(case) - fields
    }
    assert lacking == {}


def test_errors_with_variable_cases_receive_all_needed_fields() -> None:
    lacking = {}
    for name, tree in sources():
        stated = {case for _, cases, _ in sites(tree) for case in cases or ()}
        given = [fields for _, cases, fields in sites(tree) if cases is None]
        for case in (texts(tree) & set(OWN)) - stated - keys(tree) if given else ():
            if all(needed(case) - fields for fields in given):
                lacking[name, case] = needed(case)
    assert lacking == {}
