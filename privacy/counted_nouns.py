"""English nouns after numbers: *1 row*, *2 rows*. Texts that only pages show have translated plurals."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_IRREGULAR: Final = {"person": "people", "hypothesis": "hypotheses"}
_ENDINGS: Final = ("s", "x", "ch", "sh")
_NOUNS: Final = (
    *("answer", "answer sheet", "argument", "association", "bin", "bit", "block", "booklet", "byte"),
    *("cell", "character", "class", "cluster", "code", "coefficient", "column", "combination"),
    *("comparison", "component", "condition", "count", "decimal", "difference", "digit", "end"),
    *("entry", "error", "event", "exclusion", "factor", "figure", "file", "fraction", "gap"),
    *("generalisation", "group", "hour", "item", "itemset", "job", "key", "length", "letter", "level"),
    *("line", "list", "margin", "migration", "minute", "month", "number", "object", "option", "output"),
    *("pair", "part", "pattern", "person", "point", "position", "predictor", "probability"),
    *("quasi-identifier", "question", "record", "replicate", "report", "respondent", "row", "rule"),
    *("score", "second", "sentence", "set", "share", "sheet", "spelling", "step", "strength", "survey"),
    *("table", "ten-thousandth", "text", "tile", "token", "unit", "value", "warning", "wave"),
    *("whole number", "year"),
)
_VERBS: Final = {
    "are": "is",
    "were": "was",
    "have": "has",
    "do": "does",
    "reach": "reaches",
    **{each: f"{each}s" for each in ("belong", "contain", "decide", "depend", "differ", "equal", "remain")},
}


def plural_of(noun: str) -> str:
    """Return the plural of an English noun.

    Parameters
    ----------
    noun : str
        In the singular.

    Examples
    --------
    >>> [plural_of(noun) for noun in ("row", "class", "entry", "person")]
    ['rows', 'classes', 'entries', 'people']
    """
    if noun in _IRREGULAR:
        return _IRREGULAR[noun]
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(_ENDINGS) else f"{noun}s"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun; digits are in groups of three.

    Parameters
    ----------
    number : int
    noun : str
        In the singular. Words in front of it stay as they are.

    Examples
    --------
    >>> counted(1, "row"), counted(1200, "row"), counted(0, "empty class")
    ('1 row', '1,200 rows', '0 empty classes')
    """
    return f"{number:,} {noun if number == 1 else plural_of(noun)}"


_SINGULAR: Final = {plural_of(noun): noun for noun in _NOUNS}
_COUNTED: Final = re.compile(
    r"(?P<before>\b[Tt]here are )?(?P<field>%\((?P<name>\w+)\)s)"
    r"(?P<between>(?: (?!(?:and|from|in|of|or|to)\b)[a-z-]+(?<!s))??)"
    rf" (?P<noun>{'|'.join(sorted(map(re.escape, _SINGULAR), key=len, reverse=True))})\b"
    rf"(?P<verb> (?:{'|'.join(_VERBS)})\b)?"
)


def agreed(text: str, values: Mapping[str, object]) -> str:
    """Return an English text with nouns and verbs in the singular where their count is one.

    Parameters
    ----------
    text : str
        With placeholders such as ``%(count)s`` in front of a noun in the plural.
    values : mapping of str
        Values of the fields.

    Examples
    --------
    >>> agreed("there are %(value)s levels, and %(n)s different rows were left out", {"value": 1, "n": 1})
    'there is %(value)s level, and %(n)s different row was left out'
    >>> agreed("there are %(value)s levels", {"value": 3})
    'there are %(value)s levels'
    """

    def write(match: re.Match[str]) -> str:
        value = values.get(match["name"])
        # A text may be a name, and a truth value is not a count.
        if value != 1 or type(value) is not int:
            return match[0]
        before = (match["before"] or "").replace("are", "is")
        verb = f" {_VERBS[match['verb'].strip()]}" if match["verb"] else ""
        return f"{before}{match['field']}{match['between']} {_SINGULAR[match['noun']]}{verb}"

    # Messages of pages are translated when they are used.
    return _COUNTED.sub(write, str(text))
