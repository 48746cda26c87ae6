"""Number the people of a table in which people can have several records."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from privacy.arrays import Whole
from privacy.sdc.generalisation import distinct_rows

_ZEROS: Final = re.compile(r"0*(\d+?)(?:\.(?:0{1,2}|0{4,}))?")
"""Ways to write the number of a person: 7, 007, 7.0. Three zeros after a point may separate thousands."""
_POWER: Final = re.compile(r"(\d)e\+(\d\d)")
"""How R and spreadsheets write 100000: 1e+05."""


def person_key(text: str) -> str:
    """Return a text that is the same for all spellings of one person's number or name.

    Case, blanks and full-width letters do not count, nor does the way in which programs write a number.
    Two people whose spellings differ in nothing else count as one, which errs on the safe side.

    Examples
    --------
    >>> [person_key(text) for text in (" Ann  Lee", "ann lee", "7", "007", "7.0", "1e+05", "7.5", "1.000")]
    ['ann lee', 'ann lee', '7', '7', '7', '100000', '7.5', '1.000']
    """
    plain = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    if match := _POWER.fullmatch(plain):
        return match[1] + "0" * int(match[2])
    match = _ZEROS.fullmatch(plain)
    return match[1] if match else plain


def person_numbers(
    columns: Sequence[tuple[Sequence[str], npt.NDArray[np.integer]]],
    is_missing: Callable[[str], bool] = lambda text: not text,
) -> tuple[Whole, int]:
    """Return the person of each record, and how many spellings were read as another one.

    Parameters
    ----------
    columns : sequence of (sequence of str, integer array of shape (n,))
        Distinct texts and codes of each column. Several columns name a person together.
    is_missing : callable
        Whether a text, as `person_key` returns it, means that a record has no value.

    Returns
    -------
    (int64 array of shape (n,), int)
        Numbers from 0; -1 if a value is missing.

    Examples
    --------
    >>> number, merged = person_numbers([(("7", "7.0", "8", ""), np.array([0, 1, 2, 0, 3]))])
    >>> number.tolist(), merged
    ([0, 0, 1, 0, -1], 1)
    """
    raw, keys, lacking = [], [], np.zeros(len(columns[0][1]), dtype=np.bool_)
    for values, codes in columns:
        known: dict[str, int] = {}
        texts = [person_key(value) for value in values]
        key = np.array([known.setdefault(text, len(known)) for text in texts], dtype=np.int64)
        raw.append(codes.astype(np.int64))
        keys.append(key[codes])
        lacking |= np.array([is_missing(text) for text in texts], dtype=np.bool_)[codes]
    number = np.full(len(lacking), -1, dtype=np.int64)
    rows = np.flatnonzero(~lacking)
    if not len(rows):
        return number, 0
    first, number[rows] = distinct_rows([key[rows] for key in keys])
    return number, len(distinct_rows([codes[rows] for codes in raw])[0]) - len(first)
