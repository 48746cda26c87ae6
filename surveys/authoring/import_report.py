"""The Import report: each source line next to its question, and the points that are still unclear.

The page carries the signed questionnaire until the user has settled every unclear point. Until then nothing
is stored.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from http import HTTPStatus
from typing import Any, Final

from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from surveys.accounts.permissions import get_builder, staff_page
from surveys.authoring import score_fields
from surveys.authoring.accounted_lines import (
    CHOICES_OF_ROLES,
    AccountedLine,
    accounted_lines,
    changed_roles,
    chosen_roles,
    keep_decisions,
    source_lines,
    unknown_line,
)
from surveys.authoring.checked_places import places_to_check
from surveys.authoring.drafts import source_digest
from surveys.authoring.former_choices import choices_document, decided_scores, decisions_in
from surveys.authoring.import_answers import (
    APPLY,
    CHANGE,
    CONDITION,
    EARLIER,
    LATER,
    PROTECT,
    REMOVE,
    STORE,
    apply_answers,
    change_conditions,
    change_protection,
    change_rows,
    chosen_answers,
    first_way,
    target_of,
    with_chosen_filters,
    written_texts,
)
from surveys.authoring.import_differences import effect_of, note_groups
from surveys.authoring.imported_draft import Origin, create_draft
from surveys.authoring.kept_pages import kept_address, kept_entries
from surveys.authoring.report_titles import set_titles, title_fields, written_titles
from surveys.errors.error import SurveyError
from surveys.imports.conditions.condition_words import answer_texts, condition_text
from surveys.imports.conditions.stated_conditions import READ
from surveys.imports.corrections.condition_choices import (
    apply_choices,
    deciders_for,
    drop_broken,
    one_answer_hindrance,
)
from surveys.imports.corrections.question_changes import (
    CHOICES,
    answers_text,
    carry_changes,
    choice_of,
)
from surveys.imports.doubts.misreadings import LESS_CERTAIN
from surveys.imports.drafts.number_words import numbers_of
from surveys.imports.drafts.protection import followers, lost_conditions, texts_around
from surveys.imports.drafts.questionnaire import (
    IMPORTED_KINDS,
    LOST,
    STORED,
    UNCERTAIN,
    UNCLEAR,
    WRONG,
    Note,
    Option,
    Question,
    Questionnaire,
    offered_options,
)
from surveys.imports.forms.xlsform import xlsform_read
from surveys.imports.lines.source_lines import ABOUT, HEADING, INTRODUCTION, LEFT, SCORING, SKIP, TITLE
from surveys.imports.lines.text_languages import UNKNOWN
from surveys.imports.pasted_text import NO_TITLE, read_paste
from surveys.imports.roles.lead_ins import can_introduce
from surveys.imports.roles.outline import ROLES
from surveys.questionnaire.about_texts import about_names
from surveys.questionnaire.asked_texts import yes_no_words
from surveys.questionnaire.background import plain_topic, sensitive_words
from surveys.questionnaire.document import DefinitionError, Problems
from surveys.questionnaire.languages import known_languages, language_of, text_in
from surveys.questionnaire.step_words import step_sentence

_SALT: Final = "import-report"
_NOT_KEPT: Final = ("questionnaire", "csrfmiddlewaretoken")
"""Names in a form that are no answers."""


_READ_AGAIN: Final = "read-again"
"""Name of the button that reads a text again, with the chosen roles of its lines."""

_UNDO: Final = "undo"
"""Value of the button that returns to the roles of the previous reading."""

_MOST_MENUS: Final = 40
"""Questions up to which each row has its menus; in longer reports a button shows those of one row, because
the menus are half of the page."""

_ROWS_OF_GROUP: Final = 100
"""Questions of a report that are folded together if there are more."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """A question as the source has it, and as respondents will see it."""

    line: int
    source: Sequence[tuple[str, bool, str]]
    """Its lines; whether each needs a check; and its role, unless it is a part of the question."""
    numbers: Sequence[int]
    """Numbers of its lines."""
    part: str
    question: Question
    condition: str
    """Who is asked it according to the source, in words; empty for everyone."""
    skipped_by: Sequence[str]
    """Texts of the protected questions on which it depended in the source; everyone is asked it instead."""
    asked_texts: Mapping[str, str]
    """Its texts; without a condition that is read, with the words that state one."""
    unlisted: Sequence[Option]
    """Its options that no list asks, because the page offers the same in another way."""
    can_be_stored: bool
    """Whether one press stores it as answered: it is protected and does not look sensitive."""
    words: str
    """A word because of which it looks sensitive; empty if there is none."""
    yes_no: Sequence[tuple[str, str, str]]
    """The words for yes and no in each language of the survey, with the language."""
    steps: str
    """A sentence on the steps in which a protected number is sent, and their effect; empty without steps."""
    choice: str
    """Its kind, or the one that was chosen; empty if it cannot be changed here."""
    answers: str
    """Its answers, or those that were written."""
    wrong: str
    """Why the chosen kind or the written answers are refused."""
    has_role: bool
    """Whether its line can get another role here."""
    texts: Mapping[str, str]
    """Its texts, or those that were written, by language."""
    has_menus: bool
    is_open: bool
    """Whether its menus are on the page, and are shown at once."""
    marks: Sequence[str]
    """Why it needs a check."""
    is_doubted: bool
    """Whether it needs a check: it or one of its lines is asked about, marked, or not understood."""


@dataclass(frozen=True, kw_only=True)
class StoredRow:
    """A question that is stored as answered: its note, and the questions that are asked after its answer."""

    note: Note
    question: Question
    followers: Sequence[Question]
    words: str
    """A word in it that looks sensitive."""


def import_form(request: HttpRequest, raw: bytes, *, slug: str, is_made: bool = True) -> HttpResponse:
    """Create a draft from an XLSForm, or show the report if there is anything to say about the import.

    Without ``is_made``, always show the report.

    Raises
    ------
    DefinitionError
        The file cannot be read, or none of its questions can be asked; with the reason for each row.
    SurveyError
        As for `create_draft`.
    """
    survey = xlsform_read(raw)
    if not survey.unclear and not any(question.is_asked for question in survey.questions):
        refused = Problems()
        refused.add(
            "",
            _("nothing in this file can be asked here"),
            _("ask with options, a number or a place, then choose the file again"),
        )
        for note in survey.notes:
            if note.effect == LOST:
                refused.add(note.where, note.message, note.remedy)
        refused.raise_if_any()
    # Of its content, because programs write the time into each file that they save.
    origin = Origin(source="XLSForm", slug=slug, file=source_digest("XLSForm", survey.to_json()))
    if survey.notes or not survey.title or not is_made:
        return report_page(request, survey, origin)
    return create_draft(request, survey, origin)


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def import_report(request: HttpRequest) -> HttpResponse:
    """Create a draft once every unclear point is settled; show the report again until then.

    Without entries in it, the address leads to the page where an import starts.
    """
    get_builder(request.user)
    kept = kept_entries(request, request.path) if request.method != "POST" else None
    if request.method != "POST" and kept is None:
        return redirect("authoring:new")
    try:
        payload = signing.loads((kept or request.POST).get("questionnaire", ""), salt=_SALT)
    except signing.BadSignature:
        error = SurveyError("import.lost")
        return render(request, "authoring/import_report.html", {"refusal": error}, status=422)
    origin, survey = Origin(**payload["origin"]), Questionnaire.from_json(payload["survey"])
    if kept is not None:
        return report_page(request, survey, origin, answers=kept["answers"])
    answers = {name: text for name, text in request.POST.items() if isinstance(text, str)}
    origin = replace(origin, titles=written_titles(survey, origin.titles, answers))
    set_titles(survey, origin.titles)
    answers = score_fields.with_corrections(survey, answers)
    answers, changed, refused = change_rows(survey, origin.changed, answers)
    origin = replace(origin, changed=changed)
    if not refused:
        answers, conditions, is_changed = change_conditions(survey, origin.conditions, answers)
        origin = replace(origin, conditions=conditions)
    if refused:
        return report_page(request, survey, origin, answers=answers, refused=refused, status=422)
    if origin.pasted and (line := unknown_line(origin.pasted, answers)):
        error = SurveyError("import.line", line=line)
        return report_page(request, survey, origin, answers=answers, error=error, status=422)
    if origin.pasted and (_READ_AGAIN in answers or chosen_roles(answers)):
        return _read_again(request, survey, origin, answers)
    if score_fields.UPDATE in answers:
        wrong = score_fields.refused_corrections(survey, answers)
        return report_page(
            request, survey, origin, answers=answers, wrong=wrong, status=422 if wrong else 200
        )
    if is_changed or answers.keys() & {APPLY, EARLIER, LATER, CHANGE, CONDITION, REMOVE}:
        return report_page(request, survey, origin, answers=answers)
    if answers.keys() & {PROTECT, STORE}:
        kept = change_protection(survey, answers)
        return report_page(request, survey, origin, answers=kept)
    unsettled = Questionnaire.from_json(survey.to_json())
    decided = decisions_in(survey, answers)
    wrong = apply_answers(survey, answers)
    if wrong:
        return report_page(request, unsettled, origin, answers=answers, wrong=wrong, status=422)
    origin = replace(origin, decided={**origin.decided, **decided})
    seen = {
        note["line"]
        for note in payload["survey"]["notes"]
        if note["effect"] == STORED or note["asks"] == "skip"
    }
    # An answer to an unclear point can make its question plain background, or leave a question out that
    # decides about others: show this before it is stored.
    if survey.unclear or any(note.effect == STORED and note.line not in seen for note in survey.notes):
        return report_page(request, survey, origin)
    if not any(question.is_asked for question in survey.questions):
        error = SurveyError("import.nothing")
        return report_page(request, survey, origin, error=error, status=422)
    try:
        return create_draft(request, survey, origin, choices=choices_document(survey, origin))
    except (SurveyError, DefinitionError) as failed:
        status = 409 if isinstance(failed, SurveyError) else 422
        return report_page(request, survey, origin, error=failed, status=status)


def _read_again(
    request: HttpRequest, survey: Questionnaire, origin: Origin, answers: Mapping[str, str]
) -> HttpResponse:
    """Read a pasted text again with the roles that the researcher chose, and show the report."""
    chosen = chosen_roles(answers)
    is_undone = answers.get(_READ_AGAIN) == _UNDO
    roles_of_lines = origin.roles_before if is_undone else {**origin.roles, **chosen}
    origin = replace(origin, roles=roles_of_lines, roles_before=origin.roles, read_before={})
    # Unknown languages are found and asked for again.
    is_known = not any(tag.startswith(UNKNOWN) for tag in survey.languages)
    tags = survey.languages if is_known else ()
    roles = {int(number): role for number, role in origin.roles.items()}
    again = read_paste(origin.pasted, tags, roles)
    set_titles(again, origin.titles)
    carry_changes(survey, again, {int(line): text for line, text in origin.changed.items()})
    apply_choices(survey, again, origin.conditions)
    drop_broken(again)
    if not is_undone:
        origin = replace(origin, read_before=changed_roles(survey, again, chosen))
    origin = replace(origin, decided={**origin.decided, **decisions_in(survey, answers, asks="score")})
    kept = decided_scores(again, origin.decided) | keep_decisions(survey, again, answers)
    kept |= {_READ_AGAIN: answers.get(_READ_AGAIN, "1")}
    return report_page(request, again, origin, answers=kept)


def report_page(
    request: HttpRequest,
    survey: Questionnaire,
    origin: Origin,
    *,
    answers: Mapping[str, str] | None = None,
    wrong: Mapping[int, str] | None = None,
    refused: Mapping[int, str] | None = None,
    error: SurveyError | DefinitionError | None = None,
    status: int = 200,
) -> HttpResponse:
    """Show the report of a questionnaire at its own address; after a refusal, a script sets the address."""
    payload = {"survey": survey.to_json(), "origin": asdict(origin)}
    token = signing.dumps(payload, salt=_SALT, compress=True)
    address = ""
    if request.method == "POST":
        own = {name: text for name, text in (answers or {}).items() if name not in _NOT_KEPT}
        entries = {"questionnaire": token, "answers": own}
        address = kept_address(request, reverse("authoring:import_report"), entries)
        if address and status == HTTPStatus.OK:
            return redirect(address)
    words, chosen = _sensitive(survey), with_chosen_filters(survey, answers or {})
    rows = list(_rows(survey, chosen, origin, answers or {}, refused or {}, words))
    # The field of the title says that it is missing.
    notes = [note for note in survey.notes if note.cause != NO_TITLE]
    effects = Counter(map(effect_of, notes))
    lines = accounted_lines(survey, origin.pasted, origin.read_before)
    count = {name: effects[name] for name in ("changed", "lost")}
    context = {
        "token": token,
        "address": address,
        "taken": sum(question.is_asked for question in survey.questions),
        "count": count,
        "languages": known_languages(),
        "read_languages": [language_of(tag).name for tag in survey.languages if not tag.startswith(UNKNOWN)],
        "unclear": _unclear(survey, answers or {}, wrong or {}),
        "stored": _stored(chosen, words),
        "has_filters": any(note.asks == "skip" for note in survey.notes),
        "titles": title_fields(survey),
        "about": [
            (label, list(survey.about[name].items()))
            for name, label in about_names().items()
            if any(survey.about.get(name, {}).values())
        ],
        "has_title": all(survey.title.get(tag) for tag in survey.languages),
        "groups": list(note_groups(notes, source_lines(origin.pasted))),
        "rows": rows,
        "has_doubts": any(row.is_doubted for row in rows) and not all(row.is_doubted for row in rows),
        "row_groups": _row_groups(rows, answers or {}),
        "kinds": list(CHOICES.items()),
        "lines": lines,
        "done": _done(survey, answers or {}, lines),
        "doubted": sum(row.is_doubted for row in rows),
        "misread": places_to_check(
            survey, origin.pasted, {number: row.line for row in rows for number in row.numbers}
        ),
        "roles": [(role, ROLES[role]) for role in CHOICES_OF_ROLES],
        "is_open": origin.source == "XLSForm",
        "refusal": error,
    }
    return render(request, "authoring/import_report.html", context, status=status)


def _unclear(
    survey: Questionnaire, answers: Mapping[str, str], wrong: Mapping[int, str]
) -> list[dict[str, Any]]:
    """Return the points to settle: the note, its question, and the answer so far."""
    following = followers(survey)
    items: list[dict[str, Any]] = []
    for number, note in enumerate(survey.notes):
        if note.effect != UNCLEAR:
            continue
        question = target_of(survey, note)
        own = following.get(question.key, ()) if question and note.asks == "skip" else ()
        items.append(
            {
                "number": number,
                "note": note,
                "sentence": score_fields.sentence_of(survey, note, answers.get(f"said-{number}", "")),
                "question": question,
                "how": answers.get(f"how-{number}", first_way(survey, note)),
                "said": answers.get(f"said-{number}", ""),
                "wrong": wrong.get(number, ""),
                "followers": [(text_in(each.texts), condition_text(survey, each)) for each in own],
                "is_proposed": note.asks in ("skip", "keep") and f"how-{number}" not in answers,
                "table": score_fields.table_of(
                    survey, score, answers.get(f"said-{number}", ""), is_refused=number in wrong
                )
                | {"is_checked": answers.get(score_fields.UPDATE) == str(number) and number not in wrong}
                if (score := score_fields.score_of(survey, note))
                else None,
                "numbers": numbers_of(question) if question else (),
                "can_introduce": note.asks == "answers"
                and question is not None
                and can_introduce(survey, question),
                "hindrance": one_answer_hindrance(survey, question) if question and own else "",
            }
            | (_condition_menus(survey, question, answers) if question and note.asks == "keep" else {})
        )
    return sorted(items, key=lambda item: item["note"].line)


def _condition_menus(survey: Questionnaire, question: Question, answers: Mapping[str, str]) -> dict[str, Any]:
    """Return the questions that can decide about another one, and the answers to the chosen one."""
    decider, ticked = chosen_answers(survey, question, answers)
    texts = answer_texts(decider) if decider else []
    return {
        "deciders": [
            (each.line, text_in(each.texts), each is decider) for each in deciders_for(survey, question)
        ],
        "decider": decider,
        "boxes": [(place, text, place in ticked) for place, text in enumerate(texts)],
    }


def _stored(survey: Questionnaire, words: Mapping[int, str]) -> list[StoredRow]:
    """Return the questions that are stored as answered, those that look sensitive first."""
    following = followers(survey)
    notes = {note.line: note for note in survey.notes if note.effect == STORED}
    rows = [
        StoredRow(
            note=notes[question.line],
            question=question,
            followers=following.get(question.key, ()),
            words=words[question.line],
        )
        for question in survey.questions
        if question.is_asked and not question.is_protected
    ]
    return sorted(rows, key=lambda row: not row.words)


def _sensitive(survey: Questionnaire) -> dict[int, str]:
    """Return, by line of a question, a word that makes it look sensitive; empty if there is none."""
    by_key, found = survey.by_key, dict[int, str]()
    for part in survey.parts:
        for question in part.questions:
            around, options = texts_around(part, question, by_key), [each.texts for each in question.options]
            is_plain = bool(plain_topic(question.kind, question.texts, options, around=around))
            found[question.line] = "" if is_plain else sensitive_words([question.texts, *options, *around])
    return found


def _done(
    survey: Questionnaire, answers: Mapping[str, str], lines: Mapping[str, Sequence[AccountedLine]]
) -> dict[str, Any]:
    """Return a sentence on the effect of the last button, and its place on the page."""
    texts = {str(question.line): text_in(question.texts) for question in survey.questions}
    if _READ_AGAIN in answers:
        if answers[_READ_AGAIN] == _UNDO:
            said = _("The last change of roles was undone. The text is read as before.")
        elif count := len(lines["differing"]):
            said = ngettext(
                "The text was read again. %(count)s other line is now read differently:",
                "The text was read again. %(count)s other lines are now read differently:",
                count,
            ) % {"count": count}
        else:
            said = _("The text was read again. All other lines are read as before.")
        return {"place": "lines", "said": said}
    if (line := answers.get(PROTECT)) in texts:
        return {
            "place": "readable",
            "said": _("“%(question)s” is now protected.") % {"question": texts[line]},
        }
    order = [str(question.line) for question in survey.questions]
    for name in (STORE, EARLIER, LATER, APPLY):
        if (line := answers.get(name)) not in texts:
            continue
        place = {"number": order.index(line) + 1, "count": len(order)}
        said = {
            STORE: _("This answer is now stored as given."),
            APPLY: _("Done. The question is now as shown here."),
        }.get(name) or _("This is now question %(number)s of %(count)s.") % place
        return {"place": f"row-{line}", "said": said}
    return {}


def _rows(
    survey: Questionnaire,
    chosen: Questionnaire,
    origin: Origin,
    answers: Mapping[str, str],
    refused: Mapping[int, str],
    words: Mapping[int, str],
) -> Iterator[Row]:
    lines = source_lines(origin.pasted)
    asked_about = {each.line for each in survey.lines if not each.is_certain}
    asked_about |= {int(line) for line in origin.read_before}
    questions = survey.questions
    is_short = len(questions) <= _MOST_MENUS
    marked = _reasons_to_check(survey)
    other_roles = {each.line: str(ROLES[each.role]) for each in survey.lines if each.role in _OTHER_ROLES}
    behind = {each.line: str(ROLES[each.role]) for each in survey.lines if each.role in (HEADING, SKIP)}
    lost = {question.line: deciders for question, deciders in lost_conditions(chosen)}
    decided = {question.line: question for question in chosen.questions}
    language, yes_no = survey.languages[0], [*yes_no_words(survey.languages)]
    first = {id(part.questions[0]): part for part in survey.parts if part.questions}
    # Show the heading of a part with its first question.
    starts = [
        part.line if (part := first.get(id(question))) and 0 < part.line < question.line else question.line
        for question in questions
    ]
    # Questions that were moved are not in the order of their lines.
    ends = dict(itertools.pairwise([*sorted(starts), len(lines) + 1]))
    for question, start in zip(questions, starts, strict=True):
        following = ends[start]
        numbers = range(start, max(following, start + 1))
        own_lines = [
            (
                text,
                number in marked,
                other_roles.get(number, behind.get(number, "") if number > question.line else ""),
            )
            for number, text in zip(numbers, lines[start - 1 :], strict=False)
        ]
        source = [(text, False, "") for text in question.source.split("\n")] if question.source else own_lines
        reasons = [
            _("%(reason)s (line %(line)s)") % {"line": number, "reason": mark}
            if mark and number != question.line
            else mark
            for number in numbers
            for mark in marked.get(number, ())
        ]
        part = first.get(id(question))
        is_open = question.line in refused or answers.get(CHANGE) == str(question.line)
        shown = decided.get(question.line, question)
        yield Row(
            line=question.line,
            source=[each for each in source if each[0].strip()],
            numbers=numbers,
            part=part.texts.get(language, "") if part else "",
            question=shown,
            condition=condition_text(survey, question),
            skipped_by=[f"“{text_in(each.texts)}”" for each in lost.get(question.line, ())],
            asked_texts=shown.texts if shown.condition else shown.whole_texts,
            unlisted=offered_options(shown),
            can_be_stored=question.is_asked
            and bool(shown.is_protected)
            and IMPORTED_KINDS[question.kind].can_be_switched
            and not words[question.line],
            words=words[question.line],
            yes_no=yes_no,
            steps=step_sentence(shown.own.get("number") or {}) if shown.is_protected else "",
            choice=answers[f"kind-{question.line}"] if question.line in refused else choice_of(question),
            answers=answers.get(f"answers-{question.line}", "")
            if question.line in refused
            else answers_text(question, survey.languages),
            wrong=refused.get(question.line, ""),
            has_role=bool(origin.pasted) and question.line not in asked_about,
            texts=written_texts(question, answers) if question.line in refused else question.texts,
            has_menus=is_short or is_open,
            is_open=is_open,
            marks=list(dict.fromkeys(filter(None, reasons))),
            is_doubted=bool(reasons) or not question.is_asked,
        )


_OTHER_ROLES: Final = (LEFT, SCORING, ABOUT, INTRODUCTION, TITLE)
"""Roles of lines that are not part of the question above them."""


def _reasons_to_check(survey: Questionnaire) -> dict[int, list[str]]:
    """Return, by line, the reasons to check it; a reason is empty if the row shows it in another way.

    They include all that the report asks or wants checked about a line, and the fate of each question that
    is not asked.
    """
    dropped = {question.line for question in survey.questions if not question.is_asked}
    reasons: dict[int, list[str]] = {}
    scored = {line for score in survey.scores for line in score.questions}
    for note in survey.notes:
        is_loss = note.effect in (LOST, WRONG) and note.line in dropped
        # A score is settled in its own table, above the rows of its questions: it shows their answers.
        is_in_table = note.asks == "score" or (note.cause == LESS_CERTAIN and note.line in scored)
        if not (is_loss or note.effect in (UNCERTAIN, UNCLEAR)) or is_in_table:
            continue
        target = target_of(survey, note) if note.effect == UNCLEAR else None
        lines = {note.line, target.line} if target is not None else {note.line}
        for line in lines:
            # The row already shows a condition that was read.
            reasons.setdefault(line, []).append("" if note.cause == READ else note.message)
    return reasons


@dataclass(frozen=True, kw_only=True)
class RowGroup:
    """Consecutive rows, which a long report folds."""

    first: int
    """Number of its first row, counted from 1."""
    rows: Sequence[Row]
    is_open: bool

    @property
    def last(self) -> int:
        """Number of its last row."""
        return self.first + len(self.rows) - 1


def _row_groups(rows: Sequence[Row], answers: Mapping[str, str]) -> list[RowGroup]:
    """Return the rows in groups; those that the last press concerned are unfolded."""
    pressed = {answers.get(name) for name in (APPLY, EARLIER, LATER, CHANGE, STORE)}
    return [
        RowGroup(
            first=start + 1,
            rows=(own := rows[start : start + _ROWS_OF_GROUP]),
            is_open=any(row.is_open or str(row.line) in pressed for row in own),
        )
        for start in range(0, len(rows), _ROWS_OF_GROUP)
    ]
