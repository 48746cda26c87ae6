"""Patterns that several readers of a pasted text search for."""

from __future__ import annotations

import re
from typing import Final

LETTER: Final = re.compile(r"[^\W\d_]")
VOWEL_SIGNS: Final = (
    "\u0900-\u0963\u0981-\u09e3\u0a01-\u0a51\u0b82-\u0bd7\u0c00-\u0c63\u0e31\u0e34-\u0e3a"
    "\u0e47-\u0e4e\u064b-\u065f"
)
"""Signs of vowels and tones, which are parts of words but no letters; a part of other patterns."""
HAN: Final = re.compile("[㐀-䶿一-鿿]")
NUMBER: Final = re.compile(r"\d{1,3}")
MISSING_CODES: Final = frozenset([8, 9, *range(88, 100)])
"""Codes of *don't know* and *no answer* behind codes that count up."""
WHOLE_NUMBER: Final = re.compile(r"(?<![\d,])(?<!\d\.)\d{1,6}(?![\d,]|\.\d)")
DRAWN_BOX: Final = "[☐□▢◻⬜❑❏○◯⚪◉●]"
"""A drawn box to tick; a part of other patterns."""
COLUMN_GAP: Final = re.compile(r"\t\s*|\s{2,}")
BETWEEN_CELLS: Final = re.compile(r" {0,60}\t {0,60}| {3,}")
IN_BRACKETS: Final = re.compile(r"[(（\[【]([^()（）\[\]【】]{2,90})[)）\]】]")
BRACKETED: Final = re.compile(r"[(（\[【].{2,300}[)）\]】]\.?")
"""A whole text in brackets, if it is matched in full."""
REMARK_BEFORE: Final = re.compile(r"^[(（\[【](?P<words>[^()（）\[\]【】]{2,60})[)）\]】]\s?(?=\S)")
RUN_BEHIND: Final = re.compile(r"[^\W\d_]\W{0,9}\s{1,9}\d{1,2}(?:\s{1,9}\d{1,2}){2,10}$")
"""Numbers to circle behind an item."""
SPACE_TO_WRITE: Final = re.compile(r"[_＿]{3,200}|\.{6,200}|…{2,200}|\|(?:[_ ]{1,4}\|){1,8}")
POINTS: Final = r"(?:points?|pts?\b|punkte?n?|pkt\.?|puntos?|pontos?|punti|балл\w{0,2}|puan|poin|अंक|点|分|분)"
"""A word for points behind their number; a part of other patterns."""
AND_OR: Final = r"(?:and|or|und|oder|et|ou|y|e|o|и|или)"
"""A word between the last two of a list; a part of other patterns."""
TO: Final = r"(?:-|–|—|−|－|~|～|to|through|thru|bis|à|a|au|al|até|hasta|до|по|إلى|से|至|到)"
"""A sign or word between the ends of a range."""
WRAPPED: Final = re.compile(
    r"(?<![.;:。；：])\n(?=[a-zß-öø-ÿа-яё㐀-鿿](?![^\W\d]{0,12}\s?\d))|(?<=[^\n]{50}[^.;:。；：\n])\n(?=[^\W\d_])"
)
"""The end of a line inside a sentence: a small letter is below it, or the line is long."""
STATEMENTS: Final = re.compile(
    r"(?<=[^\s;][.!?)»”\"])\s+(?=[^\W\da-zß-öø-ÿа-яё_]|[(（“„«\"'])|(?<=[^\W\d_]{4}[.!?])\s+(?=\d)|(?<=[)）\d][.!?])\s+(?=\d{1,3}\s?[-–—~]\s?\d)|;\s|[；。]\s?|\n"
)
"""Separates two statements of a rule."""
OF_DATE: Final = re.compile(
    r"d{1,2}|m{1,2}|y{2,4}|t{1,2}|j{2,4}|a{2,4}|д{1,2}|м{1,2}|г{2,4}|day|month|year|tag|monat|jahr|jour|mois|ann[ée]e"
    r"|d[ií]a|mes|a[nñ]o|m[êe]s|ano|день|месяц|год|年|月|日",
    re.IGNORECASE,
)
"""A part of a date in its format, such as *(DD/MM/YYYY)*."""
_BECOMES: Final = (
    r"(?:\s?(?:=|＝|→|->|=>|➔|⇒)\s?"
    rf"|\s(?!{AND_OR}\s)[^\W\d_]{{2,9}}(?:\s[^\W\d_]{{1,3}})?\s"
    r"|\s?分?(?![和与或及、到至])[㐀-鿿]{1,3})"
)
"""A sign or a verb between the old and the new points of an answer; a part of the pattern below."""
RECODED: Final = "|".join(
    rf"(?<![\d.,]){old}{_BECOMES}{new}(?!\d|[.,]\d)分?"
    rf"\W{{0,3}}(?:[^\W\d_]{{1,4}}\s){{0,2}}{old + step}{_BECOMES}{new - step}(?!\d)"
    for low, high in ((low, high) for low in (0, 1) for high in range(low + 2, 11))
    for old, new, step in ((low, high, 1), (high, low, -1))
)
"""A pattern for points that are reversed: *0 becomes 3, 1 becomes 2*, *5→1, 4→2*."""
RECODING: Final = re.compile(
    rf"(?:{RECODED})(?:\W{{1,3}}(?:[^\W\d_]{{1,4}}\s){{0,2}}\d{{1,2}}{_BECOMES}\d{{1,2}}(?!\d)){{0,9}}",
    re.IGNORECASE,
)
"""All points of a reversal."""
