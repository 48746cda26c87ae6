"""Kinds of answers to the questions of a survey in a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, cast

from privacy import validation
from privacy.counted_nouns import counted
from privacy.errors import PrivacyError
from privacy.scales.number_statement import stated_number
from privacy.survey.component import Component, ComponentKind
from privacy.survey.composite import Composite
from privacy.survey.composite_parts import GapRule, Gaps, Level
from privacy.survey.question import KINDS, Kind, Question


@dataclass(frozen=True, kw_only=True)
class AnswerKind:
    """Possible answers to a question: one of some options, any of them, or a number; by default yes or no.

    `computed` is the rule of a composite question, whose components devices never send, and `forms` names
    sets of its components.

    Raises
    ------
    PrivacyError
        ``too_few_options``; ``blocks``: an option is not a text, or contains a control character;
        ``duplicate_key``: two options are the same, or differ only in blanks.
    """

    kind: Kind
    options: tuple[str, ...] = ()
    disguise: Any = None
    computed: Composite | None = None
    forms: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def __post_init__(self) -> None:
        # A kind that was deleted has no checks: this module makes one of yes or no when it is imported.
        kind = KINDS.get(self.kind)
        if kind is None or not (kind.is_exhaustive or kind.is_several):
            return
        name = "score" if self.computed is not None else "any_of" if kind.is_several else "one_of"
        if not self.options:
            raise PrivacyError("blocks.no_options", self.options, code="too_few_options", name=name)
        for option in self.options:
            if not isinstance(option, str) or not option.strip():
                raise PrivacyError("blocks.option", option, name=name)
        if kind.is_exhaustive and len(self.options) == 1:
            raise PrivacyError("blocks.few", self.options[0], code="too_few_options", name=name)
        validation.visibly_distinct(self.options, f"option of {name}")

    def __repr__(self) -> str:
        if self.computed is None:
            options = f" of {', '.join(self.options)}" if self.options else ""
            return f"<{self.kind} question{options}>"
        return f"<{self.kind} question, {computed_words(self.computed)}>"


def computed_words(rule: Composite) -> str:
    """Return the rule of a composite question in one line.

    Parameters
    ----------
    rule : Composite

    Examples
    --------
    >>> computed_words(at_least(1, "slapped", "pushed").computed)
    'computed from 2 components that are never sent: yes from 1; no gaps'
    """
    starts = "; ".join(
        f"{level.option} from {level.start}" for level in rule.levels if level.start is not None
    )
    gaps = min(rule.missing.at_most, len(rule.components) - 1)
    fill = "count as the mean of the others" if rule.missing.fills_mean else "have no points"
    allowed = f"up to {gaps} gaps {fill}" if gaps > 1 else f"one gap may {fill}" if gaps else "no gaps"
    are_sent = "that is never sent" if len(rule.components) == 1 else "that are never sent"
    components = counted(len(rule.components), "component")
    return f"computed from {components} {are_sent}: {starts or 'the sum'}; {allowed}"


_LARGEST_START = 10_000_000
YES_NO = AnswerKind(kind="yes_no")

Questions: TypeAlias = Iterable[str] | Mapping[str, AnswerKind | None] | AnswerKind
"""Keys of yes/no questions; or key -> kind, None for yes/no; or one number, which has the block's key."""


def flat_names(names: Iterable[Any]) -> tuple[Any, ...]:
    """Return names that were given one by one, or in lists, as one sequence.

    Parameters
    ----------
    names : iterable of str or iterable

    Examples
    --------
    >>> flat_names(["cheat", ["drugs", "debts"]])
    ('cheat', 'drugs', 'debts')
    """
    found: list[Any] = []
    for name in names:
        found += [name] if isinstance(name, str) or not isinstance(name, Iterable) else list(name)
    return tuple(found)


def one_of(*options: str | Iterable[str]) -> AnswerKind:
    """Define a question answered by exactly one option.

    Parameters
    ----------
    *options : str or iterable of str
        Keys, each once.

    Raises
    ------
    PrivacyError
        ``too_few_options``; ``blocks``: an option is not a text, or contains a control character;
        ``duplicate_key``: two options are the same, or differ only in blanks.

    Examples
    --------
    >>> one_of("work", "home").options
    ('work', 'home')
    """
    return AnswerKind(kind="single", options=_listed("one_of", options))


def any_of(*options: str | Iterable[str]) -> AnswerKind:
    """Define yes/no questions on any number of options; each option gets a column "key=option".

    Each is disguised, and promised, as one answer. Until 1.0.0rc2 the options together were one answer.

    Parameters
    ----------
    *options : str or iterable of str
        Keys, each once.

    Raises
    ------
    PrivacyError
        ``too_few_options``; ``blocks``: an option is not a text, or contains a control character;
        ``duplicate_key``: two options are the same, or differ only in blanks.

    Examples
    --------
    >>> any_of("cannabis", "cocaine").options
    ('cannabis', 'cocaine')
    """
    return AnswerKind(kind="multi", options=_listed("any_of", options))


def _listed(name: str, options: Iterable[Any]) -> tuple[Any, ...]:
    """Return options that were given one by one, or in lists; refuse what has no order."""
    for each in options:
        # A set has another order in each run, and bytes and mappings are not lists of texts.
        if isinstance(each, (bytes, Set, Mapping)):
            raise PrivacyError("blocks.option_list", each, name=name)
    return flat_names(options)


def at_least(
    count: int, *components: str | Iterable[str] | Mapping[str, Iterable[str]], gaps: int | None = None
) -> AnswerKind:
    """Define a yes/no question that devices compute: whether at least `count` of these are true.

    Devices never send the components. `Survey.disguise` reads their columns, which hold 1 or 0.

    Parameters
    ----------
    count : int
        1 for *at least one of*.
    *components : str, iterable of str, or mapping of str to iterable of str
        Keys of 1 to 40 yes/no components. A mapping gives them by form, such as ``{"physical": ["hit",
        "kicked"], "sexual": ["forced"]}``: plans may then propose to send each form (`Plan.changes`).
    gaps : int, optional
        Components that may be left out and then count as no, fewer than all; more make the answer a skip.
        Default: a fifth of the components, rounded down.

    Raises
    ------
    PrivacyError
        ``computed``: no component, a form without name or component, or `count` outside 1 to their number.
        ``bad_key``, ``duplicate_key``.

    Examples
    --------
    >>> at_least(2, "slapped", "pushed", "kicked").computed.evaluate({"slapped": 1, "pushed": 0, "kicked": 1})
    'yes'
    """
    forms = tuple(
        (name, flat_names([own]))
        for each in components
        if isinstance(each, Mapping)
        for name, own in each.items()
    )
    for name, own in forms:
        if not (isinstance(name, str) and name.strip() and own):
            raise PrivacyError("computed.form", name, count=len(own))
    keys = flat_names(
        key
        for each in components
        for key in flat_names(each.values() if isinstance(each, Mapping) else [each])
    )
    validation.distinct(keys, "component")
    if keys:
        validation.whole_number(count, "count", low=1, high=len(keys), code="computed")
    return replace(score(dict.fromkeys(keys, (0, 1)), count, gaps=gaps, fill="no_points"), forms=forms)


def score(
    components: Mapping[str, Sequence[int]],
    levels: int | Mapping[str, int | None],
    *,
    gaps: int | None = None,
    fill: GapRule = "mean",
) -> AnswerKind:
    """Define a question that devices compute from the points of components, which they never send.

    Parameters
    ----------
    components : mapping of str to sequence of int
        Key of a component -> points of its answers, each -999 to 999. The column of a component, which
        `Survey.disguise` reads, holds the number of the answer, counted from 0. Two answers are yes or no.
    levels : int or mapping of str to (int or None)
        A cut-off, from which the answer is yes; or option -> its smallest sum, in ascending order, None for
        the first option.
    gaps : int, optional
        Components that may be left out, fewer than all; more make the answer a skip. Default: a fifth,
        rounded down.
    fill : {"mean", "no_points"}
        What they count: the mean of the others, or nothing.

    Raises
    ------
    PrivacyError
        ``computed``: points, levels or gaps are invalid. ``bad_key``, ``duplicate_key``.

    Examples
    --------
    >>> feelings = {f"item{number}": (0, 1, 2, 3) for number in (1, 2, 3)}
    >>> levels = score(feelings, {"low": None, "middle": 3, "high": 6})
    >>> levels.options, levels.computed.evaluate({"item1": 2, "item2": 1, "item3": 1})
    (('low', 'middle', 'high'), 'middle')
    >>> score(feelings, 5).kind
    'yes_no'
    """
    if not isinstance(components, Mapping):
        raise PrivacyError("blocks.points", components)
    if not isinstance(levels, Mapping):
        validation.whole_number(levels, "cut-off", low=-_LARGEST_START, high=_LARGEST_START, code="computed")
    starts = levels if isinstance(levels, Mapping) else {"no": None, "yes": levels}
    for number, (option, start) in enumerate(starts.items()):
        if start is None:
            # The rule itself refuses a later level without a start.
            continue
        if not number:
            raise PrivacyError("computed.first_none", start, option=option)
        name = f"start of {option}"
        validation.whole_number(start, name, low=-_LARGEST_START, high=_LARGEST_START, code="computed")
    validation.one_of(fill, "fill", allowed=("mean", "no_points"), code="computed")
    if gaps is not None and components:
        validation.whole_number(gaps, "gaps", low=0, high=len(components) - 1, code="computed")
    parts = []
    for key, points in components.items():
        answer_points = validation.as_tuple(points, f"points of {key}")
        options = (
            () if len(answer_points) == 2 else tuple(f"o{answer}" for answer in range(len(answer_points)))
        )
        kind: ComponentKind = "single" if options else "yes_no"
        parts.append(
            Component(key=key, kind=kind, options=options, points=cast("tuple[int, ...]", answer_points))
        )
    rule = Composite(
        components=tuple(parts),
        missing=Gaps(at_most=len(parts) // 5 if gaps is None else gaps, fill=fill),
        levels=tuple(Level(option=option, start=start) for option, start in starts.items()),
    )
    if isinstance(levels, Mapping):
        return AnswerKind(kind="single", options=tuple(levels), computed=rule)
    return AnswerKind(kind="yes_no", computed=rule)


def number(*, low: Any, high: Any, epsilon: float | None = None, bin: Any = 1, **members: Any) -> AnswerKind:
    """Define a question answered by a number; its column contains the index of the sent value.

    Parameters
    ----------
    low, high, bin : number
        Smallest and largest answer, and the width of a bin.
    epsilon : float, optional
        None for an open number, which is stored as answered; then the column contains the index of the
        bin.
    **members : object
        ``mechanism`` (default "hybrid", which suits means), and the other parameters of
        `privacy.scales.number_statement.stated_number`.

    Examples
    --------
    >>> number(low=0, high=79, bin=10, epsilon=2).disguise.inputs
    8
    >>> number(low=0, high=24).disguise.mechanism
    'as_answered'
    """
    disguise = {} if epsilon is None else {"mechanism": "hybrid", "epsilon": epsilon}
    question = stated_number({**disguise, "low": low, "high": high, "bin": bin, **members})
    return AnswerKind(kind="number", options=question.options, disguise=question.disguise)


def option_names(question: Question, names: Mapping[str, str]) -> list[str]:
    """Return the names of the options of a single choice.

    Parameters
    ----------
    question : Question
    names : mapping of str to str
        Key -> name, if they differ.
    """
    start = len(names.get(question.key, question.key)) + 1
    return [names.get(key, key)[start:] for key in question.item_keys]
