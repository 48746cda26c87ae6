"""Facts that others know, which a protected part must not ask.

A known fact gives away its whole part: an attacker who sees it match knows that the row is the true one. Word
lists guess what a question is about, and the researcher confirms or denies the guess. They cover English and
Chinese; traditional characters are read as simplified ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from surveys.questionnaire.background import sensitive_words
from surveys.questionnaire.checks.entry_names import entry_name
from surveys.questionnaire.exclusive_wordings import first_named
from surveys.questionnaire.findings import Finding, Level

_TENS: Final = "eighteen|twenty|thirty|forty|fifty|sixty|seventy|eighty"
_DECADES: Final = "teens|twenties|thirties|forties|fifties|sixties|seventies|eighties"
_PLACE_WORDS: Final = (
    "town|city|village|district|count(y|ry)|region|province|borough|suburb|neighbou?rhood|municipality|street"
)
# Facts that people around a respondent know or can look up: age, sex, place, family.
_KNOWN_ENGLISH: Final = re.compile(
    rf"\b(how (old|many years old)|(your|ur|what|my) age|age (group|range|bracket|band|in years)"
    rf"|(year|date|month|day|place|country|city|town|region|province) of (your )?(birth|origin|residence)"
    rf"|birth ?(day|date|year|month|place)|year is your birth|born|d\.?o\.?b"
    rf"|(are you|i am|i'm|were you) (at least |aged? |over |under |above |below |older than |younger than "
    rf"|more than |less than )?(the age of )?(\d\d\b(?! ?(hours|minutes|%|times|kg|cm))|({_TENS})\b)"
    rf"|retirement age|turn(ed)? \d\d|(in|by|after|before) your \d\d(st|nd|rd|th) year|alive in \d{{4}}"
    rf"|in (your|my) ({_DECADES}|[1-9]0s)|gen(eration)? [xyz]|millennials?|boomers?"
    rf"|sex or gender|(your|which|what) (sex|gender)(?! ?(life|lives|partner|drive|work|toy))|gender identity"
    rf"|(which|what) gender|(male|man|boy|men) ?(or|/) ?(female|woman|girl|women)"
    rf"|(female|woman|girl|women) ?(or|/) ?(male|man|boy|men)"
    rf"|(are you|i am|i'm|identify as) (a |an )?(male|female|man|woman|boy|girl|lady|gentleman|adult|minor"
    rf"|pensioner|retired|elderly|middle[- ]aged|teenager|senior citizen|transgender|trans (man|woman)|from"
    rf"|married|single(?!-)|divorced|widowed|mother|father|parent)"
    rf"|where (do|did|are|were|have) you (live|work|grow up|come from|from|raised|brought up|based|lived)"
    rf"|(where )?(is|was) your (home|house)|(do you|i) live in (a |an |the )?({_PLACE_WORDS}|countryside"
    rf"|(?-i:[A-Z])\w+)|post(al)? ?code|zip code"
    rf"|(your|my) (home )?(address|({_PLACE_WORDS})|nationality|current location|home ?town)"
    rf"|home ?town|(which|what) ({_PLACE_WORDS})|(which|what) state (do|are) you|nationality|citizenship"
    rf"|citizen of (?!honou?r)|ethnicity|ethnic group|your race"
    rf"|(which|what) (department|office|team|school|class|ward|floor|branch|building) (do|are|is) (you|your)"
    rf"|(marital|family) status|how long have you been married"
    rf"|(do you have|how many) (any )?(children|kids)(?! did you)"
    rf")\b"
    rf"|^\W*(age|sex|gender|dob|zip|postcode|place|location|address|race|({_PLACE_WORDS}))\W*$",
    re.IGNORECASE,
)
_NUMERAL: Final = r"(\d{1,3}|[一二三四五六七八九十百]{1,4})"
_KNOWN_CHINESE: Final = re.compile(
    "年龄|年纪|岁数|贵庚|成年了?[吗没]|[你您我]是(未?成年|中年|老年)|退休了|几岁|多大(了|年纪|岁数)|[你您](今年|现在)?多大(?=[?。，,!]|$)|周岁|年满"
    rf"|(满|超过|不到|大于|小于|高于|低于|不足){_NUMERAL}周?岁|{_NUMERAL}周?岁(以上|以下|及以|或以|之间)"
    rf"|满{_NUMERAL}了?[吗没]|[五六七八九零][零五]后|[05-9][05]后"
    "|出生|哪一?年生|生于|生日|生肖|属相|属什么"
    "|(?<!因)(?<!因为)性别(?!歧视|平等|暴力|偏见)|男还是女|男或女"
    "|[你您我]?是(一[名位个])?(男|女)(的|性|人|生|士|孩)?(?=[吗?还或是,，。]|$)|是(先生|女士|妇女)"
    "|住在(?!一起)|住哪|哪里住|哪儿住|居住|常住|住址|籍贯|户籍|户口|邮编|邮政编码|国籍|民族"
    "|哪一?[个座](省|市|县|区|城|国家|地区|街道|社区|小区|村|镇|乡|部门|班|学校|单位|楼)"
    "|所在的?(省|市|县|区|城市|国家|地区|部门|班级|学校|单位)|来自(哪|什么|农村|城市|城镇|外地)|是[南北]方人|哪[里儿]人|什么地方人"
    "|老家|家乡|故乡|家在哪|家住|本地人|外地人"
    "|婚姻状况|结婚了|[你您我](是否|是)?(已婚|未婚|结婚)|几个(孩子|小孩|子女)|有(没有)?(孩子|小孩|子女)吗?(?=[?。]|$)"
)
# Options that show that a question asks for age or sex, whatever its text says.
_KNOWN_OPTIONS: Final = re.compile(
    r"^\W*(male|female|man|woman|men|women|boy|girl|男|女|男性|女性|男人|女人|男生|女生|先生|女士"
    r"|(1[68]|20|25|30|35) ?[-–—~至到] ?(19|24|29|34|39|44) ?(years?( old)?|岁)?)\W*$",
    re.IGNORECASE,
)


def suggests_quasi_identifier(
    texts: Mapping[str, str], options: Iterable[Mapping[str, str]] = ()
) -> str | None:
    """Return the words that suggest a question about age, sex, place or family; None if there are none.

    Parameters
    ----------
    texts : mapping of str to str
        Text of the question, by language.
    options : iterable of mappings of str to str
        Texts of its options, by language.

    Examples
    --------
    >>> suggests_quasi_identifier({"en": "How old were you when it began?"})
    'How old'
    >>> suggests_quasi_identifier({"en": "Which of these are you?"}, [{"en": "Male"}, {"en": "Female"}])
    'Male'
    >>> suggests_quasi_identifier({"en": "Have you ever cheated?", "zh-hans": "你作过弊吗？"}) is None
    True
    """
    by_option = (first_named((_KNOWN_OPTIONS,), option.values()) for option in options)
    return first_named((_KNOWN_ENGLISH, _KNOWN_CHINESE), texts.values()) or next(
        filter(None, by_option), None
    )


def known_facts(entry: Mapping[str, Any], path: str) -> Iterator[Finding]:
    """Yield findings on the questions of a protected part that others can answer, or seem to."""
    for number, question in enumerate(entry["questions"]):
        here = f"{path}.questions[{number}]"
        if question.get("known") is True:
            yield Finding(
                level=Level.REFUSE,
                code="known_fact",
                path=here,
                message=_(
                    "“%(question)s” is marked as a fact that others know: someone who sees it match can "
                    "conclude that the whole part is true"
                )
                % {"question": entry_name(question)},
                remedy=_("ask it in an unprotected part, or leave it out"),
            )
        elif "known" not in question:
            options = [option["text"] for option in question.get("options", ())]
            words = suggests_quasi_identifier(_visible_texts(question), options)
            # "Have you been raped since you turned 18?" has a word for an age, but asks for something else.
            asks_more = sensitive_words([question["text"], question.get("help") or {}, *options])
            if words is not None and not asks_more:
                yield Finding(
                    level=Level.WARN,
                    code="looks_known",
                    path=here,
                    message=_("“%(question)s” seems to ask for something that others know (“%(words)s”)")
                    % {"question": entry_name(question), "words": words},
                    remedy=_(
                        "state in the builder whether others know it; if so, store it as answered, because "
                        "people who know it can recognise the other answers of its part"
                    ),
                )


def _visible_texts(question: Mapping[str, Any]) -> dict[str, str]:
    """Return the texts of a question, with its help: a short question may leave the rest to the help."""
    more = {f"{language} help": text for language, text in (question.get("help") or {}).items()}
    return {**question["text"], **more}
