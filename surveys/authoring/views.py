"""Show the builder: the draft, the languages and time zones to choose from, and the addresses of services.

Templates and their context (URL names in brackets, all in the namespace ``authoring``):

``authoring/builder.html`` [builder]
    ``survey`` (the row), ``languages`` (list of ``Language(tag, name, direction)`` to choose from),
    ``time_zones`` (list of names), ``data`` for ``json_script``: ``{"draft": <as GET …/build/draft>,
    "urls": {"draft", "save", "check", "rename", "one_answer", "preview", "publish", "survey", "export_json"},
    "csrf": "<token>"}``. Read ``data.csrf`` for the header ``X-CSRFToken``.
``partials/survey_build.html``
    ``build`` = `surveys.report.survey_list.survey_status.survey_status(survey)`.
"""

from __future__ import annotations

from dataclasses import asdict

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from surveys.accounts.display_settings import is_expert
from surveys.accounts.permissions import staff_page
from surveys.authoring.api import draft_state
from surveys.authoring.builder_texts import builder_texts
from surveys.authoring.draft_pages import draft_page
from surveys.authoring.preview import allow_preview_frame
from surveys.authoring.restored_saves import save_with_text
from surveys.models import Survey
from surveys.questionnaire.formality import forms_of
from surveys.questionnaire.languages import known_languages, respondent_languages
from surveys.questionnaire.local_time import time_zones
from surveys.questionnaire.neutral_questions import neutral_questions
from surveys.questionnaire.placebo_acts import PLACEBO_NAMES, placebo_acts
from surveys.questionnaire.ready_parts import ready_parts


@staff_page
@require_safe
@draft_page
def builder(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Show the builder, which works through `surveys.authoring.api`."""
    slug = survey.slug
    data = {
        "draft": draft_state(survey, with_document=True, expert=is_expert(request.user)),
        "urls": {
            **{page: reverse(f"authoring:{page}", args=[slug]) for page in _PAGES},
            "survey": reverse("report:survey", args=[slug]),
        },
        "csrf": get_token(request),
        "forms": {tag: asdict(pair) for tag in respondent_languages() if (pair := forms_of(tag))},
        "ready": {
            **ready_parts(),
            "neutral": neutral_questions(),
            "placebo": placebo_acts(),
            "placeboNames": PLACEBO_NAMES,
        },
    }
    context = {
        "survey": survey,
        "languages": known_languages(),
        "time_zones": time_zones(),
        "has_text": save_with_text(survey) is not None,
        "data": data,
        "texts": builder_texts(expert=is_expert(request.user)),
    }
    response = render(request, "authoring/builder.html", context)
    return allow_preview_frame(request, response)


_PAGES = (
    "draft",
    "save",
    "check",
    "rename",
    "one_answer",
    "preview",
    "publish",
    "delete",
    "export",
    "export_json",
)
