"""Keep the short names of questions when a draft is made again from a changed text.

Short names are keys: results are counted by them, and the plan uses them for stars and expected shares. A
reading derives them from the first words of a text or from its place, so after a change the same name could
mean another question. This module compares texts instead: the same text keeps its name, and no other question
gets a name that the draft or a published version uses.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any, Final

from surveys.imports.drafts.fresh_keys import FreshKeys
from surveys.imports.drafts.questionnaire import SEVERAL, Question, Questionnaire, name_question
from surveys.questionnaire.composites import COMPONENTS, COMPUTED
from surveys.questionnaire.multi_drafts import blocks_of
from surveys.questionnaire.stems import STEM, STEMS

_SIMILAR: Final = 0.9
"""Smallest similarity, from 0 to 1, of two texts that count as one corrected question."""
_MOST_PAIRS: Final = 2_500
"""Largest number of pairs of texts whose similarity is computed."""


@dataclass(frozen=True, kw_only=True)
class _Named:
    """A question of a draft, with its key and those of its answers."""

    key: str
    texts: frozenset[tuple[str, str]]
    options: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """The key of each answer by its texts; for a list, the key of its line."""


def keep_keys(survey: Questionnaire, documents: Sequence[Mapping[str, Any]]) -> None:
    """Give the questions of a reading the keys of the same questions in a survey, and none of its other keys.

    Parameters
    ----------
    survey : Questionnaire
        The reading, without open points. Keys of its questions, answers and conditions change.
    documents : sequence of mapping
        The draft to be replaced, and published versions, the newest first. Drafts may be malformed.
    """
    known = [list(_named_in(document)) for document in documents]
    used = {key for named in known for each in named for key in (each.key, *each.options.values())}
    used |= {key for document in documents for key in _composite_keys(document)}
    matches = _matches(survey.questions, known)
    fresh = FreshKeys([*used, *(each.key for each in survey.questions if each.key and each.key not in used)])
    renamed: dict[str, str] = {}
    options: dict[str, dict[str, str]] = {}
    for place, question in enumerate(survey.questions, start=1):
        before, lines = question.key, dict(question.lines)
        answers = [option.key for option in question.options]
        _name(question, matches.get(question.line), place, fresh, used)
        if before:
            renamed[before] = question.key
            options[before] = dict(zip(answers, (option.key for option in question.options), strict=True))
            now = question.lines
            renamed |= {key: now.get(options[before][option], key) for option, key in lines.items()}
    for question in survey.questions:
        question.condition = _renamed(question.condition, renamed, options)


def _name(
    question: Question, named: _Named | None, place: int, fresh: FreshKeys, used: Collection[str]
) -> None:
    """Give a question, its answers and lines their keys in a draft, and no other key of this draft."""
    before, kept = question.key, named.options if named else {}
    question.key = named.key if named else fresh.take(before) if before in used else before
    if question.key != before:
        question.lines = {}
    known = [(option, key) for option in question.options if (key := _known_key(option.texts, kept))]
    if question.kind != SEVERAL:
        for option in question.options:
            option.key = "" if option.key in kept.values() else option.key
        for option, key in known:
            option.key = key
    name_question(question, fresh, place, kept.values())
    if question.kind == SEVERAL:
        question.lines |= {option.key: key for option, key in known if option.key in question.lines}


def _known_key(texts: Mapping[str, str], kept: Mapping[tuple[str, str], str]) -> str:
    """Return the key of an answer in a draft; empty if it has none with these texts."""
    return next((kept[pair] for pair in _pairs(texts) if pair in kept), "")


def _matches(questions: Sequence[Question], known: Sequence[Sequence[_Named]]) -> dict[int, _Named]:
    """Return the matching question of a draft for each line of a question; each key at most once."""
    found: dict[int, _Named] = {}
    keys: set[str] = set()
    for named in known:
        by_pair: dict[tuple[str, str], list[_Named]] = {}
        for each in named:
            for pair in each.texts:
                by_pair.setdefault(pair, []).append(each)
        for question in questions:
            if question.line in found:
                continue
            # A draft in which everyone is asked has the whole text.
            pairs = (*_pairs(question.texts), *_pairs(question.whole_texts))
            same = (each for pair in pairs for each in by_pair.get(pair, ()))
            if (match := next((each for each in same if each.key not in keys), None)) is not None:
                found[question.line] = match
                keys.add(match.key)
    return found | _corrected(questions, known[0] if known else (), found, keys)


def _corrected(
    questions: Sequence[Question], named: Sequence[_Named], found: Mapping[int, _Named], keys: set[str]
) -> dict[int, _Named]:
    """Return the question of a draft that each remaining question corrects."""
    left = [question for question in questions if question.line not in found]
    others = [each for each in named if each.key not in keys]
    if len(left) * len(others) > _MOST_PAIRS:
        return {}
    similar = sorted(
        (
            (_similarity(_pairs(question.texts), each.texts), -place, -at)
            for place, question in enumerate(left)
            for at, each in enumerate(others)
        ),
        reverse=True,
    )
    corrected: dict[int, _Named] = {}
    for likeness, place, at in similar:
        question, each = left[-place], others[-at]
        if likeness >= _SIMILAR and question.line not in corrected and each.key not in keys:
            corrected[question.line] = each
            keys.add(each.key)
    return corrected


def _similarity(one: frozenset[tuple[str, str]], other: frozenset[tuple[str, str]]) -> float:
    """Return the similarity of two questions in the language in which it is greatest."""
    texts = dict(other)
    return max(
        (SequenceMatcher(None, text, texts[tag]).ratio() for tag, text in one if tag in texts), default=0.0
    )


def _named_in(document: Mapping[str, Any]) -> Iterator[_Named]:
    """Yield the questions of a draft: those sent, components, and lists with their lines."""
    stems = document.get(STEMS)
    lines: dict[str, dict[tuple[str, str], str]] = {}
    seen: set[str] = set()
    for block in blocks_of(document):
        for entry in filter(_has_key, block["questions"]):
            if isinstance(entry.get(STEM), str):
                own = dict.fromkeys(_pairs(entry.get("text")), entry["key"])
                lines[entry[STEM]] = lines.get(entry[STEM], {}) | own
                continue
            components = _components(entry)
            for each in components or [entry]:
                if each["key"] not in seen:
                    seen.add(each["key"])
                    yield _Named(key=each["key"], texts=_pairs(each.get("text")), options=_option_keys(each))
    for stem in filter(_has_key, stems if isinstance(stems, list) else ()):
        yield _Named(key=stem["key"], texts=_pairs(stem.get("text")), options=lines.get(stem["key"], {}))


def _composite_keys(document: Mapping[str, Any]) -> Iterator[str]:
    """Yield the keys of answers that devices compute: no question may get one of these."""
    for block in blocks_of(document):
        yield from (entry["key"] for entry in filter(_has_key, block["questions"]) if _components(entry))


def _components(entry: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    rule = entry.get(COMPUTED)
    components = rule.get(COMPONENTS) if isinstance(rule, Mapping) else None
    return list(filter(_has_key, components)) if isinstance(components, list) else []


def _option_keys(entry: Mapping[str, Any]) -> dict[tuple[str, str], str]:
    options = entry.get("options")
    found = filter(_has_key, options) if isinstance(options, list) else ()
    return {pair: option["key"] for option in found for pair in _pairs(option.get("text"))}


def _has_key(entry: object) -> bool:
    return isinstance(entry, Mapping) and isinstance(entry.get("key"), str)


def _renamed(condition: Any, keys: Mapping[str, str], options: Mapping[str, Mapping[str, str]]) -> Any:
    """Return a condition with the new keys of questions and answers."""
    if isinstance(condition, list):
        return [_renamed(each, keys, options) for each in condition]
    if not isinstance(condition, dict):
        return condition
    key = condition.get("question")
    own = options.get(key, {}) if isinstance(key, str) else {}
    return {
        name: keys.get(value, value)
        if name == "question"
        else [own.get(option, option) for option in value]
        if name == "options"
        else _renamed(value, keys, options)
        for name, value in condition.items()
    }


def _pairs(texts: object) -> frozenset[tuple[str, str]]:
    """Return the pairs of language and text, with single blanks."""
    if not isinstance(texts, Mapping):
        return frozenset()
    written = {tag: " ".join(text.split()) for tag, text in texts.items() if isinstance(text, str)}
    return frozenset((tag, text) for tag, text in written.items() if text)
