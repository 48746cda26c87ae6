"""Cut-offs that differ between groups of people: *4 for men, 3 for women*. A score has only one."""

from __future__ import annotations

import re
from typing import Final

from surveys.imports.words.cues import pattern_of
from surveys.imports.words.numerals import in_digits

_GROUP: Final = pattern_of("score-group")
_CLAUSE: Final = re.compile(
    r"[,;:：/|()（）、，；。\n]|\.\s|\s(?:and|und|et|ed?|y|en|och|og|i|oraz|и|та|ve|dan|va|và|और|και|és|ja)\s|[和与及]",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(r"\d{1,3}")


def differ_by_group(text: str) -> bool:
    """Return whether a scoring rule states a number for each of several groups, and the numbers differ.

    Examples
    --------
    >>> differ_by_group("Männer ab 3 Punkten, Frauen ab 2 Punkten: riskant")
    True
    >>> differ_by_group("Men: 4 or more. Women: 3 or more."), differ_by_group("Men and women: 4 or more")
    (True, False)
    """
    found: dict[str, str] = {}
    group = numbers = ""
    for clause in filter(None, map(str.strip, _CLAUSE.split(in_digits(text)))):
        names = {name.casefold() for name in _GROUP.findall(clause)}
        own = " ".join(_NUMBER.findall(clause))
        # The number of a group may be in the clause before or behind its name: "4 (men)", "men: 4".
        group = names.pop() if len(names) == 1 else group if own and not names else ""
        numbers = own or (numbers if group else "")
        if group and numbers:
            found.setdefault(group, numbers)
            group = numbers = ""
    return len(found) > 1 and len({*found.values()}) > 1
