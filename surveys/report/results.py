"""Results of a run: the answer to what the survey was planned for, every share, and the clearest rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from mining.itemsets import estimate_itemsets
from privacy.errors import PrivacyError
from privacy.estimation.design_index import index_of
from privacy.estimation.measures import Measured
from privacy.policy import LEAST_COMPLETE_ROWS
from privacy.survey.question import Anchor, Question
from surveys.accounts.permissions import may_build
from surveys.charts.intervals import IntervalRow, shares_svg
from surveys.estimates.numbers import scale_of
from surveys.estimates.run_summary import Predicted, misfit_of, predicted_of
from surveys.models import ItemsetRow, Job, RuleRow, Run
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.arms import choices_of_arms
from surveys.questionnaire.labels import ItemLabel, unpack_items
from surveys.questionnaire.languages import text_in
from surveys.report.compare import wanted_pair
from surveys.report.compare_words import ComparisonText
from surveys.report.frequencies import item_phrase, per_hundred, share_said, share_sentence
from surveys.report.numbers import number_picture, number_sentence
from surveys.report.opened_run import OpenedRun, results_page
from surveys.report.rule_rows import RuleQuery, planned_pair, rule_keys, rules_by_key
from surveys.report.rule_words import RuleText, rule_text, selection_words
from surveys.rows.releasable_rows import rows_behind
from surveys.rows.snapshot import once_per_snapshot


@dataclass(frozen=True, kw_only=True)
class AnchorShare:
    """The share of "yes" to an anchor, by its item, with its interval; it should be 0 or 1."""

    item: int
    true_of: Anchor
    share: Measured


@once_per_snapshot(32)
def anchor_shares(run: Run) -> tuple[AnchorShare, ...]:
    """Return the share of "yes" to each anchor of a run, of those that may be published.

    Raises
    ------
    SurveyError
        ``snapshot``: its rows are gone.
    """
    if not any(question.anchor for question in run.version.to_design().questions):
        return ()
    rows = rows_behind(run)
    if not rows.shown.results:
        return ()
    design = rows.design
    true_of = {
        item.index: anchor for item in design.items if (anchor := design.questions[item.question].anchor)
    }
    itemsets = rows.releasable([(item,) for item in true_of])
    thresholds = run.thresholds
    table = estimate_itemsets(
        rows.count_cache, design, itemsets, estimator=thresholds.estimator, target=thresholds.target
    )
    return tuple(
        AnchorShare(item=itemset.items[0], true_of=true_of[itemset.items[0]], share=itemset.interval)
        for itemset in table
    )


MOST_SENTENCES: Final = 10
AT_FIRST: Final = 3
"""So many are read at a glance; the others unfold."""

_LOOKED_THROUGH: Final = 400
"""Rules of which the sentences are taken: a rule's reverse, or one with an item more, says little new."""


@dataclass(frozen=True, kw_only=True)
class NumberResult:
    """A number's mean and median in a sentence, and its picture; none without bars."""

    sentence: str
    drawing: SafeString | None


@dataclass(frozen=True, kw_only=True)
class QuestionResult:
    """A question with its answers.

    Attributes
    ----------
    question : Question
    text : str
        What is asked.
    protected : bool
    answers : tuple of (ItemLabel, ItemsetRow or None)
        Each answer, and what the run lists of it; of a number or a place those that may take part in rules.
    n : int or None
        How many were asked it, where devices draw who is and one of its answers is listed.
    few_asked : bool
        Whether so few people are expected to have been asked it that nothing is listed of it.
    number : NumberResult or None
        Of a number.
    error : PrivacyError or None
        Why a number or a place has no figures.
    """

    question: Question
    text: str
    protected: bool
    answers: tuple[tuple[ItemLabel, ItemsetRow | None], ...]
    n: int | None
    few_asked: bool = False
    number: NumberResult | None = None
    error: PrivacyError | None = None


@dataclass(frozen=True, kw_only=True)
class YourQuestion:
    """The answer to what a survey was planned for.

    Attributes
    ----------
    comparison : ComparisonText or None
        Of the planned pair.
    error : PrivacyError or None
        Why it is refused.
    predicted : Predicted or None
        What the run predicts of a refused pair.
    shares : tuple of (str, ItemLabel, ItemsetRow)
        Of the planned answers if they are not compared: a sentence, and what the run lists.
    means : tuple of str
        The same of the planned numbers, in sentences.
    """

    comparison: ComparisonText | None = None
    error: PrivacyError | None = None
    predicted: Predicted | None = None
    shares: tuple[tuple[str, ItemLabel, ItemsetRow], ...] = ()
    means: tuple[str, ...] = ()

    @property
    def sentences(self) -> list[str]:
        """The finding, as every page states it."""
        if self.comparison is not None:
            return [self.comparison.sentence, self.comparison.verdict]
        return [*(sentence for sentence, _label, _row in self.shares), *self.means]


@results_page
def results(request: HttpRequest, opened: OpenedRun) -> HttpResponse:
    """Show the results of a finished run."""
    context = results_context(opened)
    context |= {
        "picture": _picture(opened, context["questions"]),
        "may_share": may_build(request.user, opened.run.survey),
        "experiment": bool(choices_of_arms(opened.run.design)),
    }
    return render(request, "report/run_results.html", context)


def _picture(opened: OpenedRun, questions: Sequence[QuestionResult]) -> SafeString | None:
    """Draw the share of every answer that the run lists; None where it lists none."""
    rows = [
        IntervalRow(
            name=f"{label.text} {label.answer}",
            text=share_said(row.support, row.support_low, row.support_high),
            value=row.support,
            low=row.support_low,
            high=row.support_high,
        )
        for question in questions
        for label, row in question.answers
        if row is not None and row.support_low is not None and row.support_high is not None
    ]
    return shares_svg(rows, title=opened.run.survey.title_text, unit=_("people of 100")) if rows else None


def results_context(opened: OpenedRun) -> dict[str, Any]:
    """Return the context of the page of results, for staff and for shared addresses."""
    run = opened.run
    together = tuple(together_of(opened))
    return {
        "run": run,
        "labels": opened.labels,
        "questions": tuple(questions_of(opened)),
        "yours": your_question(opened),
        "together": together[:AT_FIRST],
        "further": together[AT_FIRST:],
        "selection": selection_words(run),
        "anchors": anchor_lines(opened),
        "look": look_of(run),
        "misfit": misfit_of(run),
    }


def your_question(opened: OpenedRun) -> YourQuestion | None:
    """Return the answer to what a survey was planned for; None where nothing was or the run lacks it."""
    run, misfit = opened.run, misfit_of(opened.run)
    if misfit is not None:
        return YourQuestion(error=misfit)
    pair = planned_pair(run)
    if pair:
        try:
            comparison = wanted_pair(opened, outcome=pair[1], by=pair[0])
        except PrivacyError as error:
            items = tuple(sorted(run.design.item(key).index for key in pair))
            known = {own.items: own for own in predicted_of(run)}
            return YourQuestion(error=error, predicted=known.get(items))
        return YourQuestion(comparison=comparison)
    aim = Aim.from_json(run.version.aim)
    wanted = () if aim is None else aim.within(run.design).wanted
    try:
        means = tuple(
            number_sentence(scale_of(run, question.key, "number"))
            for question in run.design.questions
            if question.kind == "number" and question.key in wanted
        )
    except PrivacyError as error:
        return YourQuestion(error=error)
    shares = tuple(
        (share_sentence(item_phrase(label), share_of(row)), label, row)
        for answers in answers_of(opened)
        for label, row in answers
        if row is not None and row.support_low is not None and label.key in wanted
    )
    return YourQuestion(shares=shares, means=means) if shares or means else None


def share_of(row: ItemsetRow) -> Measured:
    """Return the share of people who have an itemset that can be estimated."""
    if row.support_low is None or row.support_high is None:
        raise ValueError("the support has no interval")
    return Measured(
        value=row.support,
        low=row.support_low,
        high=row.support_high,
        standard_error=row.support_se,
        estimable=True,
    )


def look_of(run: Run) -> int:
    """Return which look at a growing survey a run was; 0 once it is closed.

    The same rows read again are no new look: what changes from one to the next is what can mislead.
    """
    closed_at = run.survey.closed_at
    if closed_at and closed_at <= run.job.created_at:
        return 0
    finished = Run.objects.filter(survey=run.survey, pk__lte=run.pk, job__state=Job.State.FINISHED)
    return finished.order_by().values("version", "snapshot_digest").distinct().count()


def anchor_lines(opened: OpenedRun) -> list[str]:
    """Return how many said yes to each question whose answer everybody knows, in a sentence."""
    said = {
        "nobody": _(
            "False yes: %(value)s of 100 people (%(low)s to %(high)s) said yes to “%(question)s”, which is "
            "true of nobody."
        ),
        "everybody": _(
            "%(value)s of 100 people (%(low)s to %(high)s) said yes to “%(question)s”, which is true of "
            "everybody."
        ),
    }
    if misfit_of(opened.run) is not None:
        return []
    shares = [anchor for anchor in anchor_shares(opened.run) if anchor.share.estimable]
    lines = [
        said[anchor.true_of]
        % {
            **per_hundred(anchor.share.value, anchor.share.low, anchor.share.high),
            "question": opened.labels.items[anchor.item].text.rstrip(".。"),
        }
        for anchor in shares
    ]
    if any(not 0 <= anchor.share.value <= 1 for anchor in shares):
        lines.append(_("Random noise can push an estimate below 0% or above 100%. We show it as it is."))
    return lines


def answers_of(opened: OpenedRun) -> Iterator[tuple[tuple[ItemLabel, ItemsetRow | None], ...]]:
    """Yield the items of each question, each with what the run lists of it."""
    run, labels = opened
    single = {unpack_items(row.items): row for row in ItemsetRow.objects.filter(run=run, size=1)}
    for question in run.version.to_design().questions:
        items = (label for label in labels.items if label.question == question.key)
        yield tuple((label, single.get((label.index,))) for label in items)


def questions_of(opened: OpenedRun) -> Iterator[QuestionResult]:
    """Yield each question of a run with the shares of its answers."""
    run = opened.run
    if misfit_of(run) is not None:
        return
    design, language = run.version.to_design(), get_language() or "en"
    drawn = {design.items[item].question for item in index_of(design).is_drawn.nonzero()[0].tolist()}
    wordings = [question for block in run.version.wording["blocks"] for question in block["questions"]]
    for number, (answers, wording) in enumerate(zip(answers_of(opened), wordings, strict=True)):
        question, n_asked = design.questions[number], [row.n for _label, row in answers if row is not None]
        if question.anchor:
            # Nothing is found of it: see `anchor_lines`.
            continue
        result = QuestionResult(
            question=question,
            text=text_in(wording["text"], language),
            protected=design.blocks[design.block_of(number)].protected,
            answers=answers,
            n=n_asked[0] if n_asked and number in drawn else None,
            few_asked=number in drawn
            and not n_asked
            and (run.n or 0) * design.drawn_together([number]) < LEAST_COMPLETE_ROWS,
        )
        try:
            if question.is_scale:
                scale = scale_of(run, question.key, question.kind)
                if question.kind == "number":
                    number_result = NumberResult(
                        sentence=number_sentence(scale), drawing=number_picture(scale)
                    )
                    result = replace(result, number=number_result)
        except PrivacyError as error:
            result = replace(result, error=error)
        yield result


def together_of(opened: OpenedRun) -> Iterator[RuleText]:
    """Yield the clearest rules of a run by smallest p-value, no itemset twice, without the planned pair."""
    run = opened.run
    if misfit_of(run) is not None:
        return
    query = RuleQuery(holds="yes" if run.summary.get("inference") is not None else "")
    is_drawn = index_of(run.version.to_design()).is_drawn
    planned = frozenset(run.design.item(key).index for key in planned_pair(run))
    listed: list[frozenset[int]] = []
    for row in rules_by_key(run, rule_keys(run, query, 0, _LOOKED_THROUGH)):
        items = frozenset(unpack_items(row.antecedent) + unpack_items(row.consequent))
        if items != planned and _raises_the_share(row) and not any(items >= other for other in listed):
            listed.append(items)
            yield rule_text(run, row, opened.labels, is_drawn=bool(is_drawn[list(items)].any()))
        if len(listed) == MOST_SENTENCES:
            return


def _raises_the_share(row: RuleRow) -> bool:
    """Whether a rule raises a share, and its figures need no longer sentence."""
    share, (low, high), lift = row.confidence, row.printed["confidence"], row.lift
    if share is None or low is None or high is None or lift is None or row.few_rows:
        return False
    return low <= share <= high and lift > 1
