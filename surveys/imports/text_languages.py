"""The languages of a pasted text, and its lines by language.

Two languages can be side by side with ``|`` in between, on alternate lines in two scripts, or one after the
other with a line of ``===`` in between.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from surveys.imports.cues import ROWS, words_of
from surveys.imports.marks import HAN, asks, mark_of
from surveys.imports.text_flags import split_flags

_BESIDE: Final = re.compile(r"\s?[|｜\t]\s?|\s/\s")


_BETWEEN: Final = re.compile(r"\s?={3,}\s?")


_KANA: Final = re.compile("[ぁ-ヺ]")


_WORDS: Final = re.compile(r"[^\W\d_]+")


_ENOUGH_WORDS: Final = 14
"""A text with this many words and no frequent English word is in another language."""


_ENGLISH: Final = words_of("english")


_FREQUENT: Final = {
    name.removeprefix("words-"): frozenset(words.split("|"))
    for name, words, _example in ROWS
    if name.startswith("words-")
}
"""Frequent words of other languages."""


_ENOUGH_HITS: Final = 4
"""Fewest frequent words by which a language is recognised."""


_FEW_WORDS: Final = 6
"""Fewer words in another script are names, whatever they are."""


_NOT_ENGLISH: Final = words_of("not-english")


_SCRIPT_OF: Final = words_of("script-")
"""Scripts of Chinese, by characters that the other script lacks."""


def languages_of(lines: Iterable[str]) -> tuple[str, ...]:
    """Detect the languages of a text, in order of appearance; empty if that is not clear.

    Two languages are detected if one of them is Chinese, and the other is taken for English.

    A language in fewer than a fifth of the lines is ignored: it may be a name or a loan word.

    Examples
    --------
    >>> languages_of(["Sleep | 睡眠", "1. Bad? | 不好吗？"]), languages_of(["睡眠", "您用 WhatsApp 吗？"])
    (('en', 'zh-hans'), ('zh-hans',))
    >>> languages_of(["睡眠調查", "1. 您睡得不好嗎？"])
    ('zh-hant',)
    >>> languages_of(["Sommeil", "1. Vous dormez mal ?"]), languages_of(["お酒を飲みますか？", "Beer"])
    ((), ())
    """
    texts = [split_flags(mark_of(line)[1])[0] for _number, line in _separate_scripts([*enumerate(lines)])]
    pieces = [piece for text in texts for piece in _BESIDE.split(text) if any(map(str.isalpha, piece))]
    chinese = [bool(HAN.search(piece)) for piece in pieces]
    scripts = [_SCRIPT_OF[sign] for piece in pieces for sign in piece if sign in _SCRIPT_OF]
    chinese_tag = "zh-hant" if 2 * scripts.count("hant") > len(scripts) else "zh-hans"
    if 5 * sum(bool(_KANA.search(piece)) for piece in pieces) > len(pieces):
        return ()
    if sum(chinese) * 5 > len(chinese) * 4:
        return (chinese_tag,)
    if sum(chinese) * 5 >= len(chinese) and chinese:
        others = [piece for piece, is_chinese in zip(pieces, chinese, strict=True) if not is_chinese]
        if not _are_asked(others):
            return (chinese_tag,)
        return (chinese_tag, "en") if chinese[0] else ("en", chinese_tag)
    words = [word for piece in pieces for word in _WORDS.findall(piece.lower())]
    other = _frequent_language(words)
    return (other,) if other else ("en",) if _is_english(pieces) else ()


def _are_asked(pieces: Sequence[str]) -> bool:
    """Return whether texts in another script than Chinese are a language: answers such as *HIV* ask nothing.

    Examples
    --------
    >>> _are_asked(["Sleep", "Bad?"]), _are_asked(["HIV", "WhatsApp", "A/B"])
    (True, False)
    """
    words = [word for piece in pieces for word in _WORDS.findall(piece.lower())]
    return any(map(asks, pieces)) or 5 * sum(word in _ENGLISH for word in words) > len(words) > _FEW_WORDS


def _frequent_language(words: Sequence[str]) -> str:
    """Return the language whose frequent words a text has, other than English; empty if that is not clear.

    Examples
    --------
    >>> _frequent_language("haben sie ihren chef belogen ja nein wie oft".split())
    'de'
    >>> _frequent_language(["vous", "dormez", "mal"])
    ''
    """
    counts = {tag: sum(word in own for word in words) for tag, own in _FREQUENT.items()}
    counts["en"] = sum(word in _ENGLISH for word in words)
    (best, most), (_second, next_most), *_rest = sorted(counts.items(), key=lambda each: -each[1])
    is_clear = most >= _ENOUGH_HITS and 5 * most >= len(words) and 2 * most >= 3 * next_most
    return best if is_clear and best != "en" else ""


def _is_english(pieces: Sequence[str]) -> bool:
    """Return whether a text can be English: few letters, accents or words of other languages."""
    letters = [sign for word in _WORDS.findall(HAN.sub(" ", " ".join(pieces))) for sign in word]
    if 5 * sum(sign > "\u024f" for sign in letters) > len(letters):
        return False
    words = [word for piece in pieces for word in _WORDS.findall(piece.lower())]
    english = sum(word in _ENGLISH for word in words)
    other = sum(word in _NOT_ENGLISH or not word.isascii() for word in words)
    return other <= english and not (english == 0 and len(words) >= _ENOUGH_WORDS)


Pair = tuple[int, str]
"""A line with its number."""


def streams_of(lines: Sequence[Pair], languages: Sequence[str]) -> list[list[Pair]] | None:
    """Separate the lines of each language, in the order of the languages; None if that is ambiguous.

    Parameters
    ----------
    lines : sequence of (int, str)
        Lines with their numbers.
    languages : sequence of str
        One or two.

    Examples
    --------
    >>> streams_of([(1, "1. Bad? | 不好吗？"), (2, "- No | 否")], ("en", "zh-hans"))
    [[(1, '1. Bad?'), (2, '- No')], [(1, '1. 不好吗？'), (2, '- 否')]]
    """
    if len(languages) == 1:
        return [[*lines]]
    between, *further = [place for place, (_n, line) in enumerate(lines) if _BETWEEN.fullmatch(line)] or [-1]
    if between >= 0 and not further:
        return [[*lines[:between]], [*lines[between + 1 :]]]
    lines = _separate_scripts(lines)
    whole = [line for _number, line in lines if line.strip()]
    if 2 * sum(len(_BESIDE.split(line.strip())) == 2 for line in whole) >= len(whole) > 0:
        return _side_by_side(lines)
    chinese = [tag.split("-")[0] in ("zh", "yue", "wuu") for tag in languages]
    return None if chinese[0] == chinese[1] else _by_script(lines, first_is_chinese=chinese[0])


def _mark_before(line: str) -> str:
    """Return the mark of a line with what is before it."""
    text = line.strip()
    mark, body = mark_of(text)
    return text[: len(text) - len(body)] if mark else ""


def _side_by_side(lines: Sequence[Pair]) -> list[list[Pair]]:
    first: list[Pair] = []
    second: list[Pair] = []
    for number, line in lines:
        left, *right = _BESIDE.split(line.strip(), maxsplit=1)
        first.append((number, left))
        if right:
            # The mark may be repeated on the right.
            second.append(
                (number, _mark_before(left) + (mark_of(right[0])[1] if _mark_before(left) else right[0]))
            )
        elif not any(map(str.isalpha, left)):
            second.append((number, left))
    return [first, second]


def _by_script(lines: Sequence[Pair], *, first_is_chinese: bool) -> list[list[Pair]]:
    streams: list[list[Pair]] = [[], []]
    mark, was_chinese = "", None
    for number, line in lines:
        if not any(map(str.isalpha, line)):
            for stream in streams:
                stream.append((number, line))
            was_chinese = None
            continue
        is_chinese = bool(HAN.search(line))
        # A line without a mark that follows a line in the other script is its translation.
        own = _mark_before(line)
        if not own and was_chinese is not None and was_chinese != is_chinese:
            line = mark + line.strip()
        mark, was_chinese = own or mark, is_chinese
        streams[is_chinese != first_is_chinese].append((number, line))
        mark = own or (mark if line.startswith(mark) else "")
    return streams


def _separate_scripts(lines: Sequence[Pair]) -> Sequence[Pair]:
    """Write | between Chinese and another script, if at least half of the lines have one after the other.

    Examples
    --------
    >>> _separate_scripts([(1, "1. 您吸烟吗？ Do you smoke?"), (2, "A. Yes（是）"), (3, "B. 否 No")])
    [(1, '1. 您吸烟吗？ | Do you smoke?'), (2, 'A. Yes | 是'), (3, 'B. 否 | No')]
    """
    split = [(number, _separate_scripts_in(line)) for number, line in lines]
    n_split = sum(line != new for (_number, line), (_same, new) in zip(lines, split, strict=True))
    n_texts = sum(any(map(str.isalpha, line)) for _number, line in lines)
    if n_split == 0 or 2 * n_split < n_texts:
        return lines
    joined: list[Pair] = []
    for number, line in split:
        before = joined[-1][1] if joined else ""
        is_pair = "|" not in before + line and bool(HAN.search(before)) != bool(HAN.search(line))
        is_text = any(map(str.isalpha, before)) and any(map(str.isalpha, line))
        if is_pair and is_text and not _mark_before(line):
            joined[-1] = joined[-1][0], f"{before} | {line.strip()}"
        else:
            joined.append((number, line))
    return joined


def _separate_scripts_in(line: str) -> str:
    """Write | where a line changes from Chinese to another script or back, if it does so once."""
    body, flags = split_flags(line)
    text = body[len(_mark_before(body)) :] if _mark_before(body) else body
    han = [match.start() for match in HAN.finditer(text)]
    if not han or _BESIDE.search(line.strip()):
        return line
    head, tail = text[: han[0]], text[han[-1] + 1 :]
    if _has_latin(head) == _has_latin(tail):
        return line
    if _has_latin(head):
        last = max(place for place, sign in enumerate(head) if sign.isalpha()) + 1
        cut = max(last, head.rfind(" "))
        while cut < len(head) and head[cut] in ".?!,:;)":
            cut += 1
    else:
        first = next(place for place, sign in enumerate(tail) if sign.isalpha())
        blank = tail.find(" ", 0, first)
        cut = len(text) - len(tail) + (blank if blank >= 0 else len(tail[:first].rstrip("(（")))
    left, right = text[:cut].strip(), text[cut:].strip()
    if right[0] in "(（" and right[-1] in ")）":
        right = right[1:-1]
    return f"{body[: len(body) - len(text)]}{left} | {right}" + "".join(f" [{flag}]" for flag in flags)


def _has_latin(text: str) -> bool:
    """Return whether a text has words: a single letter is a mark."""
    return sum(map(str.isalpha, text)) > 1
