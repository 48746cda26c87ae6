"""Words in the names of columns, in English and Chinese."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import Final

# Words in the names of columns that identify people, in English and Chinese.
_IDENTIFIES: Final = (
    "name names surname forename firstname lastname id ids uid uuid guid code email mail phone mobile "
    "telephone address street ip ssn passport account login user respondent participant patient person "
    "姓名 名字 身份证 电话 手机 邮箱 地址 编号 学号 工号 账号"
)
KNOWN: Final = (
    "age birth born birthday year sex gender zip postcode postal plz region district county city town state "
    "country nationality race ethnicity marital married children household education school degree "
    "occupation job work workclass profession employer department grade class language height weight "
    "年龄 出生 生日 性别 邮编 地区 省 市 县 省份 城市 国家 国籍 民族 婚姻 子女 教育 学历 文化程度 职业 工作 "
    "单位 部门 年级 班级 身高 体重"
)
"""Words in the names of columns that describe people, and that others can know."""
SENSITIVE: Final = (
    "disease diagnosis illness condition hiv drug drugs alcohol abortion income salary wage wages debt "
    "religion faith party vote voted politics orientation sexual crime conviction arrest violence abuse "
    "suicide depression problem cheated stolen affair affairs survived died death "
    "疾病 诊断 病史 收入 工资 薪水 债务 宗教 信仰 党派 投票 性取向 犯罪 自杀 抑郁 存活 死亡"
)
"""Words in the names of columns that people may want to keep private."""
_SENSITIVE_TOO: Final = (
    "aids alive bmi bwt case cases dead flu gpa grade ill induced iq loan sick spontaneous std"
)
_STEMS: Final = (
    *("affair", "abort", "alcohol", "anxiet", "arrest", "asthma", "bankrup", "belief", "bribe", "cancer"),
    *("cannab", "cheat", "cigar", "cocain", "consum", "contracep", "convict", "corrupt", "crime", "crimin"),
    *("default", "depress", "diabet", "diagnos", "disab", "disea", "drink", "drunk", "earning", "evasion"),
    *(
        "expend",
        "fertil",
        "fraud",
        "gambl",
        "happi",
        "health",
        "hlth",
        "dead",
        "heroin",
        "hospital",
        "hypert",
        "ideolog",
    ),
    *("illness", "income", "infect", "insulin", "lung", "marij", "medic", "mental", "miscarr", "mortal"),
    *("obes", "opinion", "partner", "poli", "povert", "pregnan", "prison", "psych", "recid", "relaps"),
    *(
        "relig",
        "satisf",
        "seizure",
        "sex_part",
        "smoke",
        "smoki",
        "smok",
        "steal",
        "stole",
        "steroid",
        "stress",
        "suicid",
    ),
    *("surviv", "symptom", "therap", "tobac", "tumo", "unemploy", "victim", "violen", "vote", "welfare"),
    *("wealth", "doping", "trauma", "visit", "treat", "salar", "wage", "score", "income"),
)
"""Beginnings and parts of such words, which names often join with others: nbaffairs, smokeban."""
_LONG_STEM: Final = 5
"""Shortest part that is looked for inside words, not only at their beginning and end."""
_OUTCOMES: Final = frozenset(
    ("status", "outcome", "event", "target", "class", "label", "response", "result", "y", "failure")
)
"""Whole names that usually mean what a study measured."""
WEIGHTS: Final = (
    "wgt wgts weights pweight pweights pwt sampwt sampweight samplingweight wtsamp finalwt fnlwgt 权重"
)
PERHAPS_WEIGHTS: Final = "weight wt wts w"
"""Words in the names of sampling weights; the second ones also mean how heavy someone is."""
_PREPOSITIONS: Final = frozenset(("of", "at", "in", "by"))
_ENDINGS: Final = frozenset(
    (
        *("group", "grp", "category", "cat", "code", "level", "band", "range", "bracket", "years", "months"),
        *("number", "num", "no", "value", "type", "status", "title"),
    )
)
"""Words at the end of a name that describe the column instead of naming its subject."""
_WORD: Final = re.compile(r"[a-z]+|[\u4e00-\u9fff]+")


def words_of(name: str) -> set[str]:
    """Return the words in the name of a column; ``zipCode`` has two.

    Parameters
    ----------
    name : str
        Name of a column.

    Examples
    --------
    >>> sorted(words_of("zipCode"))
    ['code', 'zip']
    """
    return set(_ordered_words(name))


def _ordered_words(name: str) -> list[str]:
    return _WORD.findall(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower())


def identifies(name: str) -> bool:
    """Return whether a column identifies people, judging by its name.

    Parameters
    ----------
    name : str
        Name of a column.
    """
    return says(name, _IDENTIFIES)


def says(name: str, words: str) -> bool:
    """Return whether a column's name contains one of some words; a Chinese word may be part of a longer one.

    Parameters
    ----------
    name : str
        Name of a column.
    words : str
        Words, separated by blanks.

    Examples
    --------
    >>> [says(name, "address 出生 市") for name in ("homeAddress", "患者出生日期", "所在市", "市场")]
    [True, True, True, False]
    """
    parts = words_of(name)
    # A single Chinese character counts only at the end, because inside it usually belongs to another word.
    return any(
        word in parts
        or (not word.isascii() and any(word in run if len(word) > 1 else run.endswith(word) for run in parts))
        for word in words.split()
    )


def is_sensitive(name: str) -> bool:
    """Return whether a column's name suggests that people want to keep it private.

    Parameters
    ----------
    name : str
        Name of a column.

    Examples
    --------
    >>> [is_sensitive(name) for name in ("nbaffairs", "smoke", "status", "marital_status", "age")]
    [True, True, True, False, False]
    """
    words = _ordered_words(name)
    return (
        says(name, f"{SENSITIVE} {_SENSITIVE_TOO}")
        or "".join(words) in _OUTCOMES
        or any(
            stem in word if len(stem) >= _LONG_STEM else word.startswith(stem) or word.endswith(stem)
            for word in words
            for stem in _STEMS
        )
    )


def is_about(name: str, words: str) -> bool:
    """Return whether the subject of a column's name, not just any word in it, is one of some words.

    Parameters
    ----------
    name : str
        Name of a column.
    words : str
        Words, separated by blanks.

    Examples
    --------
    >>> names = ("age_group", "sex_at_birth", "two_year_recid", "性别")
    >>> [is_about(name, "age sex year 性别") for name in names]
    [True, True, False, True]
    """
    parts = _ordered_words(name)
    if not all(map(str.isascii, parts)):
        return says(name, words)
    before = [*takewhile(lambda word: word not in _PREPOSITIONS, parts)]
    subject = [word for word in before if word not in _ENDINGS] or parts
    return bool(subject) and subject[-1] in words.split()
