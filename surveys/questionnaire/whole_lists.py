"""Lists of which each person is asked every line or none, because one line refers to the others.

*Other* means something else next to 4 of 14 lines than next to all of them. So do answers that cannot be true
together, and boxes, of which respondents see all at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from privacy.planning.layouts import Whole
from surveys.formats.numbers import count_text
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.stems import BOXES, LINE, LOOK, STEMS, stem_key, stem_name

_OTHERS: Final = {
    "en": r"(?:(?:any|some|an|one)?\s?(?:others?|another)|(?:some|any)(?:thing|one) else)",
    "de": r"(?:sonstige[snmr]?|(?:eine?n?\s)?andere[snmr]?|(?:et)?was anderes|übrige[snmr]?)",
    "es": r"(?:(?:algún\s|alguna\s)?otr[oa]s?|algo más)",
    "fr": r"(?:(?:une?\s|d['’])?autres?|quelque chose d['’]autre)",
    "it": r"(?:(?:un[’' ]\s?)?altr[oaie]|qualcos['’]?a?(?: d['’])?altro)",
    "nl": r"(?:(?:een\s)?andere?|anders|iets anders|overige?)",
    "pt": r"(?:(?:um\s|uma\s|algum\s|alguma\s)?outr[oa]s?|algo mais)",
    "pl": r"(?:inn[yaei]|inne|pozostałe|coś innego)",
    "ru": r"(?:друг(?:ое|ой|ая|ие|их)|ин(?:ое|ой|ая|ые)|проч(?:ее|ие|ая)|что[- ](?:то|нибудь|либо)? ?другое)",
    "tr": r"(?:diğer(?:leri)?|başka(?: bir)?(?: şey)?)",
    "id": r"(?:lainnya|lain-lain|yang lain)",
    "sw": r"(?:nyingine(?:zo)?|mengine(?:yo)?|wengine)",
    "hi": r"(?:कोई अन्य|अन्य|कुछ और|दूसर[ाीे])",
    "ar": r"(?:أخرى|آخر|غير ذلك|شيء آخر)",
    "fa": r"(?:سایر|دیگر|غیره|چیز دیگر|موارد دیگر)",
}
"""Beginnings of a line for what the other lines leave out, by language."""
_OTHER: Final = re.compile(
    rf"^(?:{'|'.join(_OTHERS.values())})(?!\w)|^(?:其他|其它|别的|別的|另外|その他|기타)", re.IGNORECASE
)


@dataclass(frozen=True, kw_only=True)
class WholeList:
    """A list that layouts keep whole.

    Parameters
    ----------
    stem : str
        Key of its stem.
    lines : tuple of str
        Keys of its lines.
    referring : tuple of str
        Keys of the lines that refer to the others: *other*, and answers that cannot be true together.
    has_boxes : bool
    has_exclusive : bool
        Whether answers of one part cannot be true together, which parts with different coins cannot state.
    """

    stem: str
    lines: tuple[str, ...]
    referring: tuple[str, ...]
    has_boxes: bool
    has_exclusive: bool

    @property
    def whole(self) -> Whole:
        """The list as the planner lays it out."""
        return Whole(questions=self.lines, has_one_coin=self.has_boxes or self.has_exclusive)


def whole_lists(document: Mapping[str, Any]) -> Iterator[WholeList]:
    """Yield the lists of a readable definition that a layout must not split.

    Parameters
    ----------
    document : mapping
        Its texts may be missing.
    """
    boxes = {stem_name(stem) for stem in document.get(STEMS) or () if stem.get(LOOK) == BOXES}
    exclusive = {
        item.partition("=")[0]
        for block in document["blocks"]
        for items in block.get("exclusive") or ()
        for item in items
    }
    lists: dict[str, list[Mapping[str, Any]]] = {}
    for block in document["blocks"]:
        for question in block["questions"]:
            if key := stem_key(question):
                lists.setdefault(key, []).append(question)
    for key, questions in lists.items():
        lines = tuple(question["key"] for question in questions)
        excluded = [line for line in lines if line in exclusive]
        referring = tuple(
            question["key"]
            for question in questions
            if question["key"] in exclusive or is_other(question.get(LINE, question.get("text") or {}))
        )
        if len(lines) > 1 and (referring or key in boxes):
            yield WholeList(
                stem=key,
                lines=lines,
                referring=referring,
                has_boxes=key in boxes,
                has_exclusive=bool(excluded),
            )


def is_other(texts: Mapping[str, str]) -> bool:
    """Return whether a line means everything that the other lines of its list leave out.

    Examples
    --------
    >>> is_other({"en": "Other drugs"}), is_other({"zh-hans": "其他"}), is_other({"en": "Each other"})
    (True, True, False)
    """
    return any(_OTHER.search(text.strip()) for text in texts.values())


def whole_sentences(document: Mapping[str, Any]) -> list[str]:
    """Say which protected lists are asked as a whole, why, and how to let their lines take turns."""
    protected = {
        question["key"]
        for block in document["blocks"]
        if block.get("protected")
        for question in block["questions"]
    }
    texts = {
        question["key"]: question.get(LINE, question.get("text") or {})
        for block in document["blocks"]
        for question in block["questions"]
    }
    stems = {stem_name(stem): text_in(stem.get("text") or {}) for stem in document.get(STEMS) or ()}
    return [
        _sentence(each, stems.get(each.stem) or each.stem, texts)
        for each in whole_lists(document)
        if protected.issuperset(each.lines)
    ]


def _sentence(each: WholeList, stem: str, texts: Mapping[str, Mapping[str, str]]) -> str:
    count = len(each.lines)
    asked = ngettext(
        "Everyone who is asked the list “%(list)s” is asked its %(count)s line.",
        "Everyone who is asked the list “%(list)s” is asked all of its %(count)s lines.",
        count,
    ) % {"list": stem, "count": count_text(count)}
    if each.has_boxes:
        why = _("Its boxes are seen at once. With yes or no on each line, lines can take turns.")
    else:
        line = text_in(texts[each.referring[0]]) or each.referring[0]
        why = _(
            "“%(line)s” refers to the other lines, so they stay together. If you remove this line, each "
            "person can be asked some of the others."
        )
        why %= {"line": line}
    return f"{asked} {why}"
