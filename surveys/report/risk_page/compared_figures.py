"""The figures of a survey as planned, next to those observed in its answers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext as _

from privacy.planning.shortfalls import LIMITS
from privacy.risk.promise import Promise
from surveys.formats.numbers import count_text
from surveys.questionnaire.promise_words import promise_to, stated_promises, sure_at, sure_of_100
from surveys.questionnaire.unique_words import most_unique_text, people_text
from surveys.questionnaire.use_words import points
from surveys.report.risk_page.planned_use import aim_of, planned_use
from surveys.report.risk_page.unique_people import unique_people
from surveys.runs.audit import AuditedSurvey


@dataclass(frozen=True, kw_only=True)
class ComparedFigure:
    """One figure as planned, and as observed in the answers.

    Attributes
    ----------
    name : str
    planned, observed : str
        `observed` is empty before the first results.
    exceeds : bool
        Whether it is worse than planned, after rounding.
    """

    name: str
    planned: str
    observed: str = ""
    exceeds: bool = False


def compared_figures(subject: AuditedSurvey) -> list[ComparedFigure]:
    """Return the figures as planned and as observed."""
    is_answered = subject.run is not None
    limits = [
        ComparedFigure(
            name=_("%(figure)s, lightly disguised") % {"figure": name} if direct else name,
            planned=sure_at(odds),
            observed=sure_at(odds) if is_answered else "",
        )
        for direct in (False, True)
        if (bound := promise_to(subject.design, direct=direct)) is not None
        for name, odds in (
            (_("How sure someone can become from one disguised answer"), bound.answer),
            *_further_figures(bound),
            (_("How sure someone can become from everything one device sends"), bound.everything),
        )
    ]
    return [
        ComparedFigure(
            name=_("Respondents"),
            planned=people_text(float(people)) if (people := aim_of(subject).people) else _("not stated"),
            observed=people_text(subject.audit.n or 0) if is_answered else "",
        ),
        *limits,
        *_compare_waves(subject),
        *_compare_unique(subject),
        *_precision(subject),
    ]


def _further_figures(bound: Promise) -> Iterator[tuple[str, Fraction]]:
    if bound.skip is not None:
        yield _("How sure someone can become that a person skipped, from the skip alone"), bound.skip
    if bound.shared is not None:
        yield _("How sure someone can become of a question on which several answers depend"), bound.shared


def _compare_waves(subject: AuditedSurvey) -> Iterator[ComparedFigure]:
    """Yield how sure someone can become from all waves of the series, for the strength that reveals most."""
    stated = stated_promises(subject.version)
    held = stated.get("light") or stated["whole"] or {}
    if waves := held.get("waves"):
        sure = sure_of_100(waves["of_100"])
        name = _("How sure someone can become from everything sent in all %(count)s surveys of the series")
        yield ComparedFigure(
            name=name % {"count": count_text(waves["count"])},
            planned=sure,
            observed="" if subject.run is None else sure,
        )


def _compare_unique(subject: AuditedSurvey) -> Iterator[ComparedFigure]:
    before, after = unique_people(subject.plan_audit), unique_people(subject.audit)
    people = subject.plan_audit.n
    has_open, has_sets = bool(subject.audit.open.questions), subject.design.rotates
    if not has_open and not has_sets:
        return
    yield ComparedFigure(
        name=_("People with a unique combination of unprotected answers and questions asked")
        if has_open and has_sets
        else _("People with unique unprotected answers")
        if has_open
        else _("People who are asked a unique set of questions"),
        planned=_("not stated")
        if before is None or people is None
        # Real answers are uneven, so the number for even ones is no bound.
        else _("on average at most %(count)s") % {"count": most_unique_text(subject.design, people)}
        if has_open
        else people_text(before),
        observed=people_text(after) if subject.run is not None and after is not None else "",
    )


def _half_width_text(half_width: float) -> str:
    """Format a half-width, and say if it is too wide for a plan."""
    figure = _("±%(points)s points") % {"points": points(half_width)}
    if LIMITS["share"].is_refused(half_width):
        return _("%(figure)s, too wide to be useful") % {"figure": figure}
    return figure


def _precision(subject: AuditedSurvey) -> Iterator[ComparedFigure]:
    """Yield the precision of shares and the detectable difference; the columns differ only in n."""
    planned, observed = planned_use(subject), planned_use(subject, n=subject.audit.n if subject.run else None)
    known = planned or observed
    if known is None:
        return
    wanted = known.aim.wanted
    if known.wanted_half_width is not None:
        is_one = len(wanted) == 1 and wanted[0] in known.half_widths
        yield _compare_figure(
            subject,
            _("Margin of error of the starred share") if is_one else _("Widest margin of error of a share"),
            planned.wanted_half_width if planned else None,
            observed.wanted_half_width if observed else None,
            _half_width_text,
        )
    if known.power is not None:
        yield _compare_figure(
            subject,
            _("Difference detected 8 times in 10"),
            (planned.difference or 1.0) if planned else None,
            (observed.difference or 1.0) if observed else None,
            lambda share: (
                _("none")
                if share == 1
                else _("%(points)s points") % {"points": math.ceil(100 * share - 1e-6)}
            ),
        )


def _compare_figure(
    subject: AuditedSurvey,
    name: str,
    planned: float | None,
    observed: float | None,
    write: Callable[[float], str],
) -> ComparedFigure:
    """Compare two figures; the planned one is None if no number of people was stated."""
    is_answered = subject.run is not None and observed is not None
    texts = (
        _("not stated") if planned is None else write(planned),
        write(observed) if is_answered and observed is not None else "",
    )
    exceeds = is_answered and planned is not None and observed is not None and observed > planned
    return ComparedFigure(
        name=name, planned=texts[0], observed=texts[1], exceeds=exceeds and texts[0] != texts[1]
    )
