"""Groups of well-known values: countries, regions, occupations, diagnoses, education and dates.

Countries are those of United Nations M49 and ISO 3166-1 (``countries.txt``); regions those of Regulation (EC)
1059/2003, whose codes have one more character per level; occupations those of ILO, ISCO-08, whose codes have
one more digit per level; diagnoses the chapters of WHO, ICD-10 (2019); education the levels of UNESCO, ISCED
2011.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

from privacy.tables.date_spans import span_groups
from privacy.tables.names import says

Groups: TypeAlias = tuple[str, ...]
"""Groups that contain a value, coarsest first."""

FITS: Final = 0.8
"""Share of a column's values that a classification must know to be used."""

_COUNTRIES: Final = Path(__file__).with_name("countries.txt")
_NUTS: Final = re.compile(r"[A-Z]{2}[0-9A-Z]{1,3}")
_ICD: Final = re.compile(r"([A-Z]\d\d)\.?(\w{0,4})")
_ISCO: Final = re.compile(r"\d{2,4}")
_CHAPTERS: Final = (
    "A00-B99 C00-D48 D50-D89 E00-E90 F00-F99 G00-G99 H00-H59 H60-H95 I00-I99 J00-J99 K00-K93 L00-L99 "
    "M00-M99 N00-N99 O00-O99 P00-P96 Q00-Q99 R00-R99 S00-T98 V01-Y98 Z00-Z99 U00-U99"
)
_LEVELS: Final = {
    "ISCED 0-2": "none preschool primary elementary middle lower 未上学 文盲 小学 初中 初级中学",
    "ISCED 3-4": "upper secondary highschool hs vocational 高中 高级中学 中专 职高 技校 中职",
    "ISCED 5-8": "tertiary college associate bachelor bachelors undergraduate university master masters "
    "graduate postgraduate doctor doctorate doctoral phd 大专 专科 高职 大学 本科 学士 研究生 硕士 博士",
}
_NAMED: Final = {
    "isco": "isco occupation job profession 职业",
    "education": "education degree school 教育 学历 文化程度",
}
"""Words that a column's name must contain, because codes such as four digits can be anything."""


@cache
def _countries() -> Mapping[str, Groups]:
    groups_of: dict[str, Groups] = {}
    above: list[list[str]] = [[], []]
    for line in _COUNTRIES.read_text(encoding="utf-8").splitlines():
        names, depth = line.strip().split("|"), (len(line) - len(line.lstrip())) // 2
        if line.startswith("#"):
            continue
        if depth < len(above):
            above[depth] = names
            continue
        for name in names:
            # A country named in Chinese gets regions in Chinese.
            language = int("\u4e00" <= name[0] <= "\u9fff")
            groups_of[name.casefold()] = tuple(region[language] for region in above)
    return groups_of


def _country(value: str) -> Groups | None:
    plain = value.casefold()
    return _countries().get(plain) or _countries().get(plain.replace("-", " ").replace("_", " "))


def _region(value: str) -> Groups | None:
    if not _NUTS.fullmatch(value) or not _countries().get(value[:2].casefold().replace("el", "gr")):
        return None
    return tuple(f"{value[:length]}…" for length in range(2, len(value)))


def _diagnosis(value: str) -> Groups | None:
    match = _ICD.fullmatch(value)
    if match is None:
        return None
    chapter = next((span for span in _CHAPTERS.split() if span[:3] <= match[1] <= span[4:]), None)
    return None if chapter is None else (chapter, f"{match[1]}…") if match[2] else (chapter,)


def _occupation(value: str) -> Groups | None:
    return tuple(f"{value[:length]}…" for length in range(1, len(value))) if _ISCO.fullmatch(value) else None


def _education(value: str) -> Groups | None:
    if value.casefold().startswith("high school"):
        return ("ISCED 3-4",)
    # The longest word decides, so "undergraduate" takes precedence over "graduate".
    levels = [
        (len(word), level) for level, words in _LEVELS.items() for word in words.split() if says(value, word)
    ]
    return (max(levels)[1],) if levels else None


CLASSIFICATIONS: Final[Mapping[str, Callable[[str], Groups | None]]] = {
    "dates": span_groups,
    "countries": _country,
    "nuts": _region,
    "icd": _diagnosis,
    "isco": _occupation,
    "education": _education,
}


def known_groups(name: str, values: Iterable[str], which: str = "") -> dict[str, Groups] | None:
    """Return the groups of each value in the first classification that knows enough values, or None.

    Parameters
    ----------
    name : str
        Name of the column.
    values : iterable of str
        Values of the column. Unknown values get no groups.
    which : str
        Key of `CLASSIFICATIONS`, if stated.

    Examples
    --------
    >>> known_groups("国家", ["中国", "法国"])
    {'中国': ('亚洲', '东亚'), '法国': ('欧洲', '西欧')}
    >>> known_groups("born", ["2021-05"]), known_groups("disease", ["J45.0", "J10"])
    ({'2021-05': ('2020s', '2021', '2021 Q2')}, {'J45.0': ('J00-J99', 'J45…'), 'J10': ('J00-J99',)})
    >>> known_groups("job", ["2221"]), known_groups("zip", ["2221"])
    ({'2221': ('2…', '22…', '222…')}, None)
    """
    texts = list(values)
    for key, groups_of in CLASSIFICATIONS.items():
        if which not in ("", key) or (not which and key in _NAMED and not says(name, _NAMED[key])):
            continue
        groups_by = {value: groups for value in texts if (groups := groups_of(value)) is not None}
        # A value that is a group of other values cannot also be a leaf.
        parents = {group for groups in groups_by.values() for group in groups}
        if groups_by and not parents & set(texts) and (which or len(groups_by) >= FITS * len(texts)):
            return {value: groups_by.get(value, ()) for value in texts}
    return None
