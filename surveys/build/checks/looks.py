"""What a question looks as if it asked: proposals by word list, for the researcher to confirm or deny.

A list of words knows nothing; it only asks. English and Simplified Chinese.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

# Age, sex and place: what those around a respondent know, or can look up.
_KNOWN_ENGLISH: Final = re.compile(
    r"\b(how old|your age|years? of birth|born|birthday|sex or gender|your (sex|gender)|male|female"
    r"|are you a (man|woman)|where do you live|your (address|postcode|zip code|town|city|district|country)"
    r"|which (town|city|district|country|region)|nationality)\b",
    re.IGNORECASE,
)
_KNOWN_CHINESE: Final = re.compile(
    "年龄|年纪|几岁|多大|出生|生日|性别|是男|是女|男性|女性|住在|居住|住址|邮编|邮政编码|"
    "哪个(省|市|县|区|城市|国家|地区)|国籍|民族"
)
# An option that excludes all others of a multi-select.
_NONE_ENGLISH: Final = re.compile(
    r"^\W*(none|none of (these|them|the above)|nothing|neither|no,? never|not applicable)\W*$", re.IGNORECASE
)
_NONE_CHINESE: Final = re.compile("^(以上)?(都|均|全)?(没有|不是|无|从不|不适用)(以上.*)?[。.]?$")


def looks_known(texts: Mapping[str, str]) -> str | None:
    """Return the words by which a question seems to ask for age, sex or place; None where none do.

    Examples
    --------
    >>> looks_known({"en": "How old were you when it began?"})
    'How old'
    >>> looks_known({"en": "Have you ever cheated?", "zh-hans": "你作过弊吗？"}) is None
    True
    """
    return _first((_KNOWN_ENGLISH, _KNOWN_CHINESE), texts.values())


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
