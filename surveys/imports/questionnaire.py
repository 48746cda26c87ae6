"""The questionnaire that every source fills: parts, questions, options, and what was not taken over."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal

from surveys.imports.groups import PastedGroup

__all__ = ["LOST", "UNCLEAR", "Note", "Option", "Part", "Question", "Questionnaire"]

Texts = dict[str, str]
Effect = Literal["changed", "lost", "unclear", "wrong"]

LOST: Final = "lost"
UNCLEAR: Final = "unclear"


@dataclass(frozen=True, kw_only=True)
class Note:
    """Something in the source that the draft has differently, does not have, or cannot have yet.

    Parameters
    ----------
    line : int
        Line of a text or row of a sheet, from 1; 0 for the source as a whole.
    message, remedy : str
        What is so, and what to do about it.
    effect : str
        ``changed``; ``lost``; ``unclear``, which has to be answered before a draft is made; ``wrong``, which
        the builder asks about.
    where : str
        Place in a file, in words; empty for a line of a text.
    cause : str
        The message without its values: notes of one cause are shown together.
    asks : str
        Of something unclear what is asked about it: the ``answers`` of a question, or whether to ``keep`` it.
    target : int
        Line of the question that it is about, where that is another line.
    """

    line: int
    message: str
    remedy: str
    effect: Effect = "wrong"
    where: str = ""
    cause: str = ""
    asks: str = ""
    target: int = 0

    @property
    def is_lost(self) -> bool:
        """Whether the source says something that the draft does not have."""
        return self.effect == LOST


@dataclass(kw_only=True)
class Option:
    """One answer to choose."""

    line: int
    texts: Texts
    key: str = ""


@dataclass(kw_only=True)
class Question:
    """A question, and what the source says of it.

    Parameters
    ----------
    line : int
    texts : dict of str to str
    flags : frozenset of str
        Names of `surveys.imports.lines.FLAGS`.
    kind : str
        Empty until it is known; ``text`` for a free text, which no survey asks.
    is_protected : bool or None
        None where the source does not say.
    condition : dict or None
        Answers on which it is asked, as ``asked_if`` of a block states them.
    source : str
        As it is written in the source, where that is no line of a text.
    own : dict
        Members of the draft that the source states as a definition does.
    why : str
        What made it open or of its kind, where the source does not say so itself.
    range : str
        Of a number, what can be answered.
    """

    line: int
    texts: Texts
    flags: frozenset[str] = frozenset()
    options: list[Option] = field(default_factory=list)
    help: Texts = field(default_factory=dict)
    wordings: dict[str, Texts] = field(default_factory=dict)
    kind: str = ""
    key: str = ""
    is_protected: bool | None = None
    condition: dict[str, Any] | None = None
    source: str = ""
    own: dict[str, Any] = field(default_factory=dict)
    why: str = ""
    range: str = ""

    @property
    def is_asked(self) -> bool:
        """Whether a survey can ask it as it is understood."""
        return self.kind not in ("", "text")


@dataclass(kw_only=True)
class Part:
    """The questions below one heading or in one group; without one, line 0 and no texts."""

    line: int
    texts: Texts
    flags: frozenset[str] = frozenset()
    questions: list[Question] = field(default_factory=list)
    key: str = ""
    help: Texts = field(default_factory=dict)
    own: dict[str, Any] = field(default_factory=dict)


@dataclass(kw_only=True)
class Questionnaire:
    """All that a source says.

    Parameters
    ----------
    languages : tuple of str
        The first one first; empty where they are not known.
    head : dict
        Members of the draft beside its blocks, where the source states them.
    introduction : list of str
        Lines of a text before its first question.
    has_questions : bool
    is_stated : bool
        Whether the source says what is protected, and how; otherwise it is proposed.
    """

    languages: tuple[str, ...] = ()
    title: Texts = field(default_factory=dict)
    about: dict[str, Texts] = field(default_factory=dict)
    parts: list[Part] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    groups: dict[str, PastedGroup] = field(default_factory=dict)
    head: dict[str, Any] = field(default_factory=dict)
    introduction: list[str] = field(default_factory=list)
    has_questions: bool = False
    is_stated: bool = False

    def note(self, line: int, message: str, remedy: str, **more: Any) -> None:
        """Note what is so at a line; see `Note`."""
        more.setdefault("cause", message)
        self.notes.append(Note(line=line, message=message, remedy=remedy, **more))

    @property
    def questions(self) -> list[Question]:
        """The questions of all parts, in order."""
        return [question for part in self.parts for question in part.questions]

    def to_json(self) -> dict[str, Any]:
        """Return all of it as JSON holds it."""

        def plain(value: Any) -> Any:
            if isinstance(value, frozenset):
                return sorted(value)
            if isinstance(value, dict):
                return {name: plain(each) for name, each in value.items()}
            return [plain(each) for each in value] if isinstance(value, list | tuple) else value

        return plain(asdict(self))

    @classmethod
    def from_json(cls, stated: dict[str, Any]) -> Questionnaire:
        """Return the questionnaire that `to_json` wrote."""

        def question(entry: dict[str, Any]) -> Question:
            options = [Option(**option) for option in entry["options"]]
            return Question(**entry | {"flags": frozenset(entry["flags"]), "options": options})

        def part(entry: dict[str, Any]) -> Part:
            questions = [question(each) for each in entry["questions"]]
            return Part(**entry | {"flags": frozenset(entry["flags"]), "questions": questions})

        return cls(
            **stated
            | {
                "languages": tuple(stated["languages"]),
                "parts": [part(entry) for entry in stated["parts"]],
                "notes": [Note(**entry) for entry in stated["notes"]],
                "groups": {name: PastedGroup(**entry) for name, entry in stated["groups"].items()},
            }
        )
