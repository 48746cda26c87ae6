"""Change the code of random functions, one place at a time, and run the tests that should notice it.

``python -m benchmarks.code_mutants [--seed N] [--count N] [--workers N] [--until STAGE] [FILE ...]``. First a
function of `privacy`, `mining`, `surveys/intake` or `surveys/runs` is drawn, each with the same probability;
then one of its mutants. Mutants replace an operator by its opposite (+ and -, * and /, ** by *, and by or),
move the edge of a comparison, add 1 to a number in one of these, negate a condition, turn True into False, or
leave out a call whose result is not used. The program skips refusals, defaults, arguments that change only
time and memory, and edges whose two sides give the same result: next to a tolerance, and in a choice of the
smaller or larger value. Functions and mutants are drawn with a seed, which is printed.

Tests run in three stages, until one fails: the examples of the file and the test file that mirrors it, the
folder of that test file, and all other tests that reach the file. Browser tests and soak tests are left out.
A mutant survives if all tests pass. The program prints each mutant with the stage that killed it, the share
killed by the first stage and by the first two, and exits with 1 if a mutant survived. It works on copies of
the committed files.
"""

from __future__ import annotations

import argparse
import ast
import itertools
import os
import queue
import random
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from tests.reach import LAYERS as PACKAGES
from tests.reach import is_test, reached, texts, twin
from tests.test_twins import REACHED

ROOT = Path(__file__).resolve().parent.parent
LAYERS: Final = ("privacy/", "mining/", "surveys/intake/", "surveys/runs/")
TEXTS_ONLY: Final = ("privacy/catalogue/", "privacy/errors")
"""Files of these places hold texts."""

OPERATORS: Final[dict[type[ast.operator | ast.cmpop | ast.boolop], tuple[str, str]]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.Pow: ("**", "*"),
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
}
EDGES: Final = ("<", "<=", ">", ">=")

PASSED: Final = (0, 5)
"""Exit codes of pytest: all tests pass, no tests were selected."""

FAILED: Final = (1, 2, 4)
"""Exit codes of pytest: some tests fail, or the mutant cannot be imported."""

MOST_SECONDS: Final = 900
"""After this time in one stage, a mutant is assumed to run forever and counts as killed."""

CHECKS: Final = ("strict", "check", "write")
"""Arguments of `zip`, `subprocess.run` and `setflags` that only refuse cases that never occur, as does
`flags.writeable`; refusals are not mutated.
"""

SAME_RESULT: Final = {
    ("copy", False),
    ("cache", True),
    ("nogil", True),
    ("optimize", True),
    ("use_threads", False),
}
"""Arguments of NumPy, Numba and PyArrow that change only time and memory; opposites give equal results."""

LARGEST_TOLERANCE: Final = 1e-6
"""Positive constants up to this one are tolerances, larger than rounding errors and smaller than any
difference that matters. No value equals a limit plus a tolerance except by accident, so the edge of such a
comparison is not moved; its direction and the tolerance itself are changed.
"""

STAGES: Final = ("mirrored", "folder", "others")


@dataclass(frozen=True, order=True)
class Mutant:
    """A changed place in a file: `text` replaces the characters from `begin` to `end`."""

    path: str
    begin: int
    end: int
    text: str

    def of(self, source: str) -> str:
        """Return the changed source."""
        return source[: self.begin] + self.text + source[self.end :]

    def shown(self, source: str) -> str:
        """Return the location of the mutant, and its line before and after the change."""
        number = source.count("\n", 0, self.begin)
        was, becomes = (text.splitlines()[number].strip() for text in (source, self.of(source)))
        return f"{self.path}:{number + 1}\n    {was}\n    {becomes}"


def mutants_by_function(path: str, source: str) -> dict[str, list[Mutant]]:
    """Return the mutants of each function and method of a file, by its qualified name.

    >>> found = mutants_by_function("x.py", source := "def double(x):\\n    return 2 * x")
    >>> {name: [one.of(source)[26:] for one in mutants] for name, mutants in found.items()}
    {'double': ['2 / x', '3 * x']}
    """
    found: dict[str, list[Mutant]] = {}

    def visit(body: Sequence[ast.stmt], prefix: str) -> None:
        for node in body:
            if isinstance(node, ast.ClassDef):
                visit(node.body, f"{prefix}{node.name}.")
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                found[f"{prefix}{node.name}"] = list(mutants_of(path, source, node))

    visit(ast.parse(source).body, "")
    return {name: mutants for name, mutants in found.items() if mutants}


def mutants_of(path: str, source: str, within: ast.AST | None = None) -> Iterator[Mutant]:
    """Yield every mutant of a file, or of one definition in it; refusals and defaults stay as they are.

    >>> [one.of("x = 2 * y") for one in mutants_of("x.py", "x = 2 * y")]
    ['x = 2 / y', 'x = 3 * y']
    >>> [one.of("if x and y:\\n    store()") for one in mutants_of("x.py", "if x and y:\\n    store()")]
    ['if not (x and y):\\n    store()', 'if x or y:\\n    store()', 'if x and y:\\n    pass']
    """
    place = _Places(source)
    if isinstance(within, ast.FunctionDef | ast.AsyncFunctionDef):
        roots: list[ast.AST] = list(within.body)
    else:
        roots = [within or ast.parse(source)]
    nodes = [node for root in roots for node in ast.walk(root)]
    unchanged = {
        inner for node in nodes if isinstance(node, ast.Raise | ast.Assert) for inner in ast.walk(node)
    }
    tolerances = _tolerances(ast.parse(source).body) | _tolerances(nodes)
    for node in nodes:
        tolerances.update([*_limits_with(node, tolerances)])
    ties = {node.test for node in nodes if isinstance(node, ast.IfExp) and _chooses_a_side(node)}
    for node in nodes:
        if node not in unchanged:
            for begin, end, text in _changes(node, source, place):
                if text not in EDGES or not (node in ties or _has_tolerance(node, tolerances)):
                    yield Mutant(path, begin, end, text)


def _chooses_a_side(choice: ast.IfExp) -> bool:
    """Return whether a choice is the smaller or larger of two values, which are equal at its edge."""
    if not isinstance(choice.test, ast.Compare) or len(choice.test.ops) > 1:
        return False
    sides = (choice.test.left, choice.test.comparators[0])
    return {*map(ast.dump, sides)} == {ast.dump(choice.body), ast.dump(choice.orelse)}


def _limits_with(node: ast.AST, tolerances: Collection[str]) -> Iterator[str]:
    """Yield the variable that a statement sets to a multiple of a tolerance, or to a limit with one."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.BinOp(left=left, op=operator, right=right)):
            sides = {ast.Add: [right], ast.Sub: [right], ast.Mult: [left, right]}.get(type(operator), [])
            if any(_is_tolerance(side) or _is_named(side, tolerances) for side in sides):
                yield name


def _is_named(node: ast.AST, names: Collection[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in names


def _tolerances(statements: Iterable[ast.AST]) -> set[str]:
    """Return the names of constants that are tolerances."""
    return {
        target.id
        for statement in statements
        if isinstance(statement, ast.Assign | ast.AnnAssign) and _is_tolerance(statement.value)
        for target in (statement.targets if isinstance(statement, ast.Assign) else [statement.target])
        if isinstance(target, ast.Name)
    }


def _is_tolerance(node: ast.expr | None) -> bool:
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, float)
        and 0 < node.value <= LARGEST_TOLERANCE
    )


def _has_tolerance(node: ast.AST, names: Collection[str]) -> bool:
    return any(
        isinstance(inner, ast.expr) and (_is_tolerance(inner) or _is_named(inner, names))
        for inner in ast.walk(node)
    )


class _Places:
    """Positions of nodes in a text, in characters; `ast` counts bytes."""

    def __init__(self, source: str) -> None:
        self.encoded = source.encode()
        lines = (len(line.encode()) for line in source.splitlines(keepends=True))
        self.lines = [0, *itertools.accumulate(lines)]

    def _at(self, line: int, column: int) -> int:
        return len(self.encoded[: self.lines[line - 1] + column].decode())

    def __call__(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """Return the first position of a node, and the first after it."""
        return (
            self._at(node.lineno, node.col_offset),
            self._at(node.end_lineno or 0, node.end_col_offset or 0),
        )


def _changes(node: ast.AST, source: str, place: _Places) -> Iterator[tuple[int, int, str]]:
    """Yield the changes of one node: the first position, the first after it, and the new text."""
    match node:
        case (
            ast.BinOp(left=left, op=operator, right=right)
            | ast.Compare(left=left, ops=[operator], comparators=[right])
        ) if type(operator) in OPERATORS:
            yield from _opposite(operator, left, right, source, place)
            for side in (left, right):
                match side:
                    case ast.Constant(value=int(number) | float(number)) if not isinstance(number, bool):
                        yield (*place(side), repr(number + 1))
        case ast.BoolOp(op=operator, values=[left, right, *_]):
            yield from _opposite(operator, left, right, source, place)
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            begin, end = place(test)
            yield begin, end, f"not ({source[begin:end]})"
        case ast.keyword(arg=name, value=ast.Constant(value=bool(value)) as constant):
            if name not in CHECKS and (name, value) not in SAME_RESULT:
                yield (*place(constant), repr(not value))
        case ast.Assign(targets=[ast.Attribute(attr="writeable")]):
            pass
        case ast.Assign(value=ast.Constant(value=bool(value)) as constant):
            yield (*place(constant), repr(not value))
        case ast.Return(value=ast.Constant(value=bool(value)) as constant):
            yield (*place(constant), repr(not value))
        case ast.Expr(value=ast.Call() | ast.Await()):
            yield (*place(node), "pass")


def _opposite(
    operator: ast.operator | ast.cmpop | ast.boolop,
    left: ast.expr,
    right: ast.expr,
    source: str,
    place: _Places,
) -> Iterator[tuple[int, int, str]]:
    sign, becomes = OPERATORS[type(operator)]
    after, before = place(left)[1], place(right)[0]
    if found := re.search(rf"(?<![\w*/=<>!]){re.escape(sign)}(?![\w*/=<>])", source[after:before]):
        yield after + found.start(), after + found.end(), becomes


def stages_of(path: str, sources: dict[str, str]) -> list[list[str]]:
    """Return what to run for a file: its examples and mirrored tests, their folders, and all other tests."""
    mirrored = [one for one in (twin(path), *_reaching(path)) if one in sources]
    folders = sorted({str(PurePosixPath(one).parent) for one in (twin(path), *mirrored)})
    folders = [folder for folder in folders if any(one.startswith(f"{folder}/") for one in sources)]
    near = [one for one in reached([path], sources) if is_test(one) and not one.startswith("tests/e2e/")]
    others = [one for one in near if str(PurePosixPath(one).parent) not in folders]
    # Tests of the core come first, because tests of pages start more slowly.
    others.sort(key=lambda one: not one.startswith(("tests/privacy/", "tests/mining/")))
    return [[path, *mirrored], folders, others]


def _reaching(path: str) -> list[str]:
    return [test for test, modules in REACHED.items() if path in modules]


@dataclass(frozen=True)
class Checkout:
    """A copy of the committed files, in which mutants are tested one after another."""

    folder: Path
    sources: dict[str, str]
    broken: set[str]
    """Tests that fail without a mutant, for example because they need git; all copies share them."""

    def killed_by(self, mutant: Mutant, until: str) -> str:
        """Run the tests; return the stage that failed, or an empty text."""
        stages = stages_of(mutant.path, self.sources)
        for stage, tests in zip(STAGES, stages, strict=True):
            while tests and (failed := self._failed(tests, mutant)) is not None:
                if failed and self._failed([failed], None) is not None:
                    print(f"left out: {failed}, which fails without a mutant", flush=True)
                    self.broken.add(failed)
                    continue
                return stage
            if stage == until:
                break
        return ""

    def _failed(self, tests: Sequence[str], mutant: Mutant | None) -> str | None:
        """Run tests until one fails; return its name, an empty text for other failures, or None."""
        if mutant is None:
            return self._run(tests)
        file, source = self.folder / mutant.path, self.sources[mutant.path]
        file.write_text(mutant.of(source), encoding="utf-8")
        try:
            return self._run(tests)
        finally:
            file.write_text(source, encoding="utf-8")

    def _run(self, tests: Sequence[str]) -> str | None:
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-m", "not e2e"]
        command += [*tests, *(f"--deselect={name}" for name in sorted(self.broken))]
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
        try:
            ran = subprocess.run(
                command,
                cwd=self.folder,
                capture_output=True,
                timeout=MOST_SECONDS,
                check=False,
                env=environment,
            )
        except subprocess.TimeoutExpired:
            return ""
        said = ran.stdout.decode(errors="replace")
        if ran.returncode in PASSED:
            return None
        if ran.returncode not in FAILED:
            raise RuntimeError(f"pytest ended with {ran.returncode}:\n{said[-2000:]}")
        found = re.search(r"^(?:FAILED|ERROR) (\S+::.+?)(?: - .*)?$", said, re.MULTILINE)
        return found[1] if found else ""


def copy_checkout(into: Path) -> Path:
    """Copy the committed files from the working tree."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True)
    for name in listed.stdout.split("\0"):
        if name and (ROOT / name).is_file():
            (into / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, into / name)
    return into


def drawn(paths: Sequence[str], sources: dict[str, str], seed: int, count: int) -> list[Mutant]:
    """Draw functions without repetition, and one mutant of each; a seed repeats the draw."""
    functions = [found for path in paths for found in mutants_by_function(path, sources[path]).values()]
    generator = random.Random(seed)
    return [generator.choice(found) for found in generator.sample(functions, min(count, len(functions)))]


def main(arguments: Sequence[str]) -> int:
    """Draw mutants, and print the outcome of each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", help="only these; else all of the layers")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1_000_000))
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--until", choices=STAGES, default=STAGES[-1], help="the last stage to run")
    chosen = parser.parse_args(arguments)
    sources = texts(*PACKAGES, "tests", ends=(".py",))
    paths = chosen.files or sorted(
        path for path in sources if path.startswith(LAYERS) and not path.startswith(TEXTS_ONLY)
    )
    if unknown := sorted(set(paths) - sources.keys()):
        parser.error(f"unknown file {unknown[0]}; name Python files of the project")
    if chosen.count < 1:
        parser.error(f"--count {chosen.count}: use 1 or more")
    mutants = drawn(paths, sources, chosen.seed, chosen.count)
    print(f"seed {chosen.seed}: {len(mutants)} mutants of functions of {len(paths)} files", flush=True)
    killed: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as scratch:
        copies: queue.Queue[Checkout] = queue.Queue()
        broken: set[str] = set()
        for worker in range(chosen.workers):
            copies.put(Checkout(copy_checkout(Path(scratch) / str(worker)), sources, broken))

        def run(mutant: Mutant) -> str:
            copy = copies.get()
            try:
                return copy.killed_by(mutant, chosen.until)
            finally:
                copies.put(copy)

        with ThreadPoolExecutor(chosen.workers) as pool:
            for mutant, stage in zip(mutants, pool.map(run, mutants), strict=True):
                killed[stage] += 1
                print(f"{stage or 'SURVIVED'} {mutant.shown(sources[mutant.path])}", flush=True)
    first = killed["mirrored"] / len(mutants)
    both = (killed["mirrored"] + killed["folder"]) / len(mutants)
    print(f"killed by the mirrored file: {first:.0%}, by its folder: {both:.0%}, survived: {killed['']}")
    return 1 if killed[""] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
