"""Results for the people who answered, in each language of the survey: a letter and a picture.

Staff pages put sentences together from phrases, in English and Chinese. Here each sentence is whole, because
respondents read it in many languages: only names and numbers are filled in.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from privacy.errors import PrivacyError
from privacy.estimation.denial import DENIED_IN_SENTENCES
from privacy.estimation.denial import share_bounds as denied_bounds
from privacy.printed import Measured, basis_of, cut_ends
from surveys.formats.card_picture import card_svg
from surveys.formats.dates import day_text
from surveys.formats.figures import SHARES
from surveys.formats.interval_chart import IntervalRow, share_row
from surveys.formats.joints import join_sentences
from surveys.formats.numbers import percent_text
from surveys.formats.people_of_100 import per_hundred
from surveys.formats.shown_counts import shown_count
from surveys.models import Run
from surveys.questionnaire.labels import ItemLabel, labels_of
from surveys.questionnaire.languages import Language, has_catalogue, language_of, text_in
from surveys.report.opened_run import OpenedRun
from surveys.report.results.answer_shares import share_of
from surveys.report.results.comparison_text import ComparisonText
from surveys.report.results.planned_question import PlannedMean, PlannedShare, YourQuestion, your_question
from surveys.report.sentences.number_texts import number_ruler, value_in_language
from surveys.report.sentences.verdict import Finding, VerdictKind
from surveys.respondent.client_documents import languages_of
from surveys.respondent.speaking import speaking
from surveys.runs.look import look_of
from surveys.runs.planned_pair import planned_pair


@dataclass(frozen=True, kw_only=True)
class ResultLetter:
    """A letter and its picture in one language of a survey.

    Attributes
    ----------
    language : Language
        Language of the survey.
    text_language : str
        Tag of the language of the sentences: the same unless Sottovoce is not translated into it.
    sentences : tuple of str
    drawing : SafeString
        The picture of 1,200 by 630 px.
    """

    language: Language
    text_language: str
    sentences: tuple[str, ...]
    drawing: SafeString

    @property
    def is_translated(self) -> bool:
        """Whether the sentences are in the survey's language."""
        return has_catalogue(self.language.tag) or self.text_language == self.language.tag


def result_letters(run: Run) -> tuple[ResultLetter, ...]:
    """Return the letter to the people who answered, in each language; empty if no answer is starred.

    It names no one, and goes to everyone alike.
    """
    return tuple(filter(None, (_letter(run, tag) for tag in languages_of(run.version.wording))))


def _letter(run: Run, tag: str) -> ResultLetter | None:
    with override(tag):
        open_run = OpenedRun(run, labels_of(run.version, run.design))
        yours = your_question(open_run)
    if yours is None:
        return None
    title = text_in(run.survey.title, tag)
    with speaking(run.version.wording, tag) as text_language:
        answered = ngettext("%(n)s person answered.", "%(n)s people answered.", run.n or 0) % {
            "n": shown_count(run.n or 0)
        }
        states, results = [*_states(run)], [*_results(open_run, yours)]
        rows = [*_rows(open_run, yours)]
        sentences = (
            _("Thank you for answering “%(title)s”.") % {"title": title},
            answered,
            *states,
            *results,
            _("The numbers in brackets are 95% confidence intervals.") if rows else "",
            _("Devices disguised the protected answers, so no one can be sure what a person answered.")
            if _is_all_disguised(run)
            else "",
        )
        foot = (
            answered,
            _("Lines show 95% confidence intervals.") if rows else "",
            _("Phones disguised the protected answers.") if _is_all_disguised(run) else "",
        )
        return ResultLetter(
            language=language_of(tag),
            text_language=text_language,
            sentences=tuple(filter(None, sentences)),
            drawing=card_svg(
                title=title,
                heading=_("Results of this survey"),
                lines=(*states, *results),
                rows=rows,
                foot=join_sentences(foot),
            ),
        )


def _is_all_disguised(run: Run) -> bool:
    """Whether there are protected answers, and every phone disguises them."""
    return run.design.protects and not run.design.sends_undisguised


def _states(run: Run) -> Iterator[str]:
    """Yield what readers must know before the results."""
    look = look_of(run)
    if look is not None and look.chapter is not None:
        yield (
            _("These are the answers of the last period of this survey.")
            if look.chapter.ends_at is None
            else _("These are the answers of one period of this survey, which ended on %(day)s.")
            % {"day": day_text(look.chapter.ends_at.date())}
        )
    elif look is not None and not look.is_final:
        yield _("These are first results. More answers can still change them.")
    if not run.design.protects:
        yield _("No question is protected: all answers are stored as given.")


def _results(open_run: OpenedRun, yours: YourQuestion) -> Iterator[str]:
    if yours.error is not None:
        yield _refused(yours.error)
    if yours.comparison is not None:
        yield from _comparison(open_run, yours.comparison)
    for part in yours.shares:
        yield from _share(part)
    for planned in yours.means:
        yield _mean(planned)


def _refused(error: PrivacyError) -> str:
    """Say why there is no result."""
    start = error.case.partition(".")[0]
    if start == "waits":
        return _("There is no result yet: more answers can arrive.")
    if start in ("forged", "withheld"):
        return _("There is no result: someone sent forged answers.")
    return _("There is no result: too few people answered.")


def _named(label: ItemLabel) -> str:
    """Name an answer: with its short name, or else with its question."""
    return label.name or join_sentences([label.text, label.option or _("Yes")])


def _share(part: PlannedShare) -> Iterator[str]:
    share, name = share_of(part.row), {"answer": _named(part.label)}
    yield _of_100(share) % (name | _ends(share))
    if part.finding.kind == VerdictKind.UNCERTAIN:
        yield _("This is uncertain: too few people answered, or someone sent forged answers.")
    if part.label.protected and share.estimable:
        low, high = denied_bounds(share, DENIED_IN_SENTENCES)
        yield _(
            "If up to %(denied)s of 100 people concerned denied it, the true share is %(low)s to %(high)s "
            "of 100."
        ) % {
            "denied": percent_text(DENIED_IN_SENTENCES, 0),
            "low": percent_text(max(low, 0.0), 0),
            "high": percent_text(high, 0),
        }


def _of_100(share: Measured) -> str:
    """Return the sentence for a share of people, whose estimate is left out if it is impossible."""
    basis = basis_of(share.value, (share.low, share.high), possible=SHARES)
    if basis == "at most":
        return _("“%(answer)s”: at most %(high)s of 100 people. Too few people answered to say more.")
    if basis == "at least":
        return _("“%(answer)s”: at least %(low)s of 100 people. Too few people answered to say more.")
    if basis != "estimate":
        return _("“%(answer)s”: %(low)s to %(high)s of 100 people. Too few people answered to say more.")
    return _("“%(answer)s”: %(value)s of 100 people (%(low)s to %(high)s).")


def _ends(share: Measured) -> dict[str, str]:
    return per_hundred(share.value, *cut_ends((share.low, share.high), SHARES))


def _comparison(open_run: OpenedRun, text: ComparisonText) -> Iterator[str]:
    by, outcome = _pair(open_run)
    having, others = text.comparison.having, text.comparison.others
    words = {"by": _named(by), "outcome": _named(outcome)}
    if not all(map(_is_printed, (having, others))):
        yield _("Too few people answered to compare people with “%(by)s” and others: “%(outcome)s”.") % words
        return
    yield _(
        "“%(outcome)s”: %(value)s of 100 people with “%(by)s” (%(low)s to %(high)s), and %(value_others)s "
        "of 100 others (%(low_others)s to %(high_others)s)."
    ) % (words | _ends(having) | {f"{name}_others": end for name, end in _ends(others).items()})
    yield _difference(text.finding)


def _difference(finding: Finding) -> str:
    return {
        VerdictKind.CLEAR: _("The two groups differ: chance alone would hardly show this difference."),
        VerdictKind.RULED_OUT: _("The two groups do not differ much, if at all."),
        VerdictKind.UNCERTAIN: _("It is too uncertain to say whether the two groups differ."),
        VerdictKind.INTERIM: "",
    }[finding.kind]


def _is_printed(share: Measured) -> bool:
    basis = basis_of(share.value, (share.low, share.high), possible=SHARES)
    return share.estimable and basis == "estimate"


def _pair(open_run: OpenedRun) -> tuple[ItemLabel, ItemLabel]:
    """Return the answer that groups people, and the outcome."""
    design = open_run.run.design
    by, outcome = (open_run.labels.items[design.item(key).index] for key in planned_pair(open_run.run) or ())
    return by, outcome


def _mean(planned: PlannedMean) -> str:
    mean, channel, words = planned.summary.mean, planned.words.channel, {"question": planned.words.name}
    if mean is None:
        return _("Too few people answered to state the average of “%(question)s”.") % words
    ticks = channel.range
    possible = float(ticks.middle(0)), float(ticks.middle(channel.inputs - 1))
    low, high = cut_ends((mean.low, mean.high), possible)
    words |= {"low": value_in_language(low, channel), "high": value_in_language(high, channel)}
    if basis_of(mean.value, (mean.low, mean.high), possible=possible) != "estimate":
        return (
            _("Average of “%(question)s”: between %(low)s and %(high)s. Too few people answered to say more.")
            % words
        )
    words["value"] = value_in_language(mean.value, channel)
    return _("Average of “%(question)s”: %(value)s (%(low)s to %(high)s).") % words


def _rows(open_run: OpenedRun, yours: YourQuestion) -> Iterator[IntervalRow]:
    """Yield the rows of the picture."""
    if yours.comparison is not None:
        names = _named(_pair(open_run)[0]), _("all others")
        found = yours.comparison.comparison
        for name, share in zip(names, (found.having, found.others), strict=True):
            if share.estimable:
                yield _share_row(name, share)
    for part in yours.shares:
        yield _share_row(_named(part.label), share_of(part.row))
    for planned in yours.means:
        if (mean := planned.summary.mean) is not None:
            channel = planned.words.channel
            yield IntervalRow(
                name=planned.words.name,
                text=_("%(low)s to %(high)s")
                % {
                    "low": value_in_language(mean.low, channel),
                    "high": value_in_language(mean.high, channel),
                },
                value=mean.value,
                low=mean.low,
                high=mean.high,
                ruler=number_ruler(channel, planned.words.unit, write=value_in_language),
            )


def _share_row(name: str, share: Measured) -> IntervalRow:
    template = _("%(value)s of 100 (%(low)s to %(high)s)")
    if not _is_printed(share):
        template = _("%(low)s to %(high)s")
    return share_row(name, template % _ends(share), value=share.value, low=share.low, high=share.high)
