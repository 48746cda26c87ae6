"""Move every policy number by one step, up and down, and run its test.

``python -m benchmarks.mutants [NAME ...]``. A step is 1 for a whole number, otherwise 1 in the last decimal.
If the test still passes, the mutant survived. If a module or the collection of the test refuses the changed
number, the mutant counts as killed, in a separate count, because that test has just passed with the original
number. The program prints each survivor and the number of survivors, and exits with 1 if there are any. It
names numbers whose test does not run and pass without a mutant, and then exits with 2.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import multiprocessing
import re
import sys
from collections.abc import Iterator
from decimal import Decimal
from importlib import import_module
from pathlib import Path

from anonymisation import policy as of_releases
from privacy import policy as core
from surveys import policy as server

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests" / "policy"
MODULES = {name: module for module in (core, server, of_releases) for name in vars(module) if name.isupper()}
SURVIVED, KILLED = 0, 1


def step_of(value: float) -> Decimal:
    """Return one unit in the last decimal place of a number as written.

    >>> [str(step_of(value)) for value in (50, 5.0, 0.2, 0.0015)]
    ['1', '1', '0.1', '0.0001']
    """
    exponent = Decimal(repr(value)).normalize().as_tuple().exponent
    return Decimal(1).scaleb(min(0, int(exponent)))


def mutants(names: list[str]) -> Iterator[tuple[str, float]]:
    """Yield each number with its original value, then with its mutated values."""
    for name in names:
        value = getattr(MODULES[name], name)
        step = step_of(value)
        yield name, value
        for moved in (Decimal(repr(value)) + step, Decimal(repr(value)) - step):
            yield name, type(value)(moved)


def test_of(name: str) -> str:
    """Return the test of a number, as pytest names it."""
    for path in sorted(TESTS.glob("test_*.py")):
        found = re.search(rf"^def (test_{name.lower()}__\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
        if found:
            return f"{path}::{found[1]}"
    raise LookupError(f"{name} has no test in {TESTS}")


def outcome(mutant: tuple[str, float]) -> tuple[str, float, int, str]:
    """Run the test of a number in this process, which has not yet imported any module that reads it."""
    name, value = mutant
    import pytest

    setattr(MODULES[name], name, value)
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        code = pytest.main(["-q", "-x", "-p", "no:cacheprovider", test_of(name)])
    return name, value, int(code), output.getvalue()


def main(chosen: list[str]) -> int:
    """Run all mutants, and print the survivors."""
    names = chosen or list(MODULES)
    # Each mutant needs a new process, because modules read numbers on import. Import heavy modules once.
    for module in ("django.test", "pandas", "scipy.stats"):
        import_module(module)
    context = multiprocessing.get_context("fork")
    survivors, untried = [], set()
    count = refused = 0
    with context.Pool(2, maxtasksperchild=1) as pool:
        for name, value, code, output in pool.imap(outcome, mutants(names)):
            real = getattr(MODULES[name], name)
            if value == real:
                if code != SURVIVED:
                    print(f"{output}\n{name}: its test does not run and pass as the number is", flush=True)
                    untried.add(name)
            elif name not in untried:
                count += 1
                refused += code not in (SURVIVED, KILLED)
                if code == SURVIVED:
                    survivors.append(f"{name} = {value} (is {real})")
                    print(f"survived: {survivors[-1]}", flush=True)
    print(
        f"{len(survivors)} of {count} mutants of {len(names)} numbers survived; {refused} could not be loaded"
    )
    if untried:
        return 2
    return 1 if survivors else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", nargs="*", metavar="NAME", help="numbers to change (default: all)")
    given = parser.parse_args()
    if unknown := set(given.name) - set(MODULES):
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    sys.exit(main(given.name))
