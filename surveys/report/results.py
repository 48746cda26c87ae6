"""Results of a run for its requester: a bar for each answer, and the clearest rules in ten sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from privacy.errors import PrivacyError
from privacy.estimation.always_valid import always_valid_half_width
from privacy.estimation.design_index import index_of
from privacy.survey.question import Question
from surveys.access.permissions import may_build, staff_page
from surveys.analysis.rule_query import RuleQuery, rule_keys
from surveys.analysis.scales.question import asked_of
from surveys.charts.share_bar import share_bar
from surveys.disclosure.disclosure import shown_count
from surveys.errors.core_refusals import sentences
from surveys.models import ItemsetRow, Job, RuleRow, Run
from surveys.questionnaire.labels import ItemLabel, Labels, QuestionName, question_names, unpack_items
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.rankings import things_of
from surveys.report.frequencies import confidence_sentence, range_said, share_said
from surveys.report.opened import OpenedRun, results_page
from surveys.report.rankings import RankingResult, ranking_result
from surveys.report.rules import rules_by_key

MOST_SENTENCES: Final = 10
AT_FIRST: Final = 3
"""So many are read at a glance; the others unfold."""

_LOOKED_THROUGH: Final = 400
"""Rules of which the sentences are taken: a rule's reverse, or one with an item more, says little new."""


@dataclass(frozen=True, kw_only=True)
class ShareLine:
    """An answer, and how many gave it.

    Attributes
    ----------
    answer : str
    said : str
        "21 % (16 to 26 %)"; empty where the run did not list it.
    always : str
        Of an open survey: "14–28 %", the range that holds however often one looks.
    picture : SafeString or None
    remark : str
        What the figure needs beside it.
    """

    answer: str
    said: str = ""
    always: str = ""
    picture: SafeString | None = None
    remark: str = ""


@dataclass(frozen=True, kw_only=True)
class QuestionResult:
    """A question in its own words, with its answers.

    Attributes
    ----------
    key, text : str
    protected : bool
    is_scale, is_place : bool
        Whether it asks for a number or a place, which has a page of its own.
    lines : tuple of ShareLine
        Of a number or a place: of what may take part in rules.
    refused : str
        Why a number or a place has no picture; empty where it has one.
    asked : str
        How many were asked it, where devices draw who is and one of its answers is listed; else empty.
    ranking : RankingResult or None
        Where things were put in order; then there are no lines.
    """

    key: str
    text: str
    protected: bool
    is_scale: bool
    is_place: bool
    lines: tuple[ShareLine, ...]
    refused: str = ""
    asked: str = ""
    ranking: RankingResult | None = None


@dataclass(frozen=True, kw_only=True)
class Together:
    """Two answers that go together: a sentence, and the picture of both shares."""

    rule: int
    sentence: str
    compared: str
    picture: SafeString
    asked: str = ""


@staff_page
@require_safe
@results_page
def results(request: HttpRequest, opened: OpenedRun) -> HttpResponse:
    """Show the results of a finished run."""
    context = results_context(opened) | {"may_share": may_build(request.user, opened.run.survey)}
    return render(request, "report/run_results.html", context)


def results_context(opened: OpenedRun) -> dict[str, object]:
    """Return the context of the page of results, for staff and for shared addresses."""
    run, labels = opened
    together = tuple(together_of(run, labels))
    return {
        "run": run,
        "questions": tuple(questions_of(opened)),
        "together": together[:AT_FIRST],
        "further": together[AT_FIRST:],
        "tested": run.summary.get("inference") is not None,
        "threshold": f"{100 * run.thresholds.support:g}",
        "look": look_of(run),
    }


def look_of(run: Run) -> int:
    """Return which look at a growing survey a run was; 0 once it is closed, or for these respondents only.

    The same rows read again are no new look: what changes from one to the next is what can mislead.
    """
    closed_at = run.survey.closed_at
    if run.thresholds.target == "respondents" or (closed_at and closed_at <= run.job.created_at):
        return 0
    finished = Run.objects.filter(survey=run.survey, pk__lte=run.pk, job__state=Job.State.FINISHED)
    return finished.order_by().values("version", "snapshot_digest").distinct().count()


def questions_of(opened: OpenedRun) -> Iterator[QuestionResult]:
    """Yield each question of a run with the shares of its answers."""
    run, labels = opened
    design = run.version.to_design()
    single = {unpack_items(row.items): row for row in ItemsetRow.objects.filter(run=run, size=1)}
    names = question_names(run.version, design)
    grows = look_of(run) > 0
    drawn = {design.items[item].question for item in index_of(design).is_drawn.nonzero()[0].tolist()}
    asked = {design.items[item].question: row.n for (item,), row in single.items()}
    wordings = [question for block in run.version.wording["blocks"] for question in block["questions"]]
    for number, (question, name) in enumerate(zip(design.questions, names, strict=True)):
        things = things_of(wordings[number])
        pairs = zip(labels.items, design.items, strict=True)
        yield QuestionResult(
            key=question.key,
            text=name.text,
            protected=design.blocks[design.block_of(number)].protected,
            is_scale=question.is_scale,
            is_place=question.kind == "place",
            lines=tuple(
                _line(label, single.get((label.index,)), name, grows=grows)
                for label, item in pairs
                if item.question == number and not things
            ),
            refused=_refused(run, question) if question.is_scale else "",
            asked=shown_count(asked[number]) if number in drawn and number in asked else "",
            ranking=_ranking(run, number, wordings[number], grows=grows),
        )


def _ranking(run: Run, number: int, wording: dict[str, Any], *, grows: bool) -> RankingResult | None:
    """Return the releasable ranking of a question; None of another question."""
    language = get_language() or "en"
    things = [text_in(thing["text"], language) for thing in things_of(wording)]
    if not things:
        return None
    listed = [text_in(option["text"], language) for option in wording["options"]]
    return ranking_result(run, number, things, listed, grows=grows)


def _refused(run: Run, question: Question) -> str:
    try:
        asked_of(run, question.key, question.kind)
    except PrivacyError as refusal:
        return sentences(refusal)
    return ""


def _line(label: ItemLabel, row: ItemsetRow | None, name: QuestionName, *, grows: bool) -> ShareLine:
    answer = label.option or _("yes")
    if row is None:
        return ShareLine(answer=answer)
    remark = _outside(row.support) or (_("few rows") if row.few_rows else "")
    if row.support_low is None or row.support_high is None:
        return ShareLine(answer=answer, remark=_("not estimable with so few answers"))
    ends = row.support_low, row.support_high
    # Nothing of an answer that is sent as it is needs to be estimated about those who gave it.
    said = share_said(row.support, *ends)
    described = _("%(question)s %(answer)s: %(share)s") % {
        "question": name.text, "answer": answer, "share": said,
    }  # fmt: skip
    picture = share_bar(row.support, *ends, said=described, truth=row.truth)
    always = range_said(row.support, *always_valid_range(row)) if grows and ends[0] < ends[1] else ""
    return ShareLine(answer=answer, said=said, always=always, picture=picture, remark=remark)


def always_valid_range(row: ItemsetRow) -> tuple[float, float]:
    """Return the range that holds however often one looks, within [0, 1]."""
    reach = always_valid_half_width(row.support_se, row.n)
    return max(row.support - reach, 0.0), min(row.support + reach, 1.0)


def _outside(share: float) -> str:
    if share < 0:
        return _("below 0")
    return _("above 1") if share > 1 else ""


def together_of(run: Run, labels: Labels) -> Iterator[Together]:
    """Yield the clearest rules of a run in words: by smallest p-value, no itemset twice."""
    query = RuleQuery(holds="yes" if run.summary.get("inference") is not None else "")
    is_drawn = index_of(run.version.to_design()).is_drawn
    said_already: list[frozenset[int]] = []
    for row in rules_by_key(rule_keys(run, query, 0, _LOOKED_THROUGH)):
        items = frozenset(unpack_items(row.antecedent) + unpack_items(row.consequent))
        said = None if any(items >= other for other in said_already) else _together(row, labels)
        if said is not None:
            said_already.append(items)
            yield replace(said, asked=shown_count(row.n)) if is_drawn[list(items)].any() else said
        if len(said_already) == MOST_SENTENCES:
            return


def _together(row: RuleRow, labels: Labels) -> Together | None:
    """Return a rule in words; None for one that raises no share, or whose figures need a longer sentence."""
    share, low, high, lift = row.confidence, row.confidence_low, row.confidence_high, row.lift
    if share is None or low is None or high is None or lift is None or row.few_rows:
        return None
    if not (low <= share <= high and lift > 1):
        return None
    sentence = confidence_sentence(row, labels)
    compared = _("Of 100 people in general: about %(share)s.")
    return Together(
        rule=row.pk,
        sentence=sentence,
        compared=compared % {"share": f"{100 * share / lift:.0f}"},
        picture=share_bar(share, low, high, said=sentence, compared=share / lift),
    )
