"""The privacy risk page for an ethics board, and the audits of a draft and of a run."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from privacy.planning.shortfalls import LIMITS
from privacy.planning.use import Use, use_of
from privacy.risk import Audit
from privacy.risk.budget import block_budget, percent
from privacy.risk.open_answers import question_sets
from privacy.risk.promise import Promise
from privacy.risk.report import ScaleAudit
from surveys.accounts.permissions import get_survey_for_builder, staff_page
from surveys.errors.error import SurveyError
from surveys.formats.figures import count_text
from surveys.formats.files import attachment
from surveys.models import PublishOverride, Survey
from surveys.questionnaire.aim import (
    Aim,
    certainty_at,
    promise_sentence,
    promise_to,
    stated_in_words,
    stated_promises,
    sure_at,
    sure_of_100,
)
from surveys.questionnaire.checks.check import exceeds_recommended
from surveys.questionnaire.draft_reading import draft_read
from surveys.questionnaire.labels import about_names, about_texts, asked_parts, question_names
from surveys.questionnaire.series import promises_to_publish, understatements_of
from surveys.questionnaire.use_words import (
    condition_sentences,
    item_names,
    most_unique_text,
    people_text,
    points,
    unique_sentence,
    use_sentences,
)
from surveys.report.opened_run import OpenedRun, process_share_form, results_file, results_page
from surveys.runs.audit import AuditedSurvey, audit_draft, audit_of_run, audited_survey
from surveys.runs.look import file_mark, look_record
from surveys.runs.safeguards import file_event


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


def worst_case(subject: AuditedSurvey) -> list[str]:
    """Return how sure an adversary can become at most, by strength, in the sentence that respondents see."""
    if not any(block.protected for block in subject.design.blocks):
        return [_("This survey disguises no question. Nothing limits what others can learn.")]
    stated = stated_promises(subject.version)
    sentences = [] if subject.is_draft else understatements_of(subject.survey)
    sentences += list(_limit(subject, stated["whole"], _("Respondents see: “%(promise)s”"), direct=False))
    if subject.design.has_two_strengths:
        light = _("Respondents with the light disguise see: “%(promise)s”")
        sentences += _limit(subject, stated["light"], light, direct=True)
    elif subject.design.sends_undisguised:
        sentences.append(_("Respondents who answer without a disguise are not protected: see point 4."))
    return sentences


def _limit(
    subject: AuditedSurvey, stated: Mapping[str, Any] | None, respondents_read: str, *, direct: bool
) -> Iterator[str]:
    """Yield the promise that respondents see: the posterior from 50:50 after all their disguised answers."""
    if stated is None:
        own = subject.design.in_group(direct=direct)
        bounds = [block_budget(block) for block in (own or subject.design).blocks if block.protected]
        yield (
            _("Only sensitive areas of a place are disguised. Their limit is below.")
            if own is not None and all(bound.exact_outside for bound in bounds)
            else _("Nothing limits how sure others can become.")
        )
        return
    yield respondents_read % {"promise": promise_sentence(stated)}
    if stated["not_composed"]:
        yield _("This excludes the place, which is disguised only in sensitive areas.")


def remaining(subject: AuditedSurvey) -> Iterator[str]:
    """Yield the risks that the disguise does not cover: open answers, participation, other survey tools."""
    n_open = len(subject.audit.open.questions)
    if n_open:
        yield ngettext(
            "%(count)s question is not disguised: anyone who gets the data can read its answers.",
            "%(count)s questions are not disguised: anyone who gets the data can read their answers.",
            n_open,
        ) % {"count": count_text(n_open)}
    yield _("The survey does not hide who took part.")
    if file_event(subject.survey):
        yield _(
            "Another survey tool collected these answers. It knows who sent each disguised answer, and when."
        )


def plan_sentences(subject: AuditedSurvey, *, n: int | None = None) -> list[str]:
    """Return what the survey can show with n answers, or as many as are planned, and the assumptions."""
    use = planned_use(subject, n=n)
    if use is None:
        return [
            _(
                "The researcher did not say how many people will answer, so we cannot work out what the "
                "survey can show. The plan page asks for this number."
            )
        ]
    aim = _aim(subject)
    sentences = use_sentences(use, item_names(subject, aim.labels)) + condition_sentences(subject.design)
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
            *_skip_figure(bound),
            (_("How sure someone can become from everything one device sends"), bound.everything),
        )
    ]
    return [
        ComparedFigure(
            name=_("Respondents"),
            planned=people_text(float(people)) if (people := _aim(subject).people) else _("not stated"),
            observed=people_text(subject.audit.n or 0) if is_answered else "",
        ),
        *limits,
        *_compare_waves(subject),
        *_compare_unique(subject),
        *_precision(subject),
    ]


def _skip_figure(bound: Promise) -> Iterator[tuple[str, Fraction]]:
    if bound.skip is not None:
        yield _("How sure someone can become that a person skipped, from the skip alone"), bound.skip


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


def unique_people(audit: Audit) -> float | int | None:
    """Return how many people are unique by their undisguised answers and the questions that they were asked.

    An integer was counted. A float is the expected number if all these answers are equally common; it is no
    bound, see `privacy.risk.open_answers.most_unique_of_design`. None if no one can be unique, or if the
    number of people is unknown.
    """
    if audit.own is not None:
        people = audit.own.share * audit.own.n
        return round(people) if audit.own.counted else people
    if not audit.open.questions:
        return None
    return audit.open.expected_unique if audit.open.unique is None else audit.open.unique


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


def assumptions(subject: AuditedSurvey) -> Iterator[str]:
    """Yield the assumptions behind the figures of this page."""
    yield _("The design guarantees “at most” figures, whatever people answer.")
    yield _("We assume that someone starts at 50:50. Someone who is surer to begin with ends up surer.")
    yield (
        _("“About” figures assume this many people, and answers as common as the researcher expects.")
        if subject.run is None
        else _(
            "“About” figures assume that answers are as common as this survey found. The planned values "
            "are shown for comparison."
        )
    )
    if subject.design.sends_undisguised or subject.audit.open.questions:
        yield _("We assume that everyone knows the answers that are not disguised.")
    yield _("We assume that the page works as described, and that no one watches the screen.")


def _aim(subject: AuditedSurvey) -> Aim:
    """Return the aim; without one, the default one with 0 people."""
    return (Aim.from_json(subject.version.aim) or Aim(people=0)).within(subject.design)


def planned_use(subject: AuditedSurvey, *, n: int | None = None) -> Use | None:
    """Return the expected precision with n answers, or with as many as are planned; None if unknown."""
    aim = _aim(subject)
    aim = aim if n is None else replace(aim, people=n)
    return use_of(subject.design, aim) if aim.people else None


_SHARED: Final = 2
"""Least number of people per set of questions for the page to say that each set is shared."""


def points_of(subject: AuditedSurvey) -> list[tuple[str, list[str]]]:
    """Return the five adversaries, and what each can learn, in the language of the page."""
    names_undisguised = subject.design.sends_undisguised and not subject.design.has_two_strengths
    return [
        (_("A thief or the police get all data"), list(_thief(subject))),
        (_("A colleague who knows some of the answers"), list(_colleague(subject))),
        (_("Someone who already suspects a person"), list(_suspicion(subject))),
        (
            _("People who answer without a disguise")
            if names_undisguised
            else _("People who are lightly disguised"),
            list(_others(subject)),
        ),
        (_("Taking part"), list(_participation(subject))),
    ]


def _thief(subject: AuditedSurvey) -> Iterator[str]:
    n = {"n": count_text(subject.audit.n or 0)}
    if not subject.audit.n:
        yield _("They get one answer sheet for each person, without names or times.")
    elif subject.run is None:
        yield _("If %(n)s people answer, they get %(n)s answer sheets, without names or times.") % n
    else:
        yield _("They get %(n)s answer sheets, without names or times.") % n
    if any(block.protected for block in subject.design.blocks):
        yield _("The worst case above says how sure one answer, or a whole sheet, can make them.")
    yield from _places(subject)
    n_open = len(subject.audit.open.questions)
    if n_open:
        yield ngettext(
            "They can read the answers to %(count)s question that is not disguised.",
            "They can read the answers to %(count)s questions that are not disguised.",
            n_open,
        ) % {"count": count_text(n_open)}
    if subject.design.sends_undisguised:
        yield _("They can read all answers of the people in point 4.")


def _texts(subject: AuditedSurvey) -> dict[str, str]:
    """Return the text of each question by its key."""
    return {name.key: name.text for name in question_names(subject.version, subject.design)}


def _places(subject: AuditedSurvey) -> Iterator[str]:
    """Describe the places that are disguised only in sensitive areas."""
    texts = _texts(subject)
    for part in subject.audit.lone:
        if part.apart:
            yield _(
                "The place of “%(question)s” is usually sent undisguised outside its sensitive areas."
            ) % {"question": texts[part.question]}
            yield _("Between two places inside them, someone who starts at 50:50 becomes %(sure)s sure.") % {
                "sure": certainty_at(part.epsilon)
            }


def _colleague(subject: AuditedSurvey) -> Iterator[str]:
    keys = subject.audit.open.questions
    yield from _asked_differently(subject)
    if not (keys or subject.design.sends_undisguised or any(part.apart for part in subject.audit.lone)):
        yield _("Every question is disguised. No one can find a sheet by the answers they know.")
        return
    if keys:
        texts = _texts(subject)
        yield ngettext(
            "%(count)s question is not disguised: %(questions)s",
            "%(count)s questions are not disguised: %(questions)s",
            len(keys),
        ) % {"count": count_text(len(keys)), "questions": " ".join(f"“{texts[key]}”" for key in keys)}
        yield from _unique(subject)
    yield (
        _(
            "Someone who knows the answers of a person with unique answers can find that person’s sheet."
        )
        if not subject.design.sends_undisguised
        else _("Someone who knows the answers of a person with unique answers can find that "
               "sheet, and read it if the person answered without a disguise.")
    )  # fmt: skip
    if any(block.protected for block in subject.design.blocks):
        yield _("The disguised answers on it remain disguised: see point 3.")


def _asked_differently(subject: AuditedSurvey) -> Iterator[str]:
    """Say how many people could be recognised by the questions that they were asked."""
    own = subject.audit.own
    if not subject.design.rotates:
        return
    yield _("Each person is asked a random selection of questions. Each sheet shows which ones.")
    sets, rarest = question_sets(subject.design)
    if own is None:
        yield _("There are %(sets)s sets of questions.") % {"sets": count_text(sets)}
        return
    people = float(rarest * own.n)
    alone = people_text(unique_people(subject.audit) or 0)
    figures = {
        "sets": count_text(sets),
        "n": count_text(own.n),
        "people": people_text(people),
        "alone": alone,
    }
    if people >= _SHARED:
        yield _("There are %(sets)s sets of questions. Of %(n)s people, %(people)s share each set.") % figures
    else:
        yield _("There are %(sets)s sets of questions for %(n)s people, so few people share a set.") % figures
    if not subject.audit.open.questions:
        yield _("Of %(n)s people, %(alone)s are asked a set that no one else is asked.") % figures


def _unique(subject: AuditedSurvey) -> Iterator[str]:
    """Say how many people have a unique combination of answers and questions asked."""
    alone, people = unique_people(subject.audit), subject.audit.n
    if alone is None or people is None:
        yield _(
            "The researcher did not say how many people will answer, so we cannot work out how many would "
            "have unique answers."
        )
        return
    figures = {"n": count_text(people), "alone": people_text(alone)}
    has_sets = subject.audit.own is not None
    if alone == 0 and isinstance(alone, int):
        yield _("All %(n)s people share their answers with someone else.") % figures
    elif isinstance(alone, int):
        yield (
            _("Among %(n)s people, %(alone)s gave answers to their questions that no one else gave.")
            if has_sets
            else _("Among %(n)s people, %(alone)s gave answers that no one else gave.")
        ) % figures
    else:
        yield unique_sentence(subject.design, people)


def _suspicion(subject: AuditedSurvey) -> Iterator[str]:
    if not any(block.protected for block in subject.design.blocks):
        yield _("This survey disguises no question. Nothing limits what others can learn.")
        return
    yield _("They start at 50:50, and know which sheet belongs to that person.")
    yield _("The worst case above shows how sure they can become.")
    if subject.audit.waves > 1 and not any(
        held and "waves" in held for held in stated_promises(subject.version).values()
    ):
        yield _(
            "If the same person answered all %(waves)s surveys of the series, they can become %(sure)s sure."
        ) % {"waves": count_text(subject.audit.waves), "sure": certainty_at(subject.audit.epsilon_of_waves)}


def _others(subject: AuditedSurvey) -> Iterator[str]:
    group, design = subject.audit.group, subject.design
    if not design.has_two_strengths and not design.sends_undisguised:
        yield _("None: everyone has the same disguise.") if design.protects else worst_case(subject)[0]
        return
    if group.n_direct is not None and group.n_protected is not None:
        yield _("They are %(count)s of %(n)s people.") % {
            "count": count_text(group.n_direct),
            "n": count_text(group.n_direct + group.n_protected),
        }
    elif group.policy == "assigned":
        yield _("%(share)s of 100 people are chosen at random for this.") % {
            "share": f"{100 * (group.direct_share or 0):g}"
        }
    else:
        yield _("Everyone chooses for themselves.")
    if design.has_two_strengths:
        yield _("Someone starts at 50:50, and knows which sheet belongs to that person.")
        yield _("The worst case above shows how sure they can become.")
    else:
        yield _("Their answers are stored as given. Anyone who gets the data can read them.")
    if group.policy == "choice":
        yield _("Anyone can see which way a person chose. Choosing more protection can look suspicious.")


def _participation(subject: AuditedSurvey) -> Iterator[str]:
    yield _("This is not hidden. Someone who watches the network or the phone can see it.")
    if subject.survey.by_invitation:
        yield _("Someone who knows which code a person got can see whether it was used.")
    if subject.design.invited:
        yield _("The code also reveals which group of the experiment that person is in.")


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def risk(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the page to the survey's builders, who can create an address to share it."""
    survey = get_survey_for_builder(request.user, slug)
    context, status = process_share_form(request, survey)
    return render(request, "audit/risk.html", risk_context(survey) | context, status=status)


def risk_context(survey: Survey) -> dict[str, Any]:
    """Return the context of the page, for staff and for shared addresses."""
    audited = audited_survey(survey)
    context: dict[str, Any] = {"survey": survey, "risk": None}
    if audited is None:
        return context
    return context | {
        "risk": audited,
        "about": _about_lines(audited),
        "worst": worst_case(audited),
        "remaining": list(remaining(audited)),
        "bought": plan_sentences(audited),
        "compared": compared_figures(audited),
        "assumptions": list(assumptions(audited)),
        "asked": asked_parts(audited.version, audited.design),
        "points": points_of(audited),
        **_protection_limits(audited),
        "override": None
        if audited.is_draft
        else PublishOverride.objects.filter(version=audited.version).first(),
    }


def _about_lines(subject: AuditedSurvey) -> list[tuple[str, str]]:
    order = ("researcher", "purpose", "ethics", "contact", "retention", "undisguised")
    texts = about_texts(subject.version)
    return [(about_names()[key], texts[key]) for key in order if texts.get(key)]


def _protection_limits(subject: AuditedSurvey) -> dict[str, Any]:
    """Return the limits of the protection that was chosen, and whether the survey exceeds them."""
    aim = _aim(subject)
    design, limits, bound = subject.design, aim.protection, promise_to(subject.design, direct=False)
    return {
        "recommended": {
            "answer": percent(limits.answer),
            "skip": percent(limits.skip),
            "everything": percent(limits.everything),
        },
        "exceeds": bound is None
        or not limits.allows(bound)
        or design.sends_undisguised
        or exceeds_recommended(design, subject.waves, aim),
    }


@staff_page
@require_safe
def draft_audit(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the audit of a survey's draft."""
    survey = get_survey_for_builder(request.user, slug)
    definition = draft_read(survey).designed
    people = Aim.people_of(survey.aim)
    context: dict[str, Any] = {
        "survey": survey,
        "audit": None,
        "expected": count_text(people) if people else "",
    }
    if definition is not None:
        context |= {
            "audit": audit_draft(survey, definition),
            "promises": stated_in_words(promises_to_publish(definition, survey)),
        }
    return render(request, "audit/draft_audit.html", context)


@results_page
def run_audit(request: HttpRequest, open_run: OpenedRun) -> HttpResponse:
    """Show the audit of a finished run."""
    run = open_run.run
    audit = audit_of_run(run)
    context: dict[str, Any] = {"run": run, "audit": None, "elsewhere": file_event(run.survey)}
    if audit is not None:
        has_areas = any(part.apart for part in audit.lone)
        context |= {"audit": audit, "scale_rows": list(_scale_rows(audit)), "has_areas": has_areas}
    return render(request, "audit/run_audit.html", context)


@results_file
def run_audit_json(_request: HttpRequest, open_run: OpenedRun) -> HttpResponse:
    """Download the audit of a finished run as JSON."""
    run = open_run.run
    audit = audit_of_run(run)
    if audit is None:
        raise SurveyError("no_audit.run")
    record: dict[str, Any] = {"run": run.pk, "survey": run.survey.slug, "look": look_record(run)}
    record["audit"] = audit.to_json()
    return attachment(JsonResponse(record), f"{run.survey.slug}-audit-{run.pk}{file_mark(run)}.json")


def _scale_rows(audit: Audit) -> Iterator[tuple[ScaleAudit, bool]]:
    """Yield each number and place question, also for lightly disguised rows; the flag marks these."""
    light = {part.question: part for part in audit.light.lone} if audit.light else {}
    for part in audit.lone:
        yield part, False
        if (other := light.get(part.question)) and other.rows:
            yield other, True


urlpatterns = [
    path("surveys/<slug:slug>/audit/", draft_audit, name="draft"),
    path("surveys/<slug:slug>/risk/", risk, name="risk"),
    path("runs/<int:run_id>/audit/", run_audit, name="run"),
    path("runs/<int:run_id>/audit.json", run_audit_json, name="run_json"),
]
