"""Designs that need fewer people: the savings and costs of asking each person some of the questions."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from privacy.planning.better_design import BetterDesign, better_design, people_for_complete_rows
from privacy.planning.part_variance import AskedPart
from privacy.planning.parts_in_turn import asked_part
from privacy.planning.planned_survey import MOST_QUESTIONS
from privacy.policy import LEAST_COMPLETE_ROWS
from privacy.risk.budget import block_budget
from privacy.risk.open_answers import expected_own, share_alone
from privacy.risk.sentences import number, percent
from privacy.survey.balanced_booklets import balanced_booklets
from privacy.survey.block import Block
from privacy.survey.booklets import Booklet
from surveys.planner.in_turn import DraftInTurn, draft_in_turn, has_turns, is_made_by_epsilon, left_for
from surveys.policy import MOST_OWN
from surveys.questionnaire.checks.ceilings import Ceilings
from surveys.questionnaire.definition import Definition
from surveys.questionnaire.joined_part import joinable, with_joined_part

__all__ = ["FewerPeople", "SizeRow", "draft_with_fewer_people", "fewer_people", "of_draft"]


@dataclass(frozen=True, kw_only=True)
class SizeRow:
    """Errors of supports of so many items, as it is and with the better design."""

    size: int
    now: str
    then: str
    complete: str
    fewer: str = ""


@dataclass(frozen=True, kw_only=True)
class FewerPeople:
    """Contents of the page.

    Attributes
    ----------
    saves : bool
        Whether the design is worth taking.
    sentences : tuple of str
        What it saves, and what no design can.
    other_side : tuple of str
        What it costs.
    rows : tuple of SizeRow
    in_turn : bool
        Whether whole parts take turns; else they become one.
    takes : str
        Which design the draft gets, where one part is made of all.
    people : int or None
        So many have errors of each size at most as large; None where that are no fewer.
    """

    saves: bool
    sentences: tuple[str, ...]
    other_side: tuple[str, ...]
    rows: tuple[SizeRow, ...]
    in_turn: bool = False
    takes: str = ""
    people: int | None = None


def fewer_people(
    better: BetterDesign, *, parts: Sequence[AskedPart], alone: float | None = None
) -> FewerPeople:
    """Say what a better design saves, beside the parts as they are.

    Parameters
    ----------
    better : BetterDesign
    parts : sequence of AskedPart
    alone : float, optional
        Share who would have a combination of their own of what was asked and open answers; else of sets.
    """
    questions = sum(part.questions for part in parts)
    rotating = better.rotating
    if not better.saves or rotating is None or rotating.per_person is None:
        return FewerPeople(
            saves=False,
            sentences=(_nothing_saved(better, questions), *_bound(better)),
            other_side=_split_costs(parts),
            rows=(),
        )
    reach = {
        size: _Reach.of(rotating, size, listed=_listed(better, rotating))
        for size in range(1, min(questions, len(better.variances)) + 1)
    }
    return FewerPeople(
        saves=True,
        sentences=(*_saved(better, rotating, questions), *_bound(better)),
        people=int(better.people) if better.people < better.n else None,
        takes=_("Taken, each person is asked %(asked)s of them, and ε is %(epsilon)s.")
        % {"asked": rotating.per_person, "epsilon": number(better.rotating_epsilon)},
        other_side=(
            *_other_side(better, rotating, n=better.n, alone=alone),
            *(size_reach.sentence for size_reach in reach.values() if size_reach.sentence),
            *_split_costs(parts),
        ),
        rows=tuple(
            SizeRow(
                size=size,
                now=_error(better.variances[size - 1], better.n),
                then=_error(better.rotating_variances[size - 1] if size_reach.people else math.inf, better.n),
                fewer=_error(better.rotating_variances[size - 1], int(better.people))
                if size_reach.people and better.people < better.n
                else "",
                complete=_count(size_reach.people or math.inf),
            )
            for size, size_reach in reach.items()
        ),
    )


def _listed(better: BetterDesign, rotating: AskedPart) -> tuple[Booklet, ...] | None:
    """Return the sets of questions that the draft lists with the design; None where it draws any set."""
    per_person = rotating.per_person or rotating.questions
    if per_person == rotating.questions:
        return None
    return balanced_booklets(rotating.questions, per_person, together=min(better.sizes[-1], per_person))


@dataclass(frozen=True, kw_only=True)
class _Reach:
    """Whether all sets of so many questions are asked together by some device.

    Attributes
    ----------
    people : float
        How many until each of them was asked of enough; infinite, or 0, where some are asked of nobody.
    sentence : str
        Says so, where others are asked.
    """

    people: float
    sentence: str = ""

    @classmethod
    def of(cls, part: AskedPart, size: int, *, listed: tuple[Booklet, ...] | None) -> _Reach:
        """Return it for a size, with all sets of questions or those listed."""
        if listed is None or size > len(listed[0]):
            return cls(people=people_for_complete_rows(part, size))
        together = Counter(chosen for booklet in listed for chosen in itertools.combinations(booklet, size))
        total = math.comb(part.questions, size)
        if len(together) == total:
            return cls(people=math.ceil(LEAST_COMPLETE_ROWS * len(listed) / min(together.values()) - 1e-6))
        sentence = _(
            "Nobody is asked all of %(missing)s of the %(total)s sets of %(size)s questions. Plan for "
            "itemsets of %(size)s to learn of each set."
        ) % {"missing": f"{total - len(together):,}", "total": f"{total:,}", "size": size}
        return cls(people=0, sentence=sentence)


def _bound(better: BetterDesign) -> tuple[str, ...]:
    """Say what no design can do; nothing where so few people have no report, whatever the design is."""
    if better.least_people < LEAST_COMPLETE_ROWS:
        return ()
    sentence = (
        _("No design with ε %(epsilon)s needs fewer than %(people)s.")
        if better.is_capped
        else _("No design of this protection needs fewer than %(people)s.")
    )
    return (sentence % {"people": _people(better.least_people), "epsilon": number(better.ceiling)},)


def _nothing_saved(better: BetterDesign, questions: int) -> str:
    if better.is_capped:
        return _(
            "Within the ceiling of ε %(most)s nothing is as precise as this design, which tells up to ε "
            "%(now)s."
        ) % {"most": number(better.ceiling), "now": number(better.epsilon)}
    return _("Asking each person fewer of these %(count)s questions saves nothing here.") % {
        "count": questions
    }


def _saved(better: BetterDesign, rotating: AskedPart, questions: int) -> Iterator[str]:
    """Yield what is saved, people or epsilon; and whether answers near the true ones are sent."""
    if better.people < better.n:
        yield _(
            "The same precision with %(people)s instead of %(now)s: ask each %(asked)s of these %(count)s."
        ) % {
            "people": _people(int(better.people)),
            "now": f"{better.n:,}",
            "asked": rotating.per_person,
            "count": _questions(questions),
        }
    if better.equal is not None and better.equal_epsilon < better.epsilon:
        sentence = (
            _(
                "Or the same %(people)s, and ε %(epsilon)s instead of %(now)s: ask each %(asked)s of them, "
                "at most %(radius)s of the answers changed."
            )
            if better.equal.radius
            else _(
                "Or the same %(people)s, and ε %(epsilon)s instead of %(now)s: ask each %(asked)s of them."
            )
        )
        yield sentence % {
            "radius": better.equal.radius,
            "people": _people(better.n),
            "epsilon": number(better.equal_epsilon),
            "now": number(better.epsilon),
            "asked": better.equal.per_person,
        }
    if rotating.radius:
        yield _(
            "Answers near the true ones are sent: at most %(radius)s of the %(asked)s of a person are "
            "changed."
        ) % {"radius": rotating.radius, "asked": rotating.per_person}


def of_draft(
    definition: Definition, *, n: int, ceilings: Ceilings, largest: int, most_odds: float
) -> FewerPeople | None:
    """Say what a better design saves a draft; None where it has too few protected questions with a coin."""
    designs = _searched(definition, n=n, ceilings=ceilings, largest=largest, most_odds=most_odds)
    if designs.turns is not None:
        return _taking_turns(definition, designs.turns, n=n)
    if designs.better is None:
        return None
    joined = _joined(definition, designs.better)
    alone = None if joined is None else expected_own(joined.design, n)
    fewer = fewer_people(designs.better, parts=designs.parts, alone=alone)
    if not fewer.saves and has_turns(definition.design, largest):
        neither = _("Asking each person some of the parts saves nothing within the ceilings either.")
        fewer = replace(fewer, sentences=(*fewer.sentences, neither))
    return replace(fewer, other_side=(*fewer.other_side, *_left_alone(definition, saves=fewer.saves)))


def draft_with_fewer_people(
    definition: Definition, *, n: int, ceilings: Ceilings, largest: int, most_odds: float
) -> dict[str, Any] | None:
    """Return the document of a draft with the better design; None where it would save nothing."""
    designs = _searched(definition, n=n, ceilings=ceilings, largest=largest, most_odds=most_odds)
    if designs.turns is not None:
        return designs.turns.after.document
    joined = None if designs.better is None else _joined(definition, designs.better)
    return None if joined is None else joined.document


def _joined(definition: Definition, better: BetterDesign) -> Definition | None:
    """Return the draft with the design that was found; None where it would save nothing."""
    if not better.saves or (rotating := better.rotating) is None:
        return None
    return with_joined_part(
        definition,
        [block.key for block in joinable(definition.design)],
        per_person=rotating.per_person or rotating.questions,
        epsilon=better.rotating_epsilon,
        largest=better.sizes[-1],
        radius=rotating.radius,
    )


@dataclass(frozen=True, kw_only=True)
class _Searched:
    """What is better than a draft: its parts as one, and parts in turn where they save more than that."""

    parts: list[AskedPart]
    better: BetterDesign | None
    turns: DraftInTurn | None


def _searched(
    definition: Definition, *, n: int, ceilings: Ceilings, largest: int, most_odds: float
) -> _Searched:
    blocks = joinable(definition.design)
    parts, better = [], None
    if largest <= sum(len(block.questions) for block in blocks) <= MOST_QUESTIONS:
        parts = [asked_part(block) for block in blocks]
        better = better_design(
            parts,
            math.fsum(block_budget(block.of_booklet(block.worst_booklet)).epsilon for block in blocks),
            n=n,
            largest=largest,
            skips=any(block.refusal is not None for block in blocks),
            most_epsilon=left_for(definition.design, blocks, ceilings),
            # What is proposed passes the checks of publishing.
            most_odds=min(most_odds, ceilings.odds.warn),
            # Near-truth rows include impossible ones.
            near=not any(entry.get("exclusive") for entry in _entries(definition)),
        )
    turns = draft_in_turn(definition, n=n, ceilings=ceilings, largest=largest, most_odds=most_odds)
    saves_more = turns is not None and _is_better(turns, better)
    return _Searched(parts=parts, better=better, turns=turns if saves_more else None)


def _entries(definition: Definition) -> list[dict[str, Any]]:
    """Return what a draft says of the parts whose questions could stand in one."""
    keys = [block.key for block in joinable(definition.design)]
    return [entry for entry in definition.document["blocks"] if entry["key"] in keys]


def _is_better(turns: DraftInTurn, better: BetterDesign | None) -> bool:
    """Return whether whole parts in turn save more epsilon than one part of which each is asked some."""
    if better is None or not better.saves:
        return True
    return turns.before - turns.design.epsilon > max(0.0, better.epsilon - better.equal_epsilon)


def _taking_turns(definition: Definition, turns: DraftInTurn, *, n: int) -> FewerPeople:
    """Say what it saves to ask each person some of the parts."""
    rotation, count = turns.design, len(turns.keys)
    per_person = rotation.parts_per_person
    sentences = [
        _(
            "The same %(people)s, and ε %(epsilon)s instead of %(now)s: ask each %(asked)s of these "
            "%(count)s parts."
        )
        % {
            "people": _people(n),
            "epsilon": number(rotation.epsilon),
            "now": number(turns.before),
            "asked": per_person,
            "count": count,
        },
        _("Shares and what goes together are as exact as now on average, and so is each number."),
    ]
    if any(block.key in turns.keys for block in _places(definition)):
        sentences.append(
            _(
                "So is the mean of each place, if all places are as likely. Its map is drawn from fewer "
                "people, who each tell more."
            )
        )
    rows = tuple(
        SizeRow(
            size=size,
            now=_error(turns.variances[size - 1], n),
            then=_error(rotation.variances[size - 1], n),
            complete=_count(rotation.complete[size - 1]),
        )
        for size in range(1, len(turns.variances) + 1)
        if math.isfinite(turns.variances[size - 1])
    )
    together = math.comb(count - 2, per_person - 2) / math.comb(count, per_person)
    alone = expected_own(turns.after.design, n)
    other_side = [
        _("Whether answers of two parts go together is learnt from those who are asked both: %(share)s.")
        % {"share": percent(together)},
        _("There are %(count)s sets of parts; %(share)s of the people have a combination of their own.")
        % {"count": f"{math.comb(count, per_person):,}", "share": percent(alone)},
    ]
    if alone > MOST_OWN:
        other_side.append(
            _(
                "That is many: the set is sent as it is, and can tell people apart. Ask fewer of each, or "
                "more people."
            )
        )
    return FewerPeople(
        saves=True,
        sentences=tuple(sentences),
        other_side=(
            *other_side,
            *_left_alone(definition, saves=True, in_turn=True),
            *_split_costs([asked_part(block) for block in joinable(definition.design)]),
        ),
        rows=rows,
        in_turn=True,
    )


def _left_alone(definition: Definition, *, saves: bool, in_turn: bool = False) -> Iterator[str]:
    """Say of which parts of a draft nothing is said, and what a joined part does not keep."""
    routed = [block.key for block in definition.design.blocks if block.protected and block.asked_if]
    if routed:
        yield _("Parts that some people only are asked stay as they are: %(parts)s.") % {
            "parts": ", ".join(routed)
        }
    places = [block.key for block in _places(definition) if not is_made_by_epsilon(block)]
    if places and in_turn:
        yield _(
            "Places stay as they are where no single ε makes their disguise. You can let them take turns in "
            "the builder: %(parts)s."
        ) % {"parts": ", ".join(places)}
    near = [block.key for block in definition.design.blocks if block.radius]
    if in_turn and near:
        yield _("Parts that send answers near the true ones stay as they are: %(parts)s.") % {
            "parts": ", ".join(near)
        }
    entries = _entries(definition)
    if not in_turn and any(
        entry.get("refusal")
        or entry.get("exclusive")
        or any(question["kind"] != "yes_no" for question in entry["questions"])
        for entry in entries
    ):
        yield _(
            "Answers near the true ones are not tried: they go with yes/no questions that exclude none of "
            "each other, and with no skip."
        )
    if saves and any(entry.get("light") is not None for entry in entries):
        yield _("A light strength that a part states is not kept: the joined part gets the one that fits.")


def _places(definition: Definition) -> list[Block]:
    """Return the protected parts of a place, of two strengths the strong one."""
    return [
        block.in_group(direct=False) or block
        for block in definition.design.blocks
        if block.protected and any(question.kind == "place" for question in block.questions)
    ]


def _other_side(better: BetterDesign, rotating: AskedPart, *, n: int, alone: float | None) -> list[str]:
    odds = better.rotating_odds
    per_person = rotating.per_person or rotating.questions
    if per_person == rotating.questions:
        more = _(
            "It tells more of each question: an answer is up to %(odds)s times likelier from somebody of "
            "whom it is true, now %(now)s times."
        ) % {"odds": number(odds), "now": number(better.odds)}
        return [more] if odds > better.odds else [_("It tells no more of each question.")]
    sentences = [
        _(
            "It tells more of each question that was asked, and nothing of the others: an answer is up to "
            "%(odds)s times likelier from somebody of whom it is true, now %(now)s times."
        )
        % {"odds": number(odds), "now": number(better.odds)}
        if odds > better.odds
        else _("It tells no more of a question that was asked, and nothing of the others.")
    ]
    listed = _listed(better, rotating)
    count = len(listed) if listed else math.comb(rotating.questions, per_person)
    own = share_alone(count, n) if alone is None else alone
    sentence = (
        _("There are %(count)s sets of questions; %(share)s of the people have a set of their own.")
        if alone is None
        else _(
            "There are %(count)s sets of questions. With open answers and other parts %(share)s of the "
            "people have a combination of their own."
        )
    )
    sentences.append(sentence % {"count": f"{count:,}", "share": percent(own)})
    if own > MOST_OWN:
        sentences.append(
            _(
                "That is many: the set is sent as it is, and can tell people apart. Ask fewer of each, or "
                "more people."
            )
        )
    if better.near and not rotating.radius and not (better.equal and better.equal.radius):
        sentences.append(_("Answers near the true ones would save no more here."))
    return sentences


def _split_costs(parts: Sequence[AskedPart]) -> tuple[str, ...]:
    """Say what several parts cost where all have one p: more epsilon in all than one part."""
    truths = {part.truth for part in parts}
    if len(parts) < 2 or len(truths) > 1 or any(part.per_person is not None or part.radius for part in parts):
        return ()
    (truth,) = truths
    ratio = truth / (1 - truth)
    # How many times rarer than all answers the rarest ones of a part are among decoys.
    rarer = [1 / math.prod(question.rarest for question in part.asked_questions) for part in parts]
    split = math.fsum(math.log1p(ratio * each) for each in rarer)
    whole = math.log1p(ratio * math.prod(rarer))
    if whole >= split:
        return ()
    return (
        _(
            "At the same p more parts cost more ε in all: %(split)s in %(count)s parts, %(whole)s in one. "
            "What coins of their own buy is that a known answer gives away one part, not all."
        )
        % {"split": number(split), "whole": number(whole), "count": len(parts)},
    )


def _people(count: int) -> str:
    return ngettext("%(count)s person", "%(count)s people", count) % {"count": f"{count:,}"}


def _questions(count: int) -> str:
    return ngettext("%(count)s question", "%(count)s questions", count) % {"count": count}


def _error(variance: float, n: int) -> str:
    return number(100 * math.sqrt(variance / n)) if math.isfinite(variance) else ""


def _count(people: float) -> str:
    return f"{people:,.0f}" if math.isfinite(people) else ""
