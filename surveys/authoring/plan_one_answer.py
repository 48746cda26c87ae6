"""On the plan page: send the questions of a part as one answer, what it gains, and the way back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from privacy.coins import SCALE
from privacy.planning.protection import Protection
from privacy.survey.component import YES_NO
from privacy.survey.design import Design
from surveys.errors.error import SurveyError
from surveys.formats.joints import answer_text, list_text, short_text
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.composites import COMPONENTS, COMPUTED
from surveys.questionnaire.definition import Definition, definition_without_texts
from surveys.questionnaire.draft_plan import Plan, plan
from surveys.questionnaire.each_heading import EACH_HEADING, answerable_headings, with_each_heading
from surveys.questionnaire.headings import Heading
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.made_up_answers import MadeUpTable, made_up_table
from surveys.questionnaire.one_answer import (
    AGAIN,
    AT_LEAST,
    HOW_MANY,
    POINTS,
    convertible,
    earlier_rule,
    part_number,
    with_each_answer,
    with_one_answer,
)
from surveys.questionnaire.part_names import own_title
from surveys.questionnaire.stems import stem_text
from surveys.questionnaire.two_halves import HALVES, with_two_halves
from surveys.questionnaire.use_words import points, quote_names
from surveys.questionnaire.waves import WaveLine
from surveys.questionnaire.yes_no_answers import pooled_keys

_MOST_OFFERS: Final = 4
"""Parts for which the page computes what one answer gains; each needs a plan."""
_LEAST_QUESTIONS: Final = 2
_LONG: Final = 4
"""Questions from which on two halves are offered."""

_BUTTONS: Final = (
    (f"{AT_LEAST}:1", gettext_lazy("At least one of these")),
    (f"{AT_LEAST}:2", gettext_lazy("At least two of these")),
    (HOW_MANY, gettext_lazy("How many of these")),
    (POINTS, gettext_lazy("Points and levels")),
)


@dataclass(frozen=True, kw_only=True)
class Offer:
    """A part whose questions could be sent as one answer.

    Attributes
    ----------
    title : str
    questions : tuple of str
        Their texts.
    before, after : str
        Margins of their shares, and of the share of one answer, with their units; empty without a plan.
    by_heading : str
        What one answer for each heading gives; empty if the questions had no headings of their own.
    buttons : tuple of (str, str)
        Values and names of the buttons.
    """

    title: str
    questions: tuple[str, ...]
    before: str
    after: str
    by_heading: str
    buttons: tuple[tuple[str, str], ...]


def offers(
    definition: Definition, aim: Aim, now: Plan | None, *, waves: Sequence[WaveLine] = ()
) -> Iterator[Offer]:
    """Yield the protected parts of a draft whose questions could be sent as one answer.

    Parameters
    ----------
    definition : Definition
        The draft with the form's choice of protected questions.
    aim : Aim
    now : Plan or None
        The plan of this draft.
    waves : sequence of WaveLine
    """
    found = 0
    for entry in definition.document["blocks"]:
        pooled = pooled_keys(entry)
        every = [entry["questions"][place]["key"] for place in convertible(entry)]
        is_again = earlier_rule(definition.document, pooled or every) is not None
        keys = pooled or (every if is_again else [])
        if not entry["protected"] or len(keys) < _LEAST_QUESTIONS or found == _MOST_OFFERS:
            continue
        try:
            document, key = with_one_answer(
                definition.document,
                entry["key"],
                AT_LEAST if pooled else AGAIN,
                protection=aim.protection,
                keys=keys,
            )
        except SurveyError:
            continue
        found += 1
        guessed = replace(aim, shares={**aim.shares, **_guess_about_one(aim, keys, key)})
        after = _planned(document, guessed, waves)
        widths = [
            width for item, width in (now.use.widths.items() if now else ()) if item.partition("=")[0] in keys
        ]
        again = [(AGAIN, _("The same rule as before"))] if is_again else []
        headings = answerable_headings(definition.document, entry, keys) if pooled else []
        by_heading = [(EACH_HEADING, _("One answer for each heading"))] if headings else []
        first = [*again, *by_heading]
        ways = [*first, *_BUTTONS] if len(keys) > _LEAST_QUESTIONS else [*first, _BUTTONS[0], *_BUTTONS[2:]]
        if not pooled:
            ways = [*again]
        elif len(keys) >= _LONG:
            ways.append((HALVES, _("Two halves, for reliability")))
        texts = {question["key"]: text_in(question.get("text")) for question in entry["questions"]}
        yield Offer(
            title=_part_title(definition, entry, {own: texts[own] or own for own in keys}),
            questions=tuple(texts[own] or own for own in keys),
            before=_("±%(points)s points") % {"points": points(max(widths))} if widths else "",
            after=_("±%(points)s points") % {"points": points(after.use.widths[key])} if after else "",
            by_heading=_by_heading(definition, entry["key"], headings, aim, waves) if headings else "",
            buttons=tuple((f"{entry['key']}:{way}", str(name)) for way, name in ways),
        )


def _guess_about_one(aim: Aim, keys: Sequence[str], one: str) -> dict[str, int]:
    """Return the share of *at least one*, in ten-thousandths, if answers of a part have guesses.

    It is between the largest guess and the sum of all. Of these shares, the one nearest to a half has the
    widest interval.
    """
    guesses = [aim.shares[key] for key in keys if key in aim.shares]
    if not guesses:
        return {}
    least = max(guesses)
    most = SCALE if len(guesses) < len(keys) else min(sum(guesses), SCALE)
    return {one: min(max(SCALE // 2, least), most, SCALE - 1)}


def _part_title(definition: Definition, entry: Mapping[str, Any], texts: Mapping[str, str]) -> str:
    """Return the title of a part, with its first question if another part has the same title.

    A list is named by the text above it. The plan page does not number parts, so a part without a title is
    named by its questions, whose texts are given by key.
    """
    key, first = next(iter(texts.items()))
    document = definition.document
    titles = [text_in(own_title(each, document)) for each in document["blocks"]]
    title = text_in(own_title(entry, document))
    stem = next(text_in(stem_text(document, each)) for each in entry["questions"] if each["key"] == key)
    if stem or not title:
        return stem or quote_names([short_text(text) for text in texts.values()])
    return answer_text(title, short_text(first)) if titles.count(title) > 1 else title


def _planned(document: Mapping[str, Any], aim: Aim, waves: Sequence[WaveLine]) -> Plan | None:
    """Return the plan of a changed draft; None if there is none."""
    changed = definition_without_texts(dict(document))
    return None if changed is None else plan(changed, aim.within(changed.design), waves=waves)


def _by_heading(
    definition: Definition, part: str, headings: Sequence[Heading], aim: Aim, waves: Sequence[WaveLine]
) -> str:
    """Say what one answer for each heading of a part gives, with the largest of their margins."""
    keys = [key for heading in headings for key in heading.keys]
    document, _first = with_each_heading(definition.document, part, protection=aim.protection, keys=keys)
    after = _planned(document, aim, waves)
    before = {question.key for question in definition.design.questions}
    widths = [width for key, width in (after.use.widths.items() if after else ()) if key not in before]
    names = list_text(f"“{text_in(heading.title)}”" for heading in headings)
    if not widths:
        return _("Headings: %(names)s.") % {"names": names}
    return _("Headings: %(names)s. One answer for each: up to ±%(points)s points.") % {
        "names": names,
        "points": points(max(widths)),
    }


def made_up_tables(definition: Definition) -> dict[str, MadeUpTable]:
    """Return three made-up people for each composite question of a draft, by key.

    Parameters
    ----------
    definition : Definition
    """
    options = options_of(definition.design)
    return {
        question.key: made_up_table(question.computed, wording, options)
        for block, part in zip(definition.design.blocks, definition.wording["blocks"], strict=True)
        for question, wording in zip(block.questions, part["questions"], strict=True)
        if question.computed is not None
    }


def options_of(design: Design) -> dict[str, tuple[str, ...]]:
    """Return the keys of the answers of each question with one answer.

    Parameters
    ----------
    design : Design
    """
    return {question.key: question.options or YES_NO for question in design.questions}


def with_stars(aim: Aim, document: Mapping[str, Any]) -> Aim:
    """Return an aim whose stars on components are on their answers: on yes, or on the highest level.

    Parameters
    ----------
    aim : Aim
    document : mapping
        A draft after a press.
    """
    answers = {}
    for entry in document["blocks"]:
        for question in entry["questions"]:
            options = question.get("options") or ()
            starred = f"{question['key']}={options[-1]['key']}" if options else question["key"]
            for component in question.get(COMPUTED, {}).get(COMPONENTS, ()):
                answers[component["key"]] = starred
    wanted = (answers.get(item.partition("=")[0], item) for item in aim.wanted)
    return replace(aim, wanted=tuple(dict.fromkeys(wanted)))


def pressed(
    document: Mapping[str, Any], values: Mapping[str, str], *, protection: Protection
) -> tuple[dict[str, Any], str] | None:
    """Return the draft after a press, and what to say; None if no button of this part was pressed.

    Parameters
    ----------
    document : mapping
    values : mapping
        Of the form: ``one_answer`` is "part:way" or "part:at_least:2", ``each`` the key of a question.
    protection : Protection

    Raises
    ------
    SurveyError
        As for `with_one_answer` and `with_each_answer`.
    """
    if key := values.get("each", ""):
        done = _("Devices send each answer again. The draft keeps the rule.")
        return with_each_answer(document, key, protection=protection), done
    if not (value := values.get("one_answer", "")):
        return None
    part, _colon, way = value.partition(":")
    keys = pooled_keys(document["blocks"][part_number(document, part)])
    if way == HALVES:
        changed, key = with_two_halves(document, part, protection=protection, keys=keys)
        return changed, _("Devices send two halves for this part. Results give their reliability.")
    if way == EACH_HEADING:
        changed, key = with_each_heading(document, part, protection=protection, keys=keys)
        return changed, _("Devices send one answer for each heading. Answer names are those of the headings.")
    way, _colon, least = way.partition(":")
    changed, key = with_one_answer(
        document,
        part,
        way,
        protection=protection,
        keys=keys,
        least=int(least) if least.isdecimal() else 1,
    )
    return changed, _(
        "Saved. Devices send one answer for these questions. To undo this, use “Send each answer again” "
        "below."
    )
