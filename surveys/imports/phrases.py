"""Phrases of printed and exported questionnaires, as listed in `phrases.tsv`."""

from __future__ import annotations

import re
from importlib import resources
from typing import Final

_TEXT: Final = resources.files("surveys.imports").joinpath("phrases.tsv").read_text(encoding="utf-8")
ROWS: Final = tuple(
    tuple(line.split("\t")) for line in _TEXT.splitlines() if line and not line.startswith("#")
)
"""Meaning, pattern and example of each phrase."""


def pattern_of(meaning: str, *, behind: str = "", flags: re.RegexFlag = re.IGNORECASE) -> re.Pattern[str]:
    """Return one pattern for all phrases of a meaning.

    Parameters
    ----------
    meaning : str
    behind : str
        A pattern for what may follow the phrase.
    flags : re.RegexFlag
    """
    own = (pattern for name, pattern, _example in ROWS if name == meaning)
    return re.compile(f"(?:{'|'.join(own)}){behind}", flags)


def words_of(group: str) -> dict[str, str]:
    """Return the words of all rows whose meaning begins with a group; each has the rest of its meaning.

    Examples
    --------
    >>> words_of("about-")["who asks"]
    'researcher'
    """
    rows = ((name.removeprefix(group), words) for name, words, _example in ROWS if name.startswith(group))
    return {word: name for name, words in rows for word in words.split("|")}


_LINES: Final = {
    meaning: pattern_of(meaning)
    for meaning in ("gap", "left", "one", "several", "number", "text", "grid", "shown", "depends")
}
_COUNT: Final = pattern_of("count", flags=re.NOFLAG)
_SKIP: Final = pattern_of("skip", behind=r"\s?[.。]?$")
_MAY_SKIP: Final = re.compile(r"→|⇒|➔|->|=>|skip|go to|jump|proceed|continue|跳|转[至到]", re.IGNORECASE)
_STEP: Final = pattern_of("step")
_AROUND: Final = " ()（）[]【】.。:：*＊"


def meaning_of(text: str) -> str:
    """Return the meaning of a line around questions; empty if it is anything else.

    Examples
    --------
    >>> meaning_of("(Check all that apply.)"), meaning_of("Never")
    ('several', '')
    """
    bare = text.strip(_AROUND)
    found = (meaning for meaning, each in _LINES.items() if each.fullmatch(bare) or each.fullmatch(text))
    return next(found, "")


def is_step(text: str) -> bool:
    """Return whether a text is a usual label of a scale.

    Examples
    --------
    >>> is_step("Sometimes"), is_step("Smoking")
    (True, False)
    """
    return _STEP.fullmatch(text.strip(_AROUND)) is not None


def split_count(text: str) -> tuple[str, str]:
    """Split the number of a question from its text; the number is empty unless a phrase has it.

    Examples
    --------
    >>> split_count("A2 [sex] What is your sex?"), split_count("2. Do you smoke?")
    (('2', 'What is your sex?'), ('', '2. Do you smoke?'))
    """
    match = _COUNT.match(text)
    if match is None:
        return "", text
    return re.findall(r"\d+", match[0].partition("[")[0])[-1], text[match.end() :]


def split_skip(text: str) -> tuple[str, str]:
    """Split an instruction to skip from the end of a line; it is empty if there is none.

    Examples
    --------
    >>> split_skip("Never [Skip to Qs 9-10]")
    ('Never', '[Skip to Qs 9-10]')
    """
    match = _SKIP.search(text) if _MAY_SKIP.search(text) else None
    return (text[: match.start()].rstrip(), match[0]) if match else (text, "")
