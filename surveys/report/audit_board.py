"""Privacy risks in brief: worst case, remaining risk, what the survey can find, planned and observed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from privacy.planning.use import Use, use_of
from privacy.risk.budget import block_budget
from privacy.risk.promise import promise
from privacy.risk.report import Audit
from surveys.embed.taking_in import was_collected_elsewhere
from surveys.questionnaire.aim import Aim, promise_sentence, promise_to, sure_at
from surveys.questionnaire.use_words import item_names, points, use_sentences
from surveys.runs.audit import AuditedSurvey


@dataclass(frozen=True, kw_only=True)
class ComparedFigure:
    """One figure as planned, and as it is with the answers that came.

    Attributes
    ----------
    name : str
    planned, observed : str
        `observed` is empty before the first results.
    exceeds : bool
        Whether it is worse than planned, as far as it is printed.
    """

    name: str
    planned: str
    observed: str = ""
    exceeds: bool = False


def worst_case(audited: AuditedSurvey) -> list[str]:
    """Return how sure an adversary can become at most: the respondents' own sentence, by strength."""
    if not any(block.protected for block in audited.design.blocks):
        return [_("This survey disguises no question. Nothing limits what others can learn.")]
    sentences = list(_limit(audited, _("Respondents see: “%(promise)s”"), direct=False))
    if audited.design.has_two_strengths:
        sentences += _limit(audited, _("Respondents with the light disguise see: “%(promise)s”"), direct=True)
    elif audited.design.sends_undisguised:
        sentences.append(_("Respondents who answer without a disguise are not protected: see point 4."))
    return sentences


def _limit(audited: AuditedSurvey, respondents_read: str, *, direct: bool) -> Iterator[str]:
    """Yield the respondents' own figure: the posterior of 50:50 after all disguised answers of one person."""
    own = audited.design.in_group(direct=direct)
    odds = None if own is None else promise(own)
    if odds is None:
        bounds = [block_budget(block) for block in (own or audited.design).blocks if block.protected]
        yield (
            _("Only sensitive areas of a place are disguised. Their limit is below.")
            if own is not None and all(bound.exact_outside for bound in bounds)
            else _("Nothing limits how sure others can become.")
        )
        return
    yield respondents_read % {"promise": promise_sentence(odds)}
    if odds.not_composed:
        yield _("This excludes the place, which is disguised only in sensitive areas.")


def remaining(audited: AuditedSurvey) -> Iterator[str]:
    """Yield the risks that the disguise leaves: one answer at its likeliest, open answers, participation."""
    opened = len(audited.audit.open.questions)
    if opened:
        yield ngettext(
            "%(count)s question is not disguised: anyone who gets the data can read its answers.",
            "%(count)s questions are not disguised: anyone who gets the data can read their answers.",
            opened,
        ) % {"count": opened}
    yield _("The survey does not hide who took part.")
    if was_collected_elsewhere(audited.survey):
        yield _(
            "Another survey tool collected these answers. It knows who sent each disguised answer, and when."
        )


def bought(audited: AuditedSurvey) -> list[str]:
    """Return the planned findings for this risk, and their assumptions."""
    aim, use = _aim(audited), _use(audited)
    sentences = use_sentences(use, item_names(audited, aim.labels))
    if not audited.version.aim:
        sentences.append(
            _("The researcher did not say how many people will answer, so Sottovoce assumes this number.")
        )
    if use.half_widths:
        sentences.append(
            _(
                "This assumes that as many people answer, and that answers are as common as the researcher "
                "expects."
            )
            if aim.shares
            else _("This assumes that as many people answer, and that all answers are equally common.")
        )
    return sentences


def compared_figures(audited: AuditedSurvey) -> list[ComparedFigure]:
    """Return the same figures twice: as planned, and with the answers that came."""
    is_answered = audited.run is not None
    people = float(_aim(audited).people)
    limits = [
        (_("%(figure)s, lightly disguised") % {"figure": name} if direct else name, sure_at(odds))
        for direct in (False, True)
        if (made := promise_to(audited.design, direct=direct)) is not None
        for name, odds in (
            (_("How sure someone can become from one disguised answer"), made.answer),
            (_("How sure someone can become from everything one device sends"), made.everything),
        )
    ]
    return [
        ComparedFigure(
            name=_("Respondents"),
            planned=people_text(people),
            observed=people_text(audited.audit.n or 0) if is_answered else "",
        ),
        *(
            ComparedFigure(name=name, planned=limit, observed=limit if is_answered else "")
            for name, limit in limits
        ),
        *_unique(audited),
        *_precision(audited),
    ]


def unique_people(audit: Audit) -> float | int | None:
    """Return how many people are unique by their undisguised answers and the questions that they were asked.

    A whole number was counted. Any other is expected if all these answers are equally common, so it is the
    least that can be expected where there are such answers. None where no one can be unique.
    """
    if audit.own is not None:
        people = audit.own.share * audit.own.n
        return round(people) if audit.own.counted else people
    if not audit.open.questions:
        return None
    return audit.open.expected_unique if audit.open.unique is None else audit.open.unique


def _unique(audited: AuditedSurvey) -> Iterator[ComparedFigure]:
    before, after = unique_people(audited.planned), unique_people(audited.audit)
    if before is None or after is None:
        return
    opened, asked = bool(audited.audit.open.questions), audited.audit.own is not None
    yield ComparedFigure(
        name=_("People with a unique combination of unprotected answers and questions asked")
        if opened and asked
        else _("People with unique unprotected answers")
        if opened
        else _("People who are asked a unique set of questions"),
        # Uneven answers make more people unique, so no number is promised.
        planned=_("at least %(count)s") % {"count": f"{math.floor(before):,}"}
        if opened
        else people_text(before),
        observed=people_text(after) if audited.run is not None else "",
    )


def people_text(count: float) -> str:
    """Write a number of people: of a guess "about", of a count as it is."""
    if isinstance(count, int):
        return f"{count:,}"
    return _("fewer than 1") if count < 1 else _("about %(count)s") % {"count": f"{count:,.0f}"}


def _within(half_width: float) -> str:
    """Write a half-width; one of half of all that is possible says nothing of a share."""
    if half_width >= 0.5:
        return _("too few people to say")
    return _("±%(points)s points") % {"points": points(half_width)}


def _precision(audited: AuditedSurvey) -> Iterator[ComparedFigure]:
    """Yield the precision of shares, and the difference that is found: by n alone, at the same guesses."""
    planned, observed = _use(audited), _use(audited, n=audited.audit.n if audited.run else None)
    half_widths = planned.wanted_half_width, observed.wanted_half_width
    if half_widths[0] is not None and half_widths[1] is not None:
        yield _compared(
            audited,
            _("Margin of error of shares"),
            half_widths[0],
            half_widths[1],
            _within,
        )
    if planned.power is not None:
        yield _compared(
            audited,
            _("Difference detected 8 times in 10"),
            planned.difference or 1.0,
            observed.difference or 1.0,
            lambda share: (
                _("none")
                if share == 1
                else _("%(points)s points") % {"points": math.ceil(100 * share - 1e-6)}
            ),
        )


def _compared(
    audited: AuditedSurvey, name: str, planned: float, observed: float, write: Callable[[float], str]
) -> ComparedFigure:
    texts = write(planned), write(observed) if audited.run is not None else ""
    return ComparedFigure(
        name=name,
        planned=texts[0],
        observed=texts[1],
        exceeds=audited.run is not None and observed > planned and texts[0] != texts[1],
    )


def assumptions(audited: AuditedSurvey) -> Iterator[str]:
    """Yield the assumptions, each for the figures that need it."""
    yield _("“At most” means: guaranteed by the design, whatever people answer.")
    yield _("We assume that someone starts at 50:50. Someone who is already surer also ends surer.")
    yield (
        _("“About” means: assuming this many people, and answers as common as the researcher expects.")
        if audited.run is None
        else _(
            "“About” means: assuming that answers are as common as they turned out. The planned "
            "values are shown for comparison."
        )
    )
    if audited.design.sends_undisguised or audited.audit.open.questions:
        yield _("We assume that everyone knows the answers that are not disguised.")
    yield _("We assume that the page works as described, and that no one watches the screen.")


def _aim(audited: AuditedSurvey) -> Aim:
    document = audited.version.aim
    aim = Aim.from_json(document) or Aim(people=Aim.people_of(document))
    return aim.within(audited.design)


def _use(audited: AuditedSurvey, *, n: int | None = None) -> Use:
    aim = _aim(audited)
    return use_of(audited.design, aim if n is None else replace(aim, people=n))
