"""Move every policy number by one step, up and down, and run its test.

``python -m benchmarks.mutants [NAME ...]``. A step is 1 of a whole number, else 1 of its last decimal. A test
that still passes has not seen the number move: the mutant survived. A number that cannot be moved at all,
because a module or the collection of its test refuses it, is a mutant killed, and counted apart: that test
has just run with the number as it is. Prints each survivor, and their number; exits with 1 if there is one. A
number whose test does not run and pass without a mutant is named, and ends the whole with 2.
"""

from __future__ import annotations

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
    """Return one unit of the last decimal that a number is written with.

    >>> [str(step_of(value)) for value in (50, 5.0, 0.2, 0.0015)]
    ['1', '1', '0.1', '0.0001']
    """
    exponent = Decimal(repr(value)).normalize().as_tuple().exponent
    return Decimal(1).scaleb(min(0, int(exponent)))


def mutants(names: list[str]) -> Iterator[tuple[str, float]]:
    """Yield each number with its mutated value, unchanged first."""
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
    """Run the test of a number in this process, which has imported nothing yet that read it."""
    name, value = mutant
    import pytest

    setattr(MODULES[name], name, value)
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = pytest.main(["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", test_of(name)])
    return name, value, int(code), said.getvalue()


def main(chosen: list[str]) -> int:
    """Run all mutants, and print who survived."""
    names = chosen or list(MODULES)
    # A process for each: numbers are read when a module is imported. What is heavy is imported once, here.
    for module in ("django.test", "pandas", "scipy.stats"):
        import_module(module)
    context = multiprocessing.get_context("fork")
    survivors, untried = [], set()
    count = refused = 0
    with context.Pool(2, maxtasksperchild=1) as pool:
        for name, value, code, said in pool.imap(outcome, mutants(names)):
            real = getattr(MODULES[name], name)
            if value == real:
                if code != SURVIVED:
                    print(f"{said}\n{name}: its test does not run and pass as the number is", flush=True)
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
    sys.exit(main(sys.argv[1:]))
