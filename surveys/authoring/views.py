"""Pages for building surveys.

Templates and their context (URL names in brackets, all in the namespace ``authoring``):

``authoring/new.html`` [new]
    ``form`` (`surveys.authoring.views.NewForm`): fields ``source`` (scratch, template, duplicate, definition,
    xlsform), ``slug``, ``title``, ``template``, ``survey`` (the one to duplicate),
    ``file``;
    ``templates``: list of ``TemplateLine(name, title, about, languages, blocks, questions, epsilon)``;
    ``surveys``: list of (slug, title) that can be duplicated;
    ``problems``: errors in an uploaded file, each with ``path`` (or "sheet, row, column"),
    ``message``, ``remedy``. POST redirects to the builder, or shows the page again with status 422.
``authoring/builder.html`` [builder]
    ``survey`` (the row), ``languages`` (list of ``Language(tag, name, direction)`` to choose from),
    ``time_zones`` (list of names), ``data`` for ``json_script``: ``{"draft": <as GET …/build/draft>,
    "urls": {"draft", "save", "check", "rename", "preview", "publish", "survey", "export_json"},
    "csrf": "<token>"}``. Read ``data.csrf`` for the header ``X-CSRFToken``.
``authoring/publish.html`` [publish]
    ``survey``, ``use``, ``ways`` and ``payoff`` (its precision, how to improve it, whether protection
    pays), ``problems`` (as for the preview, below), ``changes`` (list of ``Change(kind, path, text)``, kind
    "design", "wording" or "schedule"), ``number`` (the version it would become),
    ``left_behind`` (the number of answers that a changed design leaves in a separate report), ``rewords``
    (whether a question or an answer has a new wording), ``ways_in`` (who can answer), ``schedule`` (opens,
    closes, zone), ``revision`` (hidden field; a draft that has changed since is not published), ``budget``,
    ``refused`` and ``warned`` (findings of `surveys.questionnaire.checks`, each with its ``place`` in words;
    refused ones need a ``reason``). POST redirects to the survey's page, or shows the page again with status
    409 or 422 and ``refusal`` (message, remedy).
``authoring/close.html`` [close]
    ``survey``, ``form`` with ``at_once`` (checkbox) and ``confirm`` (type the survey's slug; needed for
    ``at_once`` unless practice), ``refusal``. POST redirects to the survey's page.
``authoring/delete.html`` [delete]
    ``survey``, ``refusal``. POST redirects to the list of surveys. Never-published drafts only.
``authoring/export.html`` [export]
    ``survey``, ``problems``; links to [export_json], [export_design] and [texts].
``authoring/unready.html`` [preview]
    ``problems``: why the draft cannot be previewed yet (list of ``PlacedProblem(path, place, text)``). It
    appears in the preview's frame in place of the respondent's page.
``partials/survey_build.html``
    ``build`` = `surveys.report.survey_list.survey_status.survey_status(survey)`.

The preview: ``…/build/preview/?language=zh-hans`` (the survey's first language by default). It shows the
draft as last saved, so reload the frame after a save. Answers can be tried but never leave the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from csp.constants import NONE, SELF
from csp.decorators import csp_replace, csp_update
from django import forms
from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from surveys.accounts.permissions import (
    by_and_now,
    get_administrator,
    get_builder,
    get_survey_for_builder,
    get_surveys_for_builder,
    get_surveys_for_report,
    is_expert,
    staff_page,
)
from surveys.authoring.api import draft_state, grouped_findings, locate_problems, place_of, reading_state
from surveys.authoring.builder_texts import builder_texts
from surveys.authoring.drafts import (
    AddressField,
    draft_create,
    draft_delete,
    draft_save,
    free_slug,
    start_of,
    titled_slug,
)
from surveys.authoring.import_report import import_form
from surveys.authoring.lifecycle import belongings_of, retention_set, survey_close, survey_delete
from surveys.authoring.preview import draft_preview
from surveys.authoring.publish import changes_of, survey_publish
from surveys.errors.error import SurveyError, field_error, sentences
from surveys.models import Receipt, Survey, Version
from surveys.questionnaire.aim import stated_in_words
from surveys.questionnaire.definition import Definition
from surveys.questionnaire.document import MOST_BYTES, DefinitionError, Level
from surveys.questionnaire.draft_reading import TEMPLATES, draft_read, duplicate_document, template_lines
from surveys.questionnaire.labels import asked_words, block_lines, light_epsilon
from surveys.questionnaire.languages import join_sentences, known_languages, language_of, text_in
from surveys.questionnaire.readable import readable_questions, unsettled_skips, with_stated_protection
from surveys.questionnaire.schedule import time_zones
from surveys.questionnaire.sensitive import ready_parts
from surveys.questionnaire.series import promises_to_publish
from surveys.respondent.invitations import survey_access
from surveys.runs.disclosure import rounded_count, shown_count

SOURCES = (
    ("scratch", gettext_lazy("Start with an empty survey")),
    ("template", gettext_lazy("Start from a template")),
    ("duplicate", gettext_lazy("Duplicate a survey")),
    ("definition", gettext_lazy("Import a Sottovoce definition (JSON)")),
    ("xlsform", gettext_lazy("Import an XLSForm (XLSX)")),
)
# The input that each source needs besides the address. All other sources need a file.
_NEEDS = {"scratch": "title", "template": "template", "duplicate": "survey"}
_UNSTATED = {
    "title": gettext_lazy("Write a title. Respondents read it above every question."),
    "template": gettext_lazy("Choose one of the templates."),
    "survey": gettext_lazy("Choose the survey to duplicate."),
    "file": gettext_lazy("Choose a file."),
}


class NewForm(forms.Form):
    """How to start a new survey, and its name in addresses."""

    source = forms.ChoiceField(label=gettext_lazy("Start"), choices=SOURCES, initial="scratch")
    slug = AddressField(
        help_text=gettext_lazy(
            "Lower-case letters, digits and hyphens. It is part of the address that respondents open. "
            "Leave it empty to make one from the title."
        ),
        required=False,
    )
    title = forms.CharField(
        label=gettext_lazy("Title"),
        max_length=200,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    template = forms.ChoiceField(
        label=gettext_lazy("Template"), choices=[(name, name) for name in TEMPLATES], required=False
    )
    survey = forms.ModelChoiceField(
        label=gettext_lazy("Survey"), queryset=Survey.objects.none(), to_field_name="slug", required=False
    )
    file = forms.FileField(
        label=gettext_lazy("File"),
        help_text=gettext_lazy(
            "A definition that Sottovoce exported, or an XLSForm. What Sottovoce cannot keep is listed "
            "by name before anything is published."
        ),
        required=False,
        widget=forms.FileInput(attrs={"accept": ".json,.xlsx,.xls"}),
    )

    def __init__(self, surveys: QuerySet[Survey], *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        field = self.fields["survey"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101  # for the type checker
        field.queryset = surveys

    def clean_slug(self) -> str:
        """Refuse an address that is already in use."""
        slug: str = self.cleaned_data["slug"]
        if Survey.objects.filter(slug=slug).exists():
            raise field_error("taken.address")
        return slug

    def clean_file(self) -> Any:
        """Refuse a file that is larger than any definition."""
        file = self.cleaned_data["file"]
        if file is not None and file.size > MOST_BYTES:
            raise field_error("too_large.upload", size=file.size, most=MOST_BYTES)
        return file

    def clean(self) -> dict[str, Any]:
        """Ask for the inputs of the source."""
        values = super().clean() or self.cleaned_data
        needed = _NEEDS.get(values.get("source", ""), "file")
        if "source" in values and not values.get(needed) and needed not in self.errors:
            self.add_error(needed, forms.ValidationError(_UNSTATED[needed]))
        return values


ACCESS_KINDS: Final = (
    ("open", gettext_lazy("Anyone with the address. One person can answer more than once.")),
    ("invitation", gettext_lazy("Invited people. Each needs a code, which works once.")),
)
"""Who can answer. The first publication settles this for good."""


class PublishForm(forms.Form):
    """The reviewed revision of the draft, who can answer, and the reason to publish despite a failed check.

    The page asks who can answer before the first publication. An empty ``access`` changes nothing.
    """

    access = forms.ChoiceField(choices=ACCESS_KINDS, required=False)
    revision = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    reason = forms.CharField(required=False, max_length=2000)
    readable = forms.BooleanField(required=False)


class CloseForm(forms.Form):
    """Whether sealed answers are still accepted after closing."""

    at_once = forms.BooleanField(
        label=gettext_lazy("Also stop accepting answers that were sealed before closing"), required=False
    )
    confirm = forms.CharField(
        label=gettext_lazy("Type the survey's address to confirm"), required=False, max_length=50
    )

    def __init__(self, survey: Survey, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._slug = survey.slug
        self.asks = not (survey.practice or survey.settled)
        """Whether closing has to be confirmed; whether anyone has answered must not be visible."""

    def clean_confirm(self) -> str:
        """Compare the typed text with the survey's address."""
        text: str = self.cleaned_data["confirm"]
        if self.asks and text != self._slug:
            raise forms.ValidationError(
                gettext_lazy("This is not the survey's address. Type %(slug)s."), params={"slug": self._slug}
            )
        return text


_NUMBERED = re.compile(r"-[0-9]+$")

_PAGES = ("draft", "save", "check", "rename", "preview", "publish", "delete", "export", "export_json")


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Create a survey: empty, or from a template, another survey or a file."""
    surveys = get_surveys_for_builder(request.user)
    form = NewForm(surveys, request.POST or None, request.FILES or None, initial={"source": "template"})
    problems: tuple[object, ...] = ()
    if form.is_valid():
        values = form.cleaned_data
        try:
            if values["source"] == "xlsform":
                return import_form(request, values["file"].read(MOST_BYTES + 1), slug=values["slug"])
            document, source = start_of(values)
            is_file = values["source"] == "definition"
            document, notes = with_stated_protection(document) if is_file else (document, ())
            survey = draft_create(
                document,
                slug=values["slug"] or titled_slug(document.get("title")),
                source=source,
                not_kept=notes,
                owner=get_builder(request.user),
                **by_and_now(request),
            )
        except DefinitionError as error:
            problems = error.problems
        except SurveyError as error_said:
            form.add_error("slug" if error_said.code in ("slug", "taken") else None, str(error_said))
        else:
            # A file's questions that are stored as answered, and skips to settle, are shown first.
            return redirect("authoring:readable" if notes else "authoring:plan", survey.slug)
    context = {
        "form": form,
        "templates": template_lines(),
        "surveys": [(survey.slug, survey.title_text) for survey in surveys],
        "problems": problems,
    }
    return render(request, "authoring/new.html", context, status=422 if form.is_bound else 200)


@staff_page
@require_safe
def builder(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the builder, which works through `surveys.authoring.api`."""
    survey = get_survey_for_builder(request.user, slug)
    data = {
        "draft": draft_state(survey, with_document=True, expert=is_expert(request.user)),
        "urls": {
            **{page: reverse(f"authoring:{page}", args=[slug]) for page in _PAGES},
            "survey": reverse("report:survey", args=[slug]),
        },
        "csrf": get_token(request),
        "ready": ready_parts(),
    }
    context = {
        "survey": survey,
        "languages": known_languages(),
        "time_zones": time_zones(),
        "has_text": survey.draft_revisions.exclude(pasted="").exists(),
        "data": data,
        "texts": builder_texts(expert=is_expert(request.user)),
    }
    response = render(request, "authoring/builder.html", context)
    return _framing(request, response)


def _framing(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Let a page show the preview in a frame."""
    csp_update({"frame-src": [SELF]})(lambda _request: response)(request)
    return response


def _allow_frame(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Let a frame on this server show a page, with the icon inside it. The page can send nothing."""
    policy = {"connect-src": [NONE], "frame-ancestors": [SELF], "img-src": [SELF, "data:"]}
    csp_replace(policy)(lambda _request: response)(request)
    return response


@staff_page
@require_safe
@xframe_options_sameorigin
def preview(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the draft as respondents would see it, on a page that can send nothing."""
    survey = get_survey_for_builder(request.user, slug)
    language = request.GET.get("language") or get_language() or ""
    return _allow_frame(request, draft_preview(request, survey, language=language))


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def publish(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what publishing the draft would change, and publish it."""
    survey = get_survey_for_builder(request.user, slug)
    if request.method != "POST":
        return _publish_page(request, survey)
    form = PublishForm(request.POST)
    # Keep the text even if the form refuses it: writing it may have cost an hour.
    reason = request.POST.get("reason", "")
    if not form.is_valid():
        return _publish_page(request, survey, reason=reason, status=422)
    try:
        _store_access(request, survey, form.cleaned_data["access"])
        version = survey_publish(
            survey,
            revision=form.cleaned_data["revision"],
            reason=form.cleaned_data["reason"],
            is_readable_seen=form.cleaned_data["readable"],
            **by_and_now(request),
        )
    except DefinitionError:
        return _publish_page(request, survey, reason=reason, status=422)
    except SurveyError as error:
        return _publish_page(request, survey, error=error, reason=reason, status=409)
    messages.success(request, _("Version %(number)s was published.") % {"number": version.number})
    return redirect("report:survey", slug)


def _store_access(request: HttpRequest, survey: Survey, access: str) -> None:
    """Store who can answer, as chosen on the page of a draft that was never published."""
    if access and survey.state == Survey.State.DRAFT:
        survey_access(survey, by_invitation=access == "invitation", by=by_and_now(request)["by"])


def _left_behind(survey: Survey) -> str:
    """Say how many answers a changed design leaves in a separate report; empty if there are none."""
    count = Receipt.objects.filter(survey=survey, digest__isnull=False).count()
    # A live survey must not show whether the first answer has arrived.
    if not (count if survey.practice else rounded_count(count)):
        return ""
    count_text = shown_count(count, rounded=not survey.practice)
    return _("Your %(count)s answers so far form a separate report.") % {"count": count_text}


def _coarse_numbers(definition: Definition) -> Iterator[str]:
    """Yield each disguised number for which respondents choose a range instead of an exact value."""
    for entry in definition.document["blocks"]:
        for question in entry["questions"] if entry["protected"] else ():
            number = question.get("number") or {}
            if (
                "computed" not in question
                and number.get("calendar") is None
                and number.get("bin", 0) > 10 ** -number.get("decimals", 0)
            ):
                yield _("“%(question)s” in steps of %(step)s") % {
                    "question": text_in(question["text"]),
                    "step": f"{number['bin']:g}",
                }


def _rewords(last: Version, definition: Definition) -> bool:
    """Return whether a question or an answer has a new wording although the design is the same."""
    before, after = asked_words(last.wording), asked_words(definition.wording)
    same_design = last.design_id == definition.design.design_id
    return same_design and any(after.get(where, text) != text for where, text in before.items())


def _publish_page(
    request: HttpRequest,
    survey: Survey,
    *,
    error: SurveyError | None = None,
    reason: str = "",
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
    context = {
        "survey": survey,
        "readable": (readable := readable_questions(survey.definition)),
        "unsettled": unsettled_skips(survey.definition),
        "asks_readable": any(not question.is_plain for question in readable),
        "problems": locate_problems(reading.problems, survey.definition),
        "changes": (changes := changes_of(survey, last, definition) if definition else ()),
        "left_behind": _left_behind(survey) if any(change.kind == "design" for change in changes) else "",
        "rewords": last is not None and definition is not None and _rewords(last, definition),
        "names": block_lines(last, last.to_design()) if last else (),
        "number": 1 if last is None else last.number + 1,
        "ways_in": [(way, text, survey.by_invitation == (way == "invitation")) for way, text in ACCESS_KINDS],
        "schedule": definition.schedule if definition else None,
        "coarse": list(_coarse_numbers(definition)) if definition else (),
        "languages": [language_of(tag).name for tag in definition.languages] if definition else (),
        "revision": survey.revision,
        "budget": state["budget"],
        "light_epsilon": light_epsilon(definition.design) if definition else "",
        "promise": join_sentences(stated_in_words(promises_to_publish(definition, survey)))
        if definition
        else "",
        "use": state["use"],
        "found": [
            (level == Level.REFUSE, group)
            for level in (Level.REFUSE, Level.WARN)
            for group in grouped_findings(findings, level)
        ],
        "refused": any(finding["level"] == Level.REFUSE for finding in findings),
        "reason": reason,
        "refusal": error,
    }
    return render(request, "authoring/publish.html", context, status=status)


@staff_page
@require_POST
def make_live(request: HttpRequest, slug: str) -> HttpResponse:
    """Make an unpublished practice draft real, or copy a published practice survey into a new draft.

    Practice answers are not copied.
    """
    survey = get_survey_for_builder(request.user, slug)
    if survey.state == Survey.State.DRAFT:
        form = PublishForm(request.POST)
        form.is_valid()
        _store_access(request, survey, form.cleaned_data.get("access", ""))
        return _make_draft_live(request, survey)
    if not survey.practice:
        messages.error(request, _("%(slug)s is not a practice survey: it is already live.") % {"slug": slug})
        return redirect("report:survey", slug)
    live = draft_create(
        duplicate_document(survey) | {"practice": False},
        # Drop a copy's number, which every invitation would otherwise show.
        slug=free_slug(f"{_NUMBERED.sub('', slug)}-live"),
        source=f"survey {slug}",
        owner=get_builder(request.user),
        **by_and_now(request),
    )
    messages.success(
        request,
        _("This new draft has the same questions, for real answers. Practice answers were not copied."),
    )
    return redirect("authoring:builder", live.slug)


def _make_draft_live(request: HttpRequest, survey: Survey) -> HttpResponse:
    try:
        draft_save(
            survey, {**survey.definition, "practice": False}, revision=survey.revision, **by_and_now(request)
        )
    except (SurveyError, DefinitionError) as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("The draft is now for real answers. Check it again, then publish it."))
    return redirect("authoring:publish", survey.slug)


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def close(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask how to close the survey, and close it."""
    survey = get_survey_for_builder(request.user, slug)
    # For a closed survey, this page can only end the grace period.
    is_closed = survey.state == Survey.State.CLOSED
    newest = survey.versions.last()
    form = CloseForm(survey, request.POST if request.method == "POST" else None)
    conflict, status = None, 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                survey_close(survey, at_once=form.cleaned_data["at_once"], **by_and_now(request))
            except SurveyError as error:
                conflict, status = error, 409
            else:
                done = _("No more answers are accepted.") if is_closed else _("The survey is closed.")
                messages.success(request, done)
                return redirect("report:survey", slug)
    context = {
        "survey": survey,
        "form": form,
        "refusal": conflict,
        "is_closed": is_closed,
        "is_over": survey.closed_to_bodies(timezone.now()),
        "needed": newest.people_needed if newest else 0,
    }
    return render(request, "authoring/close.html", context, status=status)


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask whether to delete a draft, and delete it."""
    survey = get_survey_for_builder(request.user, slug)
    conflict, status = None, 200
    if request.method == "POST":
        try:
            draft_delete(survey, by=by_and_now(request)["by"])
        except SurveyError as error:
            conflict, status = error, 409
        else:
            messages.success(request, _("The draft %(slug)s was deleted.") % {"slug": slug})
            return redirect("report:surveys")
    return render(request, "authoring/delete.html", {"survey": survey, "refusal": conflict}, status=status)


class DeletionForm(forms.Form):
    """The survey's name in addresses, typed again to confirm deletion."""

    slug = forms.CharField(
        label=gettext_lazy("Enter the survey’s name from its address"),
        max_length=50,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    def __init__(self, *args: object, survey: Survey) -> None:
        super().__init__(*args)  # type: ignore[arg-type]  # as Django's form takes them
        self.survey = survey

    def clean_slug(self) -> str:
        """Refuse any name but this survey's."""
        slug = str(self.cleaned_data["slug"]).strip()
        if slug != self.survey.slug:
            raise field_error("other")
        return slug


class DayForm(forms.Form):
    """The day on which the sweeper deletes the survey."""

    delete_on = forms.CharField(
        label=gettext_lazy("Deleted on"), max_length=40, widget=forms.DateInput(attrs={"type": "date"})
    )


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def delete_survey(request: HttpRequest, slug: str) -> HttpResponse:
    """List what would be deleted; delete it once its name is typed, or set the day of deletion."""
    administrator = get_administrator(request.user)
    survey = get_object_or_404(get_surveys_for_report(administrator), slug=slug)
    sets_day = "delete_on" in request.POST
    day_form = DayForm(request.POST if sets_day else None, initial={"delete_on": survey.delete_on})
    if day_form.is_valid():
        day = day_form.cleaned_data["delete_on"]
        try:
            retention_set(survey, day=day, by=administrator.get_username(), now=timezone.now())
        except SurveyError as error:
            day_form.add_error("delete_on", sentences(error))
        else:
            notice = _("Survey %(slug)s is deleted on %(day)s.") % {"slug": slug, "day": day}
            messages.success(request, notice)
            return redirect("report:survey", slug)
    form = DeletionForm(*([request.POST] if request.method == "POST" and not sets_day else []), survey=survey)
    if form.is_valid():
        try:
            survey_delete(survey, by=administrator.get_username())
        except SurveyError as error:
            form.add_error(None, sentences(error))
        else:
            messages.success(request, _("Survey %(slug)s was deleted.") % {"slug": slug})
            return redirect("report:surveys")
    rows = belongings_of(survey)
    context = {
        "survey": survey,
        "form": form,
        "day_form": day_form,
        "over": survey.state == Survey.State.CLOSED and survey.settled,
        "counts": [
            (_("versions"), rows.get("Version", 0)),
            (_("batches of answers"), rows.get("Batch", 0)),
            (_("runs"), rows.get("Run", 0)),
            (_("rules"), rows.get("RuleRow", 0)),
            (_("verdicts"), rows.get("Verdict", 0)),
        ],
    }
    status = 422 if form.errors or day_form.errors else 200
    return render(request, "authoring/delete_survey.html", context, status=status)
