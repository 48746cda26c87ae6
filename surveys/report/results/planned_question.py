"""The answer to the question that a survey was planned for."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

from django.utils.translation import gettext as _

from privacy.errors import PrivacyError
from privacy.estimation.denial import DENIED_IN_SENTENCES, share_bounds
from privacy.policy import USEFUL_WIDTH
from surveys.errors.error import SurveyError, sentences
from surveys.formats.joints import labelled, list_text
from surveys.formats.numbers import percent_text
from surveys.models import ItemsetRow, Run
from surveys.policy import LEAST_PROFILE
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.labels import ItemLabel
from surveys.questionnaire.languages import text_in
from surveys.report.opened_run import OpenedRun
from surveys.report.results.answer_shares import AnswerShares, answers_of, share_of
from surveys.report.results.choice import item_choice
from surveys.report.results.comparison_text import ComparisonText
from surveys.report.results.numbers import NumberWords
from surveys.report.sentences.findings import item_phrase, level_text, share_sentence
from surveys.report.sentences.verdict import Finding, mean_finding, share_finding
from surveys.runs.interim_or_final import standing_of
from surveys.runs.ledger import floor_of
from surveys.runs.numbers import NumberSummary
from surveys.runs.opening_figures import stored_pair, stored_scale
from surveys.runs.planned_pair import planned_pair
from surveys.runs.predictions import Prediction, predicted_of
from surveys.runs.withheld import withheld_of


@dataclass(frozen=True, kw_only=True)
class PlannedShare:
    """The share of a planned answer: its label, the run's row, and the finding."""

    label: ItemLabel
    row: ItemsetRow
    finding: Finding

    @property
    def sentences(self) -> list[str]:
        """How many people have the answer, and what that allows to say."""
        figure = share_sentence(item_phrase(self.label), share_of(self.row))
        return [figure, *filter(None, [self.finding.sentence, self.denial_sentence])]

    @property
    def denial_sentence(self) -> str:
        """The range of a protected answer's share if some people denied it; empty if nothing is known."""
        share = share_of(self.row)
        if not (self.label.protected and share.estimable):
            return ""
        low, high = share_bounds(share, DENIED_IN_SENTENCES)
        words = {"denied": percent_text(DENIED_IN_SENTENCES, 0), "low": percent_text(max(low, 0.0), 0)}
        return _(
            "If up to %(denied)s of 100 people concerned denied it, the true share is %(low)s to %(high)s "
            "of 100."
        ) % (words | {"high": percent_text(high, 0)})


@dataclass(frozen=True, kw_only=True)
class PlannedMean:
    """The mean of a planned number: its words, figures, sentence, picture's absence, and the finding."""

    words: NumberWords
    summary: NumberSummary
    figure: str
    picture_words: str
    finding: Finding

    @property
    def sentences(self) -> list[str]:
        """The mean and median, and what they allow to say."""
        return [self.figure, *filter(None, [self.picture_words, self.finding.sentence])]


@dataclass(frozen=True, kw_only=True)
class YourQuestion:
    """The answer to the planned question of a survey.

    Attributes
    ----------
    comparison : ComparisonText or None
        The comparison of the planned pair.
    error : PrivacyError or None
        Why the comparison, or a planned share or number, was refused.
    predicted : Prediction or None
        The prediction for a refused pair.
    shares : tuple of PlannedShare
        Planned answers that are not compared.
    means : tuple of PlannedMean
        Planned numbers.
    has_intervals : bool
        Whether the sentences have intervals in brackets.
    refused : tuple of str
        Names of the planned answers or questions that `error` is about.
    """

    comparison: ComparisonText | None = None
    error: PrivacyError | None = None
    predicted: Prediction | None = None
    shares: tuple[PlannedShare, ...] = ()
    means: tuple[PlannedMean, ...] = ()
    has_intervals: bool = False
    refused: tuple[str, ...] = ()

    @property
    def refusal(self) -> str:
        """Why there is no figure, after the names of the planned questions or answers; else empty."""
        if self.error is None:
            return ""
        names = list_text([f"“{name}”" for name in self.refused])
        return labelled(names, sentences(self.error)) if names else sentences(self.error)

    @property
    def level_text(self) -> str:
        """The level of the intervals in brackets; empty if there are none."""
        if self.comparison is not None and self.has_intervals:
            return self.comparison.level_text
        return level_text() if self.has_intervals else ""

    @property
    def sentences(self) -> list[str]:
        """The finding, in the same words on every page."""
        if self.comparison is not None:
            said = [self.comparison.sentence, self.comparison.verdict, self.comparison.denial.sentence]
            return [sentence for sentence in said if sentence]
        refusal = filter(None, [self.refusal])
        return [*refusal, *(sentence for part in self._parts for sentence in part.sentences)]

    @property
    def findings(self) -> list[Finding]:
        """What the figures allow to say; empty if there are none."""
        if self.comparison is not None:
            return [self.comparison.finding]
        return [part.finding for part in self._parts]

    @property
    def _parts(self) -> tuple[PlannedShare | PlannedMean, ...]:
        return (*self.shares, *self.means)


def your_question(open_run: OpenedRun, answers: AnswerShares | None = None) -> YourQuestion | None:
    """Return the answer to the planned question; None if none was planned or the run lacks it."""
    run, is_interim = open_run.run, not standing_of(open_run.run).is_final
    pair = planned_pair(run)
    if pair:
        labels = [open_run.labels.items[run.design.item(key).index] for key in pair]
        by, outcome = map(item_choice, labels)
        try:
            text = ComparisonText(
                comparison=stored_pair(run),
                outcome=outcome,
                by=by,
                forged=withheld_of(run).rows,
                is_interim=is_interim,
            )
            return YourQuestion(comparison=text, has_intervals=text.comparison.having.estimable)
        except PrivacyError as error:
            items = tuple(sorted(run.design.item(key).index for key in pair))
            by_items = {prediction.items: prediction for prediction in predicted_of(run)}
            titles = tuple(label.title for label in labels)
            return YourQuestion(error=error, predicted=by_items.get(items), refused=titles)
    aim = Aim.from_json(run.version.aim)
    wanted_keys = () if aim is None else aim.within(run.design).wanted
    found: list[tuple[NumberWords, NumberSummary]] = []
    refusal: PrivacyError | None = None
    refused = ""
    for number, question in enumerate(run.design.questions):
        keys = {label.key for label in open_run.labels.items if label.question == question.key}
        if not {question.key, *keys} & {*wanted_keys}:
            continue
        try:
            withheld_of(run).check([number])
            is_wanted = question.has_mean and question.key in wanted_keys
            if is_wanted and (figures := stored_scale(run, question.key)):
                found.append((NumberWords.of(run, number), figures))
        except PrivacyError as reason:
            refused = refused or _question_name(run, number)
            refusal = refusal or reason
    shares = []
    for label, row in itertools.chain.from_iterable(answers or answers_of(open_run)):
        if label.key not in wanted_keys:
            continue
        if row is not None and row.support_low is not None:
            finding = share_finding(share_of(row)).at_look(is_interim=is_interim)
            shares.append(PlannedShare(label=label, row=row, finding=finding))
        elif refusal is None:
            refusal, refused = _why_no_share(run, label), label.title
    means = tuple(_planned_mean(words, summary, run, is_interim=is_interim) for words, summary in found)
    has_intervals = bool(shares) or any(summary.mean or summary.median for _words, summary in found)
    if not (shares or means or refusal):
        return None
    return YourQuestion(
        shares=tuple(shares),
        means=means,
        has_intervals=has_intervals,
        error=refusal,
        refused=(refused,) if refused else (),
    )


def _question_name(run: Run, number: int) -> str:
    """Return a question's short name, or else its text."""
    aim, key = Aim.from_json(run.version.aim), run.design.questions[number].key
    wordings = [entry for block in run.version.wording["blocks"] for entry in block["questions"]]
    return (aim.labels.get(key) if aim else "") or text_in(wordings[number]["text"]) or key


def states_pair(yours: YourQuestion | None) -> bool:
    """Return whether a page compares the planned pair, so that "no link" is about the others."""
    return yours is not None and yours.comparison is not None


def _why_no_share(run: Run, label: ItemLabel) -> PrivacyError:
    """Return why a planned answer has no share: it waits, or too few people were asked or gave it."""
    if not floor_of(run).may_name(run.design, (label.index,)):
        return SurveyError("waits.answer", least=LEAST_PROFILE)
    return SurveyError("too_few.answer")


def _planned_mean(words: NumberWords, summary: NumberSummary, run: Run, *, is_interim: bool) -> PlannedMean:
    """Return the mean of a planned number, and what it allows to say."""
    ticks, mean = words.channel.range, summary.mean
    length = float(ticks.middle(words.channel.inputs - 1) - ticks.middle(0))
    width = mean.high - mean.low if mean else math.nan
    shift = (mean.shift if mean else None) or 0.0
    within = words.half_width_text(USEFUL_WIDTH * length)
    is_explained = bool(shift) and not shift <= width / 2
    n = mean.n if mean else run.n or 0
    finding = mean_finding(n, width / length, within=within, is_explained=is_explained)
    return PlannedMean(
        words=words,
        summary=summary,
        figure=labelled(f"“{words.name}”", words.sentence(summary)),
        picture_words=words.picture_words(summary, run),
        finding=finding.at_look(is_interim=is_interim),
    )
