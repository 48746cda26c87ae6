"""Run a benchmark on its own PostgreSQL server with durable commits.

    python -m benchmarks.durable_postgresql python -m benchmarks.submissions

Uses the cluster of the tests, but with the durability that the tests turn off: as with SQLite, a row whose
receipt was confirmed survives a power cut.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tests.postgresql import SETTINGS, NoPostgreSQL, cluster

DURABLE = {
    **SETTINGS,
    "fsync": "on",
    "synchronous_commit": "on",
    "full_page_writes": "on",
    "shared_buffers": "256MB",
}


@contextmanager
def durable_postgresql() -> Iterator[str]:
    """Yield the DATABASE_URL of a new, durable database."""
    with cluster(DURABLE) as url:
        yield url


def main(command: list[str]) -> int:
    """Run the command with DATABASE_URL set."""
    try:
        with durable_postgresql() as url:
            return subprocess.run(command, env={**os.environ, "DATABASE_URL": url}).returncode
    except NoPostgreSQL as reason:
        sys.stderr.write(f"{reason}\n")
        return 2


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", nargs=argparse.REMAINDER, help="command to run, with its arguments")
    given = parser.parse_args()
    if not given.command:
        parser.error("name the command to run")
    sys.exit(main(given.command))
