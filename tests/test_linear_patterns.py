"""Every regular expression that reads user input runs in linear time.

The tests count the steps of a backtracking matcher (`tests/backtracking.py`), so a slow machine is fine.
"""

import ast
import importlib
import math
import re
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import pytest

from tests.backtracking import Steps, TooManySteps, attacks, longest_bound
from tests.conftest import ROOT

PACKAGES: Final = ("privacy", "surveys", "anonymisation")

OWN_FILES_ONLY: Final = {
    "surveys.embed.frame_style",
    "surveys.respondent.client_program",
    "surveys.respondent.joined_modules",
    "surveys.respondent.small_style",
    "surveys.formats.page_pictures",
    "surveys.server.doctor.storage",
    "surveys.management.__main__",
}
"""Modules whose patterns read only files, pictures or statements of the product itself."""

METHODS: Final = {"match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"}

# Doubling the text may take a little more than twice the steps, because matching also has a fixed cost.
MOST_GROWTH: Final = 2.5
LEAST_TIMES: Final = 16
# A pattern with many alternatives tries each at every character.
MOST_STEPS: Final = 300


@cache
def used_patterns() -> dict[tuple[str, re.Pattern[str]], set[str]]:
    """Return the patterns of all modules, each with the methods that the module calls on it."""
    found: dict[tuple[str, re.Pattern[str]], set[str]] = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            text = path.read_text(encoding="utf-8")
            if name not in OWN_FILES_ONLY and re.search(r"^import re$", text, re.MULTILINE):
                for pattern, methods in _of_module(vars(importlib.import_module(name)), ast.parse(text)):
                    found.setdefault((name, pattern), set()).update(methods)
    return found


def _of_module(names: dict[str, Any], tree: ast.Module) -> Iterator[tuple[re.Pattern[str], set[str]]]:
    by_variable: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if (
            not isinstance(node, ast.Attribute)
            or not isinstance(node.value, ast.Name)
            or node.attr not in METHODS
        ):
            continue
        if node.value.id != "re":
            by_variable.setdefault(node.value.id, set()).add(node.attr)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("re.") and node.args:
            method, words = (
                ast.unparse(node.func).removeprefix("re."),
                {k.arg: k.value for k in node.keywords},
            )
            flags = node.args[1] if method == "compile" and len(node.args) > 1 else words.get("flags")
            # The pattern of a call is a string, or is composed of names of the module.
            stated, flag = (_value(part, names) if part is not None else 0 for part in (node.args[0], flags))
            if isinstance(stated, str) and method in METHODS:
                yield re.compile(stated, flag), {method}
    # Without "split", which is also a method of strings.
    others = set().union(*(methods for name, methods in by_variable.items() if name not in names)) - {"split"}
    for name, value in names.items():
        for pattern in _patterns_in(value):
            # A pattern that a loop or parameter passes on may be used by any call on a local variable.
            yield pattern, by_variable.get(name) or others or {"findall"}


def _value(node: ast.expr, names: dict[str, Any]) -> Any:
    try:
        return eval(compile(ast.Expression(node), "<pattern>", "eval"), dict(names))
    except NameError:
        return None


def _patterns_in(value: Any) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
        yield value
    elif isinstance(value, tuple | list):
        for each in value:
            yield from _patterns_in(each)
    elif isinstance(value, dict) and len(value) < 100:
        for each in value.values():
            yield from _patterns_in(each)


def steps(pattern: re.Pattern[str], method: str, text: str, *, most: int = 100_000) -> int:
    counted = Steps(pattern, text, most=most)
    # The matcher recurses once per step.
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))
    if method in ("match", "fullmatch"):
        counted.match(whole=method == "fullmatch")
    else:
        counted.search_all(first_only=method == "search")
    return counted.count


def worst_growth(pattern: re.Pattern[str], method: str) -> tuple[float, str]:
    """Return the largest growth in steps when a text is doubled, and the beginning of that text."""
    times = max(LEAST_TIMES, 2 * min(longest_bound(pattern), 130))
    worst = 0.0, ""
    for once, twice in zip(attacks(pattern, times), attacks(pattern, 2 * times), strict=True):
        try:
            before = steps(pattern, method, once, most=max(100_000, MOST_STEPS * len(once)))
            growth = steps(pattern, method, twice, most=int(before * MOST_GROWTH)) / before
        except TooManySteps:
            return math.inf, once[:12]
        worst = max(worst, (growth, once[:12]))
    return worst


@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        (r"\s*x", "search"),  # from each blank to the last one
        (r"[?？]\W*$", "search"),  # from every question mark to the end
        (r"\s*[|\t]\s*|\s+/\s+", "split"),
        (r"\s*\[a{1,30}\]\s*$", "search"),
        (r"a*a*b", "match"),  # every split between the two repeats
        (r"(a+)+b", "match"),
        (r"(a|aa)+b", "fullmatch"),
        (r"(.+)-(.+)!", "fullmatch"),
        (r"\$\{\s*([^}\s]+)\s*\}", "findall"),
        (r"\s*\d{1,2}(\s*[, ]\s*\d{1,2})*\s*", "fullmatch"),
        (r"(?P<name>[a-z]\w*)\s*(?P<how>=|[a-z]+)\s*(?P<value>'[^']*'|[-\w.]+)", "fullmatch"),
    ],
)
def test_nonlinear_patterns_are_detected(pattern: str, method: str) -> None:
    assert worst_growth(re.compile(pattern), method)[0] == math.inf


@pytest.mark.parametrize(
    ("pattern", "method"),
    [(r"\s?x", "search"), (r"(?<!\s)\s*+x", "search"), (r"a*b", "match"), (r"\bage\b", "search")],
)
def test_linear_patterns_pass(pattern: str, method: str) -> None:
    assert worst_growth(re.compile(pattern), method)[0] <= MOST_GROWTH


def test_simulated_matching_agrees_with_the_regex_engine() -> None:
    texts = ["", "a1", "1. Sleep? [open]", "(0-12)", "# Teil", "2026-01-02", "item=a and b", "您睡得好吗？"]
    for _module, pattern in used_patterns():
        for text in texts:
            match = pattern.match(text)
            assert Steps(pattern, text).match(whole=False) == (None if match is None else match.end()), (
                pattern
            )


def slow_patterns(package: str) -> list[tuple[str, str, str, str]]:
    """Return the nonlinear patterns of a package's modules, each with a text that shows it."""
    found = {key: methods for key, methods in used_patterns().items() if key[0].startswith(package)}
    assert found
    return [
        (module, pattern.pattern[:60], method, text)
        for (module, pattern), methods in found.items()
        for method in sorted(methods)
        for growth, text in [worst_growth(pattern, method)]
        if growth > MOST_GROWTH
    ]


@pytest.mark.soak
def test_patterns_for_pasted_text_run_in_linear_time() -> None:
    assert slow_patterns("surveys.imports") == []


@pytest.mark.soak
@pytest.mark.parametrize("package", PACKAGES)
def test_patterns_run_in_linear_time(package: str) -> None:
    assert slow_patterns(package) == []
