"""Convert tick-all questions of earlier versions, kind ``multi``, into lists of yes/no questions.

Until version 1.0.0rc2, a tick-all question was one answer: the whole pattern of its boxes. Now it is a list
of yes/no questions (`surveys.questionnaire.stems`). Versions that were published with one keep it
(`surveys.questionnaire.stated_multi`). Drafts and
definition files are converted when they are opened or imported.

When no such version accepts answers or is reported any more, delete this module, `multi_drafts`,
`stated_multi`, their lines in `surveys.apps` and `surveys.questionnaire.stated_kinds`, and
`privacy.survey.choices.Several`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from privacy.survey.design import Design
from privacy.survey.layout import Layout
from privacy.validation import LONGEST_KEY
from surveys.formats.numbers import count_text
from surveys.questionnaire.arms import WORDINGS
from surveys.questionnaire.composites import COMPONENTS, COMPUTED
from surveys.questionnaire.exclusive_wordings import means_no_answer, means_none
from surveys.questionnaire.kinds import OF_DISGUISED
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.multi_drafts import blocks_of, has_multi, is_multi
from surveys.questionnaire.stems import BOXES, LOOK, STEM, STEMS, stem_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ROTATING: Final = ("questions_per_person", "booklets")
_LONGEST_LABEL: Final = 30


@dataclass
class Conversion:
    """A document without tick-all questions, and what became of them.

    Attributes
    ----------
    document : dict
    notes : list of str
        What changed, and what could not be rewritten.
    lines : dict of str to dict of str to str
        By list and option, the key of the question that replaces the option; empty for a dropped option.
    """

    document: dict[str, Any]
    notes: list[str] = field(default_factory=list)
    lines: dict[str, dict[str, str]] = field(default_factory=dict)

    def item(self, key: str) -> str:
        """Return the present key of an item such as ``drugs=heroin``; empty if its option was dropped."""
        name, _sign, option = key.partition("=")
        return self.lines[name].get(option, "") if name in self.lines else key

    def aim(self, aim: Any) -> Any:
        """Return the stored aim of the document's survey, with the lines instead of lists and options."""
        if not isinstance(aim, Mapping) or not self.lines:
            return aim
        result = dict(aim)
        if isinstance(aim.get("wanted"), list):
            result["wanted"] = [new for key in aim["wanted"] if (new := self.item(str(key)))]
        if isinstance(aim.get("shares"), Mapping):
            result["shares"] = {
                new: share for key, share in aim["shares"].items() if (new := self.item(str(key)))
            }
        for name in ("labels", "expected"):
            if isinstance(aim.get(name), Mapping):
                result[name] = dict(self._by_line(aim[name], is_label=name == "labels"))
        # The saved layout counts other questions.
        result.pop("held", None)
        return result

    def _by_line(self, values: Mapping[str, Any], *, is_label: bool) -> Iterator[tuple[str, Any]]:
        for key, value in values.items():
            if key not in self.lines:
                yield key, value
                continue
            for option, line in self.lines[key].items():
                if line and not is_label:
                    yield line, value
                elif line and isinstance(value, str):
                    yield line, _label(value, option)
                elif line and isinstance(value, Mapping):
                    yield line, {tag: _label(str(text), option) for tag, text in value.items()}


def _label(name: str, option: str) -> str:
    """Return a short name of a line; the option's key is kept whole if it fits."""
    room = _LONGEST_LABEL - len(option) - 2
    return f"{name[:room].rstrip()}: {option}" if room > 0 else option[:_LONGEST_LABEL]


def converted(document: Any) -> Conversion:
    """Convert each tick-all question of a document into a list of yes/no questions.

    Parameters
    ----------
    document : object
        A draft or a definition file; it may be malformed. Without tick-all questions it is returned as it is.

    Returns
    -------
    Conversion
        The key of a line is ``list_option``, cut to 64 characters and numbered where it is in use.
    """
    if not has_multi(document):
        return Conversion(document=document)
    result = Conversion(document={**document})
    fresh = _fresh_keys(document)
    stems = [*document[STEMS]] if isinstance(document.get(STEMS), list) else []
    stem_keys = {stem_name(stem) for stem in stems}
    blocks = []
    for block in document["blocks"]:
        if not any(
            is_multi(question) for other in blocks_of({"blocks": [block]}) for question in other["questions"]
        ):
            blocks.append(block)
            continue
        questions: list[Any] = []
        places: list[list[int]] = []
        for question in block["questions"]:
            own = [question]
            if is_multi(question):
                is_open = block.get("protected") is False
                stem, own = _list(question, result, fresh, stem_keys, is_open=is_open)
                stems.append(stem)
            places.append([*range(len(questions), len(questions) + len(own))])
            questions += own
        blocks.append(_rotated({**block, "questions": questions}, places, result))
    result.document |= {"blocks": [_rewritten(block, result) for block in blocks], STEMS: stems}
    return result


def _fresh_keys(document: Mapping[str, Any]) -> Callable[[str], str]:
    """Return a function that makes keys of questions that no question or component has."""
    used = set()
    for block in blocks_of(document):
        for question in block["questions"]:
            if isinstance(question, Mapping):
                used.add(question.get("key"))
                rule = question.get(COMPUTED)
                components = rule.get(COMPONENTS) if isinstance(rule, Mapping) else None
                used |= {
                    each.get("key")
                    for each in (components if isinstance(components, list) else ())
                    if isinstance(each, Mapping) and isinstance(each.get("key"), str)
                }

    def take(key: str) -> str:
        endings = itertools.chain([""], (f"-{number}" for number in itertools.count(2)))
        names = (key[: LONGEST_KEY - len(ending)] + ending for ending in endings)
        found = next(name for name in names if name not in used)
        used.add(found)
        return found

    return take


def _list(
    question: Mapping[str, Any],
    result: Conversion,
    fresh: Callable[[str], str],
    stem_keys: set[str],
    *,
    is_open: bool,
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the stem and the lines of a tick-all question."""
    key, options = question["key"], question["options"]
    texts = [option["text"] if isinstance(option.get("text"), dict) else {} for option in options]
    dropped = [number for number, text in enumerate(texts) if _is_offered(text)]
    if len(dropped) == len(options):
        dropped = []
    stem_key = next(
        name
        for name in itertools.chain(
            [key], (f"{key[: LONGEST_KEY - 4]}-{number}" for number in itertools.count(2))
        )
        if name not in stem_keys
    )
    stem_keys.add(stem_key)
    stem = {"key": stem_key, "text": question.get("text") or {}}
    stem |= {name: question[name] for name in ("help", WORDINGS) if question.get(name) is not None}
    # A protected list is asked line by line by default; an open one stays as it was.
    stem |= {LOOK: BOXES} if is_open else {}
    lines = []
    keys = result.lines.setdefault(key, {})
    for number, option in enumerate(options):
        if number in dropped:
            keys[option["key"]] = ""
            continue
        own = fresh(f"{key}_{option['key']}")
        keys[option["key"]] = own
        line = {"key": own, "kind": "yes_no", "text": texts[number], STEM: stem_key}
        line |= {
            name: [question[name][number]]
            for name in ("unrelated", "prevalence")
            if isinstance(question.get(name), list) and len(question[name]) == len(options)
        }
        line |= {name: question[name] for name in OF_DISGUISED if name == "known" and name in question}
        lines.append(line)
    _note(question, lines, [texts[number] for number in dropped], result, is_open=is_open)
    return stem, lines


def _is_offered(texts: Mapping[str, Any]) -> bool:
    """Return whether an option means none of the others, or no answer: the page offers both itself."""
    plain = {tag: text for tag, text in texts.items() if isinstance(text, str)}
    return means_none(plain) or means_no_answer(plain)


def _note(
    question: Mapping[str, Any],
    lines: Collection[object],
    dropped: list[dict[str, str]],
    result: Conversion,
    *,
    is_open: bool,
) -> None:
    name = text_in(question.get("text") or {}) or question["key"]
    result.notes.append(
        ngettext(
            "“%(question)s” is now a list of %(count)s yes/no question",
            "“%(question)s” is now a list of %(count)s yes/no questions",
            len(lines),
        )
        % {"question": name, "count": count_text(len(lines))}
        + ("" if is_open else ", " + _("asked line by line; its look can be changed to boxes"))
    )
    result.notes += [
        _("“%(option)s” of “%(question)s” was left out: no to every line, or a skip, says it")
        % {"option": text_in(text), "question": name}
        for text in dropped
    ]


def _rotated(block: dict[str, Any], places: list[list[int]], result: Conversion) -> dict[str, Any]:
    """Return a part whose sets of drawn questions contain all lines of a list, or ask everyone everything."""
    if all(block.get(name) is None for name in _ROTATING):
        return block
    booklets = block.get("booklets")
    try:
        drawn = [[at for place in booklet for at in places[place]] for booklet in booklets]  # type: ignore[union-attr]
    except (TypeError, IndexError):
        drawn = []
    if drawn and len({len(booklet) for booklet in drawn}) == 1:
        return {**block, "booklets": drawn, "questions_per_person": len(drawn[0])}
    result.notes.append(
        _("the part “%(part)s” no longer draws some of its questions for each person: plan it again")
        % {"part": block.get("key")}
    )
    return {name: value for name, value in block.items() if name not in _ROTATING}


def _rewritten(block: dict[str, Any], result: Conversion) -> dict[str, Any]:
    """Return a part whose condition and exclusive answers name lines instead of lists and options."""
    block = {**block}
    if block.get("asked_if") is not None:
        condition = _condition(block["asked_if"], result)
        if condition is None:
            result.notes.append(
                _("the part “%(part)s” is now asked of everyone: a condition on a list could not be kept")
                % {"part": block.get("key")}
            )
            del block["asked_if"]
        else:
            block["asked_if"] = condition
    if isinstance(block.get("exclusive"), list):
        sets = [
            [new for item in each if (new := result.item(item) if isinstance(item, str) else item)]
            if isinstance(each, list)
            else each
            for each in block["exclusive"]
        ]
        kept = [each for each in sets if not isinstance(each, list) or len(each) > 1]
        if len(kept) < len(sets):
            result.notes.append(
                _("the part “%(part)s” has fewer answers that exclude each other: one of them was left out")
                % {"part": block.get("key")}
            )
        block["exclusive"] = kept
    return block


def _condition(condition: Any, result: Conversion) -> Any:
    """Return a condition on lines; None if there is none that holds for the same people."""
    if not isinstance(condition, Mapping):
        return condition
    joined = next((name for name in ("all", "any") if isinstance(condition.get(name), list)), None)
    if joined is None:
        terms, joins = _terms(condition, result)
        return None if not terms else terms[0] if len(terms) == 1 else {joins: terms}
    found: list[Any] = []
    for term in condition[joined]:
        terms, joins = _terms(term, result)
        if not terms or (len(terms) > 1 and joins != joined):
            return None
        found += terms
    return {**condition, joined: found}


def _terms(term: Any, result: Conversion) -> tuple[list[Any], str]:
    """Return the terms that replace one, and how they are joined: yes on any ticked line, or no on all."""
    lines = result.lines.get(str(term.get("question"))) if isinstance(term, Mapping) else None
    if lines is None:
        return [term], "any"
    options = term.get("options")
    wanted = [lines.get(str(option)) for option in options] if isinstance(options, list) else []
    if wanted == [""]:
        return [{"question": key, "options": ["no"]} for key in lines.values() if key], "all"
    if not wanted or not all(wanted):
        return [], "any"
    return [{"question": key, "options": ["yes"]} for key in wanted], "any"


def rows_as_lines(
    before: Design, after: Design, conversion: Conversion, rows: NDArray[np.uint8]
) -> NDArray[np.uint8]:
    """Return rows that devices sent for a design with tick-all questions, as rows of the converted design.

    Parameters
    ----------
    before, after : Design
        The design of the rows, and that of the converted definition.
    conversion : Conversion
    rows : ndarray of uint8, shape (n, bytes)
        Packed by the layout of `before`.

    Notes
    -----
    The boxes of a tick-all question were disguised as those of a list are: under the coin of their part, with
    an independent random answer each. So their bits are copied. Bits of options that were left out are
    dropped.
    """
    old, new = Layout(before), Layout(after)
    bits = np.unpackbits(rows, axis=1)
    result = np.zeros((len(rows), 8 * new.n_bytes), dtype=np.uint8)
    result[:, 0] = bits[:, 0]
    place = {question.key: number for number, question in enumerate(after.questions)}
    for number, question in enumerate(before.questions):
        first, width = old.value_bits(number)
        lines = conversion.lines.get(question.key)
        if lines is None:
            targets = [(question.key, range(first, first + width))]
        else:
            targets = [
                (lines[option], range(at, at + 1)) for at, option in enumerate(question.options, first)
            ]
        for key, source in targets:
            if key:
                start, _width = new.value_bits(place[key])
                result[:, new.presence_bit(place[key])] = bits[:, old.presence_bit(number)]
                result[:, start : start + len(source)] = bits[:, source.start : source.stop]
    for number in range(len(before.blocks)):
        skip, flag = old.refusal_bit(number), new.refusal_bit(number)
        if skip is not None and flag is not None:
            result[:, flag] = bits[:, skip]
    packed: NDArray[np.uint8] = np.packbits(result, axis=1)
    return packed
