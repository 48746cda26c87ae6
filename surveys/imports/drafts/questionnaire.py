"""The questionnaire that every importer fills, and the rules that turn it into a draft."""

from __future__ import annotations

import json
import re
from collections import ChainMap
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from privacy.validation import LONGEST_KEY
from surveys.imports.drafts.fresh_keys import FreshKeys, proposed_key
from surveys.questionnaire.exclusive_wordings import means_no_answer, means_none
from surveys.questionnaire.kinds import StatedKind
from surveys.questionnaire.stated_kinds import STATED_KINDS as STATED

Texts = dict[str, str]
SEVERAL: Final = "several"
"""The kind of a question with several answers in a source; it becomes a list of yes/no questions."""
IMPORTED_KINDS: Final = ChainMap(
    STATED, {SEVERAL: StatedKind("yes_no", gettext_lazy("yes or no to each of these"))}
)
"""The kinds of questions that a source can ask."""
Effect = Literal["changed", "lost", "stored", "uncertain", "unclear", "wrong"]

LOST: Final = "lost"
MISREAD: Final = "misread"
OFFERED: Final = "offered"
"""The cause of notes on options that a list leaves out, because the page offers the same in another way."""
BEGUN_SMALL: Final = "begun small"
"""Flag of a question that began with a small letter after its condition, which was cut."""
ONE_ANSWER: Final = "one answer"
"""Flag of a question that is sent together with its follow-ups."""
STORED: Final = "stored"
UNCERTAIN: Final = "uncertain"
UNCLEAR: Final = "unclear"
WRONG: Final = "wrong"


_WORDS: Final = re.compile(r"[^\W\d_㐀-鿿]{4,}|[㐀-鿿]{2}")
"""Words of some length, and pairs of Chinese characters."""


@dataclass(frozen=True, kw_only=True)
class Note:
    """A remark on something in the source that the draft lacks, changes, or does not have yet.

    Parameters
    ----------
    line : int
        Line of a text or row of a sheet, counted from 1; 0 for the whole source.
    message, remedy : str
        The problem, and its remedy.
    effect : str
        ``changed``; ``lost``; ``stored``, a question that is stored as answered; ``uncertain``, a line of a
        text that may have another role; ``unclear``, which users settle before the draft is made; or
        ``wrong``, which they fix in the builder.
    where : str
        Place in a file, in words; empty for a line of a text.
    cause : str
        The message without its values. Notes with the same cause are shown together.
    asks : str
        What users must settle about an unclear point: the ``answers`` of a question, the ``language``,
        whether to ``keep`` a question, or after which answers to ask it; a ``skip``: whether to protect a
        question that decides who is asked others, or to keep asking these only some people; a ``score``:
        whether to send one answer; or the ``words`` for answers that are only numbers.
    target : int
        Line of the question concerned, if it is a different one.
    """

    line: int
    message: str
    remedy: str
    effect: Effect = "changed"
    where: str = ""
    cause: str = ""
    asks: str = ""
    target: int = 0


@dataclass(kw_only=True)
class Option:
    """One option of a question; its points if the source states them."""

    line: int
    texts: Texts
    key: str = ""
    points: int | None = None


@dataclass(kw_only=True)
class Question:
    """A question, and what the source states about it.

    Parameters
    ----------
    line : int
    texts : dict of str to str
    flags : frozenset of str
        Names of flags in `cues.tsv`, and others from the layout.
    kind : str
        Empty until it is known; ``text`` for free text, which surveys cannot ask.
    is_protected : bool or None
        None if the source does not say.
    condition : dict or None
        Condition for asking it, like ``asked_if`` of a block.
    lead : dict of str to str
        The condition in front of the text that was cut because only some people are asked.
    lines : dict of str to str
        For a question with several answers, the keys of its lines by option, where conditions can name them.
    source, where : str
        The question as written in the source, and its place there, unless it is a line of a text.
    own : dict
        Further members of the question in the definition, such as ``number``.
    why : str
        The reason for its protection or kind, unless the source states them.
    range : str
        For a number, the range of possible answers.
    ends : list of int
        Until the kind is known: the smallest and the largest number that the lines around the question state.
    unit : dict of str to str
        Until the kind is known: the words next to the write-in space.
    points : list of int
        For yes or no, the points of *no* and of *yes*, if the source states them.
    """

    line: int
    texts: Texts
    flags: frozenset[str] = frozenset()
    options: list[Option] = field(default_factory=list)
    help: Texts = field(default_factory=dict)
    kind: str = ""
    key: str = ""
    is_protected: bool | None = None
    condition: dict[str, Any] | None = None
    lead: Texts = field(default_factory=dict)
    lines: dict[str, str] = field(default_factory=dict)
    source: str = ""
    where: str = ""
    own: dict[str, Any] = field(default_factory=dict)
    why: str = ""
    range: str = ""
    ends: list[int] = field(default_factory=list)
    unit: Texts = field(default_factory=dict)
    points: list[int] = field(default_factory=list)

    @property
    def whole_texts(self) -> Texts:
        """The texts with the conditions that were cut from them, for people who are asked without one."""
        texts = {tag: text[:1].lower() + text[1:] for tag, text in self.texts.items() if tag in self.lead}
        begun = self.texts | (texts if BEGUN_SMALL in self.flags else {})
        return {tag: self.lead.get(tag, "") + text for tag, text in begun.items()}

    @property
    def is_asked(self) -> bool:
        """Whether a survey can ask this question as it was understood."""
        return self.kind in IMPORTED_KINDS and IMPORTED_KINDS[self.kind].name in STATED


_IF_STATED: Final = frozenset({"points", "ends", "unit", "lead", "turned", "where"})


def as_members(entry: Any) -> dict[str, Any]:
    """Return a dataclass of this module as a dict, without points and ends that the source does not state.

    A form repeats its lists for each question, so each member of an option counts.
    """
    return asdict(
        entry,
        dict_factory=lambda pairs: {
            name: value for name, value in pairs if name not in _IF_STATED or value not in (None, [], {}, "")
        },
    )


@dataclass(kw_only=True)
class Part:
    """The questions below one heading or in one group. Without a heading, line is 0 and texts are empty."""

    line: int
    texts: Texts
    flags: frozenset[str] = frozenset()
    questions: list[Question] = field(default_factory=list)
    key: str = ""
    help: Texts = field(default_factory=dict)


@dataclass(kw_only=True)
class Score:
    """A sum of points that devices can compute, to send only the level that it reaches.

    Parameters
    ----------
    line : int
        Line that states the levels.
    questions : list of int
        Lines of the questions whose points are added up.
    levels : list of (int or None, str)
        The start of each level and its label. The first has no start. A label may be empty if there are two:
        they are *no* and *yes*.
    is_used : bool
        Whether the draft sends this one answer instead of the questions.
    rule : dict
        Members of `surveys.imports.formulas.formula_rules.Rule` if a formula states it: ``points`` by
        component, and ``missing``. Empty if the answers have points of their own.
    turned : list of int
        Lines of the questions whose points the source reverses, because a text or key says so.
    gaps : str
        What the source states about missing answers: nothing if empty; ``whole``, the rule in ``missing``;
        ``limit``, only how many may be missing; or ``unread``, a rule that was not understood.
    """

    line: int
    questions: list[int]
    levels: list[tuple[int | None, str]]
    is_used: bool = False
    rule: dict[str, Any] = field(default_factory=dict)
    turned: list[int] = field(default_factory=list)
    gaps: str = ""


@dataclass(frozen=True, kw_only=True)
class ReadLine:
    """How a line of a text was read.

    Parameters
    ----------
    line : int
        Counted from 1.
    role : str
        One of the roles of `surveys.imports.roles.structure`.
    is_certain : bool
        Whether no other role is possible.
    """

    line: int
    role: str
    is_certain: bool = True


@dataclass(kw_only=True)
class Questionnaire:
    """The complete content of a source.

    Parameters
    ----------
    languages : tuple of str
        In order of appearance; empty if they are unknown.
    introduction : list of str
        Lines before the first question.
    scores : list of Score
        Sums of points that devices could send as one answer.
    lines : list of ReadLine
        For a text, each line that is not blank, with its role.
    """

    languages: tuple[str, ...] = ()
    title: Texts = field(default_factory=dict)
    about: dict[str, Texts] = field(default_factory=dict)
    parts: list[Part] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    introduction: list[str] = field(default_factory=list)
    scores: list[Score] = field(default_factory=list)
    lines: list[ReadLine] = field(default_factory=list)

    def note(self, line: int, message: str, remedy: str, **more: Any) -> None:
        """Add a note about a line; see `Note`."""
        more.setdefault("cause", message)
        more |= {"effect": UNCLEAR} if "asks" in more else {}
        self.notes.append(Note(line=line, message=message, remedy=remedy, **more))

    def ask_language(self, where: str = "") -> None:
        """Ask for the language of a source whose words do not show it."""
        message = _("the language of this text was not recognised")
        self.note(0, message, _("choose its language"), asks="language", where=where)

    @property
    def questions(self) -> list[Question]:
        """The questions of all parts, in order."""
        return [question for part in self.parts for question in part.questions]

    @property
    def by_key(self) -> dict[str, Question]:
        """The questions by key; a question with several answers also by those of its lines."""
        keyed = [question for question in self.questions if question.key]
        return {key: question for question in keyed for key in (question.key, *question.lines.values())}

    def texts_of(self, score: Score) -> Texts:
        """Return the heading of the questions of a score; without one, the title of the survey."""
        found = (
            part.texts
            for part in self.parts
            if any(question.line in score.questions for question in part.questions)
        )
        return dict(next(found, {}) or self.title)

    def where(self, line: int) -> str:
        """Return the place in a file, in words, that notes give for a line."""
        return next((note.where for note in self.notes if note.line == line and note.where), "")

    def score_near(self, line: int) -> Score | None:
        """Return the score to which a line about scores belongs: the one whose levels are nearest."""
        return min(self.scores, key=lambda score: abs(score.line - line), default=None)

    @property
    def unclear(self) -> list[Note]:
        """The notes that users must settle before the draft is made."""
        return [note for note in self.notes if note.effect == UNCLEAR]

    def to_json(self) -> dict[str, Any]:
        """Return the questionnaire as plain JSON values."""
        document: dict[str, Any] = json.loads(json.dumps(as_members(self), default=sorted))
        return document

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> Questionnaire:
        """Return the questionnaire that `to_json` wrote."""

        def question(entry: dict[str, Any]) -> Question:
            options = [Option(**option) for option in entry["options"]]
            return Question(**entry | {"flags": frozenset(entry["flags"]), "options": options})

        def part(entry: dict[str, Any]) -> Part:
            questions = [question(each) for each in entry["questions"]]
            return Part(**entry | {"flags": frozenset(entry["flags"]), "questions": questions})

        return cls(
            **document
            | {
                "languages": tuple(document["languages"]),
                "parts": [part(entry) for entry in document["parts"]],
                "notes": [Note(**entry) for entry in document["notes"]],
                "lines": [ReadLine(**entry) for entry in document.get("lines", ())],
                "scores": [
                    Score(**entry | {"levels": [(start, label) for start, label in entry["levels"]]})
                    for entry in document.get("scores", ())
                ],
            }
        )


def offered_options(question: Question) -> list[Option]:
    """Return the options of a question with several answers that mean none of them, or no answer.

    The page offers both itself.

    Examples
    --------
    >>> labels = ("Heroin", "Cannabis", "None of these", "Don't know")
    >>> options = [Option(line=1, texts={"en": label}) for label in labels]
    >>> question = Question(line=1, texts={}, options=options, kind="several")
    >>> [option.texts["en"] for option in offered_options(question)]
    ['None of these', "Don't know"]
    """
    if not question.is_asked or IMPORTED_KINDS[question.kind].is_exhaustive:
        return []
    found = [
        option for option in question.options if means_none(option.texts) or means_no_answer(option.texts)
    ]
    return found if len(found) < len(question.options) else []


def ticked_options(question: Question) -> list[tuple[int, Option]]:
    """Return the options of a question with several answers that become lines, with their numbers from 1."""
    offered = offered_options(question)
    numbered = enumerate(question.options, start=1)
    return [(number, option) for number, option in numbered if all(option is not each for each in offered)]


def name_question(question: Question, keys: FreshKeys, place: int, taken: Iterable[str] = ()) -> None:
    """Give a question, its answers and the lines of its list the keys that they lack.

    Parameters
    ----------
    question : Question
    keys : FreshKeys
        Keys of all questions.
    place : int
        Place of the question in the survey, counted from 1.
    taken : iterable of str
        Further keys that none of its answers may get.

    Examples
    --------
    >>> options = [Option(line=1, texts={"en": label}) for label in ("Heroin", "Cannabis", "None of these")]
    >>> question = Question(line=1, texts={"en": "Which drugs?"}, options=options, kind="several")
    >>> name_question(question, FreshKeys(), 1)
    >>> question.key, question.lines
    ('drugs', {'heroin': 'drugs_heroin', 'cannabis': 'drugs_cannabis'})
    """
    question.key = question.key or keys.take(
        proposed_key(question.texts.get("en", "")) or f"question-{place}"
    )
    own = FreshKeys([*taken, *(option.key for option in question.options if option.key)])
    for number, option in enumerate(question.options, start=1):
        option.key = option.key or own.take(proposed_key(option.texts.get("en", "")) or f"option-{number}")
    if question.kind == SEVERAL:
        lines = [option.key for _number, option in ticked_options(question)]
        question.lines = {
            key: question.lines.get(key) or keys.take(f"{question.key}_{key}"[:LONGEST_KEY]) for key in lines
        }


def points_of(question: Question) -> list[int]:
    """Return the points of the answers of a question in their order; of *no* and *yes* for a yes/no question.

    Examples
    --------
    >>> points_of(Question(line=1, texts={}, kind="yes_no"))
    [0, 1]
    """
    return [option.points or 0 for option in question.options] or list(question.points) or [0, 1]


def scored_points(question: Question) -> list[int]:
    """Return the points of the answers of a question, without answers that score none, such as *no answer*.

    Examples
    --------
    >>> options = [Option(line=1, texts={}, points=points) for points in (1, 2, None)]
    >>> scored_points(Question(line=1, texts={}, kind="single", options=options))
    [1, 2]
    """
    return [option.points for option in question.options if option.points is not None] or points_of(question)


def are_unscored(labels: Sequence[Texts]) -> list[bool]:
    """Return which answers say that someone does not know or answer, and are no grade of the other answers.

    Grades have words in common: *trifft zu* and *trifft nicht zu*.

    Parameters
    ----------
    labels : sequence of dict of str to str

    Examples
    --------
    >>> are_unscored([{"de": "Nie"}, {"de": "Oft"}, {"de": "Trifft nicht zu"}])
    [False, False, True]
    >>> are_unscored([{"de": "Trifft zu"}, {"de": "Trifft eher zu"}, {"de": "Trifft nicht zu"}])
    [False, False, False]
    """
    found = [means_no_answer(texts) for texts in labels]
    graded = {
        word
        for texts, is_empty in zip(labels, found, strict=True)
        for word in (() if is_empty else _words_of(texts))
    }
    return [
        is_empty and graded.isdisjoint(_words_of(texts))
        for texts, is_empty in zip(labels, found, strict=True)
    ]


def _words_of(texts: Texts) -> set[str]:
    return {word for text in texts.values() for word in _WORDS.findall(text.casefold())}


def mirrored_points(labels: Sequence[Texts], points: Sequence[int]) -> list[int]:
    """Return points of answers in the opposite direction; *no answer* stays without points.

    Parameters
    ----------
    labels : sequence of dict of str to str
        The answers, or none for *no* and *yes*.
    points : sequence of int

    Examples
    --------
    >>> mirrored_points([{"en": "Never"}, {"en": "Often"}, {"en": "No answer"}], [1, 4, 0])
    [4, 1, 0]
    """
    unscored = are_unscored(labels) or [False] * len(points)
    kept = [own == 0 and is_unscored for is_unscored, own in zip(unscored, points, strict=True)]
    scored = [own for own, is_kept in zip(points, kept, strict=True) if not is_kept] or [0]
    ends = min(scored) + max(scored)
    return [own if is_kept else ends - own for own, is_kept in zip(points, kept, strict=True)]


def extremes_of(question: Question) -> tuple[int, int]:
    """Return the least and the largest number of points that one person's answer to a question can score.

    Of a question with several answers, each tick counts.

    Examples
    --------
    >>> options = [Option(line=line, texts={}, points=1) for line in (2, 3, 4)]
    >>> [extremes_of(Question(line=1, texts={}, kind=kind, options=options)) for kind in ("single", SEVERAL)]
    [(1, 1), (0, 3)]
    """
    own = scored_points(question)
    if question.kind == SEVERAL:
        return sum(each for each in own if each < 0), sum(each for each in own if each > 0)
    return min(own), max(own)


def text_of(question: Question) -> str:
    """Return the text of a question in its first language."""
    return next(iter(question.texts.values()), "")


def labels_of(question: Question) -> tuple[str, ...]:
    """Return the answers of a question in their first language."""
    return tuple(next(iter(option.texts.values()), "") for option in question.options)


def retag(survey: Questionnaire, old: str, new: str) -> None:
    """Replace the tag of a language, such as an unknown one, in all texts."""
    survey.languages = tuple(new if tag == old else tag for tag in survey.languages)
    parts = [texts for part in survey.parts for texts in (part.texts, part.help)]
    questions = [
        texts
        for question in survey.questions
        for texts in (
            question.texts,
            question.help,
            *(option.texts for option in question.options),
            question.own.get("number", {}).get("unit", {}),
        )
    ]
    for texts in (survey.title, *survey.about.values(), *parts, *questions):
        if old in texts:
            texts[new] = texts.pop(old)
