"""Change formulas of the core, one at a time, and run the tests that reach them.

``python -m benchmarks.formula_mutants [--seed N] [--count N] [--workers N] [FILE ...]``. A mutant replaces an
operator by its opposite (+ and -, * and /, ** by *), moves the edge of a comparison, or adds 1 to a number in
one of these, in the layers of `privacy` that compute probabilities, errors and bounds. Mutants are drawn with
a seed, which is printed. First the examples of the file run, then the tests that `tests.reach` finds, nearest
first, then all tests of the core, including long ones; tests that need a database or a browser are left out.
A mutant survives if all tests pass. The program prints each mutant with its outcome, and the number of
survivors, and exits with 1 if there are any. It works on copies of the committed files.
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
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.reach import LAYERS as PACKAGES
from tests.reach import is_test, reached, texts

ROOT = Path(__file__).resolve().parent.parent
LAYERS: Final = (
    "privacy/channels.py",
    *(f"privacy/{layer}/" for layer in ("estimation", "planning", "regression", "risk", "scales")),
)
OPERATORS: Final[dict[type[ast.operator | ast.cmpop], tuple[str, str]]] = {
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
}
NEAREST: Final = 3
"""Number of files that run first: the mutated file's examples, its own tests, and the next nearest ones."""

CORE: Final = ("tests/privacy", "tests/mining", "tests/vectors", "tests/golden")
"""Tests that run last, including those marked `soak`; a survivor takes four minutes of one core."""

NO_SERVER: Final = "not database and not e2e"

OUTCOMES: Final = (0, 1, 2, 5)
"""Exit codes of pytest: all tests pass, some fail, the mutant cannot be imported, no tests were selected."""

MOST_SECONDS: Final = 3600
"""After this time, a mutant is assumed to run forever and counts as killed."""


@dataclass(frozen=True, order=True)
class Mutant:
    """A changed formula in a file: `text` replaces the characters from `begin` to `end`."""

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


def mutants_of(path: str, source: str) -> Iterator[Mutant]:
    """Yield every mutant of a file.

    >>> [one.of("x = 2 * y") for one in mutants_of("x.py", "x = 2 * y")]
    ['x = 2 / y', 'x = 3 * y']
    """
    lines = [0, *itertools.accumulate(len(line.encode()) for line in source.splitlines(keepends=True))]
    encoded = source.encode()

    def place(line: int, column: int) -> int:
        return len(encoded[: lines[line - 1] + column].decode())

    tree = ast.parse(source)
    refusals = {inner for node in ast.walk(tree) if isinstance(node, ast.Raise) for inner in ast.walk(node)}
    for node in ast.walk(tree):
        if node in refusals:
            continue
        if isinstance(node, ast.BinOp):
            left, right, operator = node.left, node.right, node.op
        elif isinstance(node, ast.Compare) and len(node.ops) == 1:
            left, right, operator = node.left, node.comparators[0], node.ops[0]
        else:
            continue
        if type(operator) not in OPERATORS:
            continue
        sign, becomes = OPERATORS[type(operator)]
        after = place(left.end_lineno or 0, left.end_col_offset or 0)
        found = re.search(re.escape(sign), source[after : place(right.lineno, right.col_offset)])
        if found:
            yield Mutant(path, after + found.start(), after + found.end(), becomes)
        for side in (left, right):
            if isinstance(side, ast.Constant) and type(side.value) in (int, float):
                begin = place(side.lineno, side.col_offset)
                end = place(side.end_lineno or 0, side.end_col_offset or 0)
                yield Mutant(path, begin, end, repr(side.value + 1))


def reaching_tests(path: str, sources: dict[str, str]) -> list[str]:
    """Return the file itself, for its examples, and the test files that reach it, nearest first."""
    near = [one for one in reached([path], sources) if is_test(one) and not one.startswith("tests/e2e/")]
    # Tests of the core come first, because tests of pages start more slowly.
    near.sort(key=lambda one: not one.startswith(("tests/privacy/", "tests/mining/")))
    return [path, *near]


def survives(mutant: Mutant, copy: Path, sources: dict[str, str]) -> bool:
    """Run the tests in a copy of the checkout; return whether they all pass."""
    file, tests = copy / mutant.path, reaching_tests(mutant.path, sources)
    file.write_text(mutant.of(sources[mutant.path]), encoding="utf-8")
    try:
        # The nearest tests kill most mutants, and then the others are not even collected.
        return (
            passes(tests[:NEAREST], copy)
            and (len(tests) <= NEAREST or passes(tests[NEAREST:], copy))
            and passes(CORE, copy, f"{NO_SERVER} and (soak or not soak)")
        )
    finally:
        file.write_text(sources[mutant.path], encoding="utf-8")


def passes(tests: Sequence[str], copy: Path, marked: str = NO_SERVER) -> bool:
    """Run tests until one fails; return whether all pass."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "-p", "no:cacheprovider"]
    command += ["-m", marked, *tests]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        ran = subprocess.run(
            command, cwd=copy, capture_output=True, timeout=MOST_SECONDS, check=False, env=environment
        )
    except subprocess.TimeoutExpired:
        return False
    if ran.returncode not in OUTCOMES:
        raise RuntimeError(f"pytest ended with {ran.returncode}:\n{ran.stdout.decode()[-2000:]}")
    return ran.returncode not in (1, 2)


def copy_checkout(into: Path) -> Path:
    """Copy the committed files from the working tree."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True)
    for name in listed.stdout.split("\0"):
        if name and (ROOT / name).is_file():
            (into / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, into / name)
    return into


def main(arguments: Sequence[str]) -> int:
    """Draw mutants, and print the outcome of each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", help="only these; else all of the layers of formulas")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1_000_000))
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--workers", type=int, default=2)
    chosen = parser.parse_args(arguments)
    sources = texts(*PACKAGES, "tests", ends=(".py",))
    files = chosen.files or sorted(path for path in sources if path.startswith(LAYERS))
    every = [one for path in files for one in mutants_of(path, sources[path])]
    # The same seed draws the same mutants as long as no formula changes.
    drawn = random.Random(chosen.seed).sample(every, min(chosen.count, len(every)))
    print(f"seed {chosen.seed}: {len(drawn)} of {len(every)} mutants of {len(files)} files", flush=True)
    survivors = 0
    with tempfile.TemporaryDirectory() as scratch:
        copies: queue.Queue[Path] = queue.Queue()
        for worker in range(chosen.workers):
            copies.put(copy_checkout(Path(scratch) / str(worker)))

        def run(mutant: Mutant) -> bool:
            copy = copies.get()
            try:
                return survives(mutant, copy, sources)
            finally:
                copies.put(copy)

        with ThreadPoolExecutor(chosen.workers) as pool:
            for mutant, survived in zip(drawn, pool.map(run, drawn), strict=True):
                survivors += survived
                print(
                    f"{'SURVIVED' if survived else 'killed'} {mutant.shown(sources[mutant.path])}", flush=True
                )
    print(f"{survivors} of {len(drawn)} mutants survived (seed {chosen.seed})")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
