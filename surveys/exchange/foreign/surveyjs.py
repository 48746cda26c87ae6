"""A questionnaire of SurveyJS: its JSON, read into a draft."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from django.utils.translation import gettext as _

from surveys.errors.error import shown
from surveys.exchange.foreign.assembly import (
    Condition,
    ForeignQuestion,
    Gathering,
    Part,
    Shape,
    Texts,
    plain,
)
from surveys.exchange.foreign.conditions import surveyjs_clauses
from surveys.exchange.xlsform.columns import language_tag
from surveys.exchange.xlsform.scale_questions import dates_between, decimals_of, number_between
from surveys.exchange.xlsform.workbook import ImportedForm
from surveys.questionnaire.block_definition import RATING
from surveys.questionnaire.document import document_parse
from surveys.questionnaire.problems import DefinitionError
from surveys.questionnaire.scale_definition import SLIDER
from surveys.questionnaire.tables import MATRIX

__all__ = ["surveyjs_read"]

_SINGLE: Final = frozenset({"radiogroup", "dropdown", "buttongroup", "imagepicker"})
_SEVERAL: Final = frozenset({"checkbox", "tagbox"})
_ORDER: Final = frozenset({"ranking"})
_PANELS: Final = frozenset({"panel", "flowpanel"})
_NUMBERS: Final = frozenset({"number", "range"})
_CALENDARS: Final = {"date": "day", "month": "month"}
_TAGS: Final = {"zh-cn": "zh-hans", "zh-tw": "zh-hant"}
"""What SurveyJS calls languages otherwise."""

# What is read of each; anything else is told of by its name.
_OF_SURVEY: Final = frozenset({"title", "locale", "pages", "elements", "questions"})
_OF_PART: Final = frozenset({"name", "type", "title", "description", "elements", "questions", "visibleIf"})
_OF_QUESTION: Final = frozenset({"name", "type", "title", "description", "visibleIf"})
_OF_TYPE: Final = {
    **dict.fromkeys(_SINGLE, frozenset({"choices"})),
    **dict.fromkeys(_SEVERAL | _ORDER, frozenset({"choices"})),
    "imagepicker": frozenset({"choices", "multiSelect"}),
    "boolean": frozenset({"valueTrue", "valueFalse"}),
    "rating": frozenset(
        {"rateMin", "rateMax", "rateStep", "rateCount", "rateValues"}
        | {"minRateDescription", "maxRateDescription"}
    ),
    "matrix": frozenset({"rows", "columns"}),
    "text": frozenset({"inputType", "min", "max", "step"}),
    "slider": frozenset({"min", "max", "step"}),
}
_MOST_RATES: Final = 100
_SIDE_BY_SIDE: Final = 11
"""From 0 to 10; more stand below each other."""


def surveyjs_read(raw: bytes, *, name: str) -> ImportedForm:
    """Return the draft that a file of SurveyJS holds.

    Parameters
    ----------
    raw : bytes
    name : str
        What the bytes are, for the refusal.

    Raises
    ------
    DefinitionError
        It is no JSON of bounded size, or no questionnaire of SurveyJS.
    """
    document = document_parse(raw, name=name)
    if not isinstance(document, dict) or not any(
        isinstance(document.get(member), list) for member in ("pages", "elements", "questions")
    ):
        raise DefinitionError.at("pages", "foreign.surveyjs", value=shown(document))
    return _Reader(document).form()


@dataclass
class _Reader:
    document: dict[str, Any]
    gathering: Gathering = field(default_factory=Gathering)
    default: str = "en"
    languages: list[str] = field(default_factory=list)
    numerals: list[tuple[Texts, str]] = field(default_factory=list)

    def form(self) -> ImportedForm:
        document = self.document
        self.default = self._tag(str(document.get("locale") or "en")) or "en"
        self.languages = [self.default]
        self._leave_members(document, _OF_SURVEY, _("survey"))
        title = self._texts(document.get("title"))
        pages = document.get("pages")
        if not isinstance(pages, list):
            pages = [{"name": "questions", "elements": _elements(document)}]
        for number, page in enumerate(pages, start=1):
            if isinstance(page, dict):
                self._part(page, name=str(page.get("name") or f"page{number}"), above=())
            else:
                self._no_object(page)
        for said, value in self.numerals:
            # A number is written alike in all languages, and these are known only now.
            said |= {tag: value for tag in self.languages if tag not in said}
        return self.gathering.form(title=title, languages=self.languages)

    def _part(self, page: dict[str, Any], *, name: str, above: tuple[Condition, ...]) -> None:
        """Take a page or a panel; what stands in a panel is a part of its own."""
        self._leave_members(page, _OF_PART, name)
        part = Part(
            name=name, title=self._texts(page.get("title")), help=self._texts(page.get("description"))
        )
        conditions = (*above, *self._conditions(page, name))
        for element in _elements(page):
            if not isinstance(element, dict):
                self._no_object(element)
            elif str(element.get("type")) in _PANELS:
                self._part(element, name=str(element.get("name") or name), above=conditions)
            else:
                self._element(element, part, conditions)

    def _element(self, element: dict[str, Any], part: Part, above: tuple[Condition, ...]) -> None:
        kind, name = str(element.get("type")), str(element.get("name") or "")
        conditions = (*above, *self._conditions(element, name))
        questions = list(self._questions(element, kind, name))
        if not questions:
            self.gathering.notes.left_out(
                _("question %(name)s") % {"name": name or "?"},
                _("%(kind)s: questions are yes or no, one or several of some, an order, a number or a place")
                % {"kind": shown(_kind_said(element, kind))},
            )
            return
        usual = {"rateType"} if element.get("rateType") == "labels" else set()
        self._leave_members(element, _OF_QUESTION | _OF_TYPE.get(kind, frozenset()) | usual, name)
        for question in questions:
            self.gathering.ask(question, part=part, conditions=conditions)

    def _questions(self, element: dict[str, Any], kind: str, name: str) -> Iterator[ForeignQuestion]:
        """Yield what an element asks; nothing where Sotto cannot ask it."""
        text = self._texts(element.get("title")) or {self.default: name}
        help_text = self._texts(element.get("description"))
        question = partial(ForeignQuestion, name=name, text=text, help=help_text)
        if kind in _SINGLE | _SEVERAL | _ORDER:
            values, labels = self._choices(element.get("choices"), name)
            several = kind in _SEVERAL or element.get("multiSelect") is True
            shape: Shape = "ranking" if kind in _ORDER else "multi" if several else "single"
            if values:
                yield question(shape=shape, values=values, labels=labels)
        elif kind == "boolean":
            sides = [element.get("valueFalse", False), element.get("valueTrue", True)]
            values = tuple(_value(side) for side in sides)
            yield question(shape="yes_no", values=values)
        elif kind == "rating":
            values, labels = self._rates(element, name)
            look = RATING if len(values) <= _SIDE_BY_SIDE else ""
            if values:
                yield question(shape="single", values=values, labels=labels, look=look)
        elif kind == "matrix":
            yield from self._rows(element, name, text, question)
        elif kind == "slider" or (kind == "text" and str(element.get("inputType")) in _NUMBERS):
            ends = decimals_of(str(element.get(end)) for end in ("min", "max"))
            number = number_between(ends, decimals=_decimals(element))
            yield question(shape="number", number=number, look=SLIDER if kind == "slider" else "")
        elif kind == "text" and str(element.get("inputType")) in _CALENDARS:
            days = [str(element.get(end, "")) for end in ("min", "max")]
            number = dates_between(_CALENDARS[str(element.get("inputType"))], days)
            yield question(shape="number", number=number)

    def _rows(
        self, element: dict[str, Any], name: str, text: Texts, question: Callable[..., ForeignQuestion]
    ) -> Iterator[ForeignQuestion]:
        """Yield a question for each row of a matrix, with its columns as options; several are one table."""
        values, labels = self._choices(element.get("columns"), name)
        rows, titles = self._choices(element.get("rows"), name)
        look = MATRIX if len(rows) > 1 else ""
        for row, title in zip(rows, titles, strict=True) if values else ():
            both = (
                {tag: f"{text.get(tag) or text[self.default]}: {said}" for tag, said in title.items()}
                if (self.default in text)
                else title
            )
            yield question(
                name=f"{name}.{row}", shape="single", text=both, values=values, labels=labels, look=look
            )

    def _rates(self, element: dict[str, Any], name: str) -> tuple[tuple[str, ...], tuple[Texts, ...]]:
        values, labels = self._steps(element, name)
        for end, member in ((0, "minRateDescription"), (-1, "maxRateDescription")):
            if values:
                for tag, said in self._texts(element.get(member)).items():
                    labels[end][tag] = f"{labels[end].get(tag, values[end])} ({said})"
        return values, labels

    def _steps(self, element: dict[str, Any], name: str) -> tuple[tuple[str, ...], tuple[Texts, ...]]:
        """Return the steps of a rating, as listed or counted."""
        if element.get("rateValues"):
            return self._choices(element["rateValues"], name)
        low, step = element.get("rateMin", 1), element.get("rateStep", 1)
        high = element.get("rateMax") or (
            low + element["rateCount"] - 1 if _is_whole(low) and _is_whole(element.get("rateCount")) else 5
        )
        if not (_is_whole(low) and _is_whole(high) and _is_whole(step) and step > 0):
            return (), ()
        if not low < high or (high - low) // step >= _MOST_RATES:
            return (), ()
        values = tuple(str(rate) for rate in range(low, high + 1, step))
        labels: tuple[Texts, ...] = tuple({self.default: value} for value in values)
        self.numerals += zip(labels, values, strict=True)
        return values, labels

    def _choices(self, choices: object, name: str) -> tuple[tuple[str, ...], tuple[Texts, ...]]:
        values, labels = [], []
        for choice in choices if isinstance(choices, list) else ():
            stated = choice if isinstance(choice, dict) else {"value": choice}
            if "value" not in stated or isinstance(stated["value"], dict | list):
                self._no_object(choice)
                continue
            value = _value(stated["value"])
            if value in values:
                where = _("question %(name)s") % {"name": name}
                self.gathering.notes.left_out(where, _("the answer %(value)s comes twice") % {"value": value})
                continue
            self._leave_members(stated, frozenset({"value", "text"}), f"{name}: {value}")
            values.append(value)
            labels.append(self._texts(stated.get("text")) or {self.default: value})
        return tuple(values), tuple(labels)

    def _texts(self, text: object) -> Texts:
        """Return a text by languages; one that names none is in the default language."""
        stated = text if isinstance(text, dict) else {"default": text}
        texts = {}
        for locale, said in stated.items():
            if not isinstance(said, str | int | float) or isinstance(said, bool):
                continue
            tag = self.default if locale == "default" else self._tag(str(locale))
            written = plain(str(said))
            if tag is None or not written:
                continue
            if tag not in self.languages:
                self.languages.append(tag)
            texts[tag] = written
        return texts

    def _tag(self, locale: str) -> str | None:
        lower = locale.lower().replace("_", "-")
        tag = _TAGS.get(lower) or language_tag(lower)
        if tag is None:
            self.gathering.unknown("locale", locale[:40])
        return tag

    def _conditions(self, stated: dict[str, Any], name: str) -> tuple[Condition, ...]:
        text = stated.get("visibleIf")
        if not isinstance(text, str) or not text.strip():
            return ()
        return (Condition(where=f"{name}, visibleIf", text=text, clauses=surveyjs_clauses(text)),)

    def _leave_members(self, stated: dict[str, Any], known: frozenset[str], name: str) -> None:
        for member in stated:
            if member not in known:
                self.gathering.unknown(member, name)

    def _no_object(self, value: object) -> None:
        self.gathering.notes.left_out(shown(value), _("nothing that SurveyJS would ask"))


def _elements(stated: dict[str, Any]) -> list[Any]:
    for member in ("elements", "questions"):
        if isinstance(stated.get(member), list):
            return list(stated[member])
    return []


def _value(value: object) -> str:
    """Return a value as conditions spell it."""
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _kind_said(element: dict[str, Any], kind: str) -> str:
    how = element.get("inputType")
    return f"{kind} ({how})" if kind == "text" and isinstance(how, str) else kind


def _decimals(element: dict[str, Any]) -> int | None:
    step = str(element.get("step", 1))
    fraction = step.partition(".")[2].rstrip("0") if decimals_of([step]) else ""
    return len(fraction) or None


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**9
