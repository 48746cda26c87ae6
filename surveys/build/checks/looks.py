"""What a question looks as if it asked: proposals by word list, for the researcher to confirm or deny.

A list of words knows nothing; it only asks. English and Simplified Chinese.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

# Age, sex and place: what those around a respondent know, or can look up.
_KNOWN_ENGLISH: Final = re.compile(
    r"\b(how old|(your|what) age|age group|years? of birth|born|birthday|sex or gender|your (sex|gender)|male"
    r"|female|are you (a|an)? ?(man|woman|boy|girl|adult|minor)|where (do|did) you (live|work|grow up)"
    r"|are you (over|under|above|below|older than|younger than) (the age of )?\d{2}\b"
    r"|post(al )?code|zip code|your (address|town|city|district|country|region|nationality)"
    r"|(which|what) (town|city|district|country|region)|nationality)\b"
    r"|^\W*(age|sex|gender|town|city|district|country|region|place)\W*$",
    re.IGNORECASE,
)
_KNOWN_CHINESE: Final = re.compile(
    "年龄|年纪|岁数|几岁|多大|周岁|出生|生日|性别|是男|是女|男性|女性|住在|住哪|哪里住|居住|住址|籍贯|户籍|户口"
    "|邮编|邮政编码|哪个(省|市|县|区|城市|国家|地区)|所在(的)?(省|市|县|区|城市|国家|地区)|国籍|民族"
)
# Options by which a question asks for age, sex or place, whatever its text says.
_KNOWN_OPTIONS: Final = re.compile(
    r"^\W*(male|female|man|woman|men|women|男|女|男性|女性|男人|女人)\W*$", re.IGNORECASE
)
# An option that excludes all others of a multi-select.
_NONE_ENGLISH: Final = re.compile(
    r"^\W*((i )?(have |do |did |use |took )?(none|nothing|neither)( of (these|them|the above|those))?"
    r"( things)?|(no,? )?never|not at all|not applicable|no answer|(i )?(don.?t|do not) know|not sure"
    r"|(i )?(would )?(prefer|rather) not( to)? (say|answer|tell))\W*$",
    re.IGNORECASE,
)
_NONE_CHINESE: Final = re.compile(
    "^(我)?(以上)?(都|均|全)?(没有|不是|无|从不|从未|不适用|不知道|不清楚|不愿(意)?(说|回答|透露)|拒绝回答)(以上.*)?[。.]?$"
)


def looks_known(texts: Mapping[str, str], options: Iterable[Mapping[str, str]] = ()) -> str | None:
    """Return the words by which a question seems to ask for age, sex or place; None where none do.

    Parameters
    ----------
    texts : mapping of str to str
        The question by language.
    options : iterable of mappings of str to str
        Its options likewise.

    Examples
    --------
    >>> looks_known({"en": "How old were you when it began?"})
    'How old'
    >>> looks_known({"en": "Which of these are you?"}, [{"en": "Male"}, {"en": "Female"}])
    'Male'
    >>> looks_known({"en": "Have you ever cheated?", "zh-hans": "你作过弊吗？"}) is None
    True
    """
    by_option = (_first((_KNOWN_OPTIONS,), option.values()) for option in options)
    return _first((_KNOWN_ENGLISH, _KNOWN_CHINESE), texts.values()) or next(filter(None, by_option), None)


def looks_exclusive(texts: Mapping[str, str]) -> bool:
    """Return whether an option of a multi-select seems to exclude the others.

    Examples
    --------
    >>> looks_exclusive({"en": "None of these"}), looks_exclusive({"en": "No helmet"})
    (True, False)
    """
    return _first((_NONE_ENGLISH, _NONE_CHINESE), texts.values()) is not None


def _first(patterns: Iterable[re.Pattern[str]], texts: Iterable[str]) -> str | None:
    wanted = tuple(patterns)
    for text in texts:
        for pattern in wanted:
            found = pattern.search(text)
            if found is not None:
                return found.group()
    return None
