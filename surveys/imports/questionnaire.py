"""The questionnaire that every source fills: parts, questions, options, and losses."""

from __future__ import annotations

import itertools
import json
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal

from django.utils.translation import gettext as _

Texts = dict[str, str]
Effect = Literal["changed", "lost", "unclear", "wrong"]

LOST: Final = "lost"
UNCLEAR: Final = "unclear"
WRONG: Final = "wrong"


@dataclass(frozen=True, kw_only=True)
class Note:
    """Something in the source that the draft has differently, does not have, or cannot have yet.

    Parameters
    ----------
    line : int
        Line of a text or row of a sheet, from 1; 0 for the source as a whole.
    message, remedy : str
        The problem, and its remedy.
    effect : str
        ``changed``; ``lost``; ``unclear``, which has to be answered before a draft is made; ``wrong``, which
        the builder asks about.
    where : str
        Place in a file, in words; empty for a line of a text.
    cause : str
        The message without its values: notes of one cause are shown together.
    asks : str
        For an unclear point, the question to the user: the ``answers`` of a question, or whether to
        ``keep`` it.
    target : int
        Line of the question that it is about, if different.
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
    """One answer to choose."""

    line: int
    texts: Texts
    key: str = ""


@dataclass(kw_only=True)
class Question:
    """A question, and its statements in the source.

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
        As it is written in the source, unless it is a line of a text.
    own : dict
        Members of the draft that the source states as a definition does.
    why : str
        The reason for its protection or kind, unless the source states it.
    range : str
        For a number, the possible answers.
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


@dataclass(kw_only=True)
class Questionnaire:
    """The whole content of a source.

    Parameters
    ----------
    languages : tuple of str
        The first one first; empty where they are not known.
    introduction : list of str
        Lines of a text before its first question.
    is_stated : bool
        Whether the source states the protection; otherwise it is proposed.
    """

    languages: tuple[str, ...] = ()
    title: Texts = field(default_factory=dict)
    about: dict[str, Texts] = field(default_factory=dict)
    parts: list[Part] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    introduction: list[str] = field(default_factory=list)
    is_stated: bool = False

    def note(self, line: int, message: str, remedy: str, **more: Any) -> None:
        """Note something about a line; see `Note`."""
        more.setdefault("cause", message)
        more |= {"effect": UNCLEAR} if "asks" in more else {}
        self.notes.append(Note(line=line, message=message, remedy=remedy, **more))

    def ask_language(self, where: str = "") -> None:
        """Ask for the language of a source that seems to be in neither language of the pages."""
        message = _("the text seems to be neither English nor Chinese")
        self.note(0, message, _("choose its language"), asks="language", where=where)

    @property
    def questions(self) -> list[Question]:
        """The questions of all parts, in order."""
        return [question for part in self.parts for question in part.questions]

    @property
    def unclear(self) -> list[Note]:
        """What has to be answered before the draft is made."""
        return [note for note in self.notes if note.effect == UNCLEAR]

    def to_json(self) -> dict[str, Any]:
        """Return all of it as JSON holds it."""
        stated: dict[str, Any] = json.loads(json.dumps(asdict(self), default=sorted))
        return stated

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
            }
        )


_LONGEST: Final = 32
_WORDS: Final = 3
# Words of questions that do not distinguish them.
_COMMON: Final = re.compile(
    "a|about|an|and|any|are|at|been|by|can|could|did|do|does|ever|for|from|had|has|have|how|i|in|is|it|last|many|me"
    "|much|my|of|often|on|or|our|past|than|that|the|their|there|this|to|was|were|what|when|where|which|who|with"
    "|would|year|years|you|your"
)


def proposed_key(text: str) -> str | None:
    """Return a key made of the first telling words of a text; None where its letters make none.

    Examples
    --------
    >>> proposed_key("Have you taken a pill to fall asleep?"), proposed_key("睡眠")
    ('taken-pill-fall', None)
    """
    plain = "".join(
        sign for sign in unicodedata.normalize("NFKD", text) if unicodedata.category(sign)[0] != "M"
    )
    telling = [word for word in re.findall(r"[a-z0-9]+", plain.lower()) if not _COMMON.fullmatch(word)]
    return "-".join(telling[:_WORDS])[:_LONGEST].rstrip("-") or None


class FreshKeys:
    """Hand out keys, none of them twice.

    Parameters
    ----------
    taken : iterable of str
        Keys that are in use already.

    Examples
    --------
    >>> keys = FreshKeys(["pill", "pill-2"])
    >>> keys.take("pill"), keys.take("pill"), keys.take("sleep")
    ('pill-3', 'pill-4', 'sleep')
    """

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        # The next number to try of each stem. Keys are never given back, so no smaller one becomes free.
        self._next: dict[str, int] = {}

    def take(self, wanted: str) -> str:
        """Return the wanted key if it is free, otherwise the same key with a number behind it."""
        key = wanted
        if wanted in self._taken:
            stem = re.sub(r"-\d+$", "", wanted)
            numbers = itertools.count(self._next.get(stem, 2))
            number = next(number for number in numbers if f"{stem}-{number}" not in self._taken)
            self._next[stem] = number + 1
            key = f"{stem}-{number}"
        self._taken.add(key)
        return key

    def __len__(self) -> int:
        return len(self._taken)
