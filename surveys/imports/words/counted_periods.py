"""The largest number of days, or other units of time, in a period: *how many of the last 30 days*."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

_HOUR, _DAY, _WEEK, _MONTH, _YEAR = (Fraction(hours, 24) for hours in (1, 24, 7 * 24, 31 * 24, 366 * 24))
_UNITS: Final[dict[Fraction, str]] = {
    _HOUR: r"hours?|stunden?|heures?|horas?|or[ae]|uur|uren|godzin\w?|час(?:ов|а)?|saat|jam|saa|小时|小時",
    _DAY: r"days?|nights?|tag(?:en?)?|nächten?|jours?|d[ií]as?|giorn[oi]|dag(?:en)?|dni|дней|дня|gün|hari"
    r"|siku|天|日|يوم(?:ا|ًا)?|أيام|روز",
    _WEEK: r"weeks?|wochen?|semaines?|semanas?|settiman[ae]|we(?:ek|ken)|tygodni\w{0,2}|недел\w{1,2}|hafta"
    r"|minggu|周|週|星期|أسابيع|أسبوع|هفته",
    _MONTH: r"months?|monate?n?s?|mois|mes(?:es)?|m[eê]s|mes[ei]|maand(?:en)?|miesi[ąę]c\w{0,2}|месяц\w{0,2}"
    r"|ay|bulan|个?月|個月|أشهر|شهر(?:ا|ًا)?|ماه",
    _YEAR: r"years?|jahre?n?s?|ans|années?|años?|anos?|ann[oi]|jaar|jaren|lat|rok\w?|лет|года?|yıl|tahun"
    r"|年|سنة|سنوات|سال",
}
"""Words for each unit of time, by its greatest length in days."""
_WORDS: Final = {
    2: "two|zwei|deux|dos|due|twee|两|兩|二",
    3: "three|drei|trois|tres|tre|drie|三",
    4: "four|vier|quatre|cuatro|quattro|四",
    6: "six|sechs|seis|sei|zes|六",
    7: "seven|sieben|sept|siete|sette|zeven|七",
    12: "twelve|zwölf|douze|doce|dodici|twaalf|十二",
    14: "fourteen|vierzehn|quatorze|catorce|十四",
    30: "thirty|dreißig|dreissig|trente|treinta|trenta|dertig|三十",
}
_HOW_MANY: Final = (
    r"how many|number of|wie ?vielen?|anzahl(?: der)?|combien de|nombre de|cuánt[oa]s|cuant[oa]s"
    r"|número de|quant[oaie]s?|hoeveel|aantal|ile|ilu|сколько|скольких|kaç|berapa|ngapi|多少|几|幾|كم|چند"
)
_OF_THE: Final = (
    r"of|the|those|these|last|past|previous|der|den|letzten|vergangenen|des|derniers|los|las|de|últimos|degli|ultimi"
    r"|dei|da|dos|afgelopen|laatste|из|последних"
)
_SEVERAL: Final = re.compile(
    r"(?:hours|days|nights|weeks|months|years|stunden|tagen?|nächten|wochen|monaten?|jahren?|jours|semaines|ans|années|horas"
    r"|d[ií]as|semanas|meses|años|anos|ore|giorni|settimane|mesi|anni|dagen|weken|maanden|jaren)",
    re.IGNORECASE,
)
"""Units in the plural: without a number, the length of their period is unknown."""
_NUMBER: Final = r"(?P<digits>\d{1,3})|" + "|".join(
    f"(?P<n{value}>{words})" for value, words in _WORDS.items()
)
_BETWEEN: Final = r"derniers|dernières|últimos|últimas|ultimi|ultime|last|past|previous|letzten|vergangenen"
_WITHIN: Final = re.compile(
    r"\b(?:last|past|previous|letzten|vergangenen|derni[eè]re?s?|[uú]ltim[oa]s?|ultim[ie]|afgelopen|laatste|ostatni\w{1,2}"
    r"|последни\w{1,2}|son|terakhir|iliyopita)\b|过去|過去|最近|الماضية|الأخيرة|گذشته",
    re.IGNORECASE,
)
_LETTERS: Final = r"[^\W\d_]"
_EDGES: Final = r"(?<![^\W\d_一-鿿])", r"(?![^\W\d_一-鿿])"


def _edged(pattern: str) -> str:
    return f"{_EDGES[0]}(?:{pattern}){_EDGES[1]}"


def _unit(kind: str) -> str:
    return _edged("|".join(f"(?P<{kind}{index}>{words})" for index, words in enumerate(_UNITS.values())))


_COUNTED: Final = re.compile(
    rf"{_edged(_HOW_MANY)}\s?(?:{_LETTERS}{{1,12}} )?{_unit('counted')}", re.IGNORECASE
)
"""Units that are counted, perhaps with one word before them: *how many full days*."""
_OF_PERIOD: Final = re.compile(
    rf"{_edged(_HOW_MANY)}\s(?:(?:{_OF_THE})\s){{1,4}}(?=(?:{_NUMBER})\s{_unit('counted')})",
    re.IGNORECASE,
)
"""A count within a period: *how many of the last 30 days*."""
_PERIOD: Final = re.compile(
    rf"(?:{_edged(_NUMBER)}\s?(?:个|{_BETWEEN})?\s?)?{_unit('period')}", re.IGNORECASE
)
_DIRECTLY: Final = re.compile(
    r"\s?(?:(?:of )?(?:a|per|each|every|pro|in der|par|por|alla|à la) )?", re.IGNORECASE
)


@dataclass(frozen=True)
class _Period:
    """A period of time in a text: its length in days, and whether the text gives its number."""

    start: int
    end: int
    days: Fraction
    unit: Fraction
    has_number: bool


def most_in_period(text: str, unit: str = "") -> int | None:
    """Return the largest number of units of time that fit into the period that a question names.

    Parameters
    ----------
    text : str
        The question.
    unit : str
        The unit next to its write-in space: *____ days*.

    Returns
    -------
    int or None
        None if the question does not count units of time, or does not name a longer period.

    Examples
    --------
    >>> [most_in_period(text) for text in ("How many of the last 30 days?", "How many hours a day?")]
    [30, 24]
    >>> most_in_period("How many cigarettes per day did you smoke in the last 30 days?")
    """
    periods = [*_periods(text)]
    of_period = _OF_PERIOD.search(text)
    found = _COUNTED.search(text) or of_period
    alone = re.fullmatch(_unit("counted"), unit.strip(), re.IGNORECASE)
    counted, end = _unit_of(found or alone, "counted"), found.end() if found else len(text)
    if counted is None:
        return None
    direct = _DIRECTLY.match(text, end)
    at = direct.end() if direct else end
    next_ones = [each for each in periods if each.start == at and each.unit > counted]
    is_within = bool(of_period) or _WITHIN.search(text) is not None
    # *How many years, if you are over 18 years old* names an age.
    longer = next_ones or [each for each in periods if each.unit > counted or (each.has_number and is_within)]
    # Use the longest of several periods, so that every true answer is possible.
    most = max((each.days / counted for each in longer), default=Fraction(1))
    return math.ceil(most) if most > 1 else None


def _days(number: int, unit: Fraction) -> Fraction:
    """Return the greatest length of a period in days: 31 for one month, 366 for twelve months."""
    is_years = unit == _MONTH and number >= 12
    return number * (Fraction(366, 12) if is_years else unit)


def _periods(text: str) -> Iterator[_Period]:
    for match in _PERIOD.finditer(text):
        unit = _unit_of(match, "period")
        number = int(match["digits"]) if match["digits"] else None
        number = number or next((value for value in _WORDS if match[f"n{value}"]), None)
        if unit is not None and (number or not _SEVERAL.fullmatch(match[0].strip())):
            yield _Period(match.start(), match.end(), _days(number or 1, unit), unit, number is not None)


def _unit_of(match: re.Match[str] | None, kind: str) -> Fraction | None:
    if match is None:
        return None
    return next((unit for index, unit in enumerate(_UNITS) if match[f"{kind}{index}"]), None)
