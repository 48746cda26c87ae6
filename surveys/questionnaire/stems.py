"""Lists of yes/no questions below a common stem: *Which of these have you used?* with a line for each drug.

A stem is wording. The lines of a list are yes/no questions like any others: each is drawn, disguised and
promised as one answer. A stem belongs to the survey, so that its lines stay together or apart as parts are
split, joined and rotated. Lines that follow each other in a part are one list.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy import validation
from privacy.errors import PrivacyError
from privacy.survey.block import Block
from privacy.survey.design import MOST_QUESTIONS, Question
from surveys.formats.joints import list_text
from surveys.questionnaire.arms import WORDINGS, read_arm_texts
from surveys.questionnaire.document import Node

STEMS: Final = "stems"
"""Member of a definition, and of a part's wording."""
STEM: Final = "stem"
"""Member of a line: the key of its stem."""
LINE: Final = "line"
"""Member of a line's wording: its own text, without the stem."""
LOOK: Final = "look"
LINES: Final = "lines"
"""The usual look: yes or no on each line."""
BOXES: Final = "boxes"
"""The look of one box per line, and *None of these*."""

_LOOKS: Final = (LINES, BOXES)


def read_stems(node: Node) -> dict[str, dict[str, Any]]:
    """Return the wordings of a survey's stems by key; note invalid ones."""
    found: dict[str, dict[str, Any]] = {}
    for entry in node.entries(most=MOST_QUESTIONS) if node.value is not None else ():
        if not entry.has_members(("key", "text"), ("help", LOOK, WORDINGS)):
            continue
        try:
            key = validation.key(entry.value["key"], "key of a stem")
        except PrivacyError as error:
            entry.at("key").note_refusal(error)
            continue
        look = entry.value.get(LOOK, LINES)
        if look not in _LOOKS:
            entry.at(LOOK).wrong(
                _("unknown appearance of a list: %(value)s"),
                _("write %(looks)s, or leave it out"),
                looks=list_text(_LOOKS),
            )
        if key in found:
            entry.at("key").wrong(_("two stems have the key %(value)s"), _("give each stem its own key"))
        help_text, by_arm = entry.at("help").text_or_none(), read_arm_texts(entry.at(WORDINGS))
        found[key] = {
            "key": key,
            "text": entry.at("text").text(),
            **({} if help_text is None else {"help": help_text}),
            **({LOOK: BOXES} if look == BOXES else {}),
            **({} if by_arm is None else {WORDINGS: by_arm}),
        }
    return found


def stem_key(question: object) -> str:
    """Return the key of a question's stem; empty for questions without a stem.

    Parameters
    ----------
    question : object
        An entry of a definition, or its wording.
    """
    key = question.get(STEM) if isinstance(question, Mapping) else None
    return key if isinstance(key, str) else ""


def stem_name(stem: object) -> str:
    """Return the key of an entry of ``stems``; empty if it has none."""
    key = stem.get("key") if isinstance(stem, Mapping) else None
    return key if isinstance(key, str) else ""


def stem_text(document: Mapping[str, Any], question: object, member: str = "text") -> dict[str, str]:
    """Return the text of a question's stem in a definition, which may be malformed; empty without a stem.

    Parameters
    ----------
    document : mapping
    question : object
    member : {"text", "help"}

    Examples
    --------
    >>> document = {"stems": [{"key": "used", "text": {"en": "Which have you used?"}}]}
    >>> stem_text(document, {"stem": "used"}), stem_text(document, {"stem": "taken"})
    ({'en': 'Which have you used?'}, {})
    """
    key, stems = stem_key(question), document.get(STEMS)
    for stem in stems if key and isinstance(stems, list) else ():
        if isinstance(stem, Mapping) and stem.get("key") == key and isinstance(stem.get(member), dict):
            return {tag: text for tag, text in stem[member].items() if isinstance(text, str)}
    return {}


def in_full(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a readable definition in which the text of each line contains that of its stem.

    Checks read it, so that two lists with the same lines differ. ``line`` is a line's own text.
    """
    return {
        **document,
        "blocks": [
            {
                **block,
                "questions": [
                    {**each, "text": full_text(stem, each["text"]), LINE: each["text"]}
                    if (stem := stem_text(document, each))
                    else each
                    for each in block["questions"]
                ],
            }
            for block in document["blocks"]
        ],
    }


def joined_parts(documents: Iterable[Mapping[str, Any]]) -> tuple[list[Any], list[Any]]:
    """Return the parts and the stems of several definitions; stems whose key is in use get another one.

    Examples
    --------
    >>> one, two = ({"stems": [{"key": "used"}], "blocks": [{"questions": [{"stem": "used"}]}]} for _ in "ab")
    >>> blocks, stems = joined_parts([one, two])
    >>> stems, blocks[1]
    ([{'key': 'used'}, {'key': 'used-2'}], {'questions': [{'stem': 'used-2'}]})
    """
    blocks: list[Any] = []
    stems: list[Any] = []
    for document in documents:
        renamed = {}
        for stem in document.get(STEMS) or ():
            keys = {each["key"] for each in stems}
            names = itertools.chain(
                [stem["key"]], (f"{stem['key'][:60]}-{number}" for number in itertools.count(2))
            )
            renamed[stem["key"]] = next(name for name in names if name not in keys)
            stems.append({**stem, "key": renamed[stem["key"]]})
        for block in document["blocks"]:
            questions = [
                {**each, STEM: renamed[stem_key(each)]} if stem_key(each) else each
                for each in block["questions"]
            ]
            blocks.append({**block, "questions": questions})
    return blocks, stems


def begun_stems(block: Mapping[str, Any]) -> list[Mapping[str, Any] | None]:
    """Return, for each question of a part's wording, the stem of the list that it begins, else None.

    Examples
    --------
    >>> stem = {"key": "used", "text": {"en": "Which?"}}
    >>> questions = [{"key": "a"}, {"key": "b", "stem": "used"}, {"key": "c", "stem": "used"}]
    >>> [each and each["key"] for each in begun_stems({"questions": questions, "stems": [stem]})]
    [None, 'used', None]
    """
    stems = {stem["key"]: stem for stem in block.get(STEMS, ())}
    keys = [stem_key(question) for question in block["questions"]]
    return [stems.get(key) if key != before else None for before, key in zip(["", *keys], keys, strict=False)]


def full_text(stem: Mapping[str, str], line: Mapping[str, str]) -> dict[str, str]:
    """Return the text of a line with its stem, in each language of the line.

    Examples
    --------
    >>> full_text({"en": "Have you used:"}, {"en": "Cannabis"})
    {'en': 'Have you used: Cannabis'}
    >>> full_text({"en": "Which have you used?", "zh-hans": "用过哪些？"}, {"en": "Cannabis"})
    {'en': 'Which have you used? – Cannabis'}
    """
    return {tag: _joined(stem.get(tag), text) for tag, text in line.items()}


def _joined(stem: object, line: str) -> str:
    # A draft may lack the stem's text in this language.
    if not isinstance(stem, str) or not stem.strip():
        return line
    return f"{stem} {line}" if stem.endswith(":") else f"{stem} – {line}"


def with_stems(
    survey: Node, stems: Mapping[str, Mapping[str, Any]], blocks: Sequence[tuple[Node, Block, dict[str, Any]]]
) -> list[dict[str, Any]]:
    """Return the wordings of the parts, with the stems that their lines use; note lines that fit no list.

    Parameters
    ----------
    survey : Node
    stems : mapping
        As `read_stems` returns them.
    blocks : sequence of (Node, Block, dict)
        The readable parts, in order, with their wordings.

    Returns
    -------
    list of dict
        The text of a line is that of its stem and its own, so that every page names it in full. ``line`` is
        its own text.
    """
    wordings, parts_of = [], dict[str, list[Node]]()
    for node, block, wording in blocks:
        questions = node.at("questions")
        used = list(dict.fromkeys(filter(None, map(stem_key, wording["questions"]))))
        lines = [
            _line(questions.at(at), question, words, stems)
            for at, (question, words) in enumerate(zip(block.questions, wording["questions"], strict=True))
        ]
        wordings.append(
            {**wording, "questions": lines}
            | ({STEMS: [stems[key] for key in used if key in stems]} if used else {})
        )
        _check_order(questions, wording["questions"])
        for key in used:
            parts_of.setdefault(key, []).append(node)
            if stems.get(key, {}).get(LOOK) == BOXES:
                _check_boxes(node, block, [stem_key(each) == key for each in wording["questions"]], key)
    entries = survey.at(STEMS).entries(most=MOST_QUESTIONS) if stems else []
    nodes = {entry.value["key"]: entry for entry in reversed(entries) if stem_name(entry.value)}
    for key in stems:
        stem = nodes[key]
        if stems[key].get(LOOK) == BOXES and len(parts_of.get(key, ())) > 1:
            stem.at(LOOK).wrong(
                _("the lines of this list are in several parts: %(parts)s"),
                _("move them into one part, or use the look %(lines)s"),
                parts=list_text(f"“{each.value['key']}”" for each in parts_of[key]),
                lines=LINES,
            )
    return wordings


def _line(
    node: Node, question: Question, wording: dict[str, Any], stems: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the wording of a question, in full if it is a line."""
    if STEM not in wording:
        return wording
    stem = stems.get(stem_key(wording))
    if stem is None:
        node.at(STEM).wrong(
            _("unknown stem: %(value)s"),
            _("add it to “stems”, name one of %(names)s, or leave it out"),
            names=list_text(stems) or "–",
        )
        return wording
    if not question.is_binary or not question.is_categorical or question.computed is not None:
        node.at(STEM).wrong(
            _("only a yes/no question that people answer themselves can be a line of the list %(value)s"),
            _("change its kind to yes_no, or leave the stem out"),
        )
    if "look" in node.value:
        node.at("look").wrong(
            _("a line has the look of its list"), _("leave the look out, and set that of the stem")
        )
    return {**wording, "text": full_text(stem["text"], wording["text"]), LINE: wording["text"]}


def _check_order(questions: Node, wordings: Sequence[Mapping[str, Any]]) -> None:
    """Note lines that other questions separate from the list above them."""
    seen: dict[str, int] = {}
    for key, group in itertools.groupby(enumerate(wordings), key=lambda entry: stem_key(entry[1])):
        places = [at for at, _wording in group]
        if key and key in seen:
            between = wordings[seen[key] + 1]
            questions.at(places[0]).at(STEM).wrong(
                _("“%(between)s” is between the lines of the list %(value)s"),
                _("move it before or after the list, or give these lines a stem of their own"),
                between=between["key"],
            )
        seen[key] = places[-1]


def _check_boxes(node: Node, block: Block, is_line: Sequence[bool], key: str) -> None:
    """Note boxes in a part of which people are asked only some lines: 4 of 14 boxes are another question."""
    lines = {at for at, holds in enumerate(is_line) if holds}
    drawn = [{*booklet} & lines for booklet in block.booklets or ()]
    if block.is_rotating and not (drawn and all(each in (set(), lines) for each in drawn)):
        node.at("questions_per_person").wrong(
            _("people would see only some boxes of the list “%(key)s”, which is another question"),
            _("use the look %(lines)s, or draw all of its lines together"),
            key=key,
            lines=LINES,
        )
