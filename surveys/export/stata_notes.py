"""Notes in a Stata file (formats 117 to 119), which the library that writes the rest of it leaves out."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

_OPEN, _CLOSE = b"<characteristics>", b"</characteristics>"
_MAP: Final = b"<map>"
_OFFSETS: Final = 14
_CHARACTERISTICS: Final = 8
"""Which of the offsets is that of the notes; the ones after it move."""
_NAME_BYTES: Final = 129
_HEAD: Final = 4_096
"""Bytes that hold the map: the header before it has a label and a time only."""


def add_stata_notes(path: Path, notes: Mapping[str, tuple[str, ...]]) -> None:
    """Write notes into a file that has none.

    Parameters
    ----------
    path : Path
        A Stata file of format 118, least significant byte first.
    notes : dict of str to tuple of str
        By the name of a variable; those of the whole file under ``"_dta"``.

    Notes
    -----
    A note is a characteristic: ``note0`` holds how many there are, ``note1`` the first. The file begins with
    a map of 14 offsets, of which those behind the characteristics grow by what is put in.
    """
    added = b"".join(_characteristics(notes))
    with path.open("rb") as file:
        head = file.read(_HEAD)
    start = head.index(_MAP) + len(_MAP)
    offsets = list(struct.unpack_from(f"<{_OFFSETS}Q", head, start))
    where = offsets[_CHARACTERISTICS] + len(_OPEN)
    moved = [
        offset + len(added) if number > _CHARACTERISTICS else offset for number, offset in enumerate(offsets)
    ]
    with path.open("r+b") as file:
        file.seek(offsets[_CHARACTERISTICS])
        if file.read(len(_OPEN) + len(_CLOSE)) != _OPEN + _CLOSE:
            raise ValueError(path)
        file.seek(where)
        rest = file.read()
        file.seek(where)
        file.write(added)
        file.write(rest)
        file.seek(start)
        file.write(struct.pack(f"<{_OFFSETS}Q", *moved))


def _characteristics(notes: Mapping[str, tuple[str, ...]]) -> Iterator[bytes]:
    for variable, texts in notes.items():
        for number, text in enumerate((str(len(texts)), *texts)):
            content = (
                variable.encode().ljust(_NAME_BYTES, b"\0")
                + f"note{number}".encode().ljust(_NAME_BYTES, b"\0")
                + text.encode()
                + b"\0"
            )
            yield b"<ch>" + struct.pack("<I", len(content)) + content + b"</ch>"
