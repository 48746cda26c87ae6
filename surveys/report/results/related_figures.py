"""Figures of composite questions besides their shares, in sentences: placebo indices and halves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from django.utils.translation import gettext as _

from privacy.errors import PrivacyError
from privacy.estimation.placebo import index_of_placebo
from privacy.estimation.reliability import other_half
from privacy.printed import Measured
from privacy.survey.design import Design
from surveys.errors.error import in_words
from surveys.formats.figures import bounds_text
from surveys.formats.joints import join_sentences
from surveys.formats.numbers import below_one, percent_text
from surveys.formats.people_of_100 import per_hundred, share_with_interval
from surveys.models import ItemsetRow, Run
from surveys.questionnaire.labels import ItemLabel, short_names
from surveys.questionnaire.languages import text_in
from surveys.report.results.answer_shares import AnswerShares, share_of
from surveys.runs.opening_figures import stored_placebo, stored_reliability


def related_sentences(run: Run, answers: AnswerShares) -> dict[str, tuple[str, ...]]:
    """Return sentences on the placebo index or the other half of each composite question, by its key.

    Parameters
    ----------
    run : Run
    answers : sequence
        Of each question of the run's design, the answers with their shares.
    """
    found: dict[str, list[str]] = {}
    for key, sentence in _sentences(run, run.version.to_design(), answers):
        found.setdefault(key, []).append(sentence)
    return {key: tuple(sentences) for key, sentences in found.items()}


def _sentences(run: Run, design: Design, answers: AnswerShares) -> Iterator[tuple[str, str]]:
    wording = {each["key"]: each for block in run.version.wording["blocks"] for each in block["questions"]}
    short = short_names(run.version)

    def name_of(key: str) -> str:
        return short.get(key) or text_in(wording[key]["text"])

    for number, question in enumerate(design.questions):
        if question.computed is None:
            continue
        index, first = index_of_placebo(design, number), other_half(design, number)
        own = name_of(question.key)
        if index is not None:
            named = design.questions[index].key
            yield from ((named, line) for line in _placebo(run, question.key, own, answers[number]))
        if first is not None:
            named = design.questions[first].key
            line = _reliability(run, question.key, name_of(named), own)
            yield question.key, line
            yield named, line


def _placebo(
    run: Run, key: str, text: str, answers: tuple[tuple[ItemLabel, ItemsetRow | None], ...]
) -> Iterator[str]:
    """Yield the share of a placebo index and the difference from its index, for each answer."""
    words = {"placebo": text}
    try:
        differences = stored_placebo(run, key)
    except PrivacyError as error:
        reason = {"reason": in_words(error)[0]}
        yield _("The placebo index “%(placebo)s” cannot be compared: %(reason)s.") % (words | reason)
        return
    if not differences:
        yield _("The difference from the placebo index “%(placebo)s” may not be reported.") % words
        return
    for difference, (label, row) in zip(differences.values(), answers, strict=True):
        yield _difference(words | {"answer": label.answer}, difference, row, is_one=len(answers) == 1)
    yield _(
        "People who are counted in the placebo index answered carelessly. So the difference is the part that "
        "careless answers do not explain, if people are equally careless in both."
    )


def _difference(words: Mapping[str, str], found: Measured, row: ItemsetRow | None, *, is_one: bool) -> str:
    share = None if row is None or row.support_low is None else share_of(row)
    figures = {
        "share": _("too few answers to say")
        if share is None
        else share_with_interval(share.value, share.low, share.high)
    }
    heading = (
        _("Placebo index “%(placebo)s”: %(share)s.")
        if is_one
        else _("“%(answer)s” in the placebo index “%(placebo)s”: %(share)s.")
    ) % {**words, **figures}
    if not found.estimable:
        return join_sentences([heading, _("There are too few answers to state the difference.")])
    ends = (found.low, found.high)
    bounds = bounds_text(found.value, ends, found.possible, percent_text)
    difference = (
        _("Difference: %(bounds)s points (too few to say more).") % {"bounds": bounds}
        if bounds
        else _("Difference: %(value)s points (%(low)s to %(high)s).") % per_hundred(found.value, *ends)
    )
    return join_sentences([heading, difference])


def _reliability(run: Run, key: str, first: str, second: str) -> str:
    """State the reliability of an instrument with these two halves, or why there is none."""
    words = {"first": first, "second": second}
    try:
        found = stored_reliability(run, key)
    except PrivacyError as error:
        reason = {"reason": in_words(error)[0]}
        return _(
            "The reliability of the instrument with the halves “%(first)s” and “%(second)s” cannot be "
            "computed: %(reason)s."
        ) % (words | reason)
    if found is None:
        return (
            _(
                "The reliability of the instrument with the halves “%(first)s” and “%(second)s” may not be "
                "reported."
            )
            % words
        )
    if not found.estimable:
        return (
            _(
                "There are too few answers to compute the reliability of the instrument with the halves "
                "“%(first)s” and “%(second)s”."
            )
            % words
        )
    figures = {name: _two_digits(getattr(found, name)) for name in ("value", "low", "high")}
    return _(
        "Reliability of the instrument with the halves “%(first)s” and “%(second)s”: %(value)s (%(low)s "
        "to %(high)s), from the tetrachoric correlation of the halves by the Spearman–Brown formula."
    ) % (words | figures)


def _two_digits(value: float) -> str:
    """Format a coefficient between 0 and 1.

    >>> _two_digits(0.853), _two_digits(1.0)
    ('.85', '1.00')
    """
    return below_one(f"{value:.2f}")
