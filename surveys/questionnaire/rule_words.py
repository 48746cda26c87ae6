"""A composite question in words: what it was computed from, and how."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from privacy.survey.component import YES_NO, Component
from privacy.survey.composite import Composite
from privacy.survey.composite_parts import Gaps, Level, Step
from privacy.survey.design import Design, Question
from surveys.formats.figures import count_text
from surveys.questionnaire.composites import COMPONENTS, SOURCE
from surveys.questionnaire.languages import list_text, text_in


@dataclass(frozen=True, kw_only=True)
class ComponentWords:
    """One component.

    Attributes
    ----------
    key, text : str
    answers : tuple of str
        Each answer with its points, such as "weekly: 3 points".
    condition : str
        When it is asked; empty if always.
    """

    key: str
    text: str
    answers: tuple[str, ...]
    condition: str

    @property
    def line(self) -> str:
        """The component in one line, with its key."""
        return f"{self.text} [{self.key}]{self._details}"

    @property
    def quoted(self) -> str:
        """The component in one line without its key, for a text that people read."""
        return f"“{self.text}”{self._details}"

    @property
    def _details(self) -> str:
        answers = f" ({_listed(self.answers)})" if self.answers else ""
        return f"{answers}{' ' if self.condition else ''}{self.condition}"


@dataclass(frozen=True, kw_only=True)
class RuleWords:
    """The rule of one composite question.

    Attributes
    ----------
    text : str
        The question.
    summary : str
        From how many questions it was computed, and that they were never sent.
    components : tuple of ComponentWords
    sentences : tuple of str
        Open questions with points, steps, levels, and the rule for gaps.
    base : str
        Text of the option from which results give further shares; empty if there is none.
    """

    text: str
    summary: str
    components: tuple[ComponentWords, ...]
    sentences: tuple[str, ...]
    base: str = ""

    @property
    def lines(self) -> list[str]:
        """Everything, as lines of plain text."""
        return [self.summary, *(component.line for component in self.components), *self.sentences]


def rules_in_words(
    design: Design, wording: Mapping[str, Any], language: str | None = None
) -> dict[str, RuleWords]:
    """Return the rule of each composite question by its key.

    Parameters
    ----------
    design : Design
    wording : mapping
        Of the version.
    language : str, optional
        Language of the questions' texts; by default the page's. Other words are in the page's language.
    """
    texts = {question["key"]: question for block in wording["blocks"] for question in block["questions"]}
    return {
        question.key: _Writer(question, question.computed, texts, language).words(
            can_skip=block.refusal is not None
        )
        for block in design.blocks
        for question in block.questions
        if question.computed is not None
    }


class _Writer:
    """Writes the words of one rule."""

    def __init__(
        self, question: Question, rule: Composite, texts: Mapping[str, Any], language: str | None
    ) -> None:
        self.question, self.rule, self.texts, self.language = question, rule, texts, language
        self.wording = texts[question.key]
        self.components = {entry["key"]: entry for entry in self.wording.get(COMPONENTS, [])}

    def _name(self, wording: Mapping[str, Any] | None, key: str) -> str:
        """Return the text of an option; yes and no have no texts of their own."""
        options = (wording or {}).get("options") or ()
        text = next((option["text"] for option in options if option["key"] == key), None)
        return text_in(text, self.language) or (_(key) if key in YES_NO else key)

    def _quote(self, key: str) -> str:
        """Return the text of a component or an open question in quotation marks; a step has only its key."""
        words = self.components.get(key) or self.texts.get(key) or {}
        return f"“{text_in(words.get('text'), self.language) or key}”"

    def words(self, *, can_skip: bool) -> RuleWords:
        """Return the whole rule."""
        count = len(self.rule.components)
        summary = ngettext(
            "Computed on each device from %(count)s question that was never sent.",
            "Computed on each device from %(count)s questions that were never sent.",
            count,
        ) % {"count": count_text(count)}
        return RuleWords(
            text=text_in(self.wording["text"], self.language),
            summary=summary,
            components=tuple(self._component(component) for component in self.rule.components),
            sentences=(
                *self._uses(),
                *(self._step(step) for step in self.rule.steps),
                *self._levels(),
                _gap_sentence(self._possible_gaps(), can_skip=can_skip),
                *self._base(),
                *self._source(),
            ),
            base=self._name(self.wording, self.rule.base) if self.rule.base else "",
        )

    def _possible_gaps(self) -> Gaps:
        """Return the gaps that leave an answer: with no component answered, the answer is a skip."""
        counted = sum(not component.instructed for component in self.rule.components)
        return replace(self.rule.missing, at_most=min(self.rule.missing.at_most, counted - 1))

    def _component(self, component: Component) -> ComponentWords:
        words = self.components.get(component.key, {})
        answers = self._pointed(component.key, component.points) if component.has_points else []
        if component.instructed:
            named = dict(zip(component.choices, self._answers(component, words), strict=True))
            answers = [
                _("instructed answer: %(answer)s; any other answer is a skip")
                % {"answer": named[component.instructed]}
            ]
        return ComponentWords(
            key=component.key,
            text=text_in(words.get("text"), self.language) or component.key,
            answers=tuple(answers),
            condition=self._condition(component),
        )

    def _pointed(self, key: str, points: tuple[int, ...]) -> list[str]:
        """Return each answer of a component with these points."""
        component = next(each for each in self.rule.components if each.key == key)
        names = self._answers(component, self.components.get(key, {}))
        pairs = [*zip(names, points, strict=True)]
        if component.bands:
            pairs.append((_("other numbers"), 0))
        return [_("%(answer)s: %(points)s") % {"answer": name, "points": _points(own)} for name, own in pairs]

    def _answers(self, component: Component, words: Mapping[str, Any]) -> list[str]:
        """Return the names of a component's answers or bands, in the order of its points."""
        if component.bands:
            return [
                _("%(low)s to %(high)s") % {"low": count_text(band.low), "high": count_text(band.high)}
                for band in component.bands
            ]
        return [self._name(words, key) for key in component.choices]

    def _condition(self, component: Component) -> str:
        if component.asked_if is None:
            return ""
        terms = []
        for term in component.asked_if.terms:
            source = self.components if term.component else self.texts
            options = [self._name(source.get(term.source), key) for key in term.options]
            terms.append(f"{self._quote(term.source)} = {' / '.join(options)}")
        joint = _("and") if component.asked_if.joined == "all" else _("or")
        return _("– only if %(condition)s") % {"condition": f" {joint} ".join(terms)}

    def _uses(self) -> Iterator[str]:
        for use in self.rule.uses:
            named = ((self._name(self.texts.get(use.question), key), points) for key, points in use.points)
            listed = _listed(f"{name}: {_points(points)}" for name, points in named)
            yield _(
                "The openly asked question %(question)s adds points: %(points)s. "
                "So this rule causes part of any link between the two."
            ) % {"question": self._quote(use.question), "points": listed}

    def _step(self, step: Step) -> str:
        own = _listed(
            f"{self._quote(key)} ({_listed(self._pointed(key, points))})" for key, points in step.points
        )
        levels = _listed(
            _("%(answer)s: %(points)s") % {"answer": span, "points": _points(level.points)}
            for level, span in _spans(step.levels)
        )
        text = _("Step %(key)s, the sum of %(parts)s: %(levels)s.") % {
            "key": f"“{step.key}”",
            "parts": list_text(self._quote(key) for key in step.of),
            "levels": levels,
        }
        if own:
            text += " " + _("Points in this step: %(points)s.") % {"points": own}
        if step.missing is not None:
            text += " " + _("In this step: %(gaps)s") % {"gaps": _gap_sentence(step.missing, can_skip=True)}
        return text

    def _levels(self) -> Iterator[str]:
        if not self.rule.levels:
            yield _("The answer is the sum of the points.")
            return
        named = _listed(
            f"{self._name(self.wording, level.option)}: {span}" for level, span in _spans(self.rule.levels)
        )
        yield _("Answers by the sum of the points: %(levels)s.") % {"levels": named}

    def _base(self) -> Iterator[str]:
        if self.rule.base:
            yield _("Further shares are of the people at or above “%(base)s”.") % {
                "base": self._name(self.wording, self.rule.base)
            }

    def _source(self) -> Iterator[str]:
        if source := text_in(self.wording.get(SOURCE), self.language):
            yield _("Source of the cut-off: %(source)s") % {"source": source}


def _listed(parts: Iterable[str]) -> str:
    return _("; ").join(parts)


def _points(points: int) -> str:
    return ngettext("%(count)s point", "%(count)s points", abs(points)) % {"count": points}


def _spans(levels: tuple[Level, ...]) -> Iterator[tuple[Level, str]]:
    """Yield each level with the sums for which it holds, in words."""
    for number, level in enumerate(levels):
        end = levels[number + 1].start if number + 1 < len(levels) else None
        if level.start is None:
            yield level, _("any sum") if end is None else _("below %(end)s") % {"end": end}
        elif end is None:
            yield level, _("%(start)s or more") % {"start": level.start}
        elif end - level.start == 1:
            yield level, str(level.start)
        else:
            yield level, _("%(low)s to %(high)s") % {"low": level.start, "high": end - 1}


def _gap_sentence(missing: Gaps, *, can_skip: bool) -> str:
    if not can_skip:
        return _("People had to answer each of these questions that they were asked.")
    if not missing.at_most:
        return _("If one of these questions was left out, the answer was a skip.")
    counts = {"count": count_text(missing.at_most)}
    if missing.fills_mean:
        return (
            ngettext(
                "One unanswered question counted as the mean of the others. With more, the answer was a "
                "skip.",
                "Up to %(count)s unanswered questions counted as the mean of the others. With more, the "
                "answer was a skip.",
                missing.at_most,
            )
            % counts
        )
    return (
        ngettext(
            "One unanswered question counted as no points. With more, the answer was a skip.",
            "Up to %(count)s unanswered questions counted as no points. With more, the answer was a skip.",
            missing.at_most,
        )
        % counts
    )
