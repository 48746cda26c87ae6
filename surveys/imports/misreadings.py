"""Questions of a pasted text that may be misread, each noted at its line.

A question is certain if its layout is: it has the mark of the other questions and the next number, its
answers have one form, which others share or marks show, and no line near it is left over. Every other
question is noted, and so is one with signs of a misreading: a number in front of it, a question among its
answers, percentages behind them. These checks need no words.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, zip_longest
from typing import Final

from django.utils.translation import gettext as _

from surveys.imports import source_lines
from surveys.imports.answers_on_line import BOX
from surveys.imports.cues import is_yes_no, pattern_of
from surveys.imports.leftovers import is_item, labels_of, leftovers, text_of
from surveys.imports.legends import EDGES
from surveys.imports.patterns import BETWEEN_CELLS, HAN, SPACE_TO_WRITE
from surveys.imports.question_marks import SIGN_OF_QUESTION, asks
from surveys.imports.questionnaire import LOST, UNCERTAIN, WRONG, Question, Questionnaire
from surveys.imports.scores import has_points
from surveys.imports.scoring_lines import is_scoring
from surveys.imports.sheets import SHEET
from surveys.imports.source_lines import SourceLine
from surveys.questionnaire.exclusive_wordings import looks_exclusive

MISREAD: Final = "misread"
"""The cause of these notes."""
_COMMAS: Final = str.maketrans("，،、", ",,,")
_EXPLAINING: Final = (source_lines.INTRODUCTION, source_lines.HELP, source_lines.INSTRUCTION)
_STATING: Final = (source_lines.SCALE, source_lines.LEFT, source_lines.HEADING)
_STATED: Final = re.compile(r"[(（=＝]\s?\d{1,3}(?!\d)")
"""A number that a line states for an answer: *never (0)*, *often = 2*."""
_SAYS_POINTS: Final = re.compile(rf"\d.{{0,12}}(?:{pattern_of('scoring-weak').pattern})", re.IGNORECASE)
_SEVERAL: Final = pattern_of("asks-several")
_SILENT: Final = (
    source_lines.TITLE,
    source_lines.HEADING,
    source_lines.INTRODUCTION,
    source_lines.HELP,
    source_lines.INSTRUCTION,
    source_lines.LEFT,
    source_lines.ABOUT,
)
"""Roles of lines that are not asked."""
_TABLE: Final = (source_lines.SCALE, source_lines.ROW)
_COUNT_BEFORE: Final = re.compile(
    r"(?P<before>\W{0,3}(?:[^\W\d_]{1,12}\W{0,3})?)(?P<number>\d{1,2})(?P<behind>\W)"
)
_COUNTED: Final = re.compile(r"\W{0,2}\d{1,2}[^\w\s-]\s?[^\W\d_]")
_LETTER: Final = re.compile(r"\w")
_ASKED: Final = (source_lines.QUESTION, source_lines.ROW)
_LOSING: Final = (*_SILENT, source_lines.FIELD, source_lines.JOINED, source_lines.SCALE)
"""Roles of lines that are asked nothing."""
_FIRST_SIGNS: Final = re.compile(r"[\W\d_]{1,16}")
_OPENING: Final = " \t¿¡\"'“”„‘’«»「『(（[【*_….|"
"""Signs with which any line may begin."""
_DIGITS: Final = re.compile(r"\d{1,4}")
_FEW_CELLS: Final = 2
_LABEL_FIRST: Final = re.compile(r"[^\W\d_][^:：|?？]{1,40}\s?[:：]\s?[_.…\d(（\[☐□○◯]")
"""A label, a colon, and a space to write or the beginning of answers."""
_MANY: Final = 6
"""Answers without marks among which questions may be, if others have half as many."""
_SENTENCE: Final = 3
"""Words of a sentence, at least."""
_PIECES: Final = re.compile(r"[,،、，]|\s/\s")
_SAYS_CODES: Final = re.compile(r"[=＝]|\d\s?[-–.:)]")


def note_misreadings(survey: Questionnaire, text_lines: Sequence[str], source: Sequence[SourceLine]) -> None:
    """Note the questions that are not certain, and the other lines that may hold a question.

    Parameters
    ----------
    survey : Questionnaire
        Its questions have their kinds.
    text_lines : sequence of str
        All lines of the text.
    source : sequence of SourceLine
        Those that are not blank, with their roles.
    """
    layout = _Layout(survey, source)
    for possible in layout.possible_questions():
        _note(survey, possible.number, _("it may contain a question"))
    questions = survey.questions
    lists = [labels_of(question) for question in questions]
    ending = _ending_elsewhere(lists)
    uncertain = {each.line for each in survey.lines if not each.is_certain}
    above = [text_lines[each.line - 1] for each in survey.lines if each.role in (*_EXPLAINING, *_STATING)]
    are_points_lost = any(
        len(_STATED.findall(line)) > 1 or _SAYS_POINTS.search(line) for line in above
    ) and not any(
        question.points or any(option.points is not None for option in question.options)
        for question in questions
    )
    last_line = max((number for number, line in enumerate(text_lines, start=1) if line.strip()), default=0)
    own_lines = [text_lines[each.line - 1] if 0 < each.line <= len(text_lines) else "" for each in questions]
    left = leftovers(questions, own_lines)
    doubts: list[list[str]] = []
    for question, labels, signs in zip(questions, lists, left, strict=True):
        if are_points_lost and question.is_asked:
            signs.append(_("a line above states points, but no points were read"))
        if question is questions[-1] and _closes(question, text_lines, last_line):
            signs.append(_("its answers may be closing words"))
        if odd := next((label for label in labels[1:] if label in ending), ""):
            signs.append(_("“%(answer)s” also ends the answers of another question") % {"answer": odd})
        doubts.append([*signs, *layout.doubts(question)])
        others = sorted(len(each) for each in lists if each and each is not labels)
        is_more = bool(others) and len(labels) >= max(_MANY, 2 * others[len(others) // 2])
        are_items = (
            any(map(is_item, labels))
            or (is_more and layout.form_of(question) == "plain")
            or layout.is_bare(question)
            or layout.lists_elsewhere(question)
            or (question.line in uncertain and next(iter(question.texts.values()), "")[-1:] in ":：")
        )
        if are_items:
            for own in dict.fromkeys(option.line for option in question.options):
                _note(survey, own, _("it may be a question, not an answer"))
    kinds = [layout.kind_of(question) for question in questions]
    n_alike = Counter(kinds)
    n_doubtful = Counter(kind for kind, own in zip(kinds, doubts, strict=True) if own)
    for question, kind, found in zip(questions, kinds, doubts, strict=True):
        is_alike = not found and 2 * n_doubtful[kind] >= n_alike[kind]
        for sign in [_("many questions with the same layout are uncertain")] if is_alike else found[:1]:
            _note(survey, question.line, sign)


class _Layout:
    """What the questions of a text have in common."""

    def __init__(self, survey: Questionnaire, source: Sequence[SourceLine]) -> None:
        self.survey = survey
        self.lines = {line.number: line for line in source}
        self.source = source
        self.numbers = [line.number for line in source]
        self.questions = sorted(each.line for each in survey.questions)
        asked = [self.lines[each.line] for each in survey.questions if each.line in self.lines]
        self.asked = [line for line in asked if line.role == source_lines.QUESTION]
        self.before = {line.number: above for above, line in pairwise(self.asked)}
        self.is_spaced = self._is_spaced()
        self.is_double = 5 * sum(line.has_gap for line in source[1:]) > 4 * len(source[1:])
        widths = Counter(len(each.options) for each in survey.questions if "table" in each.flags)
        self.table_width = max(widths, key=lambda width: widths[width]) if len(widths) > 1 else 0
        self.shapes = Counter(map(_shape_of, self.asked))
        self.main = max(self.shapes, key=lambda shape: (self.shapes[shape], bool(shape)), default="")
        self.forms = Counter(self.form_of(each) for each in survey.questions)
        rows = [text_of(each) for each in survey.questions if "table" in each.flags]
        self.rows_ask = 2 * sum(map(asks, rows)) > len(rows)
        self.has_explicit = any(_is_bare(each) and not each.why for each in survey.questions)
        said = any(_SEVERAL.search(line.text) for line in source)
        self.is_several_lost = said and not any(map(_takes_several, survey.questions))
        self.last_labels = Counter(
            labels_of(each)[-1] for each in survey.questions if each.options and "table" not in each.flags
        )
        self.is_score_lost = any(
            note.effect in (WRONG, LOST) and self.role_of(note.line) == source_lines.SCORING
            for note in survey.notes
        ) or any(
            line.role not in (source_lines.SCORING, source_lines.QUESTION, source_lines.ANSWER)
            and is_scoring(line.text)
            for line in source
        )

        self.odd = self._odd_roles()
        self.lost = self._lost_siblings()
        self.short_rows = self._short_rows()
        self.counted = self._uncounted()
        self.only_answered = {
            first.line
            for first, *others in zip(
                survey.questions, survey.questions[1:], survey.questions[2:], strict=False
            )
            if first.options and not any(each.options or each.kind for each in others)
        }
        self.explained: dict[str, set[str]] = {}
        for line in source:
            pieces = [piece.strip(EDGES) for piece in _PIECES.split(line.text)]
            if line.role not in (source_lines.ROW, source_lines.ANSWER) and not _SAYS_CODES.search(line.text):
                self.explained[pieces[-1]] = {*pieces}

    def _uncounted(self) -> set[int]:
        """Return lines in front of which numbers count up, but below which no question is."""
        below = {line.number: after.role for line, after in pairwise(self.source)}
        groups: dict[str, list[tuple[int, int]]] = {}
        for line in self.source:
            if line.role in _SILENT and (count := _COUNT_BEFORE.match(line.text)):
                group = f"{count['before']}9{count['behind']}".casefold()
                groups.setdefault(group, []).append((int(count["number"]), line.number))
        return {
            number
            for same in groups.values()
            if any(second[0] == first[0] + 1 for first, second in pairwise(same))
            for _count, number in same
            if below.get(number, "") not in (source_lines.QUESTION, source_lines.ROW)
        }

    def _lost_siblings(self) -> set[int]:
        """Return lines that begin or are divided like lines that are asked, but are not asked themselves."""
        groups: dict[str, list[SourceLine]] = {}
        for line in self.source:
            for form in _forms_of(line):
                groups.setdefault(form, []).append(line)
        lost = set()
        for same in groups.values():
            n_asked = sum(line.role in _ASKED for line in same)
            answers = [line for line in same if line.role == source_lines.ANSWER]
            others = [line for line in same if line.role in _LOSING]
            lost |= {line.number for line in others if n_asked}
            lost |= {line.number for line in answers if n_asked > len(answers)}
        return lost

    def _short_rows(self) -> set[int]:
        """Return the rows of each table that are one word, if most are sentences."""
        found: set[int] = set()
        table: list[SourceLine] = []
        ends: list[SourceLine | None] = [*self.source, None]
        for line in ends:
            if line is not None and line.role == source_lines.ROW:
                table.append(line)
                continue
            single = [row for row in table if len(row.body.split()) == 1 and not HAN.search(row.body)]
            others = [len(row.body.split()) for row in table if row not in single]
            if len(others) > len(single) and len(others) > 1 and min(others) >= _SENTENCE:
                found.update(row.number for row in single)
            table = []
        return found

    def _odd_roles(self) -> set[int]:
        """Return lines whose mark has another role elsewhere, but for the last answers of a text."""
        roles: dict[str, Counter[str]] = {}
        marked = [line for line in self.source if line.mark and line.mark.kind in ("count", "letter", "sign")]
        marked = [line for line in marked if _shape_of(line) != "indent"]
        for line in marked:
            roles.setdefault(_shape_of(line), Counter())[_asked_role(line)] += 1
        return {
            line.number
            for line in marked
            if 2 * roles[_shape_of(line)][_asked_role(line)] < roles[_shape_of(line)].total()
        }

    def is_sentence_scale(self, labels: Sequence[str]) -> bool:
        """Return whether answers end a sentence with commas, and the last is the longest."""
        lengths = [len(label.split()) for label in labels]
        is_longest = len(labels) > 1 and lengths[-1] > max(lengths[:-1])
        return is_longest and {*labels[1:]} <= self.explained.get(labels[-1], set())

    def role_of(self, number: int) -> str:
        line = self.lines.get(number)
        return line.role if line else ""

    def kind_of(self, question: Question) -> tuple[str, ...]:
        """Return what a question has in common with others: role, mark, form of its answers."""
        line = self.lines.get(question.line)
        return (line.role, _shape_of(line), self.form_of(question)) if line else ("",)

    def form_of(self, question: Question) -> str:
        """Return the form of a question's answers: their mark, what separates them, or ``plain``."""
        own = self.lines.get(question.line)
        below = [line for line in self.source_of(question) if line.role == source_lines.ANSWER]
        if (
            own is None
            or own.role == source_lines.ROW
            or any(each.line == own.number for each in question.options)
        ):
            listed = (
                source_lines.answers_of(own) if own is not None and own.role != source_lines.ROW else None
            )
            return f"line {listed.sign}" if listed else ""
        if len(below) == 1 and (listed := source_lines.answers_of(below[0])):
            return f"line {listed.sign}"
        shapes = {_shape_of(line) for line in below}
        return "" if not below else "mixed" if len(shapes) > 1 else next(iter(shapes)) or "plain"

    def source_of(self, question: Question) -> Sequence[SourceLine]:
        """Return the lines behind a question up to the next one."""
        after = bisect_right(self.questions, question.line)
        end = self.questions[after] if after < len(self.questions) else self.numbers[-1] + 1
        return self.source[bisect_right(self.numbers, question.line) : bisect_left(self.numbers, end)]

    def possible_questions(self) -> Iterator[SourceLine]:
        """Yield lines of other roles that have a space to write, answers or the mark of questions."""
        for line, below in zip_longest(self.source, self.source[1:]):
            if line.number in self.lost and line.is_certain:
                yield line
                continue
            is_stem = line.role == source_lines.HEADING and below and below.role in _TABLE
            is_scale_alone = (
                line.role == source_lines.SCALE and line.mark and below and below.role not in _TABLE
            )
            if is_scale_alone or (line.role == source_lines.SCALE and below and below.role == line.role):
                yield line
            if line.role not in _SILENT or not line.is_certain or is_stem:
                continue
            has_mark = bool(self.main) and _shape_of(line) == self.main and line.role != source_lines.HEADING
            listed = source_lines.answers_of(line)
            has_answers = (
                listed is not None and bool(listed.before) and listed.sign in ("box", "letter", "code", "/")
            )
            has_space = SPACE_TO_WRITE.search(line.text) is not None and any(map(str.isalpha, line.text))
            is_counted = line.mark is None and _COUNTED.match(line.text) is not None
            is_counted = is_counted or line.number in self.counted
            if has_mark or has_answers or has_space or is_counted or _asks_inside(line.text):
                yield line

    def is_bare(self, question: Question) -> bool:
        """Return whether a question has no mark and does not ask: its answers may be questions."""
        line = self.lines.get(question.line)
        return (
            line is not None
            and line.role == source_lines.QUESTION
            and line.mark is None
            and not (line.is_whole or asks(line.text))
        )

    def lists_elsewhere(self, question: Question) -> bool:
        """Return whether a line between a question and its answers lists answers, too."""
        for line in self.source_of(question):
            if line.role == source_lines.ANSWER:
                return False
            listed = source_lines.answers_of(line) if line.role in _SILENT else None
            if listed and len(listed.labels) > _FEW_CELLS and listed.sign in ("/", "|", ";", "code", "box"):
                return bool(question.options)
        return False

    def doubts(self, question: Question) -> Iterator[str]:
        """Yield why the layout of a question does not show how to read it."""
        line = self.lines.get(question.line)
        if line is None:
            return
        if line.role == source_lines.QUESTION:
            yield from self._doubts_of_mark(line)
        form = self.form_of(question)
        below = [each for each in self.source_of(question) if each.role == source_lines.ANSWER]
        if sum(source_lines.split_space(each.text) is not None for each in below) > 1:
            yield _("its answers have spaces to write")
        if form == "mixed":
            yield _("its answers have different letters, boxes or bullets")
        elif form == "plain" and not self.is_spaced:
            yield _("its answers have no letters, boxes or bullets")
        elif (
            form in ("line ,", "line  ", "line cells", "line -") and self.forms[form] < 2 and question.options
        ):
            yield _("its answers may be one text")
        counts = [each.mark.value for each in below if each.mark and each.mark.value]
        if any(each.has_gap for each in below[1:]) and not self.is_double:
            yield _("a blank line divides its answers")
        if len(counts) == len(below) and any(first >= second for first, second in pairwise(counts)):
            yield _("the numbers or letters of its answers are out of order")
        if any(
            len(BETWEEN_CELLS.split(each.raw.strip())) > 1 and each.number in _single(question)
            for each in below
        ):
            yield _("one of its answers has columns")
        cells = [cell for cell in BETWEEN_CELLS.split(line.raw.strip()) if cell]
        if len(cells) > 1 and " ".join(" ".join(cells[:2]).split()) in text_of(question):
            yield _("the question contains several columns")
        if line.role == source_lines.ROW and asks(text_of(question)) != self.rows_ask:
            yield _("it differs from the other rows of its table")
        is_odd = bool(self.table_width) and len(question.options) != self.table_width
        if line.number in self.short_rows or (is_odd and "table" in question.flags and question.options):
            yield _("it differs from the other rows of its table")
        if line.role == source_lines.ROW and _may_hold_remarks(line):
            yield _("its last answer may be a column for remarks")
        if _is_bare(question) and question.why and self.has_explicit:
            yield _("it lists no answers, but other questions list yes and no")
        if _is_bare(question) and question.why and self._has_text_below(question):
            yield _("the lines below it may be its answers")
        if self.is_several_lost and question.options and "one" not in question.flags:
            yield _("the text allows several answers somewhere, but no question was read that way")
        if form == "plain" and any(self.last_labels[label] > 1 for label in labels_of(question)[-1:]):
            yield _("its last answer also ends the answers of other questions")
        if any(each.number in self.odd for each in [line, *below]):
            yield _("another line with the same number style or bullet was read differently")
        if (
            line.role != source_lines.ROW
            and line.raw.count("|") > 1
            and not (question.options or question.own.get("number"))
        ):
            yield _("the question contains several columns")
        if question.line in self.only_answered:
            yield _("the questions below it have no answers")
        if line.role == source_lines.ROW and self.is_sentence_scale(line.cells):
            yield _("its answers may be parts of a sentence")
        if self.is_score_lost and has_points(question):
            yield _("the scoring rule was not understood")

    def _has_text_below(self, question: Question) -> bool:
        """Return whether lines below a question were read neither as answers nor as instructions to skip."""
        below = [
            line
            for line in self.source_of(question)
            if line.role in (source_lines.HELP, source_lines.LEFT) and any(map(str.isalpha, line.text))
        ]
        quoted = [line for line in below if line.text[0] in ">＞"]
        is_end = question.line == self.questions[-1]
        return len(quoted) > 1 or (len(below) > len(quoted) and not is_end)

    def _doubts_of_mark(self, line: SourceLine) -> Iterator[str]:
        shape = _shape_of(line)
        if shape != self.main and len(self.asked) > 1:
            yield _("its number or bullet differs from those of the other questions")
        before = self.before.get(line.number)
        if line.mark and line.mark.kind == "count" and before and before.mark and _shape_of(before) == shape:
            first, second = before.mark.value, line.mark.value
            is_next = second[-2:-1] == (first[-2] + 1,) if len(second) > 1 else second[0] == first[0] + 1
            is_anew = second[-2:-1] == (1,) or second[:-2] != first[:-2]
            if not is_next and not is_anew:
                yield _("the number before this one is missing")
        if line.mark is None and not (asks(line.text) or line.is_whole):
            yield _("it has neither a number nor a question mark")

    def _is_spaced(self) -> bool:
        """Whether answers without marks can be told: a gap is above each question, and none within."""
        return all(
            (line.has_gap or line is self.asked[0] or line.mark is not None) for line in self.asked
        ) and not any(
            line.has_gap or source_lines.is_sentence(line)
            for line in self.source
            if line.role == source_lines.ANSWER and line.mark is None
        )


def _forms_of(line: SourceLine) -> Iterator[str]:
    """Yield what a line has in common with its siblings: signs in front of it, cells, a label."""
    first = _FIRST_SIGNS.match(line.text)
    if first and first[0].strip(_OPENING):
        yield _DIGITS.sub("9", "".join(first[0].split()))
    is_head = line.role == source_lines.SCALE or (line.topic == SHEET and line.role == source_lines.LEFT)
    if line.raw.count("|") > _FEW_CELLS and not is_head and any(map(str.isalnum, line.raw)):
        yield "cells"
    if line.role != source_lines.ANSWER and _LABEL_FIRST.match(line.text):
        yield "label"


def _may_hold_remarks(row: SourceLine) -> bool:
    """Return whether a row has yes, no and a third column that may be no answer."""
    *first, last = row.cells or [""]
    is_other = is_yes_no(first) and not looks_exclusive({"": last})
    behind = row.raw.rpartition(row.body)[2]
    return is_other and len(BOX.findall(behind)) <= len(first) and not _DIGITS.search(behind)


def _is_bare(question: Question) -> bool:
    """Return whether a question is asked without answers of its own and without a number: as yes or no."""
    return question.is_asked and not (question.options or question.own.get("number"))


def _takes_several(question: Question) -> bool:
    return bool(question.flags & {"several", "boxes"}) or _SEVERAL.search(text_of(question)) is not None


def _single(question: Question) -> set[int]:
    """Return the lines that hold one answer each."""
    counts = Counter(option.line for option in question.options)
    return {line for line, count in counts.items() if count == 1 and line != question.line}


def _asked_role(line: SourceLine) -> str:
    """Return the role of a line; the items of a scale are questions like those below them."""
    return source_lines.QUESTION if line.role == source_lines.ROW else line.role


def _shape_of(line: SourceLine) -> str:
    return line.mark.shape if line.mark else ""


def _note(survey: Questionnaire, line: int, sign: str) -> None:
    survey.note(
        line,
        _("possibly misread: %(sign)s") % {"sign": sign},
        _("correct the question in its row, or choose other roles for the lines"),
        effect=UNCERTAIN,
        cause=MISREAD,
    )


def _closes(question: Question, lines: Sequence[str], last: int) -> bool:
    """Whether all answers of a question are parts of the last line: a greeting, *Kind regards, Ada*."""
    places = {option.line for option in question.options}
    return places == {last} and question.line != last and "," in (lines[last - 1].translate(_COMMAS))


def _ending_elsewhere(lists: Iterable[Sequence[str]]) -> set[str]:
    """Return answers that are the last of one question and within the list of another: *Back*, *Continue*."""
    seen = {(label, label == labels[-1]) for labels in lists for label in labels[1:]}
    return {label for label, is_last in seen if (label, not is_last) in seen}


def _asks_inside(text: str) -> bool:
    """Whether a line has a question mark at its end or before another word."""
    mark = SIGN_OF_QUESTION.search(text)
    return mark is not None and bool(SIGN_OF_QUESTION.match(text[-1]) or _LETTER.search(text, mark.end()))
