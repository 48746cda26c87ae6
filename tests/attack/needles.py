"""Search contents for values, in every form that a program is likely to write."""

import base64
from collections.abc import Iterator, Mapping

import numpy as np

__all__ = ["Needles", "forms"]

_HEAD_BYTES = 8
_FILTER_BITS = 24
_CHUNK = 1 << 22


def forms(value: bytes) -> set[bytes]:
    """Return a value as raw bytes, hexadecimal and decimal digits, base64, and Python and JSON literals.

    Base64 is included for each of three offsets in a longer text, limited to the letters that depend only on
    the value.

    Examples
    --------
    >>> sorted(forms(b"secret"))[:3]
    [b'115, 101, 99, 114, 101, 116', b'115,101,99,114,101,116', b'126879297332596']
    >>> b"c2VjcmV0" in forms(b"secret"), b"736563726574" in forms(b"secret")
    (True, True)
    """
    digits = value.hex().encode("ascii")
    written = {value, digits, digits.upper(), repr(value)[2:-1].encode("ascii")}
    written.add(str(int.from_bytes(value, "big")).encode("ascii"))
    written |= {separator.join(b"%d" % byte for byte in value) for separator in (b",", b", ")}
    for lead in range(3):
        letters = base64.b64encode(bytes(lead) + value)
        whole = letters[-(-8 * lead // 6) : 8 * (lead + len(value)) // 6]
        written |= {whole, whole.replace(b"+", b"-").replace(b"/", b"_")}
    return written


class Needles:
    """Values to search for, by kind.

    Parameters
    ----------
    kinds : mapping of str to collection of bytes
        Values of eight bytes or more. A random value of ten bytes occurs by accident in a gigabyte with a
        probability below one in a million.
    """

    def __init__(self, kinds: Mapping[str, set[bytes]]) -> None:
        self._count = sum(map(len, kinds.values()))
        self._by_head: dict[bytes, list[tuple[bytes, str]]] = {}
        for kind, values in kinds.items():
            for value in values:
                for form in forms(value):
                    self._by_head.setdefault(form[:_HEAD_BYTES], []).append((form, kind))
        self._begins = np.zeros(1 << _FILTER_BITS, np.bool_)
        for head in self._by_head:
            self._begins[int.from_bytes(head[:3], "little")] = True

    def __len__(self) -> int:
        return self._count

    def times(self, content: bytes) -> dict[str, int]:
        """Count by kind how often the content contains one of its values, in any form."""
        counts: dict[str, int] = {}
        for offset in self._candidates(content):
            for form, kind in self._by_head.get(content[offset : offset + _HEAD_BYTES], ()):
                if content.startswith(form, offset):
                    counts[kind] = counts.get(kind, 0) + 1
        return counts

    def _candidates(self, content: bytes) -> Iterator[int]:
        """Yield the offsets where three bytes match, so that one pass searches for thousands of values."""
        each = np.frombuffer(content, np.uint8)
        for start in range(0, len(each) - 2, _CHUNK):
            chunk = each[start : start + _CHUNK + 2].astype(np.uint32)
            heads = chunk[:-2] | chunk[1:-1] << 8 | chunk[2:] << 16
            yield from (start + np.flatnonzero(self._begins[heads])).tolist()
