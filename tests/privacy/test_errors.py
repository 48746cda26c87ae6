"""Refusals of the core have a message in the catalogue, and survive pickling."""

import ast
import pickle
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from privacy.catalogue import ADVICE, PARTS, WORDS
from privacy.errors import PrivacyError
from tests.architecture import nodes

ROOT = Path(__file__).resolve().parents[2]
RAISED_BY = {"PrivacyError"}
FIELD = re.compile(r"%\((\w+)\)")


def test_privacy_errors_survive_pickling() -> None:
    sent = PrivacyError("whole.range", 7, code="block_sizes", advice="skip", name="size", low=1, high=5)
    arrived = pickle.loads(pickle.dumps(sent))
    assert type(arrived) is PrivacyError
    assert (arrived.code, arrived.value, arrived.remedy) == ("block_sizes", 7, sent.remedy)
    assert str(arrived) == (
        "size = 7 is outside 1..5; use ten-thousandths from 1 to 5, or leave it out if the "
        "block cannot be skipped"
    )


def sources() -> Iterator[tuple[str, tuple[ast.AST, ...]]]:
    for layer in ("privacy", "mining", "sottovoce"):
        for path in sorted((ROOT / layer).rglob("*.py")):
            if "catalogue" not in path.parts:
                yield path.relative_to(ROOT).as_posix(), nodes(path)


@cache
def stated() -> dict[str, list[ast.expr]]:
    """Return the non-empty class attributes of the core, by name."""
    found: dict[str, list[ast.expr]] = {}
    for _, parts in sources():
        for node in parts:
            for one in node.body if isinstance(node, ast.ClassDef) else ():
                target = one.targets[0] if isinstance(one, ast.Assign) else getattr(one, "target", None)
                value = getattr(one, "value", None)
                if isinstance(target, ast.Name) and isinstance(value, ast.Constant) and value.value:
                    found.setdefault(target.id, []).append(value)
    return found


def branches(node: ast.expr) -> Iterator[ast.expr]:
    """Yield each possible value of a conditional expression."""
    if isinstance(node, ast.IfExp):
        yield from branches(node.body)
        yield from branches(node.orelse)
    else:
        yield node


def sites(parts: tuple[ast.AST, ...]) -> Iterator[tuple[ast.Call, list[str], set[str]]]:
    """Yield the calls that create a refusal, each with its cases and fields."""
    assigned = None
    for node in parts:
        if not (isinstance(node, ast.Call) and getattr(node.func, "id", "") in RAISED_BY and node.args):
            continue
        first = node.args[0]
        if assigned is None:
            assigned = [(ast.unparse(one.targets[0]), one) for one in parts if isinstance(one, ast.Assign)]
        # The case is a variable that was assigned just before.
        before = [one for name, one in assigned if name == ast.unparse(first)]
        nearest = max(
            (one for one in before if one.lineno < node.lineno), key=lambda one: one.lineno, default=None
        )
        argument = first if nearest is None else nearest.value
        # The case is an attribute of a class, such as a question kind.
        chosen = stated()[argument.attr] if isinstance(argument, ast.Attribute) else list(branches(argument))
        fields = {str(keyword.arg) for keyword in node.keywords} | {"value"}
        yield node, [str(ast.literal_eval(one)) for one in chosen], fields


def test_every_raised_error_has_a_message_and_its_fields() -> None:
    raised = list(sources())
    unknown, lacking = set(), {}
    for name, tree in raised:
        for call, cases, fields in sites(tree):
            for case in cases:
                if case not in WORDS:
                    unknown.add((name, call.lineno, case))
                elif needed := set(FIELD.findall(" ".join(WORDS[case]))) - fields:
                    lacking[name, call.lineno, case] = needed
    assert unknown == set()
    assert lacking == {}


def test_every_error_message_is_used() -> None:
    raised = {
        part.value
        for _, tree in sources()
        for part in tree
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    }
    assert set(WORDS) - raised == set()
    assert set(ADVICE) <= raised


def test_each_error_case_is_worded_in_one_module() -> None:
    assert sum(len(part.WORDS) for part in PARTS) == len(WORDS)


def test_error_sentences_are_only_in_the_catalogue() -> None:
    wrong = [
        (name, call.lineno)
        for name, tree in sources()
        for call, _, _ in sites(tree)
        for part in ast.walk(call)
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value.count(" ") >= 2
    ]
    assert wrong == []
