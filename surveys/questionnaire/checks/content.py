"""Content that a protected part must not have: facts that others know, and mutually exclusive answers.

A known fact gives away its whole part: an attacker who sees it match knows that the row is the true one.
Mutually exclusive answers produce random rows that cannot be true of anyone, which shows that they are
random. Word lists guess what a question is about, and the researcher confirms or denies the guess. They cover
English and Chinese; traditional characters are read as simplified ones.

"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.coins import SCALE
from privacy.risk.impossible_decoys import contradictions, exclusive_decoys
from privacy.survey.design import Block, Design
from surveys.formats.joints import list_text
from surveys.questionnaire.background import sensitive_words
from surveys.questionnaire.displayed import as_read
from surveys.questionnaire.findings import Finding, Level
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.use_words import short_text

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

_THEM: Final = (
    r"((these|those|the) ((above|listed|following|above[- ]mentioned|mentioned) )?"
    r"(options|things|answers|choices|items|substances|drugs|statements|behaviou?rs|activities|situations)"
    r"( above)?"
    r"|these|them|this|that|those|it|(the )?above([- ]mentioned)?|(the )?(ones )?(listed|following))"
)
_TELL: Final = "(say|answer|tell|disclose|respond)"
# An option of a question with several answers that means none of the others.
_NONE_ENGLISH: Final = re.compile(
    rf"^\W*((no,? )?(i )?(have |had |do |did |use |took |have (done|used|had|taken) )?"
    rf"(none|nothing|neither|nobody|no one|not any|not one|zero)"
    rf"( at all)?( (of|like) {_THEM})?( listed| above)?( things)?( (apply|applies))?( to me)?"
    rf"|no such thing|no|nope|no,? (none|not any)"
    rf"|(no,? )?(i )?(have |did |'ve |i've )?never( (did|done|used|tried|had|taken|do|use))?( any| one)?"
    rf"( (of )?{_THEM})?"
    rf"|(i )?(have not|haven't|did not|didn't|do not|don't)( (do|done|use|used|take|taken|have|had))?"
    rf"( (any|one|so))?( (of )?{_THEM})?"
    rf"|not at all)\W*$",
    re.IGNORECASE,
)
# An option that gives no answer, or says that the question does not apply.
_NO_ANSWER_ENGLISH: Final = re.compile(
    rf"^\W*((does not|doesn't|not) (apply|applicable)( to me)?|n ?/? ?a|no answer|no comment|not sure"
    rf"|unsure|(i )?(do not|don't|can't|cannot) (know|remember|recall|say)"
    rf"|(i )?(would |'d |i'd )?(prefer|rather|choose|wish|want)( not)( to)? {_TELL}"
    rf"|(i )?(do not|don't) (want|wish|like) to {_TELL}|(i )?(refused?|decline)( to {_TELL})?"
    rf"|skip( this)?)\W*$",
    re.IGNORECASE,
)
_ALL_ENGLISH: Final = re.compile(
    rf"^\W*(all|every one|everything)( of)? {_THEM}( listed| above)?( (apply|applies))?\W*$", re.IGNORECASE
)
_NONE_CHINESE: Final = re.compile(
    "^我?(以上|上述|这些|所有)?(情况|选项|行为)?(都|均|全|皆|全部|也)?"
    "(没有|没|无|不是|不符合|不适合|不|否|非|从不|从未|从没|从来没有?|从来不|未曾)(过|做过|用过|有过|发生过|经历过|出现过)?"
    "(任何)?(以上|上述|这些|其中)?(任何)?(一[项种个样])?(的)?(情况|选项|行为)?(以上.*)?[。.]?$"
    "|^皆非[。.]?$|^一[项种个样](都|也)(没有|没做过|没用过|不是|没)[。.]?$"
)
_NO_ANSWER_CHINESE: Final = re.compile(
    "^我?(不适用|不知道|不清楚|不确定|说不清|记不清楚?|不记得了?|想不起来|无可奉告|拒答|跳过|保密)[。.]?$"
    "|^我?(不愿意?|不想|不便|不方便|拒绝)(说|回答|透露|作答|告知)[。.]?$"
)
_ALL_CHINESE: Final = re.compile(
    "^(以上|上述|这些)(全部|全都|都|皆|均)(是|有|做过)?[。.]?$|^(全部|全都|都)(是|有|做过)[。.]?$|^全部都(是|有)[。.]?$"
)

# The same in other languages that surveys are often written in.
_NONE_ELSEWHERE: Final = re.compile(
    r"^\W*(ningun[oa]( de (los|las|estos|estas|ellos|ellas)( anteriores)?)?|nada( de (esto|lo anterior))?"
    r"|aucune?( (de ceux-ci|de celles-ci|d'entre (eux|elles)|de ces \w+|des (deux|\w+)( ci-dessus)?))?"
    r"|rien( de tout (cela|ça))?"
    r"|kein(e|er|es|s)?( (davon|von diesen|der genannten|dieser|hiervon)( \w+)?)?"
    r"|nichts( (davon|dergleichen))?"
    r"|nenhuma?( (d?estes|d?estas|desses|dessas|deles|delas|d[ao]s anteriores|das opções( acima)?))?"
    r"|nessun[oa]( (di questi|di queste|dei precedenti|delle precedenti))?"
    r"|geen( (van|hiervan)( (deze|bovenstaande))?)?|żad(en|na|ne)( z (nich|tych|powyższych|wymienionych))?"
    r"|hiçbiri|inget( av (detta|dessa))?|ingen( av (disse|dem|dessa))?"
    r"|ничего( из (этого|перечисленного))?|ни одно( из (этого|перечисленного))?|ничто из перечисленного"
    r"|жодне з (цього|переліченого)|нічого з (цього|переліченого)|لا شيء( مما سبق)?|इनमें से कोई नहीं"
    r"|どれも(当|あ)てはまらない|該当なし|いずれでもない|特になし|해당 ?(사항)? ?없음|없음"
    r"|không có( điều)? nào( (ở|kể) trên)?)\W*$",
    re.IGNORECASE,
)


_NO_ANSWER_ELSEWHERE: Final = re.compile(
    r"^\W*((das )?(weiß|weiss) (ich )?(es )?nicht|keine (angabe|antwort)|k\. ?a\."
    r"|(das )?(möchte|will) (ich )?(lieber )?(dazu )?nichts? (sagen|antworten|angeben|beantworten)"
    r"|(je )?ne (sais|sait) pas|ns(p|/nc|/nr)|sans (réponse|opinion)|refus[ée]?( de répondre)?"
    r"|(je )?(ne )?(préfère|souhaite|veux|veut) (ne )?pas (répondre|le dire|se prononcer)"
    r"|no (lo )?(sabe|sé)|no (contesta|responde)|(prefiero|prefiere) no (decirlo|decir|responder|contestar)"
    r"|n[ãa]o (sabe|sei|responde|respondeu)|(prefiro|prefere) n[ãa]o (dizer|responder))\W*$",
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
    by_option = (_first((_KNOWN_OPTIONS,), option.values()) for option in options)
    return _first((_KNOWN_ENGLISH, _KNOWN_CHINESE), texts.values()) or next(filter(None, by_option), None)


def looks_exclusive(texts: Mapping[str, str]) -> bool:
    """Return whether an answer seems to exclude the others in its list, or to mean all of them.

    Examples
    --------
    >>> looks_exclusive({"en": "None of these"}), looks_exclusive({"en": "No helmet"})
    (True, False)
    """
    is_all = _first((_ALL_ENGLISH, _ALL_CHINESE), texts.values()) is not None
    return is_all or means_none(texts) or means_no_answer(texts)


def means_none(texts: Mapping[str, str]) -> bool:
    """Return whether an answer seems to mean none of the others in its list.

    Examples
    --------
    >>> means_none({"zh-hans": "以上都没有"}), means_none({"en": "Prefer not to say"})
    (True, False)
    """
    return _first((_NONE_ENGLISH, _NONE_CHINESE, _NONE_ELSEWHERE), texts.values()) is not None


def means_no_answer(texts: Mapping[str, str]) -> bool:
    """Return whether an answer seems to say that someone does not know, or does not want to answer.

    Examples
    --------
    >>> [means_no_answer({"de": text}) for text in ("Keine Angabe", "Weiß nicht", "Keine Tablette")]
    [True, True, False]
    """
    patterns = (_NO_ANSWER_ENGLISH, _NO_ANSWER_CHINESE, _NO_ANSWER_ELSEWHERE)
    return _first(patterns, texts.values()) is not None


def _first(patterns: Iterable[re.Pattern[str]], texts: Iterable[str]) -> str | None:
    regexes = tuple(patterns)
    for text in map(as_read, texts):
        for pattern in regexes:
            match = pattern.search(text)
            if match is not None:
                return match.group().strip()
    return None


def check_content(document: Mapping[str, Any], design: Design) -> Iterator[Finding]:
    """Yield findings on the questions of the protected parts of a definition.

    Parameters
    ----------
    document : mapping
        A definition that can be published.
    design : Design
        Its design, with blocks and questions in the same order.
    """
    for number, (entry, block) in enumerate(zip(document["blocks"], design.blocks, strict=True)):
        path = f"blocks[{number}]"
        if not block.protected:
            continue
        if block.is_scale:
            yield from _no_skip(entry, block, path)
            continue
        if not block.is_anchor:
            yield from _known_facts(entry, path)
            yield from _no_skip(entry, block, path)
        yield from _declared_exclusive(entry, design, number, path)
        yield from _seeming_exclusive(entry, block, path)


def _no_skip(entry: Mapping[str, Any], block: Block, path: str) -> Iterator[Finding]:
    if block.refusal is None and not entry.get("no_skip"):
        yield Finding(
            level=Level.REFUSE,
            code="no_skip",
            path=path,
            message=_("respondents cannot choose “Prefer not to say” here, and the part does not say why"),
            remedy=_("offer “Prefer not to say”, or write the reason into the part"),
        )


def _known_facts(entry: Mapping[str, Any], path: str) -> Iterator[Finding]:
    for number, question in enumerate(entry["questions"]):
        here = f"{path}.questions[{number}]"
        if question.get("known") is True:
            yield Finding(
                level=Level.REFUSE,
                code="known_fact",
                path=here,
                message=_(
                    "%(key)s is marked as a fact that others know: someone who sees it match can "
                    "conclude that the whole part is true"
                )
                % {"key": question["key"]},
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
                    message=_("%(key)s seems to ask for something that others know (“%(words)s”)")
                    % {"key": question["key"], "words": words},
                    remedy=_("state whether others know it; if so, ask it in an unprotected part"),
                )


def _visible_texts(question: Mapping[str, Any]) -> dict[str, str]:
    """Return the texts of a question, with its help: a short question may leave the rest to the help."""
    more = {f"{language} help": text for language, text in (question.get("help") or {}).items()}
    return {**question["text"], **more}


def _declared_exclusive(
    entry: Mapping[str, Any], design: Design, number: int, path: str
) -> Iterator[Finding]:
    block = design.blocks[number]
    shares = {
        key: share
        for question, core in zip(entry["questions"], block.questions, strict=True)
        for key, share in zip(core.item_keys, question["prevalence"], strict=True)
    }
    for position, keys in enumerate(entry.get("exclusive", [])):
        total = sum(shares[key] for key in keys)
        if total > SCALE:
            yield Finding(
                level=Level.WARN,
                code="exclusive_shares",
                path=f"{path}.exclusive[{position}]",
                message=_(
                    "at most one of %(keys)s can be true, but their expected shares add up to "
                    "%(total)s of 100"
                )
                % {"keys": _join_keys(keys), "total": f"{total / 100:g}"},
                remedy=_(
                    "state shares that add up to at most 100; the odds that respondents read are "
                    "right only then"
                ),
            )
        decoys = exclusive_decoys(design, contradictions(block, keys))
        if not decoys or not decoys[0].share:
            # A device never draws these options together, or a shared filter explains such rows.
            continue
        yield Finding(
            level=Level.REFUSE,
            code="exclusive",
            path=f"{path}.exclusive[{position}]",
            message=_(
                "%(keys)s cannot be true together, but %(share)s of 100 random rows of part "
                "%(part)s contain two of them, which reveals that they are random"
            )
            % {"keys": _join_keys(keys), "share": _of_hundred(decoys[0].share), "part": block.key},
            remedy=_("ask them as one question with one answer, or in separate parts"),
        )


def _seeming_exclusive(entry: Mapping[str, Any], block: Block, path: str) -> Iterator[Finding]:
    for number, (question, core) in enumerate(zip(entry["questions"], block.questions, strict=True)):
        if (
            core.kind == "yes_no"
            and len(block.questions) > 1
            and looks_exclusive(question.get("line", question["text"]))
        ):
            yield Finding(
                level=Level.REFUSE,
                code="exclusive_option",
                path=f"{path}.questions[{number}]",
                message=_(
                    "“%(question)s” excludes the other answers of its part, and random rows would contain "
                    "both"
                )
                % {"question": _named(question)},
                remedy=_("leave it out: respondents who would choose it answer no to all the others"),
            )
        if not core.is_several:
            continue
        for position, option in enumerate(question["options"]):
            if looks_exclusive(option["text"]):
                yield Finding(
                    level=Level.REFUSE,
                    code="exclusive_option",
                    path=f"{path}.questions[{number}].options[{position}]",
                    message=_(
                        "the option “%(option)s” of “%(question)s” excludes the others, and random rows "
                        "would tick it together with them"
                    )
                    % {"option": _named(option), "question": _named(question)},
                    remedy=_(
                        "leave it out: the page offers “None of these” anyway, and you can let "
                        "respondents skip the part"
                    ),
                )


def _named(entry: Mapping[str, Any]) -> str:
    """Return the text of a question or an option, cut for a sentence, or else its key."""
    return short_text(text_in(entry["text"])) or str(entry["key"])


def _of_hundred(share: Fraction) -> str:
    return f"{float(100 * share):.0f}"


def _join_keys(keys: Sequence[str]) -> str:
    return list_text(keys)
