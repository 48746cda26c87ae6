"""What a run's pages and files say about open answers that wait, and about other runs on the same rows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys.formats.joints import list_text
from surveys.formats.numbers import count_text
from surveys.formats.shown_counts import shown_count
from surveys.models import Run, Survey
from surveys.models.survey import GRACE
from surveys.policy import LEAST_PROFILE
from surveys.questionnaire.labels import question_names
from surveys.runs.chapter_names import chapter_text
from surveys.runs.forged_rows import crossed_questions, forged_rows
from surveys.runs.interim_or_final import combines, is_exempt, standing_of
from surveys.runs.ledger import crosses_of, floor_of
from surveys.runs.map_tiles import is_exact_map, stored_tiles
from surveys.runs.open_bars import open_numbers, stored_bars
from surveys.runs.repeated_analyses import RepeatedAnalyses, analyses_of

_MOST_PAIRS: Final = 30
"""Most pairs of questions in one sentence; files list all."""


@dataclass(frozen=True, kw_only=True)
class LedgerNote:
    """Sentences of a run's pages.

    Attributes
    ----------
    waiting : tuple of str
        Which figures are not shown yet, why, and when they will be; empty if none wait.
    lines : tuple of str
        The rows that all runs read, how often they were analysed, and how many forged rows show a cross.
    warning : str
        That another run on the same rows tested more; empty if none did.
    """

    waiting: tuple[str, ...]
    lines: tuple[str, ...]
    warning: str

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to say."""
        return not (self.waiting or self.lines or self.warning)


def ledger_note(run: Run) -> LedgerNote:
    """Return what the pages of a run say, in the language of the page."""
    looks = analyses_of(run)
    return LedgerNote(
        waiting=tuple(_waiting(run)), lines=tuple(_lines(run, looks)), warning="".join(_warnings(looks))
    )


def paper_sentences(run: Run) -> list[str]:
    """Return what the methods of a paper say: how often the answers were analysed, and what was disclosed."""
    looks = analyses_of(run)
    return [*_analyses(looks), *_warnings(looks), *disclosed_sentences(run)]


def _warnings(looks: RepeatedAnalyses) -> Iterator[str]:
    """Warn that another run on the same rows tested more."""
    if looks.is_smaller:
        yield ngettext(
            "This analysis allows for one possible association. Another one of the same answers allowed for"
            " %(largest)s. If you chose its questions after seeing other results, its p-values are too small:"
            " use those of the largest analysis.",
            "This analysis allows for %(family)s possible associations. Another one of the same answers"
            " allowed for %(largest)s. If you chose its questions after seeing other results, its p-values"
            " are too small: use those of the largest analysis.",
            looks.family,
        ) % {"family": shown_count(looks.family), "largest": shown_count(looks.largest)}


def ledger_record(run: Run) -> dict[str, Any]:
    """Return the same facts for JSON files."""
    looks, floor, standing = analyses_of(run), floor_of(run), standing_of(run)
    pairs = _pairs(run)
    return {
        "final": standing.is_final,
        "chapter": None if (chapter := standing.chapter) is None else chapter.number,
        "combines_open_questions": floor.crosses,
        "open_questions_that_wait": _keys_that_wait(run),
        "pairs_shown": [list(pair) for pair, is_shown in pairs if is_shown],
        "pairs_withheld": [list(pair) for pair, is_shown in pairs if not is_shown],
        "bars": {key: list(starts) for key, starts in _bars(run)},
        "runs_on_these_rows": looks.runs,
        "largest_family": looks.largest,
    }


def disclosed_sentences(run: Run) -> list[str]:
    """Return what the run showed of open answers, for the printed report and a paper.

    Which pairs of open questions it showed, how many it withheld or waited for, and where the bars of numbers
    begin that are stored as answered. Empty if the survey has no open question or hides nothing.
    """
    open_questions, keys, names = _open_questions(run), _keys_that_wait(run), _names(run)
    if not open_questions or run.survey.practice:
        return []
    sentences = []
    n_pairs = math.comb(len(open_questions), 2)
    if not floor_of(run).crosses and n_pairs:
        words = ngettext(
            "One pair of unprotected questions was not shown together, because more answers can arrive.",
            "%(pairs)s pairs of unprotected questions were not shown together, because more answers can "
            "arrive.",
            n_pairs,
        )
        if standing_of(run).is_final:
            words = ngettext(
                "One pair of unprotected questions is shown together by chapter only.",
                "%(pairs)s pairs of unprotected questions are shown together by chapter only.",
                n_pairs,
            )
        sentences.append(words % {"pairs": count_text(n_pairs)})
    if keys:
        words = ngettext(
            "One unprotected question was not shown yet: %(names)s.",
            "%(count)s unprotected questions were not shown yet: %(names)s.",
            len(keys),
        )
        sentences.append(
            words % {"count": count_text(len(keys)), "names": list_text(names[key] for key in keys)}
        )
    sentences += _crosses_in_words(_pairs(run), names)
    for key, starts in _bars(run):
        words = _(
            "%(name)s is stored as answered and was shown in bars of at least %(least)s people or none, "
            "which begin at %(starts)s."
        )
        sentences.append(
            words % {"name": names[key], "least": count_text(LEAST_PROFILE), "starts": list_text(starts)}
        )
    for number, question in enumerate(run.design.questions):
        tiles = stored_tiles(run, number) if is_exact_map(run.design, number) else None
        if tiles is not None:
            words = _("The map of %(name)s has %(cells)s cells, of which %(hidden)s are suppressed.")
            counts = {"cells": count_text(len(tiles.hidden)), "hidden": count_text(sum(tiles.hidden))}
            sentences.append(words % (counts | {"name": names[question.key]}))
    return sentences


def _crosses_in_words(pairs: list[tuple[tuple[str, str], bool]], texts: Mapping[str, str]) -> Iterator[str]:
    """Say which pairs of open questions were shown."""
    if not pairs:
        return
    shown = [f"{texts[one]} × {texts[other]}" for (one, other), is_shown in pairs if is_shown]
    counts = {"pairs": count_text(len(pairs)), "shown": count_text(len(shown)), "least": LEAST_PROFILE}
    if shown:
        words = ngettext(
            "The only pair of unprotected questions was shown together, because each combination of its "
            "answers had at least %(least)s people or none: %(names)s.",
            "%(shown)s of %(pairs)s pairs of unprotected questions were shown together, because each "
            "combination of their answers had at least %(least)s people or none: %(names)s.",
            len(pairs),
        )
        names = [*shown[:_MOST_PAIRS], *(["…"] if len(shown) > _MOST_PAIRS else [])]
        yield words % (counts | {"names": list_text(names)})
    else:
        words = ngettext(
            "The only pair of unprotected questions was withheld, because a combination of its answers had "
            "fewer than %(least)s people.",
            "All %(pairs)s pairs of unprotected questions were withheld, because in each a combination of "
            "answers had fewer than %(least)s people.",
            len(pairs),
        )
        yield words % counts


def _pairs(run: Run) -> list[tuple[tuple[str, str], bool]]:
    """Return the pairs of open questions of a final run, by key, and whether both may be named."""
    questions = run.design.questions
    return [
        ((questions[one].key, questions[other].key), is_shown)
        for (one, other), is_shown in (crosses_of(run) or {}).items()
    ]


def _bars(run: Run) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the key of each number that is stored as answered, and where its bars begin."""
    for number in open_numbers(run.design) if combines(run) else ():
        bars = stored_bars(run, number)
        if bars is not None:
            question = run.design.questions[number]
            values = question.disguise.range  # type: ignore[union-attr]  # it is a number
            yield question.key, tuple(values.text(values.low + start * values.bin) for start in bars)


def _names(run: Run) -> dict[str, str]:
    """Return the quoted text of each question, by key."""
    names = question_names(run.version, run.design)
    return {
        question.key: f"“{name.text}”" for question, name in zip(run.design.questions, names, strict=True)
    }


def _open_questions(run: Run) -> list[int]:
    design = run.design
    return [
        number
        for number in range(len(design.questions))
        if not design.blocks[design.block_of(number)].protected
    ]


def _keys_that_wait(run: Run) -> list[str]:
    """Return the keys of the open questions that no figure of the run may name yet."""
    questions = floor_of(run).questions
    return [
        run.design.questions[number].key
        for number in _open_questions(run)
        if questions is not None and number not in questions
    ]


def _waiting(run: Run) -> Iterator[str]:
    """Yield which figures wait, and for what."""
    floor, open_questions = floor_of(run), _open_questions(run)
    if floor.crosses or not open_questions:
        return
    keys, names = _keys_that_wait(run), _names(run)
    if len(open_questions) > 1:
        yield _("Figures that combine several unprotected answers are not shown yet.")
    if keys:
        yield ngettext(
            "Figures about this unprotected question are not shown yet: %(names)s.",
            "Figures about these unprotected questions are not shown yet: %(names)s.",
            len(keys),
        ) % {"names": list_text(names[key] for key in keys)}
    if keys and any(
        not floor.may_name(run.design, (), range(first, first + len(block.questions)))
        for block, first in zip(run.design.blocks, run.design.first_questions, strict=True)
        if block.protected
    ):
        yield _(
            "Nor are figures of the parts that are asked because of their answers; the audit of such a part "
            "is that of its design."
        )
    if len(open_questions) > 1 or keys:
        yield _(
            "With these figures, the difference between two analyses could describe fewer than %(least)s "
            "people."
        ) % {"least": count_text(LEAST_PROFILE)}
        yield _what_next(run)


def _what_next(run: Run) -> str:
    """Say when the figures appear, or what to do now."""
    survey = run.survey
    if standing_of(run).has_chapters:
        return _("They are shown by chapter: once a chapter has ended, analyse it to see them.")
    if survey.settled:
        return _("All answers have arrived: analyse again to see them.")
    ends = survey.accepts_until
    if ends is None and survey.state == Survey.State.OPEN and survey.closes_at is not None:
        ends = survey.closes_at + GRACE
    if ends is None:
        return _("They appear in an analysis after the survey has closed and its last answers have arrived.")
    return _("They appear in an analysis after %(day)s, when the last answers have arrived.") % {
        "day": _day(survey, ends)
    }


def _analyses(looks: RepeatedAnalyses) -> Iterator[str]:
    """Say how often the rows were analysed."""
    if looks.family:
        yield ngettext(
            "These answers were analysed once, for %(largest)s possible associations.",
            "These answers were analysed %(runs)s times, for up to %(largest)s possible associations.",
            looks.runs,
        ) % {"runs": looks.runs, "largest": shown_count(looks.largest)}


def _lines(run: Run, looks: RepeatedAnalyses) -> Iterator[str]:
    """Yield the rows that the run reads, the looks at them, and the forged rows that show a cross."""
    survey = run.survey
    yield from _analyses(looks)
    if is_exempt(survey) or not standing_of(run).is_closed_set:
        return
    chapter = standing_of(run).chapter
    if chapter is not None:
        yield _("This analysis reads %(chapter)s. Later analyses of it read the same answers.") % {
            "chapter": chapter_text(chapter, survey.time_zone)
        }
    elif survey.accepts_until is not None:
        yield _("All analyses since %(day)s read the same answers.") % {
            "day": _day(survey, survey.accepts_until)
        }
    crossed = crossed_questions(run.design)
    if crossed and floor_of(run).crosses:
        counts = {"rows": shown_count(forged_rows(run.design, crossed)), "least": LEAST_PROFILE}
        words = _(
            "Each combination of unprotected answers in a figure has at least %(least)s people or none. "
            "False answers count as people: %(rows)s of them are enough to show two questions together, "
            "whatever other people answered."
        )
        yield words % counts
        if survey.by_invitation:
            yield _("Only people with codes, and staff who create codes, can send them.")
        else:
            yield _("The link was open, so anyone could have sent them.")


def _day(survey: Survey, instant: Any) -> str:
    return date_format(instant.astimezone(ZoneInfo(survey.time_zone)), "Y-m-d")
