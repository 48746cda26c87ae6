"""From questions as another program has them to a draft: parts, keys, conditions, and what is not kept.

Everything starts open. A condition of a question makes a part of its own, since whole parts wait for answers;
a number does too, since its own disguise protects it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any, Final, Literal

from django.utils.translation import gettext as _

from surveys.errors.error import shown
from surveys.exchange.foreign.conditions import Clauses, options_meant
from surveys.exchange.joined_conditions import asked_if_of
from surveys.exchange.xlsform.workbook import ImportedForm, Notes
from surveys.questionnaire.catalogue import scratch_document
from surveys.questionnaire.rankings import RANKING
from surveys.questionnaire.sensitive import free_key

__all__ = ["Condition", "ForeignQuestion", "Gathering", "Part", "plain"]

Texts = dict[str, str]
Shape = Literal["yes_no", "single", "multi", "ranking", "number"]

_NO_KEY_SIGN: Final = re.compile(r"[^A-Za-z0-9_.+-]+")
_LONGEST_KEY: Final = 60
_PIPED: Final = re.compile(r"\{[^{}]+\}")


@dataclass(frozen=True, kw_only=True)
class Condition:
    """When something is asked, as it was written and as far as it was understood."""

    where: str
    text: str
    clauses: Clauses | None


@dataclass(frozen=True, kw_only=True)
class ForeignQuestion:
    """A question that Sotto can ask.

    Attributes
    ----------
    name : str
        What conditions call it, and people.
    shape : {"yes_no", "single", "multi", "ranking", "number"}
    text, help : dict
        By languages.
    values : tuple of str
        Of its answers, as conditions spell them; of a yes/no question those of no and yes.
    labels : tuple of dict
        Of its options, by languages; empty for other questions.
    number : dict or None
        What a number states.
    look : str
        How it is shown; empty for the usual way.
    """

    name: str
    shape: Shape
    text: Texts
    help: Texts = field(default_factory=dict)
    values: tuple[str, ...] = ()
    labels: tuple[Texts, ...] = ()
    number: dict[str, Any] | None = None
    look: str = ""


@dataclass(frozen=True, kw_only=True)
class Part:
    """A page or a group: its questions stay together as far as their conditions are the same."""

    name: str
    title: Texts
    help: Texts = field(default_factory=dict)


class Gathering:
    """Takes questions in their order, and makes a draft of them."""

    def __init__(self) -> None:
        self.notes = Notes()
        self._leftovers: dict[str, list[str]] = {}
        self._blocks: list[dict[str, Any]] = []
        self._now: tuple[Part, dict[str, Any] | None, bool] | None = None
        self._block_keys: set[str] = set()
        self._question_keys: set[str] = set()
        self._asked: dict[str, tuple[ForeignQuestion, str]] = {}

    def ask(self, question: ForeignQuestion, *, part: Part, conditions: Sequence[Condition] = ()) -> None:
        """Take a question; several conditions have to hold together."""
        where = _("question %(name)s") % {"name": question.name}
        for texts in (question.text, question.help, *question.labels):
            if any(_PIPED.search(text) for text in texts.values()):
                self.notes.left_out(
                    where, _("an answer that a text refers to in braces; it stays as written")
                )
                break
        asked_if = self._asked_if(conditions)
        key = self._key(question.name, self._question_keys, where, "question")
        document: dict[str, Any] = {
            "key": key,
            "kind": question.shape,
            "text": question.text,
            **({"help": question.help} if question.help else {}),
            **({"look": question.look} if question.look else {}),
        }
        # A point stands between the things of an order.
        ranks = question.shape == RANKING
        values = [value.replace(".", "-") if ranks else value for value in question.values]
        keys = _option_keys(values) if question.labels else []
        if question.labels:
            document["options"] = [
                {"key": key, "text": label} for key, label in zip(keys, question.labels, strict=True)
            ]
        if question.number is not None:
            document["number"] = question.number
            note = _("a number is always disguised, in a part of its own; look at its range and its ε")
            self.notes.left_out(where, note)
        self._block(part, asked_if, alone=question.shape == "number")["questions"].append(document)
        self._asked.setdefault(question.name, (question, key))

    def known(self, name: str, question: str) -> None:
        """Let conditions call a question by another name too."""
        if question in self._asked:
            self._asked.setdefault(name, self._asked[question])

    def unknown(self, member: str, name: str) -> None:
        """Note a member, of whatever has the name, that means nothing here."""
        self._leftovers.setdefault(member[:80], []).append(name)

    def form(self, *, title: Texts, languages: Sequence[str]) -> ImportedForm:
        """Return the draft.

        Parameters
        ----------
        title : dict
            By languages.
        languages : sequence of str
            The default one first.
        """
        for member, names in self._leftovers.items():
            whose = ", ".join(dict.fromkeys(names))
            self.notes.left_out(f"{member} ({whose})", _("Sotto has nothing like it"))
        document = scratch_document(title="", languages=languages)
        document["title"] |= title
        document["blocks"] = self._blocks
        opened = sum(len(block["questions"]) for block in self._blocks if not block["protected"])
        return ImportedForm(document=document, not_kept=tuple(self.notes.not_kept), open_questions=opened)

    def _block(self, part: Part, asked_if: dict[str, Any] | None, *, alone: bool) -> dict[str, Any]:
        now, self._now = self._now, (part, asked_if, alone)
        if now is not None and not alone and now[0] is part and now[1:] == (asked_if, False):
            return self._blocks[-1]
        block: dict[str, Any] = {
            "key": self._key(part.name, self._block_keys, "", "part"),
            "protected": alone,
            "title": dict(part.title),
            "questions": [],
            **({"help": part.help} if part.help else {}),
            **({"asked_if": asked_if} if asked_if else {}),
        }
        self._blocks.append(block)
        return block

    def _asked_if(self, conditions: Sequence[Condition]) -> dict[str, Any] | None:
        groups: list[dict[str, list[str]]] = []
        for condition in conditions:
            clauses = self._followed(condition)
            if isinstance(clauses, str):
                self._leave(condition, clauses)
            elif asked_if_of([*groups, *clauses]) is None:
                self._leave(
                    condition, _("a part can wait for answers joined by “and” alone, or by “or” alone")
                )
            else:
                groups += clauses
        return asked_if_of(groups)

    def _followed(self, condition: Condition) -> list[dict[str, list[str]]] | str:
        """Return what a part waits for, as clauses of options by questions, or why it cannot."""
        if condition.clauses is None:
            return _("a part can wait for answers joined by “and” alone, or by “or” alone")
        followed = []
        for clause in condition.clauses:
            options: dict[str, list[str]] = {}
            for name in dict.fromkeys(term.name for term in clause):
                if name not in self._asked:
                    return _("%(name)s is no question that was taken over before this one") % {"name": name}
                question, key = self._asked[name]
                if question.shape not in ("yes_no", "single"):
                    return _("a part can wait for an open question with one answer only")
                places = options_meant([term for term in clause if term.name == name], question.values)
                if places is None:
                    return _("it does not say which answers of %(name)s are meant") % {"name": question.name}
                names = _option_keys(question.values) if question.shape == "single" else ["no", "yes"]
                # One question can have two names.
                options[key] = options.get(key, []) + [names[index] for index in places]
            followed.append(options)
        return followed

    def _leave(self, condition: Condition, why: str) -> None:
        said = _("the condition %(text)s is left out: %(why)s")
        self.notes.left_out(condition.where, said % {"text": shown(condition.text), "why": why})

    def _key(self, name: str, taken: set[str], where: str, otherwise: str) -> str:
        key = free_key(_key_of(name) or otherwise, taken)
        taken.add(key)
        if where and key != name:
            self.notes.left_out(where, _("its name is %(key)s here") % {"key": key})
        return key


def plain(text: str) -> str:
    """Return a text without markup: pages here show what is written.

    >>> plain("<p>Do you <b>smoke</b>?</p>  <p>Ever?&nbsp;</p>")
    'Do you smoke? Ever?'
    >>> plain("1 < 2 & 3")
    '1 < 2 & 3'
    """
    reader = _Words()
    reader.feed(text)
    reader.close()
    return " ".join("".join(reader.words).replace("\x00", "").split())


class _Words(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.words: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._hidden += tag in ("script", "style")
        if tag in ("br", "p", "div", "li", "td", "tr", "h1", "h2", "h3"):
            self.words.append(" ")

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in ("script", "style") and self._hidden > 0
        if tag in ("p", "div", "li", "td", "tr", "h1", "h2", "h3"):
            self.words.append(" ")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.words.append(data)


def _key_of(name: str) -> str:
    return _NO_KEY_SIGN.sub("-", name)[:_LONGEST_KEY].strip("-")


def _option_keys(values: Sequence[str]) -> list[str]:
    """Return keys of answers: their values, or their places where these make no keys of their own."""
    keys = [_key_of(value) for value in values]
    if all(keys) and len(set(keys)) == len(keys):
        return keys
    return [f"option-{position}" for position in range(1, len(values) + 1)]
