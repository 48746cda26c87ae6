"""Components of a composite question: what respondents answer and devices never send."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal, TypeAlias, cast

from privacy import validation
from privacy.errors import PrivacyError

ComponentKind: TypeAlias = Literal["yes_no", "single", "several", "number"]
YES_NO: Final = ("no", "yes")

MOST_OPTIONS: Final = 200
"""Most options of a component, and of a question."""

MOST_POINTS: Final = 999
LARGEST_NUMBER: Final = 1_000_000

Given: TypeAlias = "int | Sequence[int] | None"
"""Answer to a component: 0 or 1 (yes_no), the position of an option (single), a 0 or 1 per option (several),
the number itself (number); None for a gap."""


@dataclass(frozen=True, kw_only=True)
class When:
    """One condition for asking a component.

    Parameters
    ----------
    component : str, optional
        Key of an earlier component of the same composite, to answer yes or no or with one option.
    question : str, optional
        Key of an open question of an earlier block; exactly one of both is given.
    options : tuple of str
        Answers that meet the condition; ``"no"`` and ``"yes"`` for yes/no.
    """

    component: str = ""
    question: str = ""
    options: tuple[str, ...]

    def __post_init__(self) -> None:
        if bool(self.component) == bool(self.question):
            raise PrivacyError("computed.when", self.component or None)
        validation.key(self.source, "source of asked_if")
        options = tuple(
            validation.key(option, "option of asked_if")
            for option in validation.as_tuple(self.options, "options of asked_if")
        )
        if not options:
            raise PrivacyError("computed.when_empty", self.source, code="asked_if")
        validation.distinct(options, f"option of asked_if on {self.source}")
        object.__setattr__(self, "options", options)

    @property
    def source(self) -> str:
        """Key of the component or question on which the condition depends."""
        return self.component or self.question


@dataclass(frozen=True, kw_only=True)
class Whens:
    """The conditions for asking a component.

    Parameters
    ----------
    joined : {"all", "any"}
        Whether all of them must hold, or any.
    terms : tuple of When
        At least one, each on a different component or question. A gap meets no condition.
    """

    joined: Literal["all", "any"] = "all"
    terms: tuple[When, ...]

    def __post_init__(self) -> None:
        validation.one_of(self.joined, "joint of asked_if", allowed=("all", "any"), code="asked_if")
        object.__setattr__(self, "terms", validation.as_tuple(self.terms, "conditions of asked_if"))
        for term in self.terms:
            validation.instance(term, "condition of asked_if", When)
        if not self.terms:
            raise PrivacyError("computed.when", None)
        validation.distinct((term.source for term in self.terms), "source of asked_if")
        if len(self.terms) == 1:
            object.__setattr__(self, "joined", "all")


@dataclass(frozen=True, kw_only=True)
class Band:
    """The numbers from `low` to `high`, both included."""

    low: int
    high: int


@dataclass(frozen=True, kw_only=True)
class Component:
    """One question that respondents answer and that is never sent.

    Parameters
    ----------
    key : str
        Name, unique among the components and questions of the design.
    kind : {"yes_no", "single", "several", "number"}
    options : tuple of str
        Keys of the options of ``single`` (2 to 200) and ``several`` (1 to 200); otherwise empty.
    points : tuple of int, each -999 to 999
        Of no and yes; of each option; of each ticked option; of each band. Default: 0 each.
    low, high : int, optional
        Range of a number.
    bands : tuple of Band
        Ranges of a number that have points, ascending, without overlap; other numbers have 0 points.
    asked_if : Whens, optional
        None if everyone who is asked the composite is asked the component.
    instructed : str, optional
        The answer that respondents are instructed to give. Any other, or none, makes the composite a skip.
        Such a component has no points and is not counted as asked. Empty for ordinary components.
    shared : bool, optional
        Whether several composite questions of the block contain it: a filter, which respondents answer once.
        They all state it in the same way.

    Raises
    ------
    PrivacyError
        With codes ``bad_key``, ``computed``, ``duplicate_key``, ``too_few_options``, ``too_large``,
        ``malformed``.

    Examples
    --------
    >>> Component(key="often", kind="single", options=("never", "weekly"), points=(0, 3)).points_of(1)
    3
    >>> Component(key="age", kind="number", low=0, high=99, points=(2,), bands=(
    ...     Band(low=18, high=29),)).points_of(30)
    0
    """

    key: str
    kind: ComponentKind
    options: tuple[str, ...] = ()
    points: tuple[int, ...] = ()
    low: int | None = None
    high: int | None = None
    bands: tuple[Band, ...] = ()
    asked_if: Whens | None = None
    instructed: str = ""
    shared: bool = False

    members: ClassVar[tuple[str, ...]] = ("points",)
    """Members of its JSON form that state answers and points, the necessary one first."""
    least_options: ClassVar[int] = 0
    """Smallest number of options; 0 for kinds without options."""
    can_decide: ClassVar[bool] = True
    """Whether other components can depend on it, and whether it can have an instructed answer."""
    is_several: ClassVar[bool] = False
    """Whether respondents can choose any number of options."""

    def __new__(cls, *, kind: object = "", **_fields: object) -> Component:
        """Instantiate the subclass of the component's kind."""
        return object.__new__(
            COMPONENT_CLASSES.get(kind, cls) if cls is Component and isinstance(kind, str) else cls
        )

    def __post_init__(self) -> None:
        validation.key(self.key, "component key")
        validation.one_of(
            self.kind, f"kind of component {self.key}", allowed=tuple(COMPONENT_CLASSES), code="computed"
        )
        options = tuple(
            validation.key(option, f"option of {self.key}")
            for option in validation.as_tuple(self.options, f"options of {self.key}")
        )
        object.__setattr__(self, "options", options)
        self._check_options()
        self._check_range()
        points = checked_points(self.points, f"points of {self.key}") or (0,) * self.n_points
        if len(points) != self.n_points:
            raise PrivacyError("computed.points", len(points), key=self.key, count=self.n_points)
        object.__setattr__(self, "points", points)
        if self.asked_if is not None:
            validation.instance(self.asked_if, f"asked_if of {self.key}", Whens)
        if self.instructed != "":
            self._check_instructed()
        validation.instance(self.shared, f"shared of {self.key}", bool)
        if self.shared and (not self.can_decide or self.instructed):
            raise PrivacyError("computed.shared_kind", self.kind, key=self.key)

    def _check_options(self) -> None:
        if not self.least_options and self.options:
            raise PrivacyError("computed.options", self.options, key=self.key, kind=self.kind)
        if len(self.options) < self.least_options:
            raise PrivacyError("too_few_options", self.options, key=self.key, count=len(self.options))
        if len(self.options) > MOST_OPTIONS:
            raise PrivacyError("too_large.options", len(self.options), key=self.key, most=MOST_OPTIONS)
        validation.distinct(self.options, f"option of {self.key}")

    def _check_range(self) -> None:
        if (self.low, self.high, self.bands) != (None, None, ()):
            raise PrivacyError("computed.range", self.kind, key=self.key)

    def _check_instructed(self) -> None:
        if not self.can_decide:
            raise PrivacyError("computed.instructed_kind", self.kind, key=self.key)
        validation.one_of(
            self.instructed, f"instructed answer of {self.key}", allowed=self.choices, code="computed"
        )
        if any(self.points):
            raise PrivacyError("computed.instructed_points", self.key)

    @property
    def is_follower(self) -> bool:
        """Whether it is asked only after certain answers to another component."""
        return self.asked_if is not None and any(term.component for term in self.asked_if.terms)

    @property
    def choices(self) -> tuple[str, ...]:
        """Keys of its answers: no and yes, or its options; empty for a number."""
        return self.options

    @property
    def n_points(self) -> int:
        """Number of entries of `points`: one per answer, or per band of a number."""
        return len(self.choices)

    def read(self, value: object) -> Given:
        """Return `value` if it is an answer or None, otherwise refuse it with code ``answer``."""
        if value is None:
            return None
        return validation.whole_number(
            value, f"answer to {self.key}", low=0, high=len(self.choices) - 1, code="answer"
        )

    def points_of(self, value: Given, points: Sequence[int] = ()) -> int:
        """Return the points of an answer; those of `points`, one per answer or band, if given."""
        return (points or self.points)[value] if isinstance(value, int) else 0

    def values(self) -> Iterator[Given]:
        """Yield answers that include every combination of points."""
        yield from range(len(self.choices))

    @property
    def range_of_points(self) -> tuple[int, int]:
        """Smallest and largest points of an answer or a gap."""
        return min(0, *self.points), max(0, *self.points)

    @property
    def has_points(self) -> bool:
        """Whether any answer has points."""
        return any(self.points)

    def meets(self, value: Given, options: Iterable[str]) -> bool:
        """Whether an answer is one of these options; a gap is none."""
        return isinstance(value, int) and self.choices[value] in options

    def stated(self) -> dict[str, Any]:
        """Return the members of its JSON form that state answers and points."""
        return {"points": list(self.points)}


class YesNoComponent(Component):
    """A component to answer yes or no."""

    @property
    def choices(self) -> tuple[str, ...]:
        return YES_NO


class SingleComponent(Component):
    """A choice of exactly one option."""

    members = ("options",)
    least_options = 2

    def stated(self) -> dict[str, Any]:
        rows = zip(self.options, self.points, strict=True)
        return {"options": [{"key": option, "points": points} for option, points in rows]}


class SeveralComponent(SingleComponent):
    """A choice of any number of options."""

    least_options = 1
    can_decide = False
    is_several = True

    def read(self, value: object) -> Given:
        name = f"answer to {self.key}"
        if value is None:
            return None
        if not isinstance(value, list | tuple) or len(value) != len(self.options):
            raise PrivacyError("answer.entries", value, name=name, count=len(self.options))
        return tuple(validation.whole_number(entry, name, low=0, high=1, code="answer") for entry in value)

    def points_of(self, value: Given, points: Sequence[int] = ()) -> int:
        ticks = value if isinstance(value, Sequence) else (0,) * len(self.options)
        return sum(entry for tick, entry in zip(ticks, points or self.points, strict=True) if tick)

    def values(self) -> Iterator[Given]:
        yield from itertools.product((0, 1), repeat=len(self.options))

    @property
    def range_of_points(self) -> tuple[int, int]:
        return sum(min(own, 0) for own in self.points), sum(max(own, 0) for own in self.points)


class NumberComponent(Component):
    """A whole number in a range."""

    members = ("number", "bands")
    can_decide = False

    def _check_range(self) -> None:
        low, high = (
            validation.whole_number(
                value, f"{name} of {self.key}", low=-LARGEST_NUMBER, high=LARGEST_NUMBER, code="computed"
            )
            for name, value in (("low", self.low), ("high", self.high))
        )
        if low >= high:
            raise PrivacyError("range.ends", high, code="computed", low=low)
        least = low
        bands = validation.as_tuple(self.bands, f"bands of {self.key}")
        for band in cast("tuple[Band, ...]", bands):
            validation.instance(band, f"band of {self.key}", Band)
            for value in (band.low, band.high):
                validation.whole_number(value, f"band of {self.key}", low=low, high=high, code="computed")
            if band.low > band.high:
                raise PrivacyError("computed.band", band.low, key=self.key)
            if band.low < least:
                raise PrivacyError("computed.bands", band.low, key=self.key, least=least)
            least = band.high + 1
        object.__setattr__(self, "bands", bands)

    @property
    def n_points(self) -> int:
        return len(self.bands)

    def read(self, value: object) -> Given:
        if value is None:
            return None
        low, high = cast(int, self.low), cast(int, self.high)
        return validation.whole_number(value, f"answer to {self.key}", low=low, high=high, code="answer")

    def points_of(self, value: Given, points: Sequence[int] = ()) -> int:
        bands = zip(self.bands, points or self.points, strict=True)
        return sum(own for band, own in bands if isinstance(value, int) and band.low <= value <= band.high)

    def values(self) -> Iterator[Given]:
        """Yield the first number of each band, and one of each gap between bands."""
        least = cast(int, self.low)
        for band in self.bands:
            if least < band.low:
                yield least
            yield band.low
            least = band.high + 1
        if least <= cast(int, self.high):
            yield least

    @property
    def range_of_points(self) -> tuple[int, int]:
        return min([0, *self.points]), max([0, *self.points])

    def stated(self) -> dict[str, Any]:
        rows = zip(self.bands, self.points, strict=True)
        bands = [{"from": band.low, "to": band.high, "points": points} for band, points in rows]
        return {"number": {"low": self.low, "high": self.high}, **({"bands": bands} if bands else {})}


COMPONENT_CLASSES: Final[dict[str, type[Component]]] = {
    "yes_no": YesNoComponent,
    "single": SingleComponent,
    "several": SeveralComponent,
    "number": NumberComponent,
}
"""The class of each kind of component."""


def checked_points(points: object, name: str) -> tuple[int, ...]:
    """Return points as a tuple of whole numbers from -999 to 999; refuse others with code ``computed``.

    Parameters
    ----------
    points : object
        The value to check.
    name : str
        Its name in the error message.
    """
    return tuple(
        validation.whole_number(entry, name, low=-MOST_POINTS, high=MOST_POINTS, code="computed")
        for entry in validation.as_tuple(points, name)
    )
