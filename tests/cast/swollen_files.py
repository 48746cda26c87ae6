"""Small files that unpack to much more than their heads say."""

from __future__ import annotations

import atexit
import io
import os
import resource
import struct
import time
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas
import pyarrow
import pyarrow.parquet
import pyreadstat

from surveys.errors.error import SurveyError

__all__ = [
    "GREEDY",
    "abort_at_the_end",
    "modest_parquet",
    "modest_zsav",
    "refuse",
    "sleep",
    "spin",
    "surroundings",
    "touch",
]

_CASES_AT = 80
"""Where the head of an SPSS file counts its records: a whole number of four bytes."""


def modest_parquet(rows: int, *, says: int = 10) -> bytes:
    """Parquet of one column with so many equal numbers, the head of which says another number of records."""
    file = io.BytesIO()
    table = pyarrow.table({"a": pyarrow.array(np.ones(rows))})
    pyarrow.parquet.write_table(table, file, row_group_size=rows, compression="zstd")
    raw = file.getvalue()
    before = _varint(2 * rows)
    begins = len(raw) - 8 - int.from_bytes(raw[-8:-4], "little")
    at = raw.index(before, begins)
    return raw[:at] + _varint(2 * says, length=len(before)) + raw[at + len(before) :]


def modest_zsav(rows: int, where: Path) -> bytes:
    """Compressed SPSS file of so many equal records that says that it does not know how many they are."""
    path = where / "modest.zsav"
    pyreadstat.write_sav(pandas.DataFrame({"a": np.ones(rows)}), str(path), compress=True)
    raw = path.read_bytes()
    assert raw[_CASES_AT : _CASES_AT + 4] == struct.pack("<i", rows)
    return raw[:_CASES_AT] + struct.pack("<i", -1) + raw[_CASES_AT + 4 :]


def _varint(number: int, *, length: int = 0) -> bytes:
    """Write a number as Thrift does, seven bits a byte; to a length, by leading zeros."""
    sevens = [number >> shift & 0x7F for shift in range(0, max(number.bit_length(), 1), 7)]
    sevens += [0] * (length - len(sevens))
    return bytes([*(seven | 0x80 for seven in sevens[:-1]), sevens[-1]])


# What a child process is told to do in place of unpacking.


def abort_at_the_end(raw: bytes) -> tuple[Any, bytes]:
    """Read a file well, and end the process as a library's forgotten thread does."""
    atexit.register(os.abort)
    return len(raw), b""


def take_bytes(raw: bytes) -> tuple[Any, bytes]:
    """Take two thousand megabytes as Python does."""
    return len(bytearray(2_000_000_000)), b""


def take_arrow(raw: bytes) -> tuple[Any, bytes]:
    """Take two thousand megabytes as Parquet's reader does."""
    return pyarrow.allocate_buffer(2_000_000_000).size, b""


def take_numpy(raw: bytes) -> tuple[Any, bytes]:
    """Take two thousand megabytes as the reader of SPSS files does for its columns."""
    return float(np.ones(250_000_000).sum()), b""


def end_badly(raw: bytes) -> tuple[Any, bytes]:
    """End as native code does that runs over."""
    os.abort()


GREEDY: Final = (take_bytes, take_arrow, take_numpy, end_badly)


def sleep(raw: bytes) -> tuple[Any, bytes]:
    """Take longer than anybody waits."""
    time.sleep(60)
    return None, b""


def spin(raw: bytes) -> tuple[Any, bytes]:
    """Keep the processor busy for longer than is allowed, which is a second here."""
    resource.setrlimit(resource.RLIMIT_CPU, (1, resource.getrlimit(resource.RLIMIT_CPU)[1]))
    while True:
        pass


def touch(raw: bytes, path: str) -> tuple[Any, bytes]:
    """Write what came to a file."""
    Path(path).write_bytes(raw)
    return None, b""


def refuse(raw: bytes, code: str) -> tuple[Any, bytes]:
    """Refuse what came, naming it."""
    raise SurveyError(code, raw.decode(), name="x")


def surroundings(raw: bytes) -> tuple[Any, bytes]:
    """Say what the child sees of the installation, and send back what came."""
    return {
        "environment": sorted(os.environ),
        "core": resource.getrlimit(resource.RLIMIT_CORE)[0],
        "processor": resource.getrlimit(resource.RLIMIT_CPU)[0],
        "niceness": os.nice(0),
        "arguments": Path("/proc/self/cmdline").read_bytes().decode(),
    }, raw
