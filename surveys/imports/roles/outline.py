"""Build the outline of a questionnaire from lines whose roles are known."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.imports.drafts.questionnaire import (
    UNCERTAIN,
    WRONG,
    Option,
    Part,
    Question,
    Questionnaire,
    ReadLine,
)
from surveys.imports.lines import source_lines
from surveys.imports.lines.sheets import SHEET
from surveys.imports.lines.source_lines import SourceLine, all_answers
from surveys.imports.lines.used_lines import note_left_out
from surveys.imports.roles.about_lines import unknown_label
from surveys.imports.roles.listed_answers import are_answers, lists_answers, number_allowed, question_mark
from surveys.imports.roles.page_lines import RULE, without_last_page_number, without_running_heads
from surveys.imports.words.answers_on_line import BOX, Listed, answers_on
from surveys.imports.words.cues import CHOOSES, ONLY_NUMBERS, SAYS_NUMBER
from surveys.imports.words.limits import without_for_all
from surveys.imports.words.marks import ROUND, SQUARE, signed_code
from surveys.imports.words.number_ranges import is_about_questions, range_in, unit_before_range
from surveys.imports.words.patterns import HAN, REMARK_BEFORE
from surveys.imports.words.question_marks import asks, holds_question
from surveys.imports.words.runs import repeats
from surveys.imports.words.stated_scale import two_ends
from surveys.imports.words.text_flags import FLAG_OF, split_flags
from surveys.imports.words.yes_no_questions import asks_yes_or_no

_DIGIT_BOXES: Final = re.compile(r"(?<!_)[|\[](?:[ _]{1,4}\|){1,6}[ _]{0,4}[|\]]?\W{0,3}$")
"""One box for each digit of a number, at the end of a line."""
_SPECIFY: Final = re.compile(r"\s?[(（][^()（）\d]{3,40}[)）](?=\s{0,3}(?:\(\d{1,3}\)\s*)?$)")
"""Words in brackets before a space to write."""
_FLAG_BEFORE: Final = re.compile(r"[\[【［〔](?P<word>[^\[\]【】［］〔〕]{1,30})[\]】］〕]\s?")
_STARRED: Final = re.compile(r"^\s{0,9}(?:[*＊★☆✱✶]\s?(?P<mark>\W?[^\W\d]{0,2}\d{1,3}[.)、:：/]))")
_COUNTED_STAR: Final = re.compile(r"(?P<mark>\s{0,9}\d{1,3}(?:[.):]-?)?)[*＊](?=\s)")
"""A star in front of the number of a question that needs an answer."""
_PAGE_NUMBER: Final = re.compile(r"[-–—]\s?\d{1,3}\s?[-–—]")
_CONDITION_BEFORE: Final = re.compile(r"[^:：?？]{2,90}[:：]\s?(?=\S)")
"""A condition and a colon in front of a question."""
_REMARK_LAST: Final = re.compile(r"\s?[(（][^()（）]{2,40}[)）]\s?$")
_BLANK_BEHIND: Final = re.compile(r"(?<=[?？])\s?[(（]\s?[)）]$")
"""Brackets to write an answer in."""
_RANGE: Final = re.compile(
    r"(?<![\d.,–-])[01]\s?分?\s?(?:[(（][^()（）\d]{1,40}[)）]\s?)?"
    r"(?:-|–|—|~|～|to|bis|à|au|al|a|até|до|至|到|से|إلى)\s?\d{1,3}(?![\d.,])"
)
_OUT_OF: Final = re.compile(r"/\s?(?P<most>\d{1,4})")
"""The largest number that can be written: *___ / 20*."""
_EXPLAINED: Final = re.compile(r"(?:[_＿.]{2}|…)\s{0,3}[(（\[]\s?[^\W\d_]")
"""Words in brackets behind a space to write."""
_EXPLAINING: Final = (
    source_lines.INTRODUCTION,
    source_lines.HELP,
    source_lines.INSTRUCTION,
    source_lines.HEADING,
    source_lines.TITLE,
)
_TWO_SENTENCES: Final = re.compile(r"[.!?。！？]\s?\w{2}")
_CAPITAL: Final = re.compile(r"\t| {3,}|\s(?=[A-ZÀ-ÖØ-Þ][a-zß-ÿ])")
"""What separates the words for both ends of a scale on one line."""

UNKNOWN_LABEL: Final = "label"
"""The cause of notes on lines whose label is not known."""
SKIPPED: Final = "skip"
"""The cause of notes on instructions to skip that are not used."""
ROLES: Final = {
    source_lines.TITLE: gettext_lazy("title"),
    source_lines.HEADING: gettext_lazy("heading"),
    source_lines.QUESTION: gettext_lazy("question"),
    source_lines.ROW: gettext_lazy("row of a table"),
    source_lines.ANSWER: gettext_lazy("answer"),
    source_lines.SCALE: gettext_lazy("answers of a table"),
    source_lines.HELP: gettext_lazy("explanation"),
    source_lines.INTRODUCTION: gettext_lazy("introduction"),
    source_lines.INSTRUCTION: gettext_lazy("how to answer"),
    source_lines.SKIP: gettext_lazy("condition"),
    source_lines.FIELD: gettext_lazy("space to write"),
    source_lines.SCORING: gettext_lazy("scoring"),
    source_lines.ABOUT: gettext_lazy("about the survey"),
    source_lines.ENDS: gettext_lazy("end of a scale"),
    source_lines.JOINED: gettext_lazy("continues the line above"),
    source_lines.LEFT: gettext_lazy("left out"),
}
"""Roles of lines, in words."""


def lines_with_marks(pairs: Sequence[tuple[int, str]]) -> list[SourceLine]:
    """Return the lines that are not blank, with their marks, flags and stated roles."""
    found: list[SourceLine] = []
    has_gap = True
    pairs = without_running_heads(without_last_page_number(pairs))
    below = [*(raw for _number, raw in pairs[1:]), ""]
    for (number, raw), next_raw in zip(pairs, below, strict=True):
        raw = _STARRED.sub(lambda match: match["mark"], raw)
        text = raw.strip()
        if not text or text in (">", "＞") or _PAGE_NUMBER.fullmatch(text):
            has_gap = True
            continue
        bare, words = split_flags(raw)
        is_near = bool(found) and not has_gap
        if not bare.strip() and is_near and (asks(found[-1].text) or not holds_question(next_raw)):
            # Flags on a line of their own are those of the line above, unless the next line asks.
            found[-1].flags |= _flags_of(words)
            continue
        found.append(_marked_line(number, raw, has_gap=has_gap))
        has_gap = RULE.fullmatch(text) is not None
    source_lines.unmark_capitals(found)
    _accept_small_letters(found)
    return found


def _marked_line(number: int, raw: str, *, has_gap: bool) -> SourceLine:
    """Return a line that is not blank with its mark, flags, and the role that its first sign states."""
    counted = _COUNTED_STAR.match(raw)
    raw = counted["mark"] + raw[counted.end() :] if counted else raw
    text = raw.strip()
    bare, words = split_flags(raw)
    bare = bare if bare.strip() else raw
    remark = _REMARK_LAST.search(bare)
    if remark and lists_answers(bare, remark.start()) and (allowed := number_allowed(remark[0])):
        bare, words = bare[: remark.start()], [*words, *allowed]
    if words or text[-1] in "*＊":
        # Empty cells remain those of a row.
        raw = bare + raw[len(raw.rstrip()) :]
    line = source_lines.read_line(number, raw, has_gap=has_gap)
    line.is_starred = bool(counted) or (len(text) > 1 and text[-1] in "*＊" and text[-2] not in "*＊")
    line.body = _BLANK_BEHIND.sub("", line.body)
    if (flag := _FLAG_BEFORE.match(line.body)) and flag["word"].lower() in FLAG_OF:
        words, line.body = [*words, flag["word"]], line.body[flag.end() :]
    line.flags = _flags_of(words)
    if text[0] in ">＞" and text[1] not in ">＞" and not text[1:].lstrip()[:1].isdecimal():
        line.body = text[1:].strip()
        line.give(source_lines.HELP)
    return line


def _flags_of(words: Sequence[str]) -> frozenset[str]:
    return frozenset(FLAG_OF[word.strip().lower()] for word in words) - {""}


def _accept_small_letters(lines: Sequence[SourceLine]) -> None:
    """Let questions begin with small letters if most of the lines that ask do."""
    asked = [
        line.body for line in lines if asks(line.body) and (line.has_gap or (line.mark and line.mark.value))
    ]
    if len(asked) > 1 and 2 * sum(text[:1].islower() for text in asked) > len(asked):
        for line in lines:
            line.begins_small = False


@dataclass
class Outline:
    """A questionnaire that grows line by line.

    Parameters
    ----------
    language : str
        Language of the lines.
    """

    language: str
    survey: Questionnaire = field(default_factory=Questionnaire)
    _asked: Question | None = None
    _last: Question | Option | None = None
    _shape: str = ""
    """The shape of the mark of the last question."""
    _scale: Sequence[tuple[str, int | None]] = ()
    _is_table: bool = False
    _sign: str = ""
    """The sign between the answers on the line that was read last; empty after other lines."""
    _next_help: str = ""
    _next_lead: str = ""
    """A condition that was cut from the next question."""
    _next_ends: list[int] = field(default_factory=list)
    _shared_ends: list[int] = field(default_factory=list)
    """The two numbers between which the spaces below a line are filled in."""
    _codes: dict[int, tuple[Question, list[int]]] = field(default_factory=dict)
    """By the ID of a question, the numbers in front of its answers."""
    _helps: dict[int, tuple[Question | Part, list[str]]] = field(default_factory=dict)
    _about_lines: dict[str, list[str]] = field(default_factory=dict)
    """By topic, the lines about the survey as a whole."""

    def finish(self) -> Questionnaire:
        """Return the questionnaire."""
        for question, codes in self._codes.values():
            _count_codes(question, codes)
        between = "" if self.language.startswith("zh") else " "
        for owner, texts in self._helps.values():
            owner.help = {self.language: between.join(texts)}
        for topic, texts in self._about_lines.items():
            self.survey.about[topic] = {self.language: between.join(texts)}
        return self.survey

    def add(self, line: SourceLine) -> None:
        """Add a line; note it if it is not imported, or if its role is uncertain."""
        is_codes = line.role == source_lines.LEFT and line.topic == source_lines.CODES
        role = source_lines.SCALE if is_codes else line.role
        self.survey.lines.append(ReadLine(line=line.number, role=role, is_certain=line.is_certain))
        if not line.is_certain:
            self._doubt(line)
        if self._is_table and line.role in (source_lines.QUESTION, source_lines.HEADING):
            if line.role == source_lines.QUESTION:
                self.survey.parts.append(Part(line=0, texts={}))
            self._is_table, self._scale = False, ()
        self._sign = self._sign if line.role == source_lines.JOINED else ""
        if line.target is not None:
            self._skip(line)
        if line.role in _EXPLAINING and not (all_answers(line) and BOX.search(line.raw)):
            stated = {match[0] for match in _RANGE.finditer(line.text)}
            self._shared_ends = (range_in(stated.pop()) if len(stated) == 1 else []) or self._shared_ends
        _ADDERS[line.role](self, line)

    def _doubt(self, line: SourceLine) -> None:
        """Ask about the role of a line."""
        self.survey.lines[-1] = ReadLine(line=line.number, role=line.role, is_certain=False)
        self.survey.note(
            line.number,
            _("it was read as “%(role)s”, and may be something else") % {"role": ROLES[line.role]},
            _("check it, and choose what it is"),
            effect=UNCERTAIN,
            cause="uncertain",
        )

    def _title(self, line: SourceLine) -> None:
        self.survey.title = {self.language: line.body}

    def _about(self, line: SourceLine) -> None:
        if line.body:
            self._about_lines.setdefault(line.topic, []).append(line.body)

    def _introduce(self, line: SourceLine) -> None:
        self.survey.introduction.append(line.body)
        self._about_lines.setdefault("purpose", []).append(line.body)
        if label := unknown_label(line.body):
            self.survey.note(
                line.number,
                _("“%(label)s” is not a known label, so the whole line is part of the introduction")
                % {"label": label},
                _("begin the line with one of the labels that “How to write it” lists, or keep it as it is"),
                effect=UNCERTAIN,
                cause=UNKNOWN_LABEL,
            )

    def _begin_part(self, line: SourceLine) -> None:
        is_title = line.topic != source_lines.OPENING
        texts = {self.language: line.body} if is_title else {}
        self.survey.parts.append(Part(line=line.number, texts=texts, flags=line.flags))
        self._asked = self._last = None
        self._scale = ()
        if not is_title:
            self._help(line)

    def _ask(self, line: SourceLine) -> None:
        if line.topic == SHEET:
            question = self._new_question(line, self._without_remark(line))
            points = line.points if len(line.points) == len(line.cells) else [None] * len(line.cells)
            for cell, own in zip(line.cells, points, strict=True):
                label = source_lines.without_jump(cell) or cell
                question.options.append(Option(line=line.number, texts={self.language: label}, points=own))
            return
        text = self._without_remark(line)
        listed = source_lines.answers_of(line) if text == line.body else answers_on(text)
        if listed and not line.has_answers and are_answers(listed, text):
            # Words of its answers do not say how many may be chosen.
            asked = listed.before + question_mark(text, listed.before)
            self._new_question(line, asked)
            self._list(line, listed)
            return
        question = self._new_question(line, text)
        space = source_lines.split_space(text)
        if line.has_answers:
            return
        if space:
            question.texts = {self.language: space[0]}
            question.flags |= {"number"} if _DIGIT_BOXES.search(text) else set()
            self._leave_space(space[1], text, is_beside=True)
        elif self._scale:
            question.options = self._labels(line)
            question.flags |= {"table"}

    def _without_remark(self, line: SourceLine) -> str:
        """Return the text of a question without the remark in brackets in front of it.

        A remark about some people becomes a condition, one about everyone says nothing, and any other
        one becomes an explanation.
        """
        if (rest := without_for_all(line.body)) != line.body:
            return rest
        remark = REMARK_BEFORE.match(line.body)
        condition = _CONDITION_BEFORE.match(line.body) if line.is_for_some and not remark else None
        if condition and holds_question(line.body[condition.end() :]):
            self._next_lead = condition[0]
            rest = line.body[condition.end() :]
            return rest[0].upper() + rest[1:] if line.body[0].isupper() else rest
        rest = line.body[remark.end() :] if remark else ""
        if remark is None or not holds_question(rest):
            return line.body
        if answers_on(remark["words"]):
            # Its answers are in front of it.
            line.raw = f"{rest} ({remark['words']})"
            line.body = line.raw
            return line.body
        allowed = number_allowed(remark["words"])
        line.flags |= allowed
        if not (line.is_for_some or allowed):
            self._next_help = remark["words"]
        elif line.is_for_some and not allowed:
            self._next_lead = line.body[: remark.end()]
        return rest

    def _new_question(self, line: SourceLine, text: str) -> Question:
        if not self.survey.parts:
            self.survey.parts.append(Part(line=0, texts={}))
        question = Question(line=line.number, texts={self.language: text}, flags=line.flags)
        if not question.flags & {"several", "one"}:
            question.flags |= number_allowed(text)
        if self._asked is None and not question.flags & {"several", "one"} and not number_allowed(text):
            # The heading of one question may say how to answer it.
            question.flags |= number_allowed(" ".join(self.survey.parts[-1].texts.values()))
        self.survey.parts[-1].questions.append(question)
        self._asked = self._last = question
        self._shape = line.mark_shape
        if line.is_for_some:
            self._note_condition(line.number)
        question.ends = self._next_ends if question.flags & {"number"} else []
        self._next_ends = []
        if self._next_lead:
            # People who are asked without a condition read it.
            question.lead = {self.language: self._next_lead}
        self._next_lead = ""
        if self._next_help:
            self._helps[id(question)] = (question, [self._next_help])
        self._next_help = ""
        return question

    def _note_condition(self, line: int) -> None:
        message = _("a question is asked only after certain answers")
        remedy = _(
            "ask it whatever people answer, or leave it out; you can add the condition in the builder later"
        )
        self.survey.note(line, message, remedy, asks="keep", target=line)

    def _labels(self, line: SourceLine) -> list[Option]:
        return [
            Option(line=line.number, texts={self.language: label}, points=points)
            for label, points in self._scale
        ]

    def _list(self, line: SourceLine, listed: Listed) -> None:
        """Give the current question the answers of one line."""
        if self._asked is None:
            return
        labels, points = listed.labels, listed.points
        if (
            len(labels) > 2
            and labels[-1][0] in "(（[【"
            and not points
            and (said := number_allowed(labels[-1]))
        ):
            # The last one says how many may be chosen.
            labels = labels[:-1]
            self._asked.flags |= said
        if listed.sign == "ends":
            self._asked.flags |= {"rating"}
        elif listed.sign == "box" and (boxes := BOX.findall(line.raw)):
            # A blank to write on is a box, too, but says nothing about the number of answers.
            for name, signs in (("square", SQUARE), ("round", ROUND)):
                self._asked.flags |= {name} if any(box[0] in signs for box in boxes) else set()
        elif points:
            self._asked.flags |= {"coded"}
        for position, label in enumerate(labels):
            own = points[position] if points else None
            label = self._without_space(line, label) if listed.sign in ("box", "code", "letter") else label
            label = source_lines.without_jump(label) or label
            self._asked.options.append(Option(line=line.number, texts={self.language: label}, points=own))
        self._last, self._sign = self._asked.options[-1], listed.sign

    def _answer(self, line: SourceLine) -> None:
        question = self._asked
        if question is None:
            self._lose(line)
            return
        self._scale = ()
        question.flags |= line.flags & {"several", "one"}
        if listed := self._listed_by(line, question):
            self._list(line, listed)
        elif "rating" in question.flags and line.mark is None and self._name_ends(question, line):
            return
        elif not question.options and _DIGIT_BOXES.search(line.body):
            question.flags |= {"number"}
        else:
            self._add_option(line, question)

    def _listed_by(self, line: SourceLine, question: Question) -> Listed | None:
        """Return the answers that a line lists; None if it is one answer."""
        is_counted = line.mark is not None and line.mark.kind == "count" and line.mark.points is None
        listed = None if is_counted or line.topic == source_lines.ONE else source_lines.answers_of(line)
        if listed is None:
            return source_lines.answers_whole(line)
        is_first = not question.options
        if listed.before:
            is_list = listed.sign == "box" and is_first and line.mark is None
            if is_list:
                # An instruction in front of the answers.
                question.flags |= number_allowed(listed.before)
                if not number_allowed(listed.before):
                    self._doubt(line)
        else:
            is_list = line.mark is None or listed.sign in ("box", "code", "letter")
            is_list = is_list and (is_first or listed.sign in ("box", "code"))
        return listed if is_list else source_lines.answers_whole(line)

    def _add_option(self, line: SourceLine, question: Question) -> None:
        """Make a line one answer of a question."""
        text = line.body if two_ends(line.body) else self._without_space(line, line.body)
        if asks_yes_or_no(self.language, text) and line.is_certain:
            self._doubt(line)
        points = None if line.mark is None or line.mark.points is None else signed_code(line.mark.points)
        if line.mark and line.mark.kind == "count":
            code = signed_code(line.mark.value[:2][-1])
            self._codes.setdefault(id(question), (question, []))[1].append(code)
        option = Option(line=line.number, texts={self.language: text}, points=points)
        question.options.append(option)
        question.flags |= {"coded"} if points is not None else set()
        shape = "square" if source_lines.is_square(line) else "round" if source_lines.is_round(line) else ""
        question.flags |= {shape} - {""}
        self._last = option

    def _without_space(self, line: SourceLine, text: str) -> str:
        """Return an answer without the write-in space or colon after it, and note the change."""
        if space := source_lines.split_space(text):
            bare = space[0].rstrip(" :：[【(（〔")
            text = _SPECIFY.sub("", bare, count=1).rstrip(" :：,，")
            self._note_other(line, is_cut=len(text) < len(space[0].rstrip(" :：,，")))
        elif text[-1:] in (":", "：") and text.rstrip(" :："):
            text = text.rstrip(" :：")
            self._note_other(line)
        return text

    def _name_ends(self, question: Question, line: SourceLine) -> bool:
        """Add the words of a line to both ends of a scale; return whether it has such words."""
        ends = [" ".join(each.split()) for each in _CAPITAL.split(line.raw.strip())]
        texts = [option.texts[self.language] for option in question.options]
        if len(ends) != 2 or not texts or not all(map(str.isdecimal, texts)):
            return False
        for option, end in zip((question.options[0], question.options[-1]), ends, strict=True):
            option.texts = {self.language: f"{option.texts[self.language]} – {end}"}
        return True

    def _note_other(self, line: SourceLine, *, is_cut: bool = False) -> None:
        effect = {"effect": WRONG} if is_cut else {}
        self.survey.note(
            line.number,
            _("the write-in space is left out; the answer before it stays"),
            _("add the answers that you expect most often"),
            **effect,
        )

    def _begin_scale(self, line: SourceLine) -> None:
        question = self._asked
        if line.remarks:
            self.survey.note(
                line.number,
                _("the column “%(column)s” is left out: it is for remarks") % {"column": line.remarks},
                _("add its heading to the answers if it is one"),
                effect=WRONG,
            )
        if line.topic == "steps":
            return
        has_stem = (
            line.role != source_lines.ROW and line.cells and line.body not in ("", line.text, *line.cells)
        )
        if line.topic == "stem":
            self._begin_part(line)
        elif has_stem and line.body.endswith(("?", "？", "؟")):
            # A question of its own beside the answers: the one above still needs answers, and is asked about.
            self.survey.parts.append(Part(line=line.number, texts={self.language: line.body}))
            self._asked = self._last = None
        elif (
            question is not None
            and not question.options
            and question is self._last
            and not question.flags & {"space", "number"}
        ):
            # The question above a table is its stem.
            part = self.survey.parts[-1]
            part.questions.pop()
            if part.line == 0 and not part.questions and not part.texts:
                self.survey.parts.pop()
            self.survey.parts.append(
                Part(line=question.line, texts=question.texts, flags=question.flags - {"several", "one"})
            )
            self._asked = self._last = None
        elif has_stem:
            self.survey.parts.append(Part(line=line.number, texts={self.language: line.body}))
        labels = line.cells
        points = line.points or (None,) * len(labels)
        self._scale = [*zip(labels, points, strict=True)]

    def _row(self, line: SourceLine) -> None:
        above = self._asked if self._asked is self._last and not self._is_table else None
        is_stem = above is not None and (not asks(line.body) or above.texts[self.language][-1] in ":：…．.")
        # A line with the same kind of number is the item above, not the stem of the table.
        is_stem = is_stem and (not line.mark_shape or line.mark_shape != self._shape)
        if above is not None and not above.options and is_stem:
            self._begin_scale(line)
        labels = line.cells or [label for label, _points in self._scale]
        points = line.points or [points for _label, points in self._scale] or [None] * len(labels)
        points = points if len(points) == len(labels) else [None] * len(labels)
        item, _unit = source_lines.split_space(line.body) or (line.body, "")
        question = self._new_question(line, item)
        question.flags |= {"table"}
        question.options = [
            Option(line=line.number, texts={self.language: label}, points=own)
            for label, own in zip(labels, points, strict=True)
        ]
        self._is_table = True

    def _instruct(self, line: SourceLine) -> None:
        if line.topic == source_lines.BELOW:
            # Its flags are those of the question below it.
            self._next_ends = range_in(line.text)
            return
        allowed = number_allowed(line.text)
        ends = range_in(line.text) if self._asked is not None else []
        if self._asked is not None and (ends or (ONLY_NUMBERS.search(line.text) and not self._asked.options)):
            self._asked.ends = ends or self._asked.ends
            self._asked.flags |= {"number"}
        if self._asked is not None and not self._asked.flags & {"several", "one"}:
            self._asked.flags |= allowed or ({"told"} if CHOOSES.search(line.text) else set())
        # A single sentence with the range of a number says nothing else.
        if not allowed and not (ends and not _TWO_SENTENCES.search(line.text)):
            self._leave(line)

    def _help(self, line: SourceLine) -> None:
        owner = self._asked or (self.survey.parts[-1] if self.survey.parts else None)
        if owner is None:
            self._lose(line)
        else:
            self._helps.setdefault(id(owner), (owner, []))[1].append(line.body)

    def _skip(self, line: SourceLine) -> None:
        self.survey.note(
            line.number,
            _("this skip instruction is not used: the questions after it are asked whatever people answer"),
            _("in the builder, make a part depend on an answer"),
            effect=WRONG,
            cause=SKIPPED,
        )

    def _field(self, line: SourceLine) -> None:
        space = source_lines.split_space(line.text) or ("", "")
        self._leave_space(source_lines.unit_of_space(line.text) or space[1], line.text)
        if self._asked is not None and not self._asked.ends:
            self._asked.ends = range_in(line.text)
        if self._asked is not None and (SAYS_NUMBER.search(line.text) or _DIGIT_BOXES.search(line.text)):
            self._asked.flags |= {"number"}

    def _leave_space(self, unit: str, text: str, *, is_beside: bool = False) -> None:
        """Ask for a number if a unit is behind the space to write at the end of a text, else for text."""
        if self._asked is None or self._asked.options:
            return
        self._asked.flags |= {"explained"} if _EXPLAINED.search(text) else set()
        unit = "" if is_about_questions(unit.strip(" (（[")) else unit.strip(" ._()（）|[]")
        out_of = _OUT_OF.fullmatch(unit)
        unit = f"0-{out_of['most']}" if out_of else unit
        ends = range_in(unit) or (self._shared_ends if is_beside else [])
        self._asked.flags |= {"number"} if unit or ends else {"space"}
        self._asked.ends = ends or self._asked.ends
        unit = unit_before_range(unit) if ends else unit
        self._asked.unit = {self.language: unit} if unit else {}

    def _join(self, line: SourceLine) -> None:
        if self._last is None:
            return
        own = self._last.texts[self.language]
        between = "" if HAN.search(own[-1:]) or HAN.search(line.text[:1]) else " "
        first, *others = [line.text]
        if self._sign and (listed := all_answers(line)) and listed.sign == self._sign:
            # The answers of the line above go on.
            first, *others = listed.labels if not listed.before else (listed.before, *listed.labels)
        whole = own + between + first
        space = source_lines.split_space(whole) if self._last is self._asked and not others else None
        self._last.texts = {self.language: space[0] if space else whole}
        if space:
            self._leave_space(space[1], whole, is_beside=True)
        if others and self._asked is not None:
            added = [Option(line=line.number, texts={self.language: label}) for label in others]
            self._asked.options += added
            self._last = added[-1]

    def _lose(self, line: SourceLine) -> None:
        """Leave out a line that belongs to no question, and ask about it."""
        line.give(source_lines.LEFT, is_certain=False)
        self._doubt(line)
        self._leave(line)

    def _leave(self, line: SourceLine) -> None:
        # The header of a sheet says what its columns hold.
        if not any(map(str.isalnum, line.text)) or line.topic in (source_lines.CODES, SHEET):
            return
        note_left_out(self.survey, line.number)

    def _pass(self, line: SourceLine) -> None:
        """Pass a line that was read elsewhere."""


_ADDERS: Final = {
    source_lines.TITLE: Outline._title,
    source_lines.HEADING: Outline._begin_part,
    source_lines.QUESTION: Outline._ask,
    source_lines.ROW: Outline._row,
    source_lines.ANSWER: Outline._answer,
    source_lines.SCALE: Outline._begin_scale,
    source_lines.HELP: Outline._help,
    source_lines.INTRODUCTION: Outline._introduce,
    source_lines.INSTRUCTION: Outline._instruct,
    source_lines.SKIP: Outline._skip,
    source_lines.FIELD: Outline._field,
    source_lines.SCORING: Outline._pass,
    source_lines.ENDS: Outline._pass,
    source_lines.ABOUT: Outline._about,
    source_lines.JOINED: Outline._join,
    source_lines.LEFT: Outline._leave,
}


def _count_codes(question: Question, codes: Sequence[int]) -> None:
    """Keep the numbers in front of all answers as points, unless they only count the answers from 1."""
    is_numbered = list(codes) == list(range(1, len(codes) + 1))
    if is_numbered or len(codes) != len(question.options) or repeats(codes):
        return
    if all(option.points is None for option in question.options):
        for option, points in zip(question.options, codes, strict=True):
            option.points = points
        question.flags |= {"coded"}
