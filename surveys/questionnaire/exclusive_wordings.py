"""Answers that exclude others by their wording, in many languages: none of these, no answer, all of these."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from surveys.questionnaire.displayed import as_read

_THEM: Final = (
    r"((these|those|the) ((above|listed|following|above[- ]mentioned|mentioned) )?"
    r"(options|things|answers|choices|items|substances|drugs|statements|behaviou?rs|activities|situations)"
    r"( above)?"
    r"|these|them|this|that|those|it|(the )?above([- ]mentioned)?|(the )?(ones )?(listed|following))"
)


MERGED: Final = " / "
"""Between the texts of merged answers."""

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


_DECLINES: Final = re.compile(
    r"\b(prefer|rather|choose|wish|want|like|refuse|decline|no answer|keine (angabe|antwort)|möchte|préfère"
    r"|souhaite|prefiero|prefiro)|不想|不愿|拒绝",
    re.IGNORECASE,
)
"""No answer by choice, in some languages; not *don't know* or *not applicable*."""


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
    "^我?(不适用|不知道|不清楚|不确定|说不清|记不清楚?|不记得了?|想不起来"
    "|无可奉告|拒答|跳过|保密)[。.]?$"
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
    r"|どれも(当|あ)てはまらない|该当なし|いずれでもない|特になし|해당 ?(사항)? ?없음|없음"
    r"|không có( điều)? nào( (ở|kể) trên)?)\W*$",
    re.IGNORECASE,
)


_NO_ANSWER_ELSEWHERE: Final = re.compile(
    r"^\W*((das )?(weiß|weiss) (ich )?(es )?nicht|keine (angabe|antwort)|k\. ?a\."
    r"|(das )?(möchte|will) (ich )?(lieber )?(dazu )?nichts? (sagen|antworten|angeben|beantworten)"
    r"|(je )?ne (sais|sait) pas|ns(p|/nc|/nr)|sans (réponse|opinion)|refus[ée]?( de répondre)?"
    r"|(je )?(ne )?(préfère|souhaite|veux|veut) (ne )?pas (répondre|le dire|se prononcer)"
    r"|no (lo )?(sabe|sé)|no (contesta|responde)|(prefiero|prefiere) no (decirlo|decir|responder|contestar)"
    r"|n[ãa]o (sabe|sei|responde|respondeu)|(prefiro|prefere) n[ãa]o (dizer|responder)"
    r"|weiß ich nicht|trifft nicht zu|no aplica|n[ãa]o se aplica|sans objet|non applicable"
    r"|non (so|sa|risponde|applicabile)|(preferisco|preferisce) non (rispondere|dirlo|dire)"
    r"|weet (ik )?niet|(dat )?zeg ik liever niet|(wil ik )?liever niet zeggen|niet van toepassing"
    r"|vet (inte|ej|ikke)|ved ikke|vill (inte|ej) (svara|uppge|säga)|ønsker ikke (å|at) (svare|oppgi|oplyse)"
    r"|nie wiem|trudno powiedzieć|wolę nie (mówić|odpowiadać)|odmawiam( odpowiedzi)?|nie dotyczy"
    r"|не знаю|не хочу отвечать|затрудняюсь( ответить)?|предпочитаю не (отвечать|говорить)"
    r"|отказ( от ответа)?|нет ответа|не применимо"
    r"|не хочу відповідати|важко відповісти"
    r"|bilmiyorum|belirtmek istemiyorum|(cevap|yanıt) vermek istemiyorum|fikrim yok"
    r"|(saya )?tidak (tahu|ingin menjawab|mau menjawab)|memilih tidak menjawab|tidak berlaku"
    r"|sijui|napendelea kutosema|sitaki (kusema|kujibu)"
    r"|لا (أعرف|أعلم|ينطبق)|أفضّ?ل عدم (الإجابة|القول)|نمی[\u200c ]?دانم|ترجیح می[\u200c ]?دهم نگویم"
    r"|(मुझे )?(नहीं पता|पता नहीं)|मुझे यह नहीं बताना|लागू नहीं"
    r"|わか?らない|分からない|(回)?答えたくない|回答しない|无回答"
    r"|모르겠(음|습니다|다)|모름|응답 ?거부|말하고 싶지 않(음|다)"
    r"|không biết|không muốn trả lời)\W*$",
    re.IGNORECASE,
)


def looks_exclusive(texts: Mapping[str, str]) -> bool:
    """Return whether an answer seems to exclude the others in its list, or to mean all of them.

    Examples
    --------
    >>> looks_exclusive({"en": "None of these"}), looks_exclusive({"en": "No helmet"})
    (True, False)
    """
    is_all = first_named((_ALL_ENGLISH, _ALL_CHINESE), texts.values()) is not None
    return is_all or means_none(texts) or means_no_answer(texts)


def means_none(texts: Mapping[str, str]) -> bool:
    """Return whether an answer seems to mean none of the others in its list.

    Examples
    --------
    >>> means_none({"zh-hans": "以上都没有"}), means_none({"en": "Prefer not to say"})
    (True, False)
    """
    return first_named((_NONE_ENGLISH, _NONE_CHINESE, _NONE_ELSEWHERE), texts.values()) is not None


def declines(texts: Mapping[str, str]) -> bool:
    """Return whether an option declines to answer, as *Prefer not to say* does, in each of its texts.

    >>> [declines({"en": text}) for text in ("I would rather not say", "No answer", "Don't know")]
    [True, True, False]
    """
    return means_no_answer(texts) and all(map(_DECLINES.search, map(as_read, texts.values())))


def means_no_answer(texts: Mapping[str, str]) -> bool:
    """Return whether an answer seems to say that someone does not know, or does not want to answer.

    A merged answer counts as such only if all of its answers do.

    Examples
    --------
    >>> [means_no_answer({"de": text}) for text in ("Keine Angabe", "Weiß nicht", "Keine Tablette")]
    [True, True, False]
    >>> [means_no_answer({"en": text}) for text in ("Don't know / Prefer not to say", "Never / Don't know")]
    [True, False]
    """
    patterns = (_NO_ANSWER_ENGLISH, _NO_ANSWER_CHINESE, _NO_ANSWER_ELSEWHERE)
    return any(
        all(first_named(patterns, [part]) is not None for part in (text.split(MERGED) if merged else [text]))
        for text in texts.values()
        for merged in (False, True)
    )


def first_named(patterns: Iterable[re.Pattern[str]], texts: Iterable[str]) -> str | None:
    """Return the words of the first text that one of the patterns finds; None if none does."""
    regexes = tuple(patterns)
    for text in map(as_read, texts):
        for pattern in regexes:
            match = pattern.search(text)
            if match is not None:
                return match.group().strip()
    return None
