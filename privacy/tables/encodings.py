"""Detect the encoding of a text file."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO, Final

from privacy.errors import PrivacyError

_CLOSE: Final = 0.1
"""An encoding is ambiguous if its score is this close to the best one."""
_LEAST: Final = 0.5
"""Best scores below this fit no encoding; the file is then read as Windows-1252."""
_ENOUGH: Final = 20
"""Fewest two-byte characters that distinguish Korean and Chinese, whose byte ranges overlap."""
_EXAMPLES: Final = 3

_WESTERN: Final = frozenset("àâäáãåæçèéêëíìîïñòóôöõøœùúûüßÿ«»“”‘’–—…€°§´½²³¿¡ºª£©®·×")
_CENTRAL: Final = frozenset("ąćęłńóśźżáčďéěíňřšťúůýžäöüőűľĺŕôăâîđßŁ„”“–—…€")
_TURKISH: Final = frozenset("çğıöşüâîûİ“”‘’–—…€")


@dataclass(frozen=True, kw_only=True)
class _Candidate:
    """An encoding, its name, and how typical a character and its bytes are of its languages."""

    encoding: str
    name: str
    likeness: Callable[[str, bytes], float]
    is_latin: bool = False


def _of_set(letters: frozenset[str]) -> Callable[[str, bytes], float]:
    return lambda sign, _raw: float(sign.lower() in letters or sign in letters)


def _cyrillic(sign: str, _raw: bytes) -> float:
    return float("а" <= sign.lower() <= "я" or sign in "ёЁіІїЇєЄўЎ№«»–—")


def _by_lead(first: int, last: int) -> Callable[[str, bytes], float]:
    """Prefer two-byte characters whose first byte is in the range of frequent characters or punctuation."""
    least = 0x40 if last == 0xC6 else 0xA1
    return lambda _sign, raw: (
        1.0
        if len(raw) == 2 and raw[1] >= least and (first <= raw[0] <= last or 0xA1 <= raw[0] <= 0xA3)
        else 0.1
    )


def _japanese(sign: str, raw: bytes) -> float:
    if "ぁ" <= sign <= "ヺ" or "、" <= sign <= "〕":
        return 1.0
    return 0.9 if len(raw) == 2 and 0x88 <= raw[0] <= 0x97 else 0.1


_CANDIDATES: Final = (
    _Candidate(encoding="gb18030", name="GB 18030", likeness=_by_lead(0xB0, 0xD7)),
    _Candidate(encoding="big5", name="Big5", likeness=_by_lead(0xA4, 0xC6)),
    _Candidate(encoding="shift_jis", name="Shift-JIS", likeness=_japanese),
    _Candidate(encoding="cp949", name="EUC-KR", likeness=_by_lead(0xB0, 0xC8)),
    _Candidate(encoding="cp1251", name="Windows-1251", likeness=_cyrillic),
    _Candidate(encoding="cp1252", name="Windows-1252", likeness=_of_set(_WESTERN), is_latin=True),
    _Candidate(encoding="cp1250", name="Windows-1250", likeness=_of_set(_CENTRAL), is_latin=True),
    _Candidate(encoding="cp1254", name="Windows-1254", likeness=_of_set(_TURKISH), is_latin=True),
)


def older_encoding(raw: bytes) -> str:
    """Detect the encoding of a file from its beginning: the one in which it reads most like a language.

    Parameters
    ----------
    raw : bytes
        Whole lines of a file that is not UTF-8.

    Raises
    ------
    PrivacyError
        ``table_file.encoding``: several encodings fit. The error quotes three words in each of them.

    Examples
    --------
    >>> texts = [("年龄,性别,民族", "gb18030"), ("Größe", "cp1252"), ("возраст", "cp1251")]
    >>> [older_encoding(text.encode(name)) for text, name in texts]
    ['gb18030', 'cp1252', 'cp1251']
    """
    scores: dict[_Candidate, float] = {}
    for candidate in _CANDIDATES:
        try:
            text = raw.decode(candidate.encoding)
        except UnicodeDecodeError:
            continue
        scores[candidate] = _score(text, candidate)
    best = max(scores.values(), default=0.0)
    if best < _LEAST:
        return "cp1252"
    fitting = [candidate for candidate, score in scores.items() if score >= best - _CLOSE]
    fitting = _exclude_misfits(raw, fitting)
    if len({raw.decode(candidate.encoding) for candidate in fitting}) == 1:
        return fitting[0].encoding
    examples = "; ".join(f"{each.name}: {', '.join(_words(raw.decode(each.encoding)))}" for each in fitting)
    raise PrivacyError("table_file.encoding", examples=examples)


def _score(text: str, candidate: _Candidate) -> float:
    """Return how much the non-ASCII characters look like a language, from 0 to 1.

    These do not: capitals inside words, adjacent Latin letters with accents, and Cyrillic letters adjacent to
    unaccented Latin ones.
    """
    total, n = 0.0, 0
    for before, sign, after in zip(f" {text}", text, f"{text[1:]} ", strict=False):
        if sign <= "\x7f":
            continue
        n += 1
        if before.islower() and sign.isupper():
            continue
        if candidate.is_latin and min(before, after) > "\x7f":
            continue
        if candidate.encoding == "cp1251" and any(
            each.isascii() and each.isalpha() for each in before + after
        ):
            continue
        total += candidate.likeness(sign, sign.encode(candidate.encoding, "replace"))
    return total / max(n, 1)


def _exclude_misfits(raw: bytes, fitting: list[_Candidate]) -> list[_Candidate]:
    """Distinguish Chinese and Korean by their bytes, if there are enough of them.

    The first byte of a Korean character is at most 0xC8, and half of the Big5 characters end below 0xA1.
    """
    names = {candidate.encoding for candidate in fitting}
    if "cp949" not in names:
        return fitting
    pairs = [each for sign in raw.decode("cp949") if len(each := sign.encode("cp949")) == 2]
    misfits = set()
    if sum(pair[0] > 0xC8 for pair in pairs) * 20 > len(pairs):
        misfits.add("cp949")
    elif len(pairs) >= _ENOUGH:
        misfits |= {"gb18030", "shift_jis"}
    if len(pairs) >= _ENOUGH and all(pair[1] >= 0xA1 for pair in pairs):
        misfits.add("big5")
    return [candidate for candidate in fitting if candidate.encoding not in misfits] or fitting


def _words(text: str) -> list[str]:
    words = (word.strip(" \"'") for line in text.splitlines() for word in line.replace(";", ",").split(","))
    return list(dict.fromkeys(word[:30] for word in words if any(sign > "\x7f" for sign in word)))[:_EXAMPLES]


_AT_A_TIME: Final = 1 << 20
_SAMPLE: Final = 1 << 16
_MARKS: Final = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


def encoding_of(file: BinaryIO) -> str:
    """Return the encoding of a file.

    Parameters
    ----------
    file : binary file

    Notes
    -----
    A byte-order mark decides. Otherwise the file is UTF-16 if it contains zero bytes, UTF-8 if all of it is
    valid, and else what `older_encoding` detects.

    Examples
    --------
    >>> import io
    >>> texts = [("性别", "gb18030"), ("Größe", "cp1252")]
    >>> [encoding_of(io.BytesIO(text.encode(name))) for text, name in texts]
    ['gb18030', 'cp1252']
    """
    start = file.read(4096)
    for mark, name in _MARKS.items():
        if start.startswith(mark):
            return name
    if empty := start.count(0):
        return "utf-16-le" if start[1::2].count(0) > empty / 2 else "utf-16-be"
    file.seek(0)
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for piece in iter(lambda: file.read(_AT_A_TIME), b""):
            decoder.decode(piece)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        # Start at the first line that is not ASCII, so that an error quotes whole words, and end with a line,
        # so that no character is cut in two.
        file.seek(0)
        offset = 0
        while (piece := file.read(_AT_A_TIME)).isascii():
            offset += len(piece)
        offset += len(piece) - len(piece.lstrip(bytes(range(128))))
        file.seek(max(offset - _SAMPLE, 0))
        before = file.read(min(offset, _SAMPLE))
        after = file.read(_SAMPLE)
        end = _line_start(after) if len(after) == _SAMPLE else 0
        return older_encoding(before[_line_start(before) :] + after[: end or None])
    return "utf-8"


def _line_start(raw: bytes) -> int:
    return max(raw.rfind(b"\n"), raw.rfind(b"\r")) + 1
