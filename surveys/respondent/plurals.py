"""Texts with a count, in as many forms as a language has.

A device chooses the form with `Intl.PluralRules`, which knows the categories of each language from the
Unicode CLDR. A catalogue numbers its forms. So this module states one count of each category, and asks the
catalogue for the form of that count.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.translation import get_language, ngettext

COUNTS: Final[dict[str, dict[str, int]]] = {
    "ar": {"zero": 0, "one": 1, "two": 2, "few": 3, "many": 11, "": 100},
    "es": {"one": 1, "": 2},
    "fa": {"one": 1, "": 2},
    "fr": {"one": 1, "": 2},
    "id": {"": 2},
    "it": {"one": 1, "": 2},
    "pl": {"one": 1, "few": 2, "": 5},
    "pt": {"one": 1, "": 2},
    "ru": {"one": 1, "few": 2, "": 5},
    "zh": {"": 2},
}
"""One count of each category (Unicode CLDR 47, plural rules for cardinals), by language without its region.

The form without a name serves all counts whose category has none: "many" in Polish and Russian, where only
fractions are "other", and millions in Romance languages.
"""

USUAL: Final = {"one": 1, "": 2}
"""Two forms, as English and German have."""


@dataclass(frozen=True)
class Plural:
    """A text for one thing, and a text for several, in English."""

    one: str
    other: str

    def forms(self) -> dict[str, str]:
        """Return the forms in the active language by the suffix of their key: "", or the category.

        Examples
        --------
        >>> Plural("One question", "{questions} questions").forms()
        {'_one': 'One question', '': '{questions} questions'}
        """
        language = (get_language() or "en").partition("-")[0]
        return {
            f"_{category}" if category else "": ngettext(self.one, self.other, count)
            for category, count in COUNTS.get(language, USUAL).items()
        }


def plural(one: str, other: str) -> Plural:
    """Mark a text with a count for translation; the second form must show the count."""
    return Plural(one, other)
