"""Rows of the plan page: what a plan will know about each question, and what the question costs."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _

from privacy.planning.changes import NOTICEABLE
from privacy.planning.forms import FormChange
from privacy.planning.protection import PROTECTIONS
from privacy.planning.use import Use
from privacy.survey.question import Question
from surveys.formats.numbers import count_text
from surveys.questionnaire.definition import Definition
from surveys.questionnaire.draft_plan import Plan, plan
from surveys.questionnaire.form_changes import possible_forms
from surveys.questionnaire.form_words import merged_options, row_words
from surveys.questionnaire.made_up_answers import MadeUpTable
from surveys.questionnaire.rule_words import RuleWords
from surveys.questionnaire.use_words import (
    item_names,
    link_points,
    points,
    quote_names,
    widths_text,
)
from surveys.questionnaire.waves import WaveLine


@dataclass(frozen=True, kw_only=True)
class Bar:
    """An interval on a scale of 0 to 100: where it begins, how long it is, and its text."""

    x: str
    width: str
    text: str


@dataclass(frozen=True, kw_only=True)
class AskedRow:
    """One question of the plan, its form fields, why it may be stored as answered, and what depends on it.

    `rule` says how devices compute the answer to a composite question. `steps` says in which steps they
    send a number.
    """

    key: str
    text: str
    why: str
    words: str
    dependents: tuple[str, ...]
    is_protected: bool
    label: forms.BoundField
    steps: str = ""
    rule: RuleWords | None = None
    people: MadeUpTable | None = None
    protect: forms.BoundField | None = None
    star: forms.BoundField | None = None
    guess: forms.BoundField | None = None


_PAIR: Final = 2
"""Protected questions of which none is proposed to be left out."""


@dataclass(frozen=True, kw_only=True)
class Known:
    """What a plan knows about one question.

    Attributes
    ----------
    key : str
    bars : tuple of Bar
        The expected interval of its share or mean; of a choice, of the starred or the least exact answer.
    words : str
        For questions without an interval.
    cost : str
        How exact the starred figures, or the least exact share, would be without it; empty if hardly more
        exact.
    is_worst : bool
        Whether no question costs more.
    is_tied : bool
        Whether another question costs as much as this one, and none costs more.
    remedy, value : str
        A cheaper form of the question that costs most, in words and as the value of a button.
    merged : str
        The answers that this form merges; empty if it merges none.
    """

    key: str
    bars: tuple[Bar, ...] = ()
    words: str = ""
    cost: str = ""
    is_worst: bool = False
    is_tied: bool = False
    remedy: str = ""
    value: str = ""
    merged: str = ""


def known_rows(plan: Plan, draft: Definition, priced: Mapping[str, Use]) -> Iterator[Known]:
    """Yield a row for each question of a plan.

    Parameters
    ----------
    plan : Plan
    draft : Definition
        The draft that was planned.
    priced : mapping of str to Use
        What would be known without each question, by key (`surveys.questionnaire.plan_changes.costs`).
    """
    # Without the only question, there is nothing to know.
    gains = {key: _gain(plan.use, without) for key, without in priced.items() if without.widths}
    worst = max(gains.values(), default=0.0)
    costly = [key for key, gain in gains.items() if gain > NOTICEABLE and gain >= worst - NOTICEABLE]
    n_protected = sum(len(block.questions) for block in plan.definition.design.blocks if block.protected)
    forms: dict[str, FormChange] = {}
    for form in possible_forms(draft.document, draft.design, plan.aim):
        # Which of several questions that cost the same to leave out is the researcher's choice. Of two
        # questions, none is left out: the other one alone is another survey.
        if form.kind != "leave_out" or (len(costly) == 1 and n_protected > _PAIR):
            forms.setdefault(form.key, form)
    names = item_names(plan.definition, plan.aim.labels)
    for block in plan.definition.design.blocks:
        for question in block.questions:
            key = question.key
            remedy = forms.get(key) if key in costly else None
            yield Known(
                key=key,
                bars=tuple(_bars(plan, question, names)),
                words="" if block.protected else _("As answered"),
                cost=_cost_text(plan.use, priced[key], names) if gains.get(key, 0.0) > NOTICEABLE else "",
                is_worst=key in costly,
                is_tied=key in costly and len(costly) > 1,
                remedy=row_words(draft.document, draft.design, plan.aim, remedy) if remedy else "",
                value=f"form:{remedy.code}" if remedy else "",
                merged=merged_options(draft.document, remedy) if remedy else "",
            )


def rows_and_legend(
    plan: Plan, draft: Definition, priced: Mapping[str, Use]
) -> tuple[list[Known], list[str]]:
    """Return a row for each question, and sentences that say once what several rows mean.

    Parameters
    ----------
    plan, draft, priced
        As for `known_rows`.
    """
    rows = [*known_rows(plan, draft, priced)]
    return without_repeated(rows), cost_sentences(plan, rows)


def cost_sentences(plan: Plan, rows: Sequence[Known]) -> list[str]:
    """Say once what the costs in the rows mean, and which questions cost the same; empty without costs.

    Parameters
    ----------
    plan : Plan
    rows : sequence of Known
    """
    costly = [row for row in rows if row.cost]
    if not costly:
        return []
    names = item_names(plan.definition, plan.aim.labels)
    worst = [row for row in costly if row.is_worst]
    has_sizes = any(row.cost != _found_more_often() for row in costly)
    sentences = [_cost_legend(plan.use, names, has_sizes=has_sizes)]
    # Rows that cost the same except for a difference that hardly matters may show different figures.
    is_same = len({row.cost for row in worst}) == 1
    if len(worst) == len(costly) > 1:
        every = (
            _("All these %(count)s questions cost the same.")
            if is_same
            else _("All these %(count)s questions cost about the same.")
        )
        sentences.append(every % {"count": count_text(len(worst))})
    elif len(worst) > 1:
        most = (
            _("%(questions)s cost most, each the same.")
            if is_same
            else _("%(questions)s cost most, each about the same.")
        )
        sentences.append(most % {"questions": quote_names([names[row.key] for row in worst])})
    if merged := _merged_everywhere(rows):
        button = next(row.remedy for row in costly if row.merged)
        sentences.append(_("“%(button)s” merges %(options)s.") % {"button": button, "options": merged})
    return sentences


def without_repeated(rows: Sequence[Known]) -> list[Known]:
    """Return rows without the answers that their buttons merge, if `cost_sentences` names them once.

    Parameters
    ----------
    rows : sequence of Known
    """
    return [replace(row, merged="") for row in rows] if _merged_everywhere(rows) else [*rows]


def _merged_everywhere(rows: Sequence[Known]) -> str:
    """Return the answers that several rows merge, if all that merge any merge the same; else empty."""
    merged = [row.merged for row in rows if row.merged]
    return merged[0] if len(merged) > 1 and len(set(merged)) == 1 else ""


def idle_guess_sentences(values: Mapping[str, Any], plan: Plan) -> list[str]:
    """Say which guesses a plan does not use.

    Parameters
    ----------
    values : mapping
        Valid entries of the plan page by the name of their field.
    plan : Plan
    """
    names = item_names(plan.definition, plan.aim.labels)
    idle = [
        names[question.key]
        for question in plan.definition.design.questions
        if question.options and values.get(f"guess_{question.key}") and not values.get(f"star_{question.key}")
    ]
    sentence = _(
        "Not used: your guess about %(questions)s. A guess about a choice is about its starred answer."
    )
    return [sentence % {"questions": quote_names(idle)}] if idle else []


def lighter_is_no_better(now: Plan, draft: Definition, waves: Sequence[WaveLine]) -> bool:
    """Return whether the next lighter protection would leave every figure as it is.

    Parameters
    ----------
    now : Plan
    draft : Definition
        The draft that was planned.
    waves : sequence of WaveLine
        As for `surveys.questionnaire.draft_plan.plan`.
    """
    lighter = {strong: light for light, strong in itertools.pairwise(PROTECTIONS)}.get(now.aim.strength)
    other = plan(draft, replace(now.aim, strength=lighter), waves=waves) if lighter else None
    return other is not None and (other.use.widths, other.use.power) == (now.use.widths, now.use.power)


def _bars(plan: Plan, question: Question, names: Mapping[str, str]) -> Iterator[Bar]:
    use = plan.use
    if question.key in use.numbers:
        text = _("mean %(width)s") % {"width": widths_text(use, [question.key], names)}
        yield _bar(0.5, use.numbers[question.key], text)
    items = [key for key in question.item_keys if key in use.half_widths]
    if not items or question.has_mean:
        return
    shares = dict(zip(question.item_keys, plan.aim.shares_of(question), strict=True))
    starred = [key for key in items if key in plan.aim.wanted]
    key = (starred or sorted(items, key=lambda each: -use.half_widths[each]))[0]
    yield _bar(shares[key], use.half_widths[key], widths_text(use, [key], names))


def _bar(middle: float, half_width: float, text: str) -> Bar:
    low, high = (min(max(100 * end, 0.0), 100.0) for end in (middle - half_width, middle + half_width))
    return Bar(x=f"{low:.1f}", width=f"{max(high - low, 1.0):.1f}", text=text)


def _gain(now: Use, without: Use) -> float:
    """Return how much more exact the starred figures, or all figures, are without a question."""
    if now.power is not None and without.power is not None:
        if now.difference is not None and without.difference is not None:
            return now.difference - without.difference
        return without.power - now.power
    star = _stated_star(now)
    return _half_width(now, star) - _half_width(without, star)


def _stated_star(use: Use) -> str:
    """Return the starred share or number whose interval is the widest; empty without stars."""
    stars = [key for key in use.aim.wanted if key in use.widths]
    return max(stars, key=use.widths.__getitem__, default="")


def _half_width(use: Use, star: str) -> float:
    """Return the half-width of a starred figure, or the widest of all shares, as pages print it.

    It is at most 1, so that nothing is gained from 1.4 to 1.2.
    """
    return min(use.widths[star] if star else max(use.half_widths.values(), default=0.0), 1.0)


def _half_width_words(use: Use, star: str, names: Mapping[str, str]) -> str:
    if star in use.numbers:
        return widths_text(use, [star], names)
    return _("±%(points)s points") % {"points": points(_half_width(use, star))}


def _cost_legend(now: Use, names: Mapping[str, str], *, has_sizes: bool) -> str:
    """Say what a figure without a question is about, and what the figure is now."""
    if now.power is not None:
        if not has_sizes:
            return _(
                "“Without it” says what changes if the question is left out. Now the link is found less than "
                "8 times in 10, however strong it is."
            )
        if now.difference is None:
            return _(
                "“Without it” says how large a link must be to be found 8 times in 10 if the question is "
                "left out. Now no link is found that often."
            )
        return _(
            "“Without it” says how large a link must be to be found 8 times in 10 if the question is left "
            "out, instead of %(before)s points."
        ) % {"before": link_points(now.difference)}
    star = _stated_star(now)
    before = _half_width_words(now, star, names)
    if star:
        return _(
            "“Without it” says how exact “%(name)s” is if the question is left out, instead of %(before)s."
        ) % {"name": names[star], "before": before}
    return _("Now, the least exact share is %(before)s.") % {"before": before}


def _found_more_often() -> str:
    return _("Without it, the link is found more often")


def _cost_text(now: Use, without: Use, names: Mapping[str, str]) -> str:
    if now.power is None:
        star = _stated_star(now)
        # The figure is about another question than the one above it in the same row.
        words = _("Starred figure without it: %(after)s") if star else _("Least exact without it: %(after)s")
        return words % {"after": _half_width_words(without, star, names)}
    if without.difference is None:
        return _found_more_often()
    return _("Without it, a link of %(after)s points") % {"after": link_points(without.difference)}
