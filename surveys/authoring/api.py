"""The JSON interface between the builder's page and this server.

Every address accepts and returns ``application/json`` and needs a logged-in builder. Writes also need the
CSRF token in the header ``X-CSRFToken``. The page's own data holds addresses and token
(`surveys.authoring.views`).

``GET  …/build/draft``   the draft as it is::

    {"survey": "work", "title": "Speaking up at work", "state": "draft" | "planned" | "open" | "closed",
     "revision": 7, "saved_at": "2026-11-20T10:00:00+00:00" | null, "saved_by": "ana" | "",
     "published": 0,                     # number of the newest version, 0 for none
     "can_save": true,                   # false once the survey is closed
     "not_kept": ["survey, row 9, column relevant: …"],   # losses of the import
     "document": {...},                  # the definition, docs/definition.md; any JSON object
     "phone": {"en": {"yes": "Yes", "no": "No", …}},      # what the phone shows around the survey's own texts
     "shown_title": {"en": "Work"},      # without a stated title, the first words of the survey
     "problems": [{"path": "blocks[1].questions[0].text.zh-hans", "message": "the text is missing",
                   "remedy": "add the text in this language too"}],
     "findings": [{"level": "refuse" | "warn", "code": "block_epsilon", "path": "blocks[1]",
                   "message": "…", "remedy": "…"}],   # questionnaire.checks; [] while there are problems
     "budget": {"blocks": [{"path": "blocks[1]", "key": "silence", "epsilon": 2.83 | null,
                            "amplification": 17.0 | null}],
                "epsilon": 4.1 | null, "open_questions": 3, "sends_undisguised": false,
                "whole": {"of_100": 98, "once_in": null, "parts": 2, "apart": false} | null,
                "light": the same for those lightly disguised | null, "light_truths": {"blocks[1]": 8500}},
     "use": ["With 400 people: shares within ±8 points."],   # [] without an aim
     "composites": {"blocks[1].questions[0]": {"low": 0, "high": 27, "slips": 9.6 | null, "harm": ""}}}

``budget.blocks`` has an entry for each protected block that can be read, even while others have problems.
``epsilon`` is null if it is infinite (p = 1). A number or a place that may be skipped also has ``lost``, the
share of answers that is sent as "skipped". A block with mutually exclusive answers has ``together``, from
which `odds.js` computes its rows. A rotating block has ``sets``, the available balanced lists:
``{"questions": 10, "per_person": 4, "all": 210, "lists": [{"together": 2, "booklets": [...]}]}``.
``budget.epsilon`` is the sum over the blocks listed, and bounds the whole survey only if ``problems`` is
empty. ``budget.whole`` is the first line of the label (`privacy.risk.budget`). It is null while there are
problems, or if no part has a bound.
``budget.light_truths`` has the truth probabilities of the light strength, stated or proposed.
A problem's ``path`` is that of `surveys.questionnaire.document.Problem`: "" means the whole document.

``POST …/build/save``    ``{"revision": 7, "document": {...}, "replaces": true}``

    ``replaces`` is optional: the draft before this save stays among the earlier saves, however recent it is.

    200  the same object as above without ``document``, with the new ``revision``
    400  {"error": "json" | "shape", "message", "remedy"}: not JSON, not an object, or a repeated member
    403  no builder of this survey, or no CSRF token
    409  {"error": "revision", "message", "remedy", "revision": 9, "saved_by", "saved_at", "document": {...}}
         another user or tab has saved since revision 7, so nothing was written. The page offers to use the
         other draft, or to save its own again with the new revision.
    409  {"error": "closed", …}: a closed survey no longer has a draft
    413  {"error": "too_large", …}: more JSON than `surveys.questionnaire.parsed_document.MOST_DOCUMENT_BYTES`
    415  {"error": "content_type", …}

``POST …/build/check``   ``{"document": {...}}``: ``{"problems", "findings", "budget"}``; saves nothing.

``POST …/build/rename``  ``{"revision": 7, "slug": "new-name"}``: only before the first publication.

    200  {"survey": "new-name", "revision": 8, "builder": "/en/staff/surveys/new-name/build/"}
    409  {"error": "published" | "taken" | "revision", …};  400 {"error": "slug", …}

``POST …/build/one-answer``  ``{"document": {...}, "change": {...}}``: returns ``{"document", "select"}``, and
saves nothing. Changes: ``{"part": "acts", "way": "at_least" | "how_many" | "points" | "again", "keys": [...],
"least": 1}`` sends questions of a part as one answer; the way ``"halves"`` makes two answers of them, and
``"each_heading"`` one for each heading. ``{"each": "any-act"}`` sends each component of an answer again
(`surveys.questionnaire.one_answer`).

    409, 422  {"error": "one_answer", "message", "remedy"}

``composites`` has the least and the largest sum of each composite question, the points of *yes* (or of
another level) that are slips, and words of violence or self-harm.

Messages and remedies are in the language of the page's address. As everywhere, users who are not logged in
are redirected to the log-in page (302): fetch with ``redirect: "manual"``, and keep the unsaved work.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from privacy.planning.use import use_of
from privacy.risk.budget import BlockBudget, binding_bounds, block_budget
from privacy.risk.impossible_decoys import block_exclusive
from privacy.risk.prior import exclusive_prior
from privacy.survey.balanced_booklets import MOST_TOGETHER, balanced_booklets
from privacy.survey.booklets import Booklet
from privacy.survey.design import Block, Design
from surveys.accounts.authorship import by_and_now
from surveys.accounts.display_settings import is_expert
from surveys.accounts.permissions import get_survey_for_builder, staff_page
from surveys.authoring.composite_states import composite_states
from surveys.authoring.drafts import draft_rename, draft_save
from surveys.authoring.import_notes import draft_notes
from surveys.authoring.phone_words import phone_words
from surveys.errors.error import SurveyError, short_json
from surveys.formats.json_numbers import finite
from surveys.models import Survey
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.checks.check import check_draft
from surveys.questionnaire.definition import Definition, Reading, definition_without_texts
from surveys.questionnaire.document import DefinitionError
from surveys.questionnaire.draft import draft_read, live_gaps_sentence, problems_of_live
from surveys.questionnaire.filter_choice_words import filter_choice_sentences
from surveys.questionnaire.languages import tags_of
from surveys.questionnaire.local_time import local_text
from surveys.questionnaire.multi_drafts import conversion_notes
from surveys.questionnaire.parsed_document import MOST_DOCUMENT_BYTES, document_parse
from surveys.questionnaire.plain_findings import plain_finding
from surveys.questionnaire.series import promises_to_publish
from surveys.questionnaire.stated_prevalences import definition_prevalences
from surveys.questionnaire.survey_title import survey_title
from surveys.questionnaire.use_words import condition_sentences, item_names, use_sentences
from surveys.runs.chapters import stated_chapters


def draft_state(survey: Survey, *, with_document: bool, expert: bool) -> dict[str, Any]:
    """Return the draft with its problems and its bounds, as JSON."""
    last = survey.versions.order_by("-number").values_list("number", flat=True).first()
    state: dict[str, Any] = {
        "survey": survey.slug,
        "title": survey.title_text,
        "state": survey.state,
        "revision": survey.revision,
        "saved_at": survey.saved_at.isoformat() if survey.saved_at else None,
        "saved_by": survey.saved_by,
        "published": last or 0,
        # Published ends of chapters stay, and the first ones are closed.
        "chapters": [
            {"ends_at": local_text(ends_at, survey.time_zone), "closed": last_batch is not None}
            for ends_at, last_batch in stated_chapters(survey)
        ],
        "can_save": survey.state != Survey.State.CLOSED,
        "not_kept": list(draft_notes(survey)) if last is None else conversion_notes(survey),
        "phone": phone_words(tags_of(survey.definition)),
        **reading_state(survey, draft_read(survey), survey.definition, expert=expert),
    }
    return {**state, "document": survey.definition} if with_document else state


def reading_state(survey: Survey, reading: Reading, document: object, *, expert: bool) -> dict[str, Any]:
    """Return a document's problems, findings and bounds, as JSON; plain findings except for experts."""
    all_findings = check_draft(survey, reading.definition) if reading.definition else ()
    findings = [finding.to_json() for finding in all_findings]
    return {
        "shown_title": survey_title(document) if isinstance(document, dict) else {},
        "problems": list(map(asdict, reading.problems)),
        "live": _live_state(survey, reading, document),
        "findings": findings if expert else [plain_finding(finding) for finding in findings],
        "budget": budget_state(survey, reading),
        "use": use_state(survey, definition_without_texts(document)),
        "composites": composite_states(document),
    }


def _live_state(survey: Survey, reading: Reading, document: object) -> dict[str, Any]:
    """Say what keeps a complete practice draft from asking for real answers."""
    problems = () if reading.problems else problems_of_live(survey, document)
    return {"said": live_gaps_sentence(len(problems)), "problems": list(map(asdict, problems))}


def use_state(survey: Survey, definition: Definition | None) -> list[str]:
    """Describe in sentences what results a draft can give; empty without a stated aim."""
    aim = Aim.from_json(survey.aim)
    if aim is None or definition is None:
        return []
    use = use_of(definition.design, aim.within(definition.design))
    return [
        *use_sentences(use, item_names(definition, aim.labels)),
        *condition_sentences(definition.design),
        *filter_choice_sentences(definition.design, aim, definition.wording),
    ]


def budget_state(survey: Survey, reading: Reading) -> dict[str, Any]:
    """Return the bounds of the blocks that can be read, and their sum."""
    bounds = [(path, block_budget(block)) for path, block in reading.blocks if block.protected]
    skipped = {
        path: block.skipping.skip_probability for path, block in reading.blocks if block.skipping is not None
    }
    together = _together(reading)
    sets = {path: {"sets": _sets(block)} for path, block in reading.blocks if block.is_rotating}
    definition = reading.definition
    design = definition.design if definition else None
    # The first lines of the respondents' label; None while a part cannot be read.
    promises = promises_to_publish(definition, survey) if definition else {}
    return {
        "blocks": [
            _block_state(path, bound)
            | ({"lost": float(skipped[path])} if path in skipped else {})
            | together[path]
            | sets.get(path, {})
            for path, bound in bounds
        ],
        "epsilon": finite(math.fsum(bound.epsilon for bound in _cost_bounds(bounds, design))),
        "open_questions": sum(len(block.questions) for _path, block in reading.blocks if not block.protected),
        "sends_undisguised": design is not None and design.sends_undisguised,
        "whole": promises.get("whole"),
        "light": promises.get("light"),
        "light_truths": _light_truths(reading),
    }


def _cost_bounds(bounds: Sequence[tuple[str, BlockBudget]], design: Design | None) -> tuple[BlockBudget, ...]:
    """Return the bounds that add up for one person; all bounds while a part cannot be read."""
    return binding_bounds((bound for _path, bound in bounds), design.rotations if design else ())


def _light_truths(reading: Reading) -> dict[str, int]:
    """Return by path the light truth probability, stated or proposed, of each block with a coin."""
    blocks = reading.definition.design.blocks if reading.definition else ()
    return {
        f"blocks[{number}]": block.light
        for number, block in enumerate(blocks)
        if isinstance(block.light, int)
    }


def _together(reading: Reading) -> Mapping[str, dict[str, Any]]:
    """Return, by path, the probabilities of the true rows of each block with mutually exclusive answers."""
    probabilities: dict[str, dict[str, Any]] = defaultdict(dict)
    if reading.definition is not None:
        prevalence = definition_prevalences(reading.definition.document)
        entries = reading.definition.document["blocks"]
        for (path, block), entry in zip(reading.blocks, entries, strict=True):
            # A rotating block is never sent as a whole row.
            is_whole = block.protected and not block.is_rotating
            exclusive = block_exclusive(block, entry.get("exclusive", ())) if is_whole else ()
            prior = exclusive_prior(block, prevalence, exclusive) if exclusive else None
            if prior is not None:
                probabilities[path] = {"together": prior.to_json()}
    return probabilities


def _sets(block: Block) -> dict[str, Any]:
    """Return the number of possible question sets, and the balanced lists that could replace them all."""
    questions, per_person = len(block.questions), block.most_asked
    lists: dict[int, tuple[Booklet, ...]] = {}
    for together in (2, MOST_TOGETHER):
        booklets = balanced_booklets(questions, per_person, together=together)
        # Drop the list for pairs if the list for triples is no longer.
        if booklets is not None:
            lists = {
                size: booklets_of_size
                for size, booklets_of_size in lists.items()
                if len(booklets_of_size) < len(booklets)
            } | {together: booklets}
    return {
        "questions": questions,
        "per_person": per_person,
        "all": math.comb(questions, per_person),
        "lists": [
            {"together": together, "booklets": [list(booklet) for booklet in booklets]}
            for together, booklets in lists.items()
        ],
    }


def _block_state(path: str, bound: BlockBudget) -> dict[str, Any]:
    gamma = bound.amplification
    return {
        "path": path,
        "key": bound.key,
        "epsilon": finite(bound.epsilon),
        "amplification": None if gamma is None else float(gamma),
        "exact_outside": bound.exact_outside,
        **({"anchor": True} if bound.is_anchor else {}),
    }


@staff_page
@require_safe
def draft(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the draft as it is."""
    survey = get_survey_for_builder(request.user, slug)
    return JsonResponse(draft_state(survey, with_document=True, expert=is_expert(request.user)))


Builder = Callable[[HttpRequest, Survey], HttpResponse]


def for_builder(view: Builder) -> Callable[[HttpRequest, str], HttpResponse]:
    """Return a view that finds the survey for another one, and returns its errors as JSON.

    Parameters
    ----------
    view : callable
        Of a request and a survey.
    """

    @wraps(view)
    def answer(request: HttpRequest, slug: str) -> HttpResponse:
        survey = get_survey_for_builder(request.user, slug)
        try:
            return view(request, survey)
        except SurveyError as conflict:
            return _refusal_json(conflict, survey)
        except DefinitionError as error:
            return _unreadable(error)

    return answer


@staff_page
@require_POST
@for_builder
def save(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Save the draft. A tab whose draft is out of date receives the current one instead."""
    body = read_body(request, optional=("replaces",), revision=int, document=dict, replaces=bool)
    new_survey = draft_save(
        survey,
        body["document"],
        revision=body["revision"],
        is_typed=not body.get("replaces", False),
        **by_and_now(request),
    )
    return JsonResponse(draft_state(new_survey, with_document=False, expert=is_expert(request.user)))


@staff_page
@require_POST
@for_builder
def check(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Return the problems of a document and the cost of its blocks; save nothing."""
    body = read_body(request, document=dict)
    reading, document = draft_read(survey, body["document"]), body["document"]
    return JsonResponse(reading_state(survey, reading, document, expert=is_expert(request.user)))


@staff_page
@require_POST
@for_builder
def rename(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Change the address of a survey that was never published."""
    body = read_body(request, revision=int, slug=str)
    new_survey = draft_rename(survey, body["slug"], revision=body["revision"], **by_and_now(request))
    builder = reverse("authoring:builder", args=[new_survey.slug])
    return JsonResponse({"survey": new_survey.slug, "revision": new_survey.revision, "builder": builder})


def read_body(request: HttpRequest, *, optional: Collection[str] = (), **members: type) -> dict[str, Any]:
    """Return the members of a request's JSON body; each must have the given type.

    Parameters
    ----------
    request : HttpRequest
    optional : collection of str
        Members that may be missing.
    **members : type

    Raises
    ------
    DefinitionError
        The body is not a JSON document.
    """
    if request.content_type != "application/json":
        raise SurveyError("content_type.builder", type=short_json(request.content_type))
    # Django reads only bodies with a stated length, and no more than that length.
    length = request.headers.get("Content-Length", "")
    if length.isdecimal() and int(length) > MOST_DOCUMENT_BYTES:
        raise SurveyError("too_large.request", most=MOST_DOCUMENT_BYTES)
    body = document_parse(request.body, name=_("the request"))
    if not isinstance(body, dict) or not {*members} - {*optional} <= {*body} <= {*members}:
        names = ", ".join(members)
        raise SurveyError("shape.members", names=names)
    for name, value in body.items():
        if type(value) is not members[name]:
            raise SurveyError("shape.type", short_json(value), name=name)
    return body


def _unreadable(error: DefinitionError) -> JsonResponse:
    problem = error.problems[0]
    answer = {"error": "json", "message": str(problem), "remedy": problem.remedy}
    return JsonResponse(answer, status=400)


def _refusal_json(error: SurveyError, survey: Survey) -> JsonResponse:
    answer: dict[str, Any] = {"error": error.code, "message": error.message, "remedy": error.remedy}
    if error.code == "revision":
        survey.refresh_from_db()
        state = draft_state(survey, with_document=True, expert=True)
        answer |= {name: state[name] for name in ("revision", "saved_by", "saved_at", "document")}
    return JsonResponse(answer, status=error.status)
