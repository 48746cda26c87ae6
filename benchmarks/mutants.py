"""Move every policy number by one step, up and down, and run its test.

``python -m benchmarks.mutants [NAME ...]``. A step is 1 of a whole number, else 1 of its last decimal. A test
that still passes has not seen the number move: the mutant survived. Prints each survivor, and their number;
exits with 1 if there is one. Without a mutant each test has to pass, else the exit code is 2.
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

from privacy import policy

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests" / "policy"
SURVIVED, KILLED = 0, 1


def step_of(value: float) -> Decimal:
    """Return one unit of the last decimal that a number is written with.

    >>> [str(step_of(value)) for value in (50, 5.0, 0.2, 0.0015)]
    ['1', '1', '0.1', '0.0001']
    """
    exponent = Decimal(repr(value)).normalize().as_tuple().exponent
    return Decimal(1).scaleb(min(0, int(exponent)))


def mutants(names: list[str]) -> Iterator[tuple[str, float]]:
    """Yield each number with what it becomes; first with what it is."""
    for name in names:
        value = getattr(policy, name)
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

    setattr(policy, name, value)
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = pytest.main(["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", test_of(name)])
    return name, value, int(code), said.getvalue()


def main(chosen: list[str]) -> int:
    """Run all mutants, and print who survived."""
    names = chosen or list(policy.TABLE)
    # A process for each: numbers are read when a module is imported. What is heavy is imported once, here.
    for module in ("django.test", "pandas", "scipy.stats"):
        import_module(module)
    context = multiprocessing.get_context("fork")
    survivors, count = [], 0
    with context.Pool(2, maxtasksperchild=1) as pool:
        for name, value, code, said in pool.imap(outcome, mutants(names)):
            real = getattr(policy, name)
            wanted = SURVIVED if value == real else KILLED
            if code not in (SURVIVED, KILLED) or (value == real and code != wanted):
                print(said)
                print(f"{name} = {value}: the test did not run, or fails without a mutant")
                return 2
            if value != real:
                count += 1
                if code == SURVIVED:
                    survivors.append(f"{name} = {value} (is {real})")
                    print(f"survived: {survivors[-1]}", flush=True)
    print(f"{len(survivors)} of {count} mutants of {len(names)} numbers survived")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
