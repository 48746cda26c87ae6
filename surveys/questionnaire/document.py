"""Read a JSON document strictly: nodes with their values, and all problems by path."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.counted_nouns import agreed
from privacy.errors import PrivacyError
from surveys.errors.error import SurveyError, in_words, short_json
from surveys.formats.joints import list_text
from surveys.questionnaire.signs import misleading_signs

# More than anyone fixes in one go. The limit also keeps reading an invalid document fast.
MOST_PROBLEMS: Final = 500


@dataclass(frozen=True, kw_only=True)
class Problem:
    """One problem to fix.

    Parameters
    ----------
    path : str
        Location: ``"blocks[1].questions[0].unrelated"``; empty for the document itself.
    message : str
        The problem, naming the value.
    remedy : str
        How to fix it.
    """

    path: str
    message: str
    remedy: str

    def __str__(self) -> str:
        where = self.path or _("the definition")
        return f"{where}: {self.message}; {self.remedy}"


class DefinitionError(ValueError):
    """A definition that cannot be used, with all its problems in document order."""

    def __init__(self, problems: Collection[Problem], *, remedy: str = "") -> None:
        super().__init__("\n".join([*map(str, problems), *filter(None, [remedy])]))
        self.problems = tuple(problems)

    @classmethod
    def at(cls, path: str, case: str, /, **fields: Any) -> DefinitionError:
        """Return the error for one place, with a message of the catalogue."""
        error = SurveyError(case, **fields)
        return cls([Problem(path=path, message=error.message, remedy=error.remedy)])


@dataclass
class Problems:
    """Collects problems, because authors of definitions want to see all mistakes at once."""

    entries: list[Problem] = field(default_factory=list)

    def add(self, path: str, message: str, remedy: str) -> None:
        """Note a problem, unless there are already `MOST_PROBLEMS`."""
        if len(self.entries) < MOST_PROBLEMS:
            self.entries.append(Problem(path=path, message=message, remedy=remedy))

    def below(self, path: str) -> bool:
        """Return whether any problem was noted at `path` or below it."""
        return any(problem.path.startswith(path) for problem in self.entries)

    def raise_if_any(self) -> None:
        """Raise `DefinitionError` with the noted problems."""
        if self.entries:
            raise DefinitionError(self.entries)


def member_path(path: str, name: str) -> str:
    """Return the path of the member `name` of the node at `path`."""
    return f"{path}.{name}" if path else name


MOST_CHARACTERS: Final = 5_000
"""Limit of one text in one language."""


@dataclass(frozen=True, kw_only=True)
class Node:
    """One node of a document, with the context needed to read it.

    Parameters
    ----------
    value : object
        None if the member is missing.
    path : str
        Location: ``"blocks[1].questions[0]"``; empty for the document itself.
    problems : Problems
    languages : tuple of str
        Languages that every text needs: those that the survey states, or else those of its title.
    is_worded : bool
        Whether to check texts. If not, any value is accepted, because only the design is needed.

    Examples
    --------
    >>> node = Node(value={"blocks": [{"key": 7}]}, path="")
    >>> key = node.at("blocks").at(0).at("key")
    >>> key.value, key.path
    (7, 'blocks[0].key')
    """

    value: Any
    path: str
    problems: Problems = field(default_factory=Problems)
    languages: tuple[str, ...] = ()
    is_worded: bool = True

    def at(self, step: str | int) -> Node:
        """Return the node of a member or a list entry."""
        try:
            value = self.value[step]
        except (KeyError, IndexError, TypeError):
            value = None
        path = f"{self.path}[{step}]" if isinstance(step, int) else member_path(self.path, step)
        return Node(
            value=value, path=path, problems=self.problems, languages=self.languages, is_worded=self.is_worded
        )

    def has_problems(self) -> bool:
        """Return whether a problem was noted at this node or below it."""
        return self.problems.below(self.path)

    def wrong(self, message: str, remedy: str, **fields: object) -> None:
        """Note a problem; the message may use ``%(value)s``, this node's value, and the names in `fields`."""
        values = {"value": short_json(self.value), **fields}
        self.problems.add(self.path, agreed(message, values) % values, agreed(remedy, fields) % fields)

    def note_refusal(self, error: PrivacyError, members: Mapping[str, str] | None = None) -> None:
        """Note an error of the core at the member that it concerns."""
        member = (members or {}).get(error.code)
        self.problems.add(member_path(self.path, member) if member else self.path, *in_words(error))

    def has_members(self, needed: Collection[str], allowed: Collection[str] = ()) -> bool:
        """Return whether this is an object with the `needed` members; note unknown and missing members."""
        if not isinstance(self.value, dict):
            self.wrong(_("%(value)s is not an object"), _("give one with %(names)s"), names=list_text(needed))
            return False
        missing = [name for name in needed if name not in self.value]
        for name in missing:
            self.at(name).wrong(_("it is missing"), _("state it"))
        members = [*needed, *allowed]
        for name in self.value:
            if name not in members:
                self.at(name).wrong(_("unknown member"), _("use one of %(names)s"), names=list_text(members))
        return not missing

    def entries(self, *, most: int) -> list[Node]:
        """Return the entries of a list; none, with a note, if it is no list or longer than `most`."""
        if not isinstance(self.value, list):
            self.wrong(_("%(value)s is not a list"), _("use a list"))
            return []
        if len(self.value) > most:
            self.wrong(
                _("it has %(count)s entries"), _("keep to at most %(most)s"), count=len(self.value), most=most
            )
            return []
        return [self.at(number) for number in range(len(self.value))]

    def objects(self) -> list[Node]:
        """Return the entries of a list that are objects; none if this is no list."""
        entries = self.value if isinstance(self.value, list) else []
        return [self.at(number) for number, entry in enumerate(entries) if isinstance(entry, dict)]

    def check_truth(self) -> None:
        """Note a value other than true and false."""
        if not isinstance(self.value, bool):
            self.wrong(_("neither true nor false: %(value)s"), _("write true or false"))

    def text(self, *, is_whole: bool = True) -> dict[str, str]:
        """Return a text by language; note missing, empty and unknown languages.

        Parameters
        ----------
        is_whole : bool
            Whether every language needs a text; otherwise empty texts are dropped.
        """
        if not self.is_worded:
            return self.value if isinstance(self.value, dict) else {}
        if not isinstance(self.value, dict):
            self.wrong(_("%(value)s is not a text by language"), _('write {"en": "..."}'))
            return {}
        if not is_whole:
            texts = {tag: text for tag, text in self.value.items() if text != ""}
            in_these = tuple(tag for tag in self.languages if tag in texts)
            return replace(self, value=texts, languages=in_these).text()
        for language in self.languages:
            if language not in self.value:
                self.at(language).wrong(_("the text is missing"), _("add the text in this language too"))
        for language in self.value:
            if language in self.languages:
                self.at(language).check_text()
            else:
                self.at(language).wrong(
                    _("the survey is not in this language"),
                    _("remove the text, or add the language to languages, which lists %(languages)s"),
                    languages=list_text(self.languages),
                )
        return self.value

    def text_or_none(self) -> dict[str, str] | None:
        """Return the text by language, or None if it is missing."""
        return None if self.value is None else self.text()

    def text_if_written(self) -> dict[str, str] | None:
        """Return the text by language, or None if it is missing or blank in every language."""
        return None if self.value is None or is_blank(self.value) else self.text()

    def check_text(self) -> None:
        """Note a text that cannot be shown."""
        text = self.value
        if not isinstance(text, str) or not text.strip():
            self.wrong(_("expected text: %(value)s"), _("write one"))
        elif len(text) > MOST_CHARACTERS:
            self.wrong(
                _("it has %(count)s characters"),
                _("use at most %(most)s"),
                count=len(text),
                most=MOST_CHARACTERS,
            )
        elif any(unicodedata.category(sign) in ("Cc", "Cs") for sign in {*text} - {"\n", "\t"}):
            self.wrong(_("%(text)s contains control characters"), _("remove them"), text=short_json(text))
        elif found := misleading_signs(text):
            self.wrong(
                _("the text contains invisible characters: %(signs)s"),
                _("remove them: they can change how the text is read"),
                signs=list_text(f"U+{ord(sign):04X}" for sign in found),
            )


def is_blank(value: object) -> bool:
    """Return whether a value is a text by language without a text in any.

    Examples
    --------
    >>> is_blank({}), is_blank({"en": " "}), is_blank({"en": "Work"}), is_blank({"en": 7}), is_blank("")
    (True, True, False, False, False)
    """
    return isinstance(value, dict) and not any(
        text.strip() if isinstance(text, str) else text is not None for text in value.values()
    )


def questions_of(survey: Node) -> Iterator[tuple[int, Node]]:
    """Yield each question of a readable definition, with the index of its part."""
    for number, block in enumerate(survey.value["blocks"]):
        questions = survey.at("blocks").at(number).at("questions")
        yield from ((number, questions.at(position)) for position in range(len(block["questions"])))
