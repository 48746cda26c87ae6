"""The risk in words, for an ethics board: five adversaries, and each part's own limit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from privacy.risk import Audit
from privacy.risk.budget import block_budget
from privacy.risk.report import StrengthAudit
from privacy.risk.scale_rows import max_posterior
from privacy.risk.sentences import number
from privacy.risk.whole_odds import whole_odds
from privacy.survey.design import Block, Design
from surveys.analysis.audit.audited_survey import AuditedSurvey
from surveys.questionnaire.certainty import at_most, certainty_at, certainty_of, certainty_of_one
from surveys.questionnaire.labels import Labels, labels_of
from surveys.questionnaire.languages import text_in

__all__ = ["PartLine", "Point", "expert_figures", "part_lines", "points_of", "rests_on"]


@dataclass(frozen=True, kw_only=True)
class Point:
    """An adversary, and what they can learn."""

    title: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class PartLine:
    """One part of a survey, and the largest posterior of an even prior from its answers.

    Attributes
    ----------
    title : str
    questions : int
    sent : str
        Whether it is disguised.
    strong, light : str
        Of people who are strongly and lightly disguised; empty where no limit is told.
    per_person : int or None
        How many of its questions each person is asked; None for all of them.
    one, light_one : str
        The same by one answer to one of its questions; empty where it has one question.
    """

    title: str
    questions: int
    sent: str
    strong: str
    light: str
    per_person: int | None
    one: str
    light_one: str


def points_of(one: AuditedSurvey) -> tuple[Point, ...]:
    """Return the five points in the language of the page."""
    labels = labels_of(one.version, one.design)
    has_light = one.design.has_two_strengths
    return (
        Point(title=_("A thief or the police get all data"), sentences=tuple(_thief(one, labels))),
        Point(title=_("A colleague who knows some of the answers"), sentences=tuple(_colleague(one))),
        Point(title=_("Somebody who already suspects a person"), sentences=tuple(_suspicion(one))),
        Point(
            title=_("People who are lightly disguised")
            if has_light or not one.design.sends_undisguised
            else _("People who answer without a disguise"),
            sentences=tuple(_others(one)),
        ),
        Point(title=_("That somebody took part"), sentences=tuple(_participation(one))),
    )


def part_lines(one: AuditedSurvey) -> tuple[PartLine, ...]:
    """Return a line for each part."""
    language = get_language() or "en"
    titles = [text_in(block.get("title"), language) for block in one.version.wording["blocks"]]
    return tuple(
        PartLine(
            title=title or block.key,
            questions=len(block.questions),
            sent=_sent(block),
            strong=certainty_of(block.in_group(direct=False)),
            light=certainty_of(block.in_group(direct=True)),
            per_person=block.questions_per_person,
            one=certainty_of_one(block.in_group(direct=False)),
            light_one=certainty_of_one(block.in_group(direct=True)),
        )
        for block, title in zip(one.design.blocks, titles, strict=True)
    )


def rests_on() -> tuple[str, ...]:
    """Return the assumptions of the points."""
    return (
        _("The limits of point 3 follow from the design. They hold whatever people answer."),
        _("The page does what it says, and nobody watches the screen while somebody answers."),
    )


def expert_figures(one: AuditedSurvey) -> tuple[tuple[str, str], ...]:
    """Return name and text of the figures for experts."""
    audit = one.audit
    found = [(_("epsilon of the survey"), number(audit.epsilon))]
    if audit.light is not None:
        found.append((_("epsilon, lightly disguised"), number(audit.light.epsilon)))
    if audit.waves > 1:
        found.append((_("epsilon of the series"), number(audit.epsilon_of_waves)))
    return (*found, (_("Design"), one.version.design_id))


def _thief(one: AuditedSurvey, labels: Labels) -> Iterator[str]:
    n = {"n": f"{one.audit.n:,}"}
    if one.run is None:
        yield _("If %(n)s people answer, they get %(n)s answer sheets, without names and times.") % n
    else:
        yield _("They get %(n)s answer sheets, without names and times.") % n
    largest = _largest_posterior(one.audit)
    if largest is not None:
        key, share = largest
        yield _("From one sheet they can be %(sure)s sure of a single sensitive answer.") % {
            "sure": at_most(share)
        }
        yield _("The surest one is: %(answer)s.") % {"answer": _answer(labels, key)}
        light = None if one.audit.light is None else _largest_posterior(one.audit.light)
        if light is not None:
            yield _("From a lightly disguised sheet they can be %(sure)s sure.") % {"sure": at_most(light[1])}
        yield (
            _("This counts on answers as common as the researcher expects, which do not hang together.")
            if one.run is None
            else _("This counts on answers as common as they turned out, which do not hang together.")
        )
    yield from _scales(one)
    opened = len(one.audit.open.questions)
    if opened:
        yield ngettext(
            "They can read the answers to %(count)s question that is not disguised.",
            "They can read the answers to %(count)s questions that are not disguised.",
            opened,
        ) % {"count": opened}
    if one.design.sends_undisguised:
        yield _("They can read all answers of the people in point 4.")


def _largest_posterior(audit: Audit | StrengthAudit) -> tuple[str, float] | None:
    """Return the protected item of which one row can make largest, also beside open answers, and how sure."""
    found = [(item.key, item.worst) for item in audit.items]
    found += [(cell.worst_item, cell.posterior) for block in audit.blocks for cell in block.cells]
    return max(found, key=lambda pair: pair[1], default=None)


def _answer(labels: Labels, key: str) -> str:
    label = next(item for item in labels.items if item.key == key)
    return f"“{label.text}” {label.answer}"


def _scales(one: AuditedSurvey) -> Iterator[str]:
    """Yield how sure one row can make of the very number or place."""
    language = get_language() or "en"
    texts = {block["key"]: block["questions"][0]["text"] for block in one.version.wording["blocks"]}
    for part in one.audit.lone:
        question = {"question": text_in(texts[part.key], language)}
        if part.apart:
            yield (
                _("The place of “%(question)s” is usually sent as it is outside of its sensitive areas.")
                % question
            )
        elif part.rows is not None:
            sure = question | {"sure": at_most(part.rows.highest)}
            yield _("Of the exact answer to “%(question)s” they can be %(sure)s sure.") % sure
        else:
            sure = question | {"sure": at_most(_of_one_answer(one.design, part.question))}
            yield (
                _("If all answers to “%(question)s” are equally common, they can be %(sure)s sure of one.")
                % sure
            )


def _of_one_answer(design: Design, key: str) -> float:
    """Return the largest posterior of a number or place, all of them held for equally likely."""
    disguise = next(question.disguise for question in design.questions if question.key == key)
    if disguise is None:
        raise TypeError("the question brings no disguise of its own")
    best, chances = max_posterior(disguise, np.full(disguise.inputs, 1 / disguise.inputs))
    return float(np.divide(best, chances, out=np.zeros_like(best), where=chances > 0).max())


def _colleague(one: AuditedSurvey) -> Iterator[str]:
    part, language = one.audit.open, get_language() or "en"
    yield from _asked_differently(one)
    if not part.questions:
        yield _("Every question is disguised. Nobody can find a sheet by answers that they know.")
        return
    texts = {
        question["key"]: text_in(question["text"], language)
        for block in one.version.wording["blocks"]
        for question in block["questions"]
    }
    count = len(part.questions)
    yield ngettext(
        "%(count)s question is not disguised: %(questions)s",
        "%(count)s questions are not disguised: %(questions)s",
        count,
    ) % {"count": count, "questions": " ".join(f"“{texts[key]}”" for key in part.questions)}
    n = f"{one.audit.n:,}"
    if part.unique is not None:
        yield (
            _("Of %(n)s people, %(alone)s gave answers that nobody else gave.")
            % {"n": n, "alone": f"{part.unique:,}"}
            if part.unique
            else _("Of %(n)s people, nobody gave answers that nobody else gave.") % {"n": n}
        )
    elif part.expected_unique is not None:
        alone = part.expected_unique
        said = _("fewer than 1") if alone < 1 else _("about %(count)s") % {"count": f"{alone:,.0f}"}
        yield _(
            "If such answers were equally common, of %(n)s people %(alone)s would stand alone with theirs."
        ) % {"n": n, "alone": said}
        yield _("Real answers are uneven: then more people stand alone.")
    yield (
        _("Somebody who knows these answers finds the sheet of a person who stands alone.")
        if not one.design.sends_undisguised
        else _("Somebody who knows these answers finds the sheet of a person who stands alone, and "
               "reads it if that person answered without a disguise.")
    )  # fmt: skip
    if any(block.protected for block in one.design.blocks):
        yield _("The disguised answers on it stay disguised: see point 3.")


def _asked_differently(one: AuditedSurvey) -> Iterator[str]:
    """Yield who could be found by what they were asked."""
    own = one.audit.own
    if own is None:
        return
    yield _("Chance decides who is asked which questions. Each sheet shows which ones these were.")
    alone = own.share * own.n
    if own.counted:
        yield _("Of %(n)s people, %(alone)s have a sheet that no other sheet is like in this.") % {
            "n": f"{own.n:,}",
            "alone": f"{alone:,.0f}",
        }
    else:
        said = _("fewer than 1") if alone < 1 else _("about %(count)s") % {"count": f"{alone:,.0f}"}
        yield _("Of %(n)s people, %(alone)s would have a sheet that no other sheet is like in this.") % {
            "n": f"{own.n:,}",
            "alone": said,
        }
    yield _("Somebody who saw the questions on the screen could find that sheet.")


def _suspicion(one: AuditedSurvey) -> Iterator[str]:
    if not any(block.protected for block in one.design.blocks):
        yield _("No question of this survey is disguised. Nothing limits what they can learn.")
        return
    yield _("They hold a suspicion for 50:50, and know which sheet is that person’s.")
    yield from _whole(one, direct=False)
    if one.audit.waves > 1:
        yield _(
            "If the same person answered all %(waves)s surveys of the series, they can become %(sure)s sure."
        ) % {"waves": one.audit.waves, "sure": certainty_at(one.audit.epsilon_of_waves)}


def _whole(one: AuditedSurvey, *, direct: bool) -> Iterator[str]:
    """Yield the respondents' own figure: an even chance after all disguised answers of one person."""
    law = one.design.in_group(direct=direct)
    odds = None if law is None else whole_odds(law)
    if odds is None:
        bounds = [block_budget(block) for block in (law or one.design).blocks if block.protected]
        yield (
            _("Only sensitive areas of a place are disguised: their limit stands below, part by part.")
            if law is not None and all(bound.exact_outside for bound in bounds)
            else _("Nothing limits how sure they can become.")
        )
        return
    if odds.of_100 is not None:
        yield _("All disguised answers of the person together can make them at most %(of_100)s %% sure.") % {
            "of_100": odds.of_100
        }
    else:
        yield _(
            "All disguised answers of the person together can make them so sure that they are wrong only "
            "once in %(times)s times."
        ) % {"times": f"{odds.once_in:,}"}
    if odds.not_composed:
        yield _("This is about all but the place, of which only sensitive areas are disguised.")


def _others(one: AuditedSurvey) -> Iterator[str]:
    group, design = one.audit.group, one.design
    if not design.has_two_strengths and not design.sends_undisguised:
        yield _("There are none: everybody is disguised alike.")
        return
    if group.n_direct is not None and group.n_protected is not None:
        yield _("They are %(count)s of %(n)s people.") % {
            "count": f"{group.n_direct:,}",
            "n": f"{group.n_direct + group.n_protected:,}",
        }
    elif group.policy == "assigned":
        yield _("Chance makes %(share)s of 100 people one of them.") % {
            "share": f"{100 * (group.direct_share or 0):g}"
        }
    else:
        yield _("Everybody chooses whether to be one of them.")
    if design.has_two_strengths:
        yield _("Somebody holds a suspicion for 50:50, and knows which sheet is that person’s.")
        yield from _whole(one, direct=True)
    else:
        yield _("Their answers are stored as they give them. Whoever gets the data can read them.")
    if group.flag:
        yield _("Which way somebody chose can be read. To choose more protection can look suspicious.")


def _participation(one: AuditedSurvey) -> Iterator[str]:
    yield _("It is not hidden. Whoever watches the network or the phone can see it.")
    if one.survey.by_invitation:
        yield _("Whoever knows which code somebody got can see whether it was used.")


def _sent(block: Block) -> str:
    if not block.protected:
        return _("sent as it is")
    return _("disguised in sensitive areas only") if block_budget(block).exact_outside else _("disguised")
