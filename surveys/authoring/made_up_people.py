"""Try a draft on made-up people: their true answers, disguised as a device does, and the estimates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.columns.random_words import words
from mining.itemsets import estimate_itemsets
from privacy.coins import SCALE, Coins
from privacy.planning.use import use_of
from privacy.policy import SHARE_FOR_POWER
from privacy.printed import Measured
from privacy.survey.design import Design, Item, Question
from privacy.survey.disguise import disguise
from privacy.survey.drawn_questions import draw_questions
from privacy.survey.layout import Layout, Record
from privacy.survey.routing import is_asked
from surveys.accounts.permissions import get_survey_for_builder, staff_page
from surveys.formats.interval_chart import share_bar
from surveys.formats.joints import list_text
from surveys.formats.people_of_100 import share_with_interval
from surveys.questionnaire.aim import Aim, aim_or_default
from surveys.questionnaire.definition import Definition
from surveys.questionnaire.draft import draft_read
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.rule_words import computed_from
from surveys.questionnaire.use_words import item_names, quote_names

TrueAnswers = dict[str, dict[str, Any]]

# Limited because they are computed within a request.
MOST_MADE_UP: Final = 2_000
_MOST_TURNS: Final = 1_000_000_000


class MadeUpForm(forms.Form):
    """The number of simulated respondents, and the seed that generates them."""

    n = forms.IntegerField(label=gettext_lazy("Made-up people"), min_value=10, max_value=MOST_MADE_UP)
    turn = forms.IntegerField(min_value=1, max_value=_MOST_TURNS)


@staff_page
@require_safe
def made_up(request: HttpRequest, slug: str) -> HttpResponse:
    """Try a draft on simulated respondents, who depend only on the address; nothing is stored."""
    survey = get_survey_for_builder(request.user, slug)
    definition = draft_read(survey).designed
    aim = aim_or_default(survey.aim)
    start = {"n": min(aim.people, MOST_MADE_UP), "turn": 1}
    form = MadeUpForm(start | request.GET.dict(), label_suffix="")
    shares: tuple[MadeUpShare, ...] = ()
    turn = 1
    if definition is not None and form.is_valid():
        n, turn = form.cleaned_data["n"], form.cleaned_data["turn"]
        shares = made_up_shares(definition, n=n, rng=np.random.default_rng([turn, n]), aim=aim)
    assumed = [] if definition is None else _assumed(definition, aim)
    context = {
        "survey": survey,
        "unready": definition is None,
        "suggested": start["n"] if Aim.from_json(survey.aim) is None else 0,
        "form": form,
        "shares": shares,
        "assumed": list_text(f"“{name}”" for name in assumed),
        "n_assumed": len(assumed),
        "assumed_share": f"{SHARE_FOR_POWER:.0%}",
        "left_out": "" if definition is None else quote_names(_left_out(definition, aim)),
        "rotates": definition is not None and definition.design.rotates,
        "next": turn + 1,
    }
    return render(request, "authoring/made_up.html", context, status=200 if form.is_valid() else 422)


def _assumed(definition: Definition, aim: Aim) -> list[str]:
    """Name the answers of the starred pair whose shares the plan assumes."""
    names = item_names(definition, aim.labels)
    return [names[key] for key in use_of(definition.design, aim.within(definition.design)).assumed]


def _left_out(definition: Definition, aim: Aim) -> list[str]:
    """Name the questions that are not tried: numbers, places and questions stored as answered."""
    names, design = item_names(definition, aim.labels), definition.design
    return [
        names[question.key]
        for block in design.blocks
        for question in block.questions
        if not block.has_coin and not question.is_arm
    ]


@dataclass(frozen=True, kw_only=True)
class MadeUpShare:
    """One answer of a protected question among simulated respondents.

    Attributes
    ----------
    question, option : str
        Their texts; the option is empty for a yes/no question.
    computed : str
        From how many questions devices compute the answer; empty for other questions.
    text : str
        The estimate from the disguised answers with its interval, as in a report, and the true share.
    holds : bool
        Whether the interval contains the true share.
    picture : SafeString
    """

    question: str
    option: str
    computed: str
    text: str
    holds: bool
    picture: SafeString


def made_up_shares(
    definition: Definition, *, n: int, rng: np.random.Generator, aim: Aim
) -> tuple[MadeUpShare, ...]:
    """Simulate respondents' answers to a draft, disguise them, and estimate every protected answer.

    Parameters
    ----------
    definition : Definition
    n : int
        Number of respondents.
    aim : Aim
        Its guesses are the true probabilities, as in the plan's figures. For two starred items, the share
        of respondents with both is reported too.
    rng : numpy.random.Generator

    Notes
    -----
    Answers are as common as guessed in the plan, or otherwise as it assumes: see `plan_shares`. They are
    independent of each other. Numbers and places are uniformly distributed. No one skips. If people choose
    how strongly their answers are disguised, all choose strongly. In a rotating block, the true share counts
    everyone who could have been asked.
    """
    design = definition.design
    layout, stream = Layout(design), words(rng)
    share = (design.group.direct_share or 0) / SCALE
    aim = plan_shares(design, aim.within(design))
    keys = aim.wanted_items(design)
    people = [_person(design, aim, rng) for _n in range(n)]
    row_bytes = b"".join(
        layout.pack(_make_record(design, person, direct=bool(rng.random() < share), coins=Coins(stream)))
        for person in people
    )
    asked_for = [item for item in design.items if design.blocks[item.block].has_coin]
    pair = tuple(sorted(design.item(key).index for key in keys))
    table = estimate_itemsets(
        CountCache(BitMatrix.from_rows(design, row_bytes)),
        design,
        [*((item.index,) for item in asked_for), *([pair] if len(pair) == 2 else [])],
    )
    rows = {row.items: row for row in table}
    wordings = [question for block in definition.wording["blocks"] for question in block["questions"]]
    shares = []
    for item in asked_for:
        if (row := rows.get((item.index,))) is None:
            continue
        wording = wordings[item.question]
        options = wording.get("options") or ()
        option = text_in(options[item.option]["text"]) if options else ""
        truth = _truth(people, design, [item])
        computed = computed_from(design.questions[item.question].computed)
        shares.append(_share(text_in(wording["text"]), option, computed, truth=truth, interval=row.interval))
    if (both := rows.get(pair)) is not None and len(pair) == 2:
        first, second = (item_names(definition)[key] for key in keys)
        name = _("“%(first)s” together with “%(second)s”") % {"first": first, "second": second}
        truth = _truth(people, design, [design.items[index] for index in pair])
        shares.append(_share(name, _("Both"), "", truth=truth, interval=both.interval))
    return tuple(shares)


def plan_shares(design: Design, aim: Aim) -> Aim:
    """Return an aim with the plan's assumptions about the starred pair added as guesses.

    Parameters
    ----------
    design : Design
    aim : Aim

    Notes
    -----
    All other answers without a guess are equally common, as in the plan's margins: `Goal.shares_of`.
    """
    assumed = use_of(design, aim).assumed
    return replace(aim, shares={**aim.shares, **dict.fromkeys(assumed, round(SHARE_FOR_POWER * SCALE))})


def _truth(people: Sequence[TrueAnswers], design: Design, items: Sequence[Item]) -> float:
    """Return the true share of people with all these items, among those who were asked all of them."""
    questions = [
        (design.blocks[item.block].key, design.questions[item.question], item.option) for item in items
    ]
    respondents = [
        person for person in people if all(block in person for block, _question, _option in questions)
    ]
    return sum(
        all(question.ticks(person[block][question.key])[option] for block, question, option in questions)
        for person in respondents
    ) / max(len(respondents), 1)


def _make_record(design: Design, person: TrueAnswers, *, direct: bool, coins: Coins) -> Record:
    """Disguise a person's true answers to the questions that their device draws."""
    if not design.rotates:
        return disguise(design, person, direct=direct, coins=coins)
    booklets = draw_questions(design, coins)
    answers: TrueAnswers = {}
    for block, positions in zip(design.blocks, booklets, strict=True):
        keys = {block.questions[position].key for position in positions}
        if block.key in person and keys:
            answers[block.key] = {key: value for key, value in person[block.key].items() if key in keys}
    return disguise(design, answers, direct=direct, coins=coins, drawn=booklets)


def _person(design: Design, aim: Aim, rng: np.random.Generator) -> TrueAnswers:
    """Draw one person's true answers, in the order of the questions."""
    answers: TrueAnswers = {}
    earlier: list[tuple[Any, ...]] = []
    for block, route in zip(design.blocks, design.routes, strict=True):
        if is_asked(route, earlier):
            answers[block.key] = {
                question.key: _answer(question, aim.shares_of(question), rng) for question in block.questions
            }
        earlier.append(tuple(answers.get(block.key, {}).get(question.key) for question in block.questions))
    return answers


def _answer(question: Question, shares: Sequence[float], rng: np.random.Generator) -> Any:
    if question.disguise is not None:
        return int(rng.integers(question.disguise.inputs))
    if question.is_exhaustive:
        return int(rng.choice(len(shares), p=np.array(shares) / math.fsum(shares)))
    return question.of_items([int(is_ticked) for is_ticked in rng.random(question.n_items) < shares])


def _share(question: str, option: str, computed: str, *, truth: float, interval: Measured) -> MadeUpShare:
    value, low, high = interval.value, interval.low, interval.high
    shares = {"found": share_with_interval(value, low, high), "truth": f"{100 * truth:.0f}"}
    text = _("%(found)s, true: %(truth)s") % shares
    return MadeUpShare(
        question=question,
        option=option,
        computed=computed,
        text=text,
        holds=low <= truth <= high,
        picture=share_bar(value, low, high, text=text, truth=truth),
    )
