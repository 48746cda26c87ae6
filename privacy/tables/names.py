"""Words in the names of columns, in English and Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import takewhile
from typing import Final

# Words in the names of columns that identify people, in English and Chinese.
_IDENTIFIES: Final = (
    "name names surname forename firstname lastname id ids uid uuid guid code email mail phone mobile "
    "telephone address street ip ssn passport account login user respondent participant patient person "
    "姓名 名字 身份证 电话 手机 邮箱 地址 编号 学号 工号 账号"
)
_NUMBERED: Final = re.compile(
    r"(case|child|class|client|customer|employee|family|fam|hh|home|house|household|indiv|individual|member|"
    r"pat|patient|person|pers|prof|pupil|record|resp|respondent|school|seq|student|study|subj|subject|"
    r"teacher|user|voter)(id|nr|no|num|code)|id(no|nr|num|code)"
)
"""Names of numbers in one word: childid, seqno."""
_NUMBERS: Final = frozenset(("nr", "no", "no.", "num", "number", "nummer", "lfdnr", "lfd. nr.", "#", "序号"))
"""Whole names of columns that number people."""
KNOWN: Final = (
    "age birth born birthday year sex gender male female zip postcode postal plz region district county city "
    "town state country urban rural nationality race ethnicity ethn black white hispanic hisp asian "
    "nonwhite minority marital married marr children kids household education educ school degree "
    "occupation job work workclass profession employer department union tenure experience exper grade class "
    "language height weight "
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
_TOPICS: Final = {
    "health": (
        "abort abus accident ^aids$ ^alive$ allerg amnes antisoc ^anx ^apgar arthrit asthma "
        "autis ^beck bleed ^bmi$ bweight ^bwt$ cancer cardi ^cases?$ ^cd4 cesd cholest cogni "
        "contracep ^dead dement depress diabet diagnos disab disea doctor ^docvis ^dx$ "
        "emergenc epilep fatal fertil ^flu$ gestat ^gleason ^glucose headache health heart "
        "hepat ^hiv hlth hospital hyperact hypert ^ill$ illness impair improve ^induced$ "
        "infect injur insulin ^karno kidney ^los$ lung ^(?!mar|emp|sm|w).*stat$ medica mental "
        "metast miscarr mortal neglect nerv neuro obes ^pain ^panss ^phq preg prem problem "
        "psych ptsd ^qol recur rehab relaps remiss renal risk schizo seizure sick sleep "
        "^spontaneous$ ^std$ stress stroke suicid surger surviv symptom therap trauma tumo "
        "unsafe visits"
    ),
    "substances": (
        "alcohol cannab ^cig cocain consum doping drink ^drk drug drunk heroin marij overdos "
        "smok steroid tobac"
    ),
    "relationships": "affair condom divorc ^gay homosex lesbian partner virgin",
    "crime": (
        "accus arrest assault bribe bully charged cheat convict corrupt crim delinq evasion "
        "fraud gambl guilt ^gun gun$ harass homicid jail offen parole prison racis rape recid "
        "robb sentenc steal stole theft victim violen weapon"
    ),
    "money": (
        "asset ^balance bankrup benefit bonus cash charit claim debt default donat ^earn "
        "earning evict expend gift homeless inc$ income insur invest ^loan mortg paid ^pay "
        "poverty salar saving spend totexp ^unem wage wealth welfare"
    ),
    "opinions": (
        "afraid anger angry approv attitud belief believ choice church concern esteem favor "
        "fear feel happi happy ideolog immig lonel opinion oppos ^party ^poli ^polv pray "
        "prefer relig satisf support trust vote voting worr"
    ),
    "performance": (
        "abil(ity)?$ absen achiev attain ^eval exam gpa$ ^grade$ ^iq iq$ ^marks?$ ^math "
        "perform rating ^reading retained score suspen ^test test$ verbal vocab"
    ),
    "decisions": (
        "admitted bail$ ^call$ callback denied ^deny dismiss dropout durat ^fail fired hired "
        "outcome overdr participat ^pass$ passed quit reject releas spell takeup"
    ),
}
"""Parts of words in the names and values of private columns, by topic; ^ and $ are the ends of a word."""
_PRIVATE: Final = re.compile("|".join(" ".join(_TOPICS.values()).split()))
_AMOUNTS: Final = re.compile("|".join(_TOPICS["money"].split()))
_VIEWS: Final = re.compile("agree|conserv|democrat|liberal|republic")
"""Parts of words in answers to questions for opinions."""
_OUTCOMES: Final = frozenset(
    (
        *("status", "event", "target", "class", "label", "response", "result", "y", "failure"),
        *("cens", "censor", "censored", "fustat"),
    )
)
"""Whole names that usually mean what a study measured."""
_DESIGN: Final = frozenset(
    (
        *("arm", "centre", "center", "control", "day", "days", "group", "interview", "learner", "month"),
        *("occasion", "pair", "period", "phase", "rx", "sample", "section", "session", "site", "stratum"),
        *(
            "student",
            "subject",
            "time",
            "treat",
            "treatment",
            "trial",
            "trt",
            "visit",
            "wave",
            "week",
            "weeks",
        ),
    )
)
"""Words in the names of columns that say when, where or in which group someone was observed."""
WEIGHTS: Final = (
    "wgt wgts weights pweight pweights pwt sampwt sampweight samplingweight wtsamp finalwt finalwgt fnlwgt "
    "perwt perweight hhwt hhweight wtfinl asecwt anweight dweight pspwght wtss wtssall wtssps 权重"
)
PERHAPS_WEIGHTS: Final = "weight wght wt wts w"
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

    Examples
    --------
    >>> [identifies(name) for name in ("patient", "childid", "Nr", "covid", "nr_children")]
    [True, True, True, False, False]
    """
    is_number = name.strip().lower() in _NUMBERS
    return is_number or says(name, _IDENTIFIES) or any(map(_NUMBERED.fullmatch, _ordered_words(name)))


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
    return says(name, SENSITIVE) or name.strip().lower() in _OUTCOMES or any(map(_PRIVATE.search, words))


def has_private_words(texts: Iterable[str]) -> bool:
    """Return whether a label or values, such as "never smoked", suggest what people want to keep private.

    Parameters
    ----------
    texts : iterable of str

    Examples
    --------
    >>> has_private_words(["smoker", "nonsmoker"]), has_private_words(["north", "south"])
    (True, False)
    """
    words = (word for text in texts for word in _ordered_words(text))
    return any(_PRIVATE.search(word) or _VIEWS.search(word) for word in words)


def is_amount(name: str) -> bool:
    """Return whether a column's name suggests an amount of money.

    Parameters
    ----------
    name : str
        Name of a column.

    Examples
    --------
    >>> is_amount("lwage"), is_amount("case")
    (True, False)
    """
    return any(map(_AMOUNTS.search, _ordered_words(name)))


def is_of_design(name: str) -> bool:
    """Return whether a column says when, where or in which group of a study someone was observed.

    Parameters
    ----------
    name : str
        Name of a column.

    Examples
    --------
    >>> is_of_design("treat"), is_of_design("month 2"), is_of_design("re78")
    (True, True, False)
    """
    return not _DESIGN.isdisjoint(_ordered_words(name))


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
