"""Measure the memory of a running ``./run``: ``python -m benchmarks.memory``.

For each process it prints the proportional set size (PSS), in which memory that several processes share is
divided among them, so that the sum is what the installation needs. Only Linux reports it.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from surveys.run_lock import running_in

_PSS = re.compile(r"^Pss: +(\d+) kB", re.MULTILINE)


def processes_below(pid: int) -> Iterator[int]:
    """Yield a process and its descendants."""
    yield pid
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text(encoding="ascii").split():
            yield from processes_below(int(child))


def megabytes(pid: int) -> float:
    """Return the proportional memory of a process, in MB of a million bytes."""
    (kilobytes,) = _PSS.findall(Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii"))
    return int(kilobytes) * 1024 / 1e6


def command_of(pid: int) -> str:
    """Return the command of a process without the path of its program."""
    text = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").replace("\0", " ").strip()
    program, blank, rest = text.partition(" ")
    return Path(program).name + blank + rest


def main() -> None:
    """Print the memory of each process, and the sum."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.memory", description=__doc__)
    default = os.environ.get("SOTTOVOCE_HOME", "var")
    parser.add_argument("home", nargs="?", type=Path, default=Path(default), help="home of the ./run")
    home = parser.parse_args().home
    running = running_in(home)
    if running is None:
        sys.exit(f"no ./run uses {home}: start one, or name its SOTTOVOCE_HOME")
    measured = {pid: megabytes(pid) for pid in processes_below(running.pid)}
    for pid, size in measured.items():
        print(f"{size:6.1f} MB  {command_of(pid)[:90]}")
    print(f"{sum(measured.values()):6.1f} MB  in {len(measured)} processes")


if __name__ == "__main__":
    main()
