"""Find the earlier questions and answers that conditions in a pasted text name.

A condition is used only if all of its words are understood: the number or the text of one earlier question,
its answers, and words that conditions have in common (`glue` in `cues.tsv`). Without a number it refers to
the question before it. Any other word leaves the condition to the researcher, who chooses the question and
its answers. Nothing is guessed.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from django.utils.translation import gettext as _

from surveys.formats.joints import short_text
from surveys.imports.conditions.condition_words import condition_text
from surveys.imports.conditions.named_answers import (
    CIRCLED,
    WORDS,
    AnswersNamed,
    choices_of,
    codes_printed,
    is_clear,
    letters_in,
    polarity_of,
)
from surveys.imports.drafts.fresh_keys import FreshKeys
from surveys.imports.drafts.questionnaire import (
    BEGUN_SMALL,
    UNCERTAIN,
    Question,
    Questionnaire,
    name_question,
    text_of,
)
from surveys.imports.formulas.form_conditions import asked_if_of
from surveys.imports.lines.skips import CODED_ANSWER, NUMBER_NAMED, question_codes, with_digits
from surveys.imports.lines.source_lines import (
    ANSWER,
    ASKED,
    FIELD,
    HEADING,
    INSTRUCTION,
    QUESTION,
    ROW,
    SCALE,
    SKIP,
    SourceLine,
    StatedCondition,
    answers_of,
)
from surveys.imports.lines.used_lines import use_lines
from surveys.imports.roles.outline import SKIPPED
from surveys.imports.words.cues import (
    CONDITION,
    IF_SO,
    LEADS_ON,
    OTHERWISE,
    SKIPS_OVER,
    ends_survey,
    pattern_within,
    without_interviewer,
    words_of,
)
from surveys.imports.words.patterns import IN_BRACKETS

Chosen = tuple[int, frozenset[int]]
"""Line of a deciding question, and the positions of its answers (`choices_of`)."""

READ: Final = "condition"
"""The cause of notes that ask a person to check the conditions read from a text."""
_ALL: Final = frozenset(words_of("jump-all"))
_IF: Final = pattern_within("if-so", "if")
_GOES_ON: Final = re.compile(r"\s*(and|or|to|und|oder|zu|bei|et|ou|à|y|e|o|a|en|и|или|в|на)\b", re.IGNORECASE)
"""Words after *if yes* that continue the condition."""
_FIRST_CLAUSE: Final = re.compile(
    r"\W{0,3}([^,，،:：、?？؟()（）→⇒➔—–]{1,90})(?:[,，،:：、→⇒➔]|(?<=\s)[—–]\s)"
)
_LEAD: Final = re.compile(
    r"\W{0,3}(?P<clause>[^,，،:：?？؟()（）]{2,90})(?:[,，،:：)）]|\s[–—]\s)\s{0,3}"
    r"(?:(?:then|dann|alors|entonces|então|то|那么)(?=[\s㐀-鿿])\s?)?(?=[^\W_]|[¿«„“\"])"
)
"""The condition in front of a question."""
_ARROWS: Final = re.compile(r"-{1,20}>|=>|>>|[→⇒➔►▶←]|[_*]")
_SIGN: Final = re.compile(r"!=|<>|≠|[<>≤≥]")
_DIFFERS: Final = ("!=", "<>", "≠")
_MEANS_YES: Final = re.compile(r"c[’']est le cas|es (?:así|el caso)|(?:dies )?(?:der fall|zutreffend)\b")
_CODES: Final = re.compile(
    r"(?P<first>[=≠]\s?\d{1,3})\s?(?:[,/]|\b(?:or|oder|ou|o|или)\b|或)\s?(?P<next>\d{1,3})(?!\d)"
)
"""Two codes of answers of which one is enough: *Q1 = 1 or 2*."""
_FEW_CODES: Final = 4
_NE_QUE: Final = re.compile(r"\bne (?=[^.,:;]{1,40}\bque?\b)")
"""*Ne* in front of *que*: *à ne remplir que si oui* means only if yes."""
_NUMBERS: Final = re.compile(r"\d+")
_LABEL: Final = re.compile(
    r"(?:[^\W\d_]{3,12}\s)?(?:[^\W\d_]|[IVX]{1,4}|\d{1,2})\s?[-–—.:/)]{1,2}\s{1,3}|第.{1,3}部分\W{0,3}",
    re.IGNORECASE,
)
"""The name of a part."""
_SENTENCES: Final = re.compile(r"(?<=[^\W\d_]{2})[.](?:\s|$)|(?<=[)）])[.]|。")
_BETWEEN_NUMBERS: Final = 6
_FEW_WORDS: Final = 5
_REACH: Final = 30
"""Number of questions above a condition that are searched for a quoted text."""
_LEAST_QUOTED: Final = 12
_LONGEST_SHOWN: Final = 120
_ANSWERED: Final = (ANSWER, QUESTION, ROW)
_BETWEEN: Final = (SKIP, HEADING, ANSWER, SCALE, FIELD, INSTRUCTION)
"""Roles of lines that may lie between a condition and the question that it concerns."""


def resolve_conditions(survey: Questionnaire, source: Sequence[SourceLine]) -> None:
    """Give questions the conditions that a text states, if it is clear who is asked.

    Parameters
    ----------
    survey : Questionnaire
        Its questions have their kinds. Questions with a condition lose the note that asks what to do; the
        notes on all others quote the words.
    source : sequence of SourceLine
        Lines that are not blank, with their roles and conditions.

    Examples
    --------
    >>> from surveys.imports.pasted_text import read_paste
    >>> read_paste("T\\n1. Do you smoke?\\n2. If yes, do you smoke at home?").questions[1].condition
    {'question': 'smoke', 'options': ['yes']}
    """
    resolver = _Resolver(survey, source)
    for question in resolver.questions:
        chosen = resolver.resolve(question)
        if chosen is not None:
            set_condition(survey, question, chosen)
            _cut_condition(question, resolver.lines[question.line], resolver.clauses.get(question.line, ""))
            if question.line in resolver.guessed:
                _ask_to_check(survey, question)
    _forget_used(survey, source)
    lines = {line.number: line for line in source}
    _forget_headings(survey)
    survey.notes = [
        replace(note, message=_said(lines[note.target], lines) or note.message)
        if note.asks == "keep" and note.target in lines
        else note
        for note in survey.notes
    ]


def _ask_to_check(survey: Questionnaire, question: Question) -> None:
    survey.note(
        question.line,
        condition_text(survey, question),
        _("check each condition; to remove one, use “Change who is asked” in its question’s row"),
        effect=UNCERTAIN,
        cause=READ,
    )


def _cut_condition(question: Question, line: SourceLine, clause: str) -> None:
    """Cut the condition in front of a question that is now only asked after it, until it is removed.

    Parameters
    ----------
    question : Question
    line : SourceLine
    clause : str
        The words of the question that were read as its condition.
    """
    if all(stated.words != line.body for stated in line.conditions):
        return
    for tag, text in question.texts.items():
        lead = _LEAD.match(text)
        if lead and (lead["clause"] == clause or CONDITION.search(f"{lead['clause']}:,")):
            rest = text[lead.end() :]
            question.lead[tag], question.texts[tag] = lead[0], rest
            if text[:1].isupper() and rest[:1].islower():
                question.texts[tag] = rest[:1].upper() + rest[1:]
                question.flags |= {BEGUN_SMALL}


def _forget_headings(survey: Questionnaire) -> None:
    """Remove the notes on who is asked a question that became the heading of questions with conditions."""
    decided = {question.line: bool(question.condition) for question in survey.questions}
    lines = sorted(decided)

    def is_heading(line: int) -> bool:
        below = bisect_right(lines, line)
        return line not in decided and below < len(lines) and decided[lines[below]]

    survey.notes = [note for note in survey.notes if note.asks != "keep" or not is_heading(note.target)]


def _forget_used(survey: Questionnaire, source: Sequence[SourceLine]) -> None:
    """Remove the notes on instructions to skip, and on lines left out, that became conditions."""
    decided = {question.line for question in survey.questions if question.condition}
    used, unused = set[int](), set[int]()
    for line in source:
        (used if line.number in decided else unused).update(stated.line for stated in line.conditions)
    done = used - unused
    survey.notes = [note for note in survey.notes if note.cause != SKIPPED or note.line not in done]
    use_lines(survey, source, done, SKIP)


def _said(line: SourceLine, lines: Mapping[int, SourceLine]) -> str:
    """Return a sentence that quotes a condition that was not understood; empty if there is none.

    The question's own words come before instructions after answers, which say who is not asked.
    """
    stated = min(line.conditions, key=lambda each: (each.is_behind, each.words != line.body), default=None)
    if stated is None or not stated.words:
        return ""
    answer = lines.get(stated.line)
    if stated.is_behind and answer is not None and answer.role == ANSWER:
        shown = short_text(f"{answer.body} {stated.words}", _LONGEST_SHOWN)
        return _("people who give certain answers skip a question: “%(words)s”") % {"words": shown}
    shown = short_text(stated.words, _LONGEST_SHOWN)
    return _("a question is asked only after certain answers: “%(words)s”") % {"words": shown}


def set_condition(survey: Questionnaire, question: Question, chosen: Sequence[Chosen]) -> None:
    """Ask a question only after certain answers, and remove the note that asks about it.

    Parameters
    ----------
    survey : Questionnaire
    question : Question
    chosen : sequence of tuple
        By line of an earlier question, the positions of its answers; all must hold.
    """
    by_line = {each.line: each for each in survey.questions}
    clauses = []
    for line, positions in chosen:
        decider = by_line[line]
        place = survey.questions.index(decider) + 1
        name_question(decider, FreshKeys(survey.by_key), place)
        keys = [option.key for option in decider.options] or ["yes", "no"]
        clauses.append({decider.key: [keys[position] for position in sorted(positions)]})
    question.condition = asked_if_of(clauses)
    survey.notes = [
        note
        for note in survey.notes
        if not (note.asks == "keep" and note.target == question.line)
        and not (note.cause == READ and note.line == question.line)
    ]


@dataclass
class _Numbers:
    """The numbers of questions in a phrase."""

    above: set[int] = field(default_factory=set)
    """Lines of the questions above the phrase."""
    n_ahead: int = 0
    """How many numbers belong to questions below it."""
    are_unclear: bool = False
    """Whether several questions have one of the numbers."""
    rest: str = ""
    """The phrase without the numbers."""


def _without_quotation(words: str, earlier: Sequence[Question]) -> tuple[Question | None, str]:
    """Return the near question whose text a phrase quotes, the longest of several, and the other words."""
    quoted = [
        (text, each)
        for each in earlier[-_REACH:]
        if len(text := text_of(each).casefold().rstrip("* ")) >= _LEAST_QUOTED and text in words
    ]
    if not quoted:
        return None, words
    text, question = max(quoted, key=lambda pair: len(pair[0]))
    return question, words.replace(text, " ")


class _Resolver:
    """Reads the conditions of the questions of a text, from the first to the last."""

    def __init__(self, survey: Questionnaire, source: Sequence[SourceLine]) -> None:
        self.questions = sorted(survey.questions, key=lambda question: question.line)
        self.starts = [question.line for question in self.questions]
        self.lines = {line.number: line for line in source}
        self.by_line = {question.line: question for question in self.questions}
        self.codes = question_codes(source)
        self.found: dict[int, dict[int, frozenset[int]]] = {}
        """By line of a question with a condition, the answers that it names by line of their question."""
        self.after_last: set[int] = set()
        """Lines of questions whose condition names no question, so that it refers to the one before."""
        self.clauses: dict[int, str] = {}
        """By line of a question, the words from which its last condition was read."""
        self.guessed: set[int] = set()
        """Lines of questions whose condition only repeats words, or may not reach as far as the question."""

    def resolve(self, question: Question) -> list[Chosen] | None:
        """Return after which answers a question is asked; None if it has no condition, or an unclear one."""
        line = self.lines.get(question.line)
        if line is None or not line.conditions:
            return None
        combined: dict[int, frozenset[int]] = {}
        own = [each for each in line.conditions if each.line == line.number and each.words == line.body]
        remarks = () if own else (phrase for phrase in _phrases(line.body) if CONDITION.search(f"{phrase}:"))
        others = [StatedCondition(line=line.number, words=phrase) for phrase in remarks]
        for stated in [*line.conditions, *others]:
            chosen = self._read(stated, question)
            if chosen is None:
                return None
            decider, positions = chosen
            combined[decider] = combined.get(decider, positions) & positions
            if not combined[decider]:
                return None
            if self._may_end_before(stated, question) or self._is_among_answers(stated, question):
                self.guessed.add(question.line)
        self.found[question.line] = combined
        return list(combined.items())

    def _read(self, stated: StatedCondition, question: Question) -> Chosen | None:
        if stated.is_behind:
            return self._behind_answers(stated, question)
        if not stated.words or self._is_apart(stated, question):
            return None
        if stated.skips and stated.line < question.line and self._leads_all(stated):
            return self._instead_of(self._above(stated.line))
        above = self.lines.get(stated.line)
        is_asked = above is not None and above.role in ASKED and stated.words in (above.body, above.text)
        inner = (match[1] for match in IN_BRACKETS.finditer(stated.words))
        is_own = stated.line == question.line
        phrases: Iterable[str] = [
            _without_name(stated.words),
            *(each for each in inner if is_own or NUMBER_NAMED.search(each)),
        ]
        if above is not None and is_asked:
            phrases = _phrases(above.body)
        elif stated.skips and (clause := _FIRST_CLAUSE.match(stated.words)) and _IF.search(clause[0]):
            # Any wording may say what people do if the clause concerns them.
            phrases = [clause[1]]
        found = set[Chosen]()
        for phrase in phrases:
            if chosen := self._named(phrase, stated, question):
                found.add(chosen)
                self.clauses[question.line] = phrase
        return found.pop() if len(found) == 1 else None

    def _may_end_before(self, stated: StatedCondition, question: Question) -> bool:
        """Return whether a line states a condition without saying that it reaches as far as a question."""
        following = self.starts[bisect_right(self.starts, stated.line) :]
        return stated.is_open and following[:1] != [question.line]

    def _is_among_answers(self, stated: StatedCondition, question: Question) -> bool:
        """Return whether a remark is right below the answers above a question, which it may limit instead."""
        line, above = self.lines.get(stated.line), self.lines.get(stated.line - 1)
        is_remark = line is not None and line.role == SKIP and line.is_bracketed and not line.has_gap
        return is_remark and above is not None and above.role == ANSWER and stated.line < question.line

    def _is_apart(self, stated: StatedCondition, question: Question) -> bool:
        """Return whether other lines lie between a condition and the first question below it."""
        if stated.line >= question.line:
            return False
        following = bisect_right(self.starts, stated.line)
        between = (self.lines.get(number) for number in range(stated.line + 1, self.starts[following]))
        return any(line is not None and line.role not in _BETWEEN for line in between)

    def _named(self, phrase: str, stated: StatedCondition, question: Question) -> Chosen | None:
        """Return the question and the answers that a phrase names, if all of its words are understood."""
        skips = stated.skips
        if stated.line in self.by_line:
            # Next to a question, only a phrase with such words skips; an arrow may just lead to the phrase.
            skips = LEADS_ON.search(_ARROWS.sub(" ", phrase)) is not None
            if skips < (stated.line < question.line):
                return None
        first = min(stated.line, question.line)
        earlier = self.questions[: bisect_left(self.starts, first)]
        words = _NE_QUE.sub(" ", f" {_ARROWS.sub(' ', phrase.casefold())} ")
        words = _MEANS_YES.sub(" yes ", words)
        quoted, words = _without_quotation(words, earlier)
        words = words.translate(CIRCLED)
        for _repeat in range(_FEW_CODES):
            words = _CODES.sub(r"\g<first> =\g<next> ", words)
        coded = [each["code"] for each in CODED_ANSWER.finditer(words)]
        words = CODED_ANSWER.sub(" = ", words)
        numbers = self._numbers_in(words, first)
        if numbers.are_unclear and quoted is None:
            return None
        named = numbers.above if quoted is None else {quoted.line}
        if stated.line > question.line:
            # A line below the questions that it limits names them, too.
            named = {each for each in named if stated not in self.lines[each].conditions}
        if len(named) > 1 or (skips and numbers.n_ahead > 1) or SKIPS_OVER.search(words):
            return None
        signs = _SIGN.findall(numbers.rest)
        if signs and (len(signs) > 1 or signs[0] not in _DIFFERS or not named):
            return None
        rest = _SIGN.sub(" ", numbers.rest)
        answers = AnswersNamed(rest, differ=bool(signs) != skips)
        if not named:
            return self._named_before(phrase, stated, question, answers)
        decider = self.by_line.get(named.pop())
        # The number of a line may be read that became no question.
        return self._chosen(decider, phrase, answers, coded) if decider else None

    def _chosen(
        self, decider: Question, phrase: str, answers: AnswersNamed, coded: Sequence[str]
    ) -> Chosen | None:
        """Return a question and the answers to it that a phrase names: by codes, words or letters."""
        positions = self._coded(decider, answers, coded) if coded else answers.of(decider)
        return (decider.line, positions) if positions else self._lettered(phrase, decider, answers)

    def _named_before(
        self, phrase: str, stated: StatedCondition, question: Question, answers: AnswersNamed
    ) -> Chosen | None:
        """Return the question above and the answers that a phrase without a number names."""
        earlier = self.questions[: bisect_left(self.starts, min(stated.line, question.line))]
        chosen = None
        if earlier and stated.line <= question.line:
            chosen = self._lettered(phrase, earlier[-1], answers) or self._before(earlier, question, answers)
        if chosen is None and stated.line != question.line:
            return self._people(earlier, question, answers)
        return chosen

    def _people(
        self, earlier: Sequence[Question], question: Question, answers: AnswersNamed
    ) -> Chosen | None:
        """Return the only question by an answer of which a line names people: *only for smokers*."""
        found = [(each.line, places) for each in earlier[-_REACH:] if (places := answers.people(each))]
        if len(found) != 1:
            return None
        self.guessed.add(question.line)
        return found[0]

    def _lettered(self, phrase: str, decider: Question, answers: AnswersNamed) -> Chosen | None:
        """Return the answers that a phrase names by the letters in front of them: *if you ticked B or C*."""
        letters = letters_in(phrase)
        rest = " ".join(each for each in WORDS.findall(answers.words) if each not in letters)
        positions = self._coded(decider, replace(answers, words=rest), letters) if letters else frozenset()
        return (decider.line, positions) if positions else None

    def _numbers_in(self, words: str, first: int) -> _Numbers:
        """Return the questions whose numbers a phrase names.

        Parameters
        ----------
        words : str
        first : int
            Line of the condition or of its question, whichever comes first.
        """
        found = _Numbers()
        end = 0
        words = with_digits(words)
        for code in NUMBER_NAMED.finditer(words):
            lines = self.codes.get(code["word"] + code["number"]) or self.codes.get(code["number"])
            if not lines:
                continue
            above = {line for line in lines if line < first}
            is_ahead = len(above) < len({*lines})
            found.are_unclear = found.are_unclear or len(above) > 1 or (bool(above) and is_ahead)
            found.above |= above
            found.n_ahead += is_ahead
            goes_on = found.n_ahead > 1 and 0 < code.start() - end <= _BETWEEN_NUMBERS
            found.rest += ("" if goes_on else words[end : code.start()]) + " "
            end = code.end()
        found.rest += words[end:]
        return found

    def _coded(self, decider: Question, answers: AnswersNamed, coded: Sequence[str]) -> frozenset[int]:
        """Return the answers to a question that have these codes in the text; empty if one has none."""
        printed = dict[str, str]()
        for line in map(self.lines.get, range(decider.line, self._end_of(decider))):
            if line is not None:
                printed |= codes_printed(line)
        if not answers.are_understood or any(code not in printed for code in coded):
            return frozenset()
        named = " ".join(printed[code].casefold() for code in coded)
        return AnswersNamed(named, differ=answers.differ).of(decider)

    def _before(
        self, earlier: Sequence[Question], question: Question, answers: AnswersNamed
    ) -> Chosen | None:
        """Return the question above a condition that names none, and its answers.

        It is the only one whose words the condition repeats; or the last question; or, if this one has the
        same condition, the question that decides both. None if both are possible.
        """
        if not earlier:
            return None
        echoing = [(each.line, answers.of(each)) for each in earlier[-_REACH:] if answers.repeats(each)]
        last = earlier[-1]
        if echoing:
            if echoing[0][0] not in (last.line, *self.found.get(last.line, ())):
                self.guessed.add(question.line)
            return echoing[0] if len(echoing) == 1 else None
        line, own = self.lines.get(last.line), self.lines.get(question.line)
        limits = self.found.get(last.line)
        if line is None or own is None or (line.conditions and limits is None):
            return None
        is_row = self._is_last_of_rows(earlier, line, own)
        deciders = [self.by_line[each] for each in limits or ()]
        positions = answers.of(last)
        if positions:
            is_doubtful = last.line in self.after_last and any(map(answers.of, deciders))
            if is_doubtful or is_row:
                return None
            self.after_last.add(question.line)
            return last.line, positions
        if len(deciders) == 1 and last.line in self.after_last and (positions := answers.of(deciders[0])):
            self.after_last.add(question.line)
            return deciders[0].line, positions
        return None

    def _is_last_of_rows(self, earlier: Sequence[Question], line: SourceLine, own: SourceLine) -> bool:
        """Return whether a line ends several rows or lettered questions, all of which may be meant below."""
        shape = _list_shape(line)
        place = len(earlier)
        above = self.lines.get(self.starts[place - 2]) if place > 1 else None
        below = self.lines.get(self.starts[place + 1]) if place + 1 < len(self.starts) else None
        if not shape or _list_shape(own) == shape or above is None or _list_shape(above) != shape:
            return False
        # A following number, or the same with a letter: 8, 8a.
        is_numbered = (
            line.mark is not None
            and own.mark is not None
            and (
                line.mark.shape == own.mark.shape
                or (own.mark.kind == "count" and line.mark.value[:2] == own.mark.value[:2])
            )
        )
        is_among = below is not None and _list_shape(below) == shape
        return not (is_numbered or is_among or _is_attached(own, line))

    def _behind_answers(self, stated: StatedCondition, question: Question) -> Chosen | None:
        """Return the answers to a question that do not skip another one."""
        decider = self._above(stated.line)
        if decider is None or decider.line >= question.line or not is_clear(decider):
            return None
        end = self._end_of(decider)
        skipping: dict[int, int] = {}
        for number in range(decider.line, end):
            line = self.lines.get(number)
            if line is None or line.target is None or line.role not in _ANSWERED:
                continue
            named = self._skipping(decider, line)
            if not line.target or not named:
                return None
            skipping |= dict.fromkeys(named, line.target)
        count = len(choices_of(decider))
        left = frozenset(each for each in range(count) if skipping.get(each, 0) <= question.line)
        if end in skipping.values() and len(skipping) < count:
            # Answers without an instruction may also skip the question to which one leads.
            self.guessed.add(question.line)
        if not left:
            return self._instead_of(decider)
        return (decider.line, left) if len(left) < count else None

    def _above(self, line: int) -> Question | None:
        """Return the last question that begins at a line or above it."""
        place = bisect_right(self.starts, line) - 1
        return self.questions[place] if place >= 0 else None

    def _end_of(self, question: Question) -> int:
        """Return the line of the next question."""
        return self.starts[bisect_right(self.starts, question.line)]

    def _leads_all(self, stated: StatedCondition) -> bool:
        """Return whether an instruction leads everyone to a question, whatever they answer."""
        words = self._numbers_in(f" {_ARROWS.sub(' ', stated.words.casefold())} ", stated.line)
        is_plain = not (CONDITION.search(f"{stated.words}:") or SKIPS_OVER.search(stated.words))
        rest = " ".join(each for each in WORDS.findall(words.rest) if each not in _ALL)
        return is_plain and words.n_ahead == 1 and not words.above and polarity_of(rest) == set()

    def _instead_of(self, question: Question | None) -> Chosen | None:
        """Return the answers after which a question is not asked, if it depends on one other question."""
        limits = self.found.get(question.line, {}) if question else {}
        if len(limits) != 1:
            return None
        (decider, positions), *_others = limits.items()
        return decider, frozenset(range(len(choices_of(self.by_line[decider])))) - positions

    def _skipping(self, decider: Question, line: SourceLine) -> frozenset[int]:
        """Return the answers to which the instruction after them applies; empty if that is unclear."""
        rest = NUMBER_NAMED.sub(" ", _ARROWS.sub(" ", line.skip.casefold()))
        answers = AnswersNamed(rest)
        if SKIPS_OVER.search(rest):
            return frozenset()
        is_plain = answers.are_understood or ends_survey(line.skip)
        if not is_plain and ((named := answers.of(decider)) or not _is_short(line.skip)):
            return named
        listed = answers_of(line)
        if line.role != ANSWER and listed is None:
            return frozenset()
        label = listed.labels[-1] if listed else line.body
        if not decider.options:
            said = polarity_of(_NUMBERS.sub(" ", label.casefold()))
            return frozenset({0 if True in said else 1}) if said and len(said) == 1 else frozenset()
        places = [at for at, option in enumerate(decider.options) if option.line == line.number]
        return frozenset(places[-1:])


def _without_name(words: str) -> str:
    """Return the words of a line without the name of a part or of interviewers, and only its condition.

    Examples
    --------
    >>> [_without_name(each) for each in ("Part B - if yes", "INT.: if Q1=1", "If no. Otherwise go on.")]
    ['if yes', 'if Q1=1', 'If no']
    """
    words = without_interviewer(words.strip(" ([【（"))
    label = _LABEL.match(words)
    words = words[label.end() :] if label else words
    first, *others = [each for each in _SENTENCES.split(words) if each.strip()] or [words]
    parts = [first, *(each for each in others if not OTHERWISE.match(each.strip()))]
    stating = [each for each in parts if CONDITION.search(f"{each}:")]
    return stating[0] if others and len(stating) == 1 else words


def _is_attached(line: SourceLine, above: SourceLine) -> bool:
    """Return whether the layout joins a line to the one above: it is indented, or only that one has a gap."""
    indent, outer = (len(each.raw) - len(each.raw.lstrip()) for each in (line, above))
    return not line.has_gap and (above.has_gap or indent > outer)


def _is_short(skip: str) -> bool:
    """Return whether an instruction only says where to continue, in any wording."""
    words = skip.strip(" ()（）[]【】")
    is_plain = not CONDITION.search(f"{skip}:") and not any(sign in words for sign in "()（）:：,，")
    return is_plain and len(WORDS.findall(words)) <= _FEW_WORDS


def _phrases(text: str) -> Iterator[str]:
    """Yield the words of a question that may be its condition: in brackets, or its first clause."""
    yield from (match[1] for match in IN_BRACKETS.finditer(text))
    first = None if text[:1] in "(（[【" else _FIRST_CLAUSE.match(text)
    begins = None if first else IF_SO.match(text)
    phrase = first[1] if first else begins[0] if begins else ""
    rest = text[first.end() if first else begins.end() if begins else 0 :]
    # A second condition may follow the first, or an instruction: to skip, or not to answer.
    second = _FIRST_CLAUSE.match(rest)
    goes_on = (begins and _GOES_ON.match(rest)) or (second and polarity_of(second[1].casefold()))
    if phrase and not (goes_on or _IF.search(rest) or LEADS_ON.search(rest)):
        yield phrase


def _list_shape(line: SourceLine) -> str:
    """Return the list to which a question may belong: a table or a lettered list; empty if none."""
    is_lettered = line.mark_kind == "letter"
    return ROW if line.role == ROW else "letter" if is_lettered else ""
