"""The questions that a proposed score adds up: the direction and the points of each, and their sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from privacy.errors import PrivacyError
from privacy.survey.component import YES_NO, Component
from privacy.survey.composite import Composite
from privacy.survey.composite_parts import Gaps, usual_gaps
from privacy.survey.reachable_sums import ReachableSums
from surveys.imports.drafts.questionnaire import (
    SEVERAL,
    Question,
    Questionnaire,
    Score,
    Texts,
    mirrored_points,
    points_of,
    ticked_options,
)

MEAN, NO_POINTS = "mean", "no_points"
_TICK: Final = ("none", "tick")
"""The two answers to a line of a list."""


@dataclass(frozen=True, kw_only=True)
class AnswerSet:
    """Answers that several questions of a score share, with their points.

    Parameters
    ----------
    name : str
        Unique within a score, and the same in each reading of a text.
    labels : tuple of dict
        Texts of the answers in their order; empty for *no* and *yes*.
    points : tuple of int
        Points of the questions that are not reversed.
    are_ticks : bool
        Whether the answers are a tick and none; without a tick, an answer in a list scores nothing.
    """

    name: str
    labels: tuple[Texts, ...]
    points: tuple[int, ...]
    are_ticks: bool = False


@dataclass(frozen=True, kw_only=True)
class Item:
    """A question whose points are added up, or a line of a list.

    Parameters
    ----------
    name : str
        Line of the question, for an answer in a list with its number: *4.2*; the key of the component if a
        formula states its points.
    texts : dict of str to str
    set_number : int
        Position of its answers among the sets of answers of the score.
    order : tuple of int
        Position in this set of each answer.
    is_reversed : bool
        Whether its points are in the opposite order.
    can_turn : bool
        Whether the opposite order differs.
    """

    name: str
    texts: Texts
    set_number: int
    order: tuple[int, ...]
    is_reversed: bool
    can_turn: bool


@dataclass(frozen=True, kw_only=True)
class Parts:
    """The items of a score and their sets of answers, as read.

    Parameters
    ----------
    items : list of Item
    sets : list of AnswerSet
    """

    items: list[Item]
    sets: list[AnswerSet]

    def points_of(
        self, item: Item, points: Mapping[str, Sequence[int]], *, is_reversed: bool | None = None
    ) -> list[int]:
        """Return the points of an item's answers in its order, with new points of sets by name."""
        own_set = self.sets[item.set_number]
        base = list(points.get(own_set.name, own_set.points))
        turned = item.is_reversed if is_reversed is None else is_reversed
        own = mirrored_points(own_set.labels, base) if turned else base
        return [own[place] for place in item.order]


def parts_of(survey: Questionnaire, score: Score) -> Parts:
    """Return the items of a score, with the direction of each, and their sets of answers.

    An item is reversed if its answers have the points of the same answers to other items in the opposite
    order. If the source reverses items, these are the ones; otherwise they are the minority.

    Examples
    --------
    >>> from surveys.imports.drafts.questionnaire import Part, Question
    >>> acts = [Question(line=line, texts={}, kind="yes_no") for line in (1, 2, 3)]
    >>> acts[1].points = [1, 0]
    >>> survey = Questionnaire(parts=[Part(line=0, texts={}, questions=acts)])
    >>> parts = parts_of(survey, Score(line=4, questions=[1, 2, 3], levels=[]))
    >>> [item.is_reversed for item in parts.items], parts.sets[0].points
    ([False, True, False], (0, 1))
    """
    found = _answered(survey, score)
    pairs = [
        dict(zip(_TICK, points, strict=True)) if _is_tick(name) else _by_label(labels, points)
        for name, _texts, labels, points, _line in found
    ]
    groups: dict[frozenset[frozenset[tuple[str, int]]], list[int]] = {}
    for place, own in enumerate(pairs):
        groups.setdefault(frozenset((frozenset(own.items()), frozenset(_mirror(own).items()))), []).append(
            place
        )
    sets: list[AnswerSet] = []
    items: dict[int, Item] = {}
    turned = {*score.turned} if {*score.turned} < {*score.questions} else set()
    for places in groups.values():
        first = found[places[0]]
        base = _base([(pairs[place], found[place][4] in turned) for place in places])
        keys = list(pairs[places[0]])
        name = "|".join(f"{key}={base[key]}" for key in sorted(keys))
        for place in places:
            own = pairs[place]
            items[place] = Item(
                name=found[place][0],
                texts=found[place][1],
                set_number=len(sets),
                order=tuple(keys.index(key) for key in own),
                is_reversed=own != base,
                can_turn=_mirror(own) != own and not _is_tick(found[place][0]),
            )
        points = tuple(base[key] for key in keys)
        sets.append(AnswerSet(name=name, labels=first[2], points=points, are_ticks=_is_tick(first[0])))
    return Parts(items=[items[place] for place in sorted(items)], sets=sets)


_Answered = tuple[str, Texts, tuple[Texts, ...], list[int], int]
"""Name, texts, labels and points of an item, and the line of its question."""


def _answered(survey: Questionnaire, score: Score) -> list[_Answered]:
    stated = score.rule.get("points")
    if not stated:
        chosen = [question for question in survey.questions if question.line in score.questions]
        return [item for question in chosen for item in _items_of(question)]
    by_key, found = survey.by_key, []
    for key, points in stated.items():
        question = by_key.get(key)
        if question is None:
            continue
        is_line = question.kind == SEVERAL
        texts = (
            next(
                (option.texts for option in question.options if question.lines.get(option.key) == key),
                question.texts,
            )
            if is_line
            else question.texts
        )
        labels = () if is_line else tuple(option.texts for option in question.options)
        found.append((key, texts, labels, list(points), question.line))
    return found


def _items_of(question: Question) -> list[_Answered]:
    """Return a question as an item, or each answer of a list as one: ticked or not."""
    if question.kind != SEVERAL:
        labels = tuple(option.texts for option in question.options)
        return [(str(question.line), question.texts, labels, points_of(question), question.line)]
    return [
        (f"{question.line}.{number}", option.texts, (), [0, option.points or 0], question.line)
        for number, option in ticked_options(question)
    ]


def _is_tick(name: str) -> bool:
    """Return whether an item is an answer of a list that is ticked or not."""
    return "." in name


def _by_label(labels: Sequence[Texts], points: Sequence[int]) -> dict[str, int]:
    """Return points by the text of their answer; by their position if texts are missing or not unique."""
    named = [next(iter(texts.values()), "").casefold() for texts in labels]
    if len({*named}) != len(points):
        named = [f"#{place}" for place in range(len(points))]
    return dict(zip(named, points, strict=True))


def _mirror(points: Mapping[str, int]) -> dict[str, int]:
    turned = mirrored_points([{"": key} for key in points], [*points.values()])
    return dict(zip(points, turned, strict=True))


def _base(own: Sequence[tuple[Mapping[str, int], bool]]) -> Mapping[str, int]:
    """Return the points of items that are not reversed; if it is a tie, those that ascend."""
    votes = [_mirror(points) if is_turned else dict(points) for points, is_turned in own]
    counts = Counter(tuple(sorted(vote.items())) for vote in votes)

    def rank(vote: Mapping[str, int]) -> tuple[int, int]:
        values = list(vote.values())
        return counts[tuple(sorted(vote.items()))], values[-1] - values[0]

    return max(votes, key=rank)


def missing_rule(survey: Questionnaire, score: Score) -> dict[str, Any]:
    """Return the rule for missing answers of a score: as stated, otherwise Sottovoce's proposal.

    In a list of acts a gap counts as no; in a scale, as the mean of the others.
    """
    stated: dict[str, Any] = score.rule.get("missing") or {}
    if stated:
        return stated
    found = _answered(survey, score)
    is_list = all(not labels for _name, _texts, labels, _points, _line in found)
    return {"at_most": usual_gaps(len(found)), "as": NO_POINTS if is_list else MEAN}


def sums_of(points: Iterable[Sequence[int]]) -> ReachableSums:
    """Return the sums of the points of the items; only their ends if the rule is too large to enumerate.

    Parameters
    ----------
    points : iterable of sequence of int
        Of the answers to each item.

    Examples
    --------
    >>> sums_of([[0, 2], [0, 2]]).sums
    (0, 2, 4)
    """
    own = [tuple(each) for each in points]
    try:
        return Composite(
            components=tuple(
                Component(key=f"c{place}", kind="yes_no", points=each)
                if len(each) == len(YES_NO)
                else Component(
                    key=f"c{place}",
                    kind="single",
                    options=tuple(f"o{number}" for number in range(len(each))),
                    points=each,
                )
                for place, each in enumerate(own)
            ),
            missing=Gaps(at_most=0, fill="no_points"),
        ).reach
    except PrivacyError:
        # Other checks refuse too many questions, and equal points for all answers.
        return ReachableSums(sums=(sum(map(min, own)), sum(map(max, own))), is_exact=False)


def write_points(survey: Questionnaire, score: Score, item: Item, points: list[int]) -> None:
    """Give the answers to an item these points, in its order."""
    stated = score.rule.get("points")
    if stated:
        score.rule = {**score.rule, "points": {**stated, item.name: points}}
        return
    line, _dot, number = item.name.partition(".")
    question = next(each for each in survey.questions if str(each.line) == line)
    if number:
        question.options[int(number) - 1].points = points[1]
        return
    if points == points_of(question):
        return
    if not question.options:
        question.points = points
    for option, own in zip(question.options, points, strict=False):
        option.points = own
