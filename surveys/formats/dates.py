"""Write days and times as the active language does, for texts that respondents read."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final

from django.utils.dateformat import format as django_format

from surveys.formats.numbers import base_language, in_digits

_OF: Final = r"j \d\e F \d\e Y"
_DAYS: Final = {
    "de": "j. F Y",
    "en": "F j, Y",
    "es": _OF,
    "pl": "j E Y",
    "pt": _OF,
    "ru": "j E Y г.",
    "zh": "Y年n月j日",
}
"""Long dates (Unicode CLDR 47) as Django's formats; "E" is the month's name within a date."""
_USUAL: Final = "j F Y"
_OF_YEAR: Final = r"F \d\e Y"
_MONTHS: Final = {"es": _OF_YEAR, "pt": _OF_YEAR, "ru": "F Y г.", "zh": "Y年n月"}
"""Months with their years in the same way; others write "F Y"."""
_SMALL: Final = frozenset({"it", "pt"})
"""Languages whose months begin with a small letter, which Django's names do not."""
_SMALL_ALONE: Final = _SMALL | {"pl", "ru"}
"""The same without a day: Django has other Polish and Russian names there."""
_BEFORE_TIME: Final = {"ar": "، ", "fa": "، ", "zh": " "}


def day_text(day: date) -> str:
    """Write a day with the name of its month, in the calendar that computers use everywhere.

    >>> day_text(date(2026, 12, 1))
    'December 1, 2026'
    """
    language = base_language()
    text = django_format(day, _DAYS.get(language, _USUAL))
    return in_digits(text.lower() if language in _SMALL else text)


def month_text(day: date) -> str:
    """Write the month and the year of a day.

    >>> month_text(date(2026, 12, 1))
    'December 2026'
    """
    language = base_language()
    text = django_format(day, _MONTHS.get(language, "F Y"))
    return in_digits(text.lower() if language in _SMALL_ALONE else text)


def moment_text(moment: datetime) -> str:
    """Write a day with a time between 00:00 and 23:59.

    >>> moment_text(datetime(2026, 12, 1, 8, 0))
    'December 1, 2026, 08:00'
    """
    return f"{day_text(moment)}{_BEFORE_TIME.get(base_language(), ', ')}{in_digits(f'{moment:%H:%M}')}"
