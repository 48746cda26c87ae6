"""A composite question in words: what it was computed from, and how."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from privacy.planning.careless_components import CARELESS_SHARE, careless_share
from privacy.survey.component import YES_NO, Component
from privacy.survey.composite import Composite
from privacy.survey.composite_parts import Gaps, Level, Step
from privacy.survey.design import Design, Question
from surveys.errors.error import in_sentences
from surveys.formats.joints import join_sentences, list_text, series_text
from surveys.formats.numbers import count_text
from surveys.questionnaire.composites import COMPONENTS, NEUTRAL, SOURCE
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.related_words import relation_sentences


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
    def answers_text(self) -> str:
        """The answers with their points in one line."""
        return _listed(self.answers)

    @property
    def _details(self) -> str:
        answers = f" ({self.answers_text})" if self.answers else ""
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
        Open questions with points, steps, levels, the rule for gaps, and neutral questions.
    losses : str
        What cannot be computed from the answers.
    slips : str
        How many people careless answers add; empty if that is unknown.
    base : str
        Text of the option from which results give further shares; empty if there is none.
    """

    text: str
    summary: str
    components: tuple[ComponentWords, ...]
    sentences: tuple[str, ...]
    losses: str
    slips: str = ""
    base: str = ""

    @property
    def lines(self) -> list[str]:
        """Everything, as lines of plain text."""
        components = (component.line for component in self.components)
        return [
            self.summary,
            *components,
            *self.sentences,
            self.losses,
            *([self.slips] if self.slips else []),
        ]


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
    halves = {rule.other_half for rule in composites_of(design).values()}
    named = texts | {each["key"]: each for own in texts.values() for each in own.get(COMPONENTS, ())}
    related = relation_sentences(design, lambda key: text_in(named[key]["text"], language) or key)
    return {
        question.key: _Writer(question, question.computed, texts, language).words(
            can_skip=block.refusal is not None,
            is_half=bool(question.computed.other_half) or question.key in halves,
            related=related.get(question.key, ()),
        )
        for block in design.blocks
        for question in block.questions
        if question.computed is not None
    }


def composites_of(design: Design) -> dict[str, Composite]:
    """Return the rule of each composite question, by key."""
    return {question.key: question.computed for question in design.questions if question.computed is not None}


def computed_from(rule: Composite | None) -> str:
    """Say from how many questions devices compute an answer; empty for other questions."""
    if rule is None:
        return ""
    count = len(rule.components)
    return ngettext(
        "Computed on each device from %(count)s question that is never sent.",
        "Computed on each device from %(count)s questions that are never sent.",
        count,
    ) % {"count": count_text(count)}


def losses_text(rule: Composite, *, is_half: bool) -> str:
    """State what cannot be computed from the answers to a composite question.

    Parameters
    ----------
    rule : Composite
    is_half : bool
        Whether it is one of two halves, from which reliability follows.
    """
    lost = [_("the share of one of these questions"), _("a link between two of them")]
    if not is_half:
        lost.append(_("their reliability (such as Cronbach’s alpha)"))
    if rule.levels:
        lost.append(_("figures for another cut-off"))
    return _("Only this answer is sent, so no one can compute the following: %(lost)s.") % {
        "lost": list_text(lost)
    }


def slips_clause(rule: Composite, question: str) -> str:
    """State how many people careless answers to single questions add; empty if that is unknown.

    Parameters
    ----------
    rule : Composite
    question : str
        The composite question's text.
    """
    slips = careless_share(rule)
    if slips is None or rule.placebo_of:
        return ""
    return _(
        "if people answer one in %(every)s questions carelessly, %(slips)s of 100 people for whom nothing in "
        "“%(question)s” is true are still counted"
    ) % {"every": round(1 / CARELESS_SHARE), "slips": f"{100 * slips:.1f}", "question": question}


def counts_yes(rule: Composite) -> bool:
    """Whether a rule only counts how many questions were answered yes."""
    counted = [component for component in rule.components if not component.instructed]
    return (
        not (rule.steps or rule.uses)
        and all(not each.options and each.choices == YES_NO and each.points == (0, 1) for each in counted)
        and not (rule.missing.at_most and rule.missing.fills_mean)
    )


class _Writer:
    """Writes the words of one rule."""

    def __init__(
        self, question: Question, rule: Composite, texts: Mapping[str, Any], language: str | None
    ) -> None:
        self.question, self.rule, self.texts, self.language = question, rule, texts, language
        self.wording = texts[question.key]
        self.components = {entry["key"]: entry for entry in self.wording.get(COMPONENTS, [])}
        self.counts = counts_yes(rule)

    def _name(self, wording: Mapping[str, Any] | None, key: str) -> str:
        """Return the text of an option; yes and no have no texts of their own."""
        options = (wording or {}).get("options") or ()
        text = next((option["text"] for option in options if option["key"] == key), None)
        return text_in(text, self.language) or (_(key) if key in YES_NO else key)

    def _quote(self, key: str) -> str:
        """Return the text of a component or an open question in quotation marks; a step has only its key."""
        words = self.components.get(key) or self.texts.get(key) or {}
        return f"“{text_in(words.get('text'), self.language) or key}”"

    def words(self, *, can_skip: bool, is_half: bool, related: Iterable[str] = ()) -> RuleWords:
        """Return the whole rule, with sentences on related questions."""
        text = text_in(self.wording["text"], self.language)
        clause = slips_clause(self.rule, text)
        return RuleWords(
            text=text,
            summary=computed_from(self.rule),
            components=tuple(self._component(component) for component in self.rule.components),
            sentences=(
                *self._uses(),
                *(self._step(step) for step in self.rule.steps),
                *self._levels(),
                _gap_sentence(self._possible_gaps(), can_skip=can_skip, counts=self.counts),
                *self._neutral(),
                *self._base(),
                *related,
                *self._source(),
            ),
            losses=losses_text(self.rule, is_half=is_half),
            slips=in_sentences(clause),
            base=self._name(self.wording, self.rule.base) if self.rule.base else "",
        )

    def _possible_gaps(self) -> Gaps:
        """Return the gaps that leave an answer: with no component answered, the answer is a skip."""
        counted = sum(not component.instructed for component in self.rule.components)
        return replace(self.rule.missing, at_most=min(self.rule.missing.at_most, counted - 1))

    def _component(self, component: Component) -> ComponentWords:
        words = self.components.get(component.key, {})
        is_pointed = component.has_points and not self.counts
        answers = self._pointed(component.key, component.points) if is_pointed else []
        if component.instructed:
            named = dict(zip(component.choices, self._answers(component, words), strict=True))
            answers = [
                _("instructed answer: %(answer)s; with any other, the part is sent as “Prefer not to say”")
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
            listed = _listed(
                _("%(answer)s: %(points)s") % {"answer": name, "points": _points(points)}
                for name, points in named
            )
            yield _(
                "The openly asked question %(question)s adds points: %(points)s. "
                "So this rule causes part of any link between the two."
            ) % {"question": self._quote(use.question), "points": listed}

    def _neutral(self) -> Iterator[str]:
        if NEUTRAL in self.wording:
            yield _(
                "People who are not asked a follow-up see a neutral question instead. "
                "Answers to neutral questions are not counted and never sent."
            )

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
        sentences = [text]
        if own:
            sentences.append(_("Points in this step: %(points)s.") % {"points": own})
        if step.missing is not None:
            gaps = _gap_sentence(step.missing, can_skip=True)
            sentences.append(_("In this step: %(gaps)s") % {"gaps": gaps})
        return join_sentences(sentences)

    def _levels(self) -> Iterator[str]:
        levels = self.rule.levels
        if not levels:
            yield (
                _("The answer is how many of these questions were answered yes.")
                if self.counts
                else _("The answer is the sum of the points.")
            )
            return
        least = levels[-1].start
        if self.counts and least is not None and [level.option for level in levels] == ["no", "yes"]:
            yield ngettext(
                "Yes means yes to at least one of these questions.",
                "Yes means yes to at least %(count)s of these questions.",
                least,
            ) % {"count": count_text(least)}
            return
        named = _listed(
            _("%(answer)s: %(points)s") % {"answer": self._name(self.wording, level.option), "points": span}
            for level, span in _spans(levels)
        )
        template = (
            _("Answers by the number of questions answered yes: %(levels)s.")
            if self.counts
            else _("Answers by the sum of the points: %(levels)s.")
        )
        yield template % {"levels": named}

    def _base(self) -> Iterator[str]:
        if self.rule.base:
            yield _("Further shares are of the people at or above “%(base)s”.") % {
                "base": self._name(self.wording, self.rule.base)
            }

    def _source(self) -> Iterator[str]:
        if source := text_in(self.wording.get(SOURCE), self.language):
            yield _("Source of the cut-off: %(source)s") % {"source": source}


def _listed(parts: Iterable[str]) -> str:
    return series_text(parts)


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


def _gap_sentence(missing: Gaps, *, can_skip: bool, counts: bool = False) -> str:
    """Say what unanswered questions count; too many skip the whole part, with its other answers."""
    if not can_skip:
        return _("People must answer each of these questions that they are asked.")
    if not missing.at_most:
        return _("If one of them is left empty, the whole part is sent as “Prefer not to say”.")
    if missing.fills_mean:
        filled = ngettext(
            "One empty answer counts as the mean of the others.",
            "Up to %(count)s empty answers count as the mean of the others.",
            missing.at_most,
        )
    elif counts:
        filled = ngettext(
            "One empty answer counts as no.", "Up to %(count)s empty answers count as no.", missing.at_most
        )
    else:
        filled = ngettext(
            "One empty answer counts as no points.",
            "Up to %(count)s empty answers count as no points.",
            missing.at_most,
        )
    more = _("With more, the whole part is sent as “Prefer not to say”.")
    return join_sentences([filled % {"count": count_text(missing.at_most)}, more])
