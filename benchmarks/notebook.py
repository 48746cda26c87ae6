"""Time the first calls in a notebook, each in a new process: import, a share, a k-anonymous table.

    python -m benchmarks.notebook [--repeat 5]

Figures are processor seconds from the start of Python, the least of all repetitions, because other programs
on the machine affect them less than wall-clock seconds.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile

FRAME = "import pandas; frame = pandas.DataFrame({'a': [1, 0] * 300, 'b': range(600)})"
CALLS = {
    "python alone": "",
    "import sottovoce": "import sottovoce",
    "import pandas": "import pandas",
    "a share of 600 rows": (
        f"{FRAME}; import sottovoce as s; s.Survey({{'x': ['a']}}, .5).on(frame).share('a')"
    ),
    "600 rows k-anonymous": (
        f"{FRAME}; from sottovoce import sdc; sdc.anonymise(frame, quasi_identifiers=['b'])"  # as in the docs
    ),
}
MEASURED = (
    "\nimport resource; own = resource.getrusage(resource.RUSAGE_SELF); print(own.ru_utime + own.ru_stime)"
)


def seconds(code: str, repeat: int) -> float:
    """Return the least processor seconds of a new process that runs some code."""
    figures = []
    for _ in range(repeat):
        with tempfile.TemporaryDirectory() as cache:
            environment = {"NUMBA_CACHE_DIR": cache, "PYTHONPATH": "."}
            done = subprocess.run(
                [sys.executable, "-c", code + MEASURED],
                env=environment,
                capture_output=True,
                text=True,
                check=True,
            )
        figures.append(float(done.stdout.split()[-1]))
    return min(figures)


def main() -> None:
    """Read the command line, measure, and print the results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeat", type=int, default=5)
    repeat = parser.parse_args().repeat
    for name, code in CALLS.items():
        print(f"{seconds(code, repeat):6.2f} s  {name}", flush=True)


if __name__ == "__main__":
    main()
