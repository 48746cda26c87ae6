"""Results of a run: the planned question, every share, and the clearest rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from privacy.errors import PrivacyError
from privacy.planning.shortfalls import LIMITS
from privacy.policy import LEAST_COMPLETE_ROWS
from privacy.printed import Measured
from privacy.survey.question import Question
from surveys.accounts.permissions import may_build
from surveys.formats.interval_chart import intervals_svg, share_row
from surveys.formats.people_of_100 import share_with_interval
from surveys.models import ItemsetRow, Run
from surveys.questionnaire.arm_groups import choices_of_arms
from surveys.questionnaire.labels import ItemLabel, short_names
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.rule_words import RuleWords, rules_in_words
from surveys.questionnaire.stems import LINE, begun_stems
from surveys.report.opened_run import OpenedRun, results_page
from surveys.report.results.answer_shares import AnswerShares, answers_of, share_of
from surveys.report.results.numbers import NumberWords
from surveys.report.results.planned_question import states_pair, your_question
from surveys.report.results.related_figures import related_sentences
from surveys.report.results.result_card import card_of
from surveys.report.results.share_text import united_answers
from surveys.report.rules.rows_or_counts import listing_of
from surveys.report.rules.rule_query import RuleQuery
from surveys.report.rules.rule_rows import rules_by_sides
from surveys.report.rules.rule_text import RuleText, rule_text
from surveys.report.rules.selection_words import rule_selection_words, selection_words
from surveys.report.sentences.absence import absence_of_links
from surveys.report.sentences.findings import links_words
from surveys.runs.ledger import floor_of
from surveys.runs.opening_figures import stored_bases, stored_rules, stored_scale
from surveys.runs.planned_sides import planned_sides
from surveys.runs.withheld import withheld_of

AT_FIRST: Final = 3
"""Number of rules shown at first; users can unfold the others."""

_DIRECTIONS_OF_A_PAIR: Final = 2
MANY_ANSWERS: Final = 15
"""If a question has more answers, those that the run does not list are folded away."""


@dataclass(frozen=True, kw_only=True)
class NumberResult:
    """A number's mean and median in a sentence, and its picture, or the words for its absence."""

    sentence: str
    drawing: SafeString | None
    absence: str = ""


@dataclass(frozen=True, kw_only=True)
class QuestionResult:
    """A question with its answers.

    Attributes
    ----------
    question : Question
    text : str
        The text of the question.
    name : str
        Its name in sentences about figures: its short name in the language of the page, or else its text.
    protected : bool
    answers : tuple of (ItemLabel, ItemsetRow or None)
        Each answer with its share; for a number or a place, the declared ranges or regions.
    n : int or None
        How many people were asked it, or answered an open question, if not all and an answer has a share.
    few_asked : bool
        Whether none of its answers has a share because too few people were expected to be asked it.
    withheld : frozenset of int
        Items that no figure of the run may name: see `surveys.runs.ledger`.
    number : NumberResult or None
        The figures of a number question.
    error : PrivacyError or None
        Why a number or a place has no figures.
    rule : RuleWords or None
        How devices computed the answer to a composite question.
    of_base : tuple of (str, Measured)
        Text of each option above the base of a composite question, and its share of the people at or above
        the base.
    related : tuple of str
        Sentences on its placebo index, or on the reliability of an instrument with two halves.
    line, stem : str
        The own text of a line of a list, and the text above the list if the line is its first; else empty.
    """

    question: Question
    text: str
    name: str
    protected: bool
    answers: tuple[tuple[ItemLabel, ItemsetRow | None], ...]
    n: int | None
    few_asked: bool = False
    withheld: frozenset[int] = frozenset()
    number: NumberResult | None = None
    error: PrivacyError | None = None
    rule: RuleWords | None = None
    of_base: tuple[tuple[str, Measured], ...] = ()
    related: tuple[str, ...] = ()
    line: str = ""
    stem: str = ""

    @property
    def wide(self) -> tuple[bool, ...]:
        """Whether each share on the page is too wide to be useful."""
        rows = [row for _item, row in self.lines if row is not None]
        shares = [share_of(each) for each in rows if None not in (each.support_low, each.support_high)]
        return tuple(LIMITS["share"].is_refused((share.high - share.low) / 2) for share in shares)

    @property
    def waits(self) -> bool:
        """Whether none of its answers may be named."""
        return bool(self.answers) and all(label.index in self.withheld for label, _row in self.answers)

    @property
    def rare(self) -> tuple[tuple[ItemLabel, ItemsetRow | None], ...]:
        """The folded answers: those that the run does not list, if the question has many answers."""
        if len(self.answers) <= MANY_ANSWERS:
            return ()
        return tuple(
            (label, row)
            for label, row in self.answers
            if (row is None or row.pk is None) and label.index not in self.withheld
        )

    @property
    def lines(self) -> tuple[tuple[ItemLabel, ItemsetRow | None], ...]:
        """The answers that are not folded."""
        rare = self.rare
        return tuple(answer for answer in self.answers if answer not in rare)


@results_page
def results(request: HttpRequest, open_run: OpenedRun) -> HttpResponse:
    """Show the results of a finished run."""
    context = results_context(open_run)
    context |= {
        "picture": _picture(open_run, context["questions"]),
        "may_share": may_build(request.user, open_run.run.survey),
        "experiment": bool(choices_of_arms(open_run.run.design)),
        "united": list(united_answers(open_run)),
    }
    return render(request, "report/results/run_results.html", context)


def _picture(open_run: OpenedRun, questions: Sequence[QuestionResult]) -> SafeString | None:
    """Draw the shares of all answers that have one; return None if no answer has."""
    rows = [
        share_row(
            label.title,
            share_with_interval(row.support, row.support_low, row.support_high),
            value=row.support,
            low=row.support_low,
            high=row.support_high,
        )
        for question in questions
        for label, row in question.answers
        if row is not None and row.support_low is not None and row.support_high is not None
    ]
    return intervals_svg(rows, title=open_run.run.survey.title_text) if rows else None


def results_context(open_run: OpenedRun) -> dict[str, Any]:
    """Return the context of the results page, for staff and for shared addresses."""
    run = open_run.run
    together, answers = tuple(clearest_rules_of(open_run)), tuple(answers_of(open_run))
    yours = your_question(open_run, answers)
    questions = tuple(questions_of(open_run, answers))
    wide = [each for question in questions for each in question.wide]
    return {
        "run": run,
        "labels": open_run.labels,
        "questions": questions,
        # Then one sentence says so, instead of two labels on each.
        "is_all_too_wide": len(wide) > 1 and all(wide),
        "yours": yours,
        "card": card_of(open_run, yours),
        "together": together[:AT_FIRST],
        "further": together[AT_FIRST:],
        "unclear": not together and has_unclear_rules(run),
        "absence": None if together else absence_of_links(run, has_other=states_pair(yours)),
        "found_words": links_words(run),
        "selection": selection_words(run),
        "rule_selection": rule_selection_words(run),
        "anchors": anchor_lines(open_run, answers),
    }


def anchor_lines(open_run: OpenedRun, answers: AnswerShares) -> list[str]:
    """Return a sentence on each anchor question, stating how many people said yes."""
    templates = {
        "nobody": _("False yes to “%(question)s”, which is true of no one: %(share)s."),
        "everybody": _("Yes to “%(question)s”, which is true of everyone: %(share)s."),
    }
    anchors = [
        (templates[question.anchor], label, share_of(row))
        for question, answers_to_it in zip(open_run.run.version.to_design().questions, answers, strict=True)
        for label, row in answers_to_it
        if question.anchor and row is not None and row.support_low is not None
    ]
    return [
        words
        % {
            "share": share_with_interval(share.value, share.low, share.high),
            "question": label.name or label.text.rstrip(".。"),
        }
        for words, label, share in anchors
    ]


def questions_of(open_run: OpenedRun, answers: AnswerShares) -> Iterator[QuestionResult]:
    """Yield each question of a run with the shares of its answers."""
    run = open_run.run
    design, language = run.version.to_design(), get_language() or "en"
    wordings = [question for block in run.version.wording["blocks"] for question in block["questions"]]
    stems = [stem for block in run.version.wording["blocks"] for stem in begun_stems(block)]
    floor, rules = floor_of(run), rules_in_words(design, run.version.wording)
    related, short = related_sentences(run, answers), short_names(run.version)
    for number, (answers_to_it, wording) in enumerate(zip(answers, wordings, strict=True)):
        question, n_asked = (
            design.questions[number],
            [row.n for _label, row in answers_to_it if row is not None],
        )
        if question.anchor:
            # Anchors are not findings: see `anchor_lines`.
            continue
        text = text_in(wording["text"], language)
        stem = stems[number]
        listed: dict[str, Any] = {
            "name": short.get(question.key) or text,
            "line": text_in(wording.get(LINE), language),
            "stem": text_in(stem and stem["text"], language),
        }
        protected = design.blocks[design.block_of(number)].protected
        if (reason := withheld_of(run).reason([number])) is not None:
            yield QuestionResult(
                question=question,
                text=text,
                protected=protected,
                answers=(),
                n=None,
                error=reason,
                rule=rules.get(question.key),
                **listed,
            )
            continue
        result = QuestionResult(
            question=question,
            text=text,
            protected=protected,
            rule=rules.get(question.key),
            related=related.get(question.key, ()),
            answers=answers_to_it,
            n=n_asked[0] if n_asked and n_asked[0] != run.n else None,
            withheld=frozenset(
                label.index for label, _row in answers_to_it if not floor.may_name(design, (label.index,))
            ),
            few_asked=not n_asked and (run.n or 0) * design.drawn_together([number]) < LEAST_COMPLETE_ROWS,
            **listed,
        )
        try:
            result = replace(result, of_base=_base_lines(run, question, wording))
            if question.is_scale and (summary := stored_scale(run, question.key)):
                words = NumberWords.of(run, number)
                figures = NumberResult(
                    sentence=words.sentence(summary),
                    drawing=words.picture(summary),
                    absence=words.picture_words(summary, run),
                )
                result = replace(result, number=figures)
        except PrivacyError as error:
            result = replace(result, error=error)
        yield result


def _base_lines(run: Run, question: Question, wording: Mapping[str, Any]) -> tuple[tuple[str, Measured], ...]:
    names = {option["key"]: text_in(option["text"]) for option in wording.get("options") or ()}
    return tuple(
        (names.get(option, option), share) for option, share in stored_bases(run, question.key).items()
    )


def has_unclear_rules(run: Run) -> bool:
    """Whether other rules than the planned pair hold, although `clearest_rules_of` states none."""
    holding = listing_of(run).sides(RuleQuery(holds="yes", sort="order"), _DIRECTIONS_OF_A_PAIR + 1)
    return any({before, after} != set(planned_sides(run)) for _key, before, after in holding)


def clearest_rules_of(open_run: OpenedRun) -> Iterator[RuleText]:
    """Yield the clearest rules of a run by smallest p-value, as its job chose them."""
    run = open_run.run
    top_rules = stored_rules(run)
    rows = rules_by_sides(run, [(rule.antecedent, rule.consequent) for rule in top_rules])
    for rule, row in zip(top_rules, rows, strict=True):
        yield rule_text(row, open_run.labels, rule.others)
