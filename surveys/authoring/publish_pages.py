"""Pages that publish a version: its checks, its access, and what respondents will see.

``authoring/publish.html`` [publish]
    ``survey``, ``use``, ``ways`` and ``payoff`` (its precision, how to improve it, whether protection
    pays), ``problems`` (as for the preview, below), ``changes`` (list of ``Change(kind, path, text)``, kind
    "design", "wording" or "schedule"), ``number`` (the version it would become),
    ``left_behind`` (the number of answers that a changed design leaves in a separate report), ``rewords``
    (whether a question or an answer has a new wording), ``ways_in`` (who can answer), ``schedule`` (opens,
    closes, zone), ``revision`` (hidden field; a draft that has changed since is not published), ``budget``,
    ``rows`` (three questions with their answers, and the findings of `surveys.questionnaire.checks`, each
    with its ``place`` in words), ``refused`` (whether a finding needs a ``reason``), ``reason_errors``, and
    ``form`` if it refuses what was sent.
    POST redirects to the survey's page, or shows the page again with status 409 or 422 and ``refusal``
    (message and remedy, or the problems that the draft itself does not show).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from surveys.accounts.authorship import by_and_now
from surveys.accounts.display_settings import is_expert
from surveys.accounts.permissions import get_survey_for_builder, staff_page
from surveys.authoring.api import reading_state
from surveys.authoring.changes import changes_of
from surveys.authoring.draft_once import NewDraft, make_draft
from surveys.authoring.draft_pages import draft_page
from surveys.authoring.drafts import draft_rename, draft_save
from surveys.authoring.kept_pages import kept_address, kept_entries
from surveys.authoring.problem_places import locate_problems, place_of
from surveys.authoring.publish import MOST_REASON, survey_publish
from surveys.authoring.publish_rows import publish_rows
from surveys.authoring.survey_address import NEUTRAL, free_slug, neutral_slug
from surveys.errors.error import SurveyError, sentences
from surveys.formats.joints import join_sentences
from surveys.formats.shown_counts import rounded_count, shown_count
from surveys.models import Survey, Version
from surveys.questionnaire.asked_texts import asked_words
from surveys.questionnaire.definition import Definition
from surveys.questionnaire.document import DefinitionError
from surveys.questionnaire.draft import draft_read, problems_of_live
from surveys.questionnaire.findings import Level
from surveys.questionnaire.formality import address_word
from surveys.questionnaire.languages import language_of, text_in
from surveys.questionnaire.promise_words import stated_in_words
from surveys.questionnaire.protection_words import block_lines, light_epsilon
from surveys.questionnaire.readable import readable_questions, unsettled_skips
from surveys.questionnaire.rule_words import rules_in_words
from surveys.questionnaire.series import promises_to_publish
from surveys.questionnaire.step_words import steps_by_key
from surveys.questionnaire.templates import duplicate_document
from surveys.respondent.catalogues import readings
from surveys.respondent.speaking import speaking
from surveys.respondent.survey_access import survey_access
from surveys.runs.received_answers import received_count

ACCESS_KINDS: Final = (
    ("open", gettext_lazy("Anyone with the address. One person can answer more than once.")),
    ("invitation", gettext_lazy("Invited people. Each needs a code, which works once.")),
)
"""Who can answer. The first publication settles this for good."""


class PublishForm(forms.Form):
    """The reviewed revision of the draft, and who can answer.

    The page asks who can answer before the first publication. An empty ``access`` changes nothing. The form
    leaves out the reason to publish despite a failed check: only publishing knows whether one is needed.
    """

    access = forms.ChoiceField(choices=ACCESS_KINDS, required=False)
    revision = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    readable = forms.BooleanField(required=False)


_NUMBERED = re.compile(r"-[0-9]+$")


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
@draft_page
def publish(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Show what publishing the draft would change, and publish it."""
    if request.method != "POST":
        kept = kept_entries(request, request.path) or {}
        return _publish_page(request, survey, reason=kept.get("reason", ""))
    form = PublishForm(request.POST)
    # Keep the text even if the form refuses it: writing it may have cost an hour.
    reason = request.POST.get("reason", "")
    if not form.is_valid():
        return _publish_page(request, survey, form=form, reason=reason, status=422)
    try:
        _store_access(request, survey, form.cleaned_data["access"])
        version = survey_publish(
            survey,
            revision=form.cleaned_data["revision"],
            reason=reason,
            is_readable_seen=form.cleaned_data["readable"],
            **by_and_now(request),
        )
    except DefinitionError as error:
        return _publish_page(request, survey, error=error, reason=reason, status=422)
    except SurveyError as error:
        if error.code == "field":
            why = [sentences(error)]
            return _publish_page(request, survey, reason=reason, reason_errors=why, status=422)
        return _publish_page(request, survey, error=error, reason=reason, status=409)
    messages.success(request, _("Version %(number)s was published.") % {"number": version.number})
    return redirect("report:survey", survey.slug)


def _store_access(request: HttpRequest, survey: Survey, access: str) -> None:
    """Store who can answer, as chosen on the page of a draft that was never published."""
    if access and survey.state == Survey.State.DRAFT:
        survey_access(survey, by_invitation=access == "invitation", by=by_and_now(request)["by"])


def publish_again(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Return to the page after a button that did not publish, so that no entry is lost.

    Parameters
    ----------
    request : HttpRequest
        The form of the page. Its choice of who can answer is stored, and the page shows its reason again.
    survey : Survey
    """
    form = PublishForm(request.POST)
    form.is_valid()
    _store_access(request, survey, form.cleaned_data.get("access", ""))
    page, reason = reverse("authoring:publish", args=[survey.slug]), request.POST.get("reason", "")
    return redirect((reason and kept_address(request, page, {"reason": reason})) or page)


def _addressed(definition: Definition, tag: str) -> str:
    """Return the name of a language, with the pronoun if Sottovoce can address people in two ways."""
    name, word = language_of(tag).name, address_word(definition.wording, tag)
    return _("%(language)s (%(word)s)") % {"language": name, "word": word} if word else name


def _left_behind(survey: Survey) -> str:
    """Say how many answers a changed design leaves in a separate report; empty if there are none."""
    count = received_count(survey)
    # A live survey must not show whether the first answer has arrived.
    if not (count if survey.practice else rounded_count(count)):
        return ""
    text = ngettext(
        "Your %(count)s answer so far forms a separate report.",
        "Your %(count)s answers so far form a separate report.",
        count,
    )
    return text % {"count": shown_count(count, rounded=not survey.practice)}


def _coarse_numbers(definition: Definition) -> Iterator[str]:
    """Yield a sentence for each number that is sent in steps, with the effect of the steps."""
    steps = steps_by_key(definition.document)
    for entry in definition.document["blocks"]:
        for question in entry["questions"]:
            if sentence := steps.get(question["key"]):
                yield _("“%(question)s”: %(steps)s") % {
                    "question": text_in(question["text"]),
                    "steps": sentence,
                }


def _promises(survey: Survey, definition: Definition) -> list[str]:
    """Return the promise in the page's language, in the survey's form of address and its own sentences."""
    with speaking(definition.wording, get_language() or settings.LANGUAGE_CODE):
        return [*stated_in_words(promises_to_publish(definition, survey))]


def _rewords(last: Version, definition: Definition) -> bool:
    """Return whether a question or an answer has a new wording although the design is the same."""
    before, after = asked_words(last.wording), asked_words(definition.wording)
    same_design = last.design_id == definition.design.design_id
    return same_design and any(after.get(where, text) != text for where, text in before.items())


def _publish_page(
    request: HttpRequest,
    survey: Survey,
    *,
    form: PublishForm | None = None,
    error: SurveyError | DefinitionError | None = None,
    reason: str = "",
    reason_errors: Sequence[str] = (),
    status: int = 200,
) -> HttpResponse:
    survey.refresh_from_db()
    reading = draft_read(survey)
    state = reading_state(survey, reading, survey.definition, expert=is_expert(request.user))
    findings = [
        finding | {"place": place_of(finding["path"], survey.definition)} for finding in state["findings"]
    ]
    last = survey.versions.order_by("-number").first()
    definition = reading.definition
    languages = [_addressed(definition, tag) for tag in definition.languages] if definition else []
    problems = locate_problems(reading.problems, survey.definition)
    promises = _promises(survey, definition) if definition else []
    context = {
        "survey": survey,
        "form": form,
        "readable": (readable := readable_questions(survey.definition)),
        "unsettled": unsettled_skips(survey.definition),
        "asks_readable": any(not question.is_plain for question in readable),
        "problems": problems,
        "changes": (changes := changes_of(survey, last, definition) if definition else ()),
        "left_behind": _left_behind(survey) if any(change.kind == "design" for change in changes) else "",
        "rewords": last is not None and definition is not None and _rewords(last, definition),
        "names": block_lines(last, last.to_design()) if last else (),
        "number": 1 if last is None else last.number + 1,
        "ways_in": [(way, text, survey.by_invitation == (way == "invitation")) for way, text in ACCESS_KINDS],
        "schedule": definition.schedule if definition else None,
        "coarse": list(_coarse_numbers(definition)) if definition else (),
        "rules": rules_in_words(definition.design, definition.wording).values() if definition else (),
        "languages": languages,
        "readings": readings(definition.languages, survey.definition) if definition else (),
        "revision": survey.revision,
        "budget": state["budget"],
        "light_epsilon": light_epsilon(definition.design) if definition else "",
        "promise": join_sentences(promises),
        "use": state["use"],
        "rows": publish_rows(
            survey.slug,
            problems=problems,
            findings=findings,
            use=state["use"],
            promises=promises,
            unsettled=sum(not question.is_plain for question in readable),
            languages=languages,
            missing_for_live=locate_problems(problems_of_live(survey), survey.definition),
        ),
        "new_address": NEUTRAL.fullmatch(survey.slug) is None,
        "refused": any(finding["level"] == Level.REFUSE for finding in findings),
        "reason": reason,
        "most_reason": MOST_REASON,
        "reason_errors": reason_errors,
        # The third row lists the problems of a draft.
        "refusal": None if problems and isinstance(error, DefinitionError) else error,
    }
    return render(request, "authoring/publish.html", context, status=status)


@staff_page
@require_POST
def neutral_address(request: HttpRequest, slug: str) -> HttpResponse:
    """Give an unpublished draft an address that does not reveal its subject."""
    survey = get_survey_for_builder(request.user, slug)
    try:
        survey = draft_rename(survey, neutral_slug(), revision=survey.revision, **by_and_now(request))
    except SurveyError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("The address is now %(slug)s.") % {"slug": survey.slug})
    return publish_again(request, survey)


@staff_page
@require_POST
def make_live(request: HttpRequest, slug: str) -> HttpResponse:
    """Make an unpublished practice draft real, or copy a published practice survey into a new draft.

    Practice answers are not copied.
    """
    survey = get_survey_for_builder(request.user, slug)
    if survey.state == Survey.State.DRAFT:
        return _make_draft_live(request, survey)
    if not survey.practice:
        messages.error(request, _("%(slug)s is not a practice survey: it is already live.") % {"slug": slug})
        return redirect("report:survey", slug)
    live = NewDraft(
        document=duplicate_document(survey) | {"practice": False},
        # Drop a copy's number, which every invitation would otherwise show.
        slug=free_slug(f"{_NUMBERED.sub('', slug)}-live"),
        source=f"survey {slug}",
        aim=survey.aim,
        following="builder",
        said=_("This new draft has the same questions, for real answers. Practice answers were not copied."),
    )
    return make_draft(request, live)


def _make_draft_live(request: HttpRequest, survey: Survey) -> HttpResponse:
    try:
        draft_save(
            survey, {**survey.definition, "practice": False}, revision=survey.revision, **by_and_now(request)
        )
    except (SurveyError, DefinitionError) as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("The draft is now for real answers. Check it again, then publish it."))
    return publish_again(request, survey)
