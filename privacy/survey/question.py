"""A question, and the distribution of its unrelated counterpart or its disguise."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, TypeAlias, cast

from privacy import validation
from privacy.coins import SCALE, Coins, words_below
from privacy.errors import PrivacyError
from privacy.policy import LEAST_ARM, MOST_ARMS
from privacy.scales.disguise import ScaleDisguise
from privacy.scales.skips import Disguise
from privacy.survey.component import MOST_OPTIONS, YES_NO
from privacy.survey.composite import Composite

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from privacy.arrays import Array, Whole

Kind: TypeAlias = Literal["yes_no", "single", "multi", "number", "place"]

KINDS: Final[dict[str, type[Question]]] = {}
"""The class of each kind of question; `privacy.survey.kinds` lists them."""

Value: TypeAlias = int | tuple[int, ...]
"""One answer: 0 or 1 (yes/no), the position of an option (single), a 0 or 1 per option (multi), the number of
a bin (number) or of a cell (place)."""

Anchor: TypeAlias = Literal["", "nobody", "everybody"]
ANCHORS: Final = ("", "nobody", "everybody")
"""For whom a question is publicly known to be true; "" for ordinary questions."""


@dataclass(frozen=True, kw_only=True)
class Question:
    """One question and the distribution of its unrelated counterpart.

    Parameters
    ----------
    key : str
        Name of the question, unique in its design.
    kind : {"yes_no", "single", "multi", "number", "place"}
        Yes or no; exactly one of the options; any number of the options; a number in a range; a place on a
        map.
    options : tuple of str
        Keys of the options, at least two and at most 200; empty for yes/no. For a number or a place: keys of
        its declared items, one per span or region of its disguise; may be empty.
    unrelated : tuple of int, ten-thousandths, each 1 to 9999
        Probabilities of the decoy answer: that of "yes" (yes/no); one per option, with sum 10,000 (single);
        that of each option being ticked (multi). Empty in an open block, and for a number or a place.
    disguise : WindowChannel (number) or PlanarWindowChannel (place), optional
        Disguise of the answer; `privacy.scales.numeric_mechanisms.as_answered` for a number of an open block.
        None for the other kinds.
    shares : tuple of int, ten-thousandths, optional
        For the arms of an experiment: probabilities of 2 to 6 options, one of which the device draws for its
        respondent. Each is at least 1,000; the sum is 10,000. Empty for a question that respondents answer.
    anchor : {"", "nobody", "everybody"}
        For whom the question is true, if that is publicly known. Such an *anchor* is alone in a protected
        block and shows how people answer. Bounds on what is revealed about a respondent exclude it.

    computed : Composite, optional
        For a composite question, the rule by which the device computes its answer from components that are
        never sent. Only yes/no questions, choices and numbers can have one. None if respondents answer it.

    Raises
    ------
    PrivacyError
        With codes ``bad_key``, ``kind``, ``too_few_options``, ``too_large``, ``duplicate_key``,
        ``unrelated_probability``, ``shares_sum``, ``disguise``, ``arms``, ``anchor``, ``computed``,
        ``malformed``.

    Examples
    --------
    >>> Question(key="affair", kind="yes_no", options=(), unrelated=(5000,)).patterns
    2
    >>> Question(key="age", kind="single", options=("22", "27", "32"), unrelated=()).item_keys
    ('age=22', 'age=27', 'age=32')
    """

    key: str
    kind: Kind
    options: tuple[str, ...]
    unrelated: tuple[int, ...]
    disguise: Disguise | None = None
    shares: tuple[int, ...] = ()
    anchor: Anchor = ""
    computed: Composite | None = None

    own_disguise: ClassVar[str] = ""
    """Class name of the question's own disguise; empty for kinds that share their block's coin."""
    is_exclusive: ClassVar[bool] = False
    """Whether at most one item can be true."""
    is_exhaustive: ClassVar[bool] = False
    """Whether exactly one item is true in every answer."""
    is_binary: ClassVar[bool] = True
    """Whether its columns in a file hold yes or no."""
    is_several: ClassVar[bool] = False
    """Whether respondents can choose any number of options."""
    is_categorical: ClassVar[bool] = False
    """Whether each answer is one category: yes or no, or one option."""
    has_mean: ClassVar[bool] = False
    """Whether its answers have a mean."""
    is_map: ClassVar[bool] = False
    """Whether its answers are places, shown on a map instead of as figures."""
    can_be_open: ClassVar[bool] = True
    """Whether an open block can ask it."""
    can_be_anchor: ClassVar[bool] = False
    """Whether it can be an anchor."""
    can_be_computed: ClassVar[bool] = False
    """Whether a device can compute its answer from components."""
    route_refusal: ClassVar[str] = ""
    """Error code for a condition on this kind of question; empty if conditions are allowed."""

    def __new__(cls, *, kind: str = "", **_fields: object) -> Question:
        """Instantiate the subclass of the question's kind."""
        return object.__new__(KINDS.get(kind, cls) if cls is Question and isinstance(kind, str) else cls)

    def __post_init__(self) -> None:
        validation.key(self.key, "question key")
        allowed = tuple(kind for kind, kind_class in KINDS.items() if type(self) in (kind_class, Question))
        validation.one_of(self.kind, f"kind of {self.key}", allowed=allowed, code="kind")
        options = tuple(
            validation.key(option, f"option of {self.key}")
            for option in validation.as_tuple(self.options, f"options of {self.key}")
        )
        object.__setattr__(self, "options", options)
        self._check_options()
        shares = tuple(
            validation.whole_number(
                share,
                f"unrelated probability of {self.key}",
                low=1,
                high=SCALE - 1,
                code="unrelated_probability",
                advice="decoy",
            )
            for share in validation.as_tuple(self.unrelated, f"unrelated probabilities of {self.key}")
        )
        object.__setattr__(self, "unrelated", shares)
        if shares:
            self._check_shares()
        object.__setattr__(self, "shares", validation.as_tuple(self.shares, f"shares of {self.key}"))
        if self.shares:
            self._check_arms()
        validation.one_of(self.anchor, f"anchor of {self.key}", allowed=ANCHORS, code="anchor")
        if self.computed is not None:
            self._check_computed(self.computed)

    def _check_options(self) -> None:
        if self.disguise is not None:
            raise PrivacyError("disguise.own", self.disguise, key=self.key)
        if len(self.options) < 2:
            raise PrivacyError("too_few_options", self.options, key=self.key, count=len(self.options))
        if len(self.options) > MOST_OPTIONS:
            raise PrivacyError("too_large.options", len(self.options), key=self.key, most=MOST_OPTIONS)
        validation.distinct(self.options, f"option of {self.key}")

    def _check_shares(self) -> None:
        if len(self.unrelated) != self.n_items:
            raise PrivacyError(
                "unrelated_probability.number",
                self.unrelated,
                key=self.key,
                count=len(self.unrelated),
                n_items=self.n_items,
            )
        if self.is_exhaustive and sum(self.unrelated) != SCALE:
            raise PrivacyError("shares_sum", sum(self.unrelated), key=self.key, scale=SCALE)

    def _check_arms(self) -> None:
        if not self.is_exhaustive or self.unrelated:
            raise PrivacyError("arms.kind", self.kind, key=self.key)
        if len(self.options) > MOST_ARMS:
            raise PrivacyError(
                "too_large.options", len(self.options), code="arms", key=self.key, most=MOST_ARMS
            )
        if len(self.shares) != len(self.options):
            raise PrivacyError("arms.number", len(self.shares), key=self.key, count=len(self.options))
        for share in self.shares:
            validation.whole_number(
                share, f"share of an arm of {self.key}", low=LEAST_ARM, high=SCALE - LEAST_ARM, code="arms"
            )
        if sum(self.shares) != SCALE:
            raise PrivacyError("shares_sum", sum(self.shares), code="arms", key=self.key, scale=SCALE)

    def _check_computed(self, rule: Composite) -> None:
        validation.instance(rule, f"computed of {self.key}", Composite)
        if not self.can_be_computed or self.is_arm or self.anchor:
            raise PrivacyError("computed.kind", self.kind, key=self.key)
        self._check_levels(rule)

    def _check_levels(self, rule: Composite) -> None:
        choices = self.options or YES_NO
        if not rule.levels:
            raise PrivacyError("computed.no_levels", self.key)
        stated = {level.option for level in rule.levels}
        for option in (*stated, *choices):
            if option not in choices:
                raise PrivacyError("computed.level_option", option, key=self.key, known=", ".join(choices))
            if option not in stated:
                raise PrivacyError("computed.no_level", option, key=self.key)

    @classmethod
    def read_disguise(cls, document: object) -> Disguise:
        """Build the disguise of a question of this kind from JSON.

        Kinds without a disguise of their own return the document, which the question then refuses.
        """
        return cast(Disguise, document)

    def computed_value(self, answer: str | int) -> Value:
        """Return the answer of a composite question that its rule has computed.

        Parameters
        ----------
        answer : str or int
            What `privacy.survey.composite.Composite.evaluate` returns: an option, or the sum for a number.

        Examples
        --------
        >>> Question(key="affair", kind="yes_no", options=(), unrelated=(5000,)).computed_value("yes")
        1
        """
        return (self.options or YES_NO).index(cast(str, answer))

    def level_ends(self, count: int) -> tuple[tuple[str, str], ...]:
        """Return the first and the last number of levels of a number, as texts; empty without so many.

        Parameters
        ----------
        count : int
            Number of levels.
        """
        return ()

    @cached_property
    def is_arm(self) -> bool:
        """Whether the device draws the answer, which is the respondent's arm of an experiment."""
        return bool(self.shares)

    @cached_property
    def is_scale(self) -> bool:
        """Whether it is a number or a place, with its own disguise and alone in its block."""
        return bool(self.own_disguise)

    @cached_property
    def n_items(self) -> int:
        """Number of items: 1 for yes/no, otherwise one per option; numbers and places may have none."""
        return len(self.item_keys)

    @cached_property
    def decoy_shares(self) -> tuple[Fraction, ...]:
        """Probability of each item in a decoy; empty for a question of an open block."""
        return tuple(Fraction(share, SCALE) for share in self.unrelated)

    @property
    def rarest_decoy(self) -> Fraction:
        """Probability of the least likely decoy answer of a protected question without its own disguise."""
        return math.prod((min(share, 1 - share) for share in self.decoy_shares), start=Fraction(1))

    @cached_property
    def item_keys(self) -> tuple[str, ...]:
        """Keys of the items: the question's key, or ``question=option`` for each option."""
        return tuple(f"{self.key}={option}" for option in self.options)

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of its columns in a file: its key, or one per option if several can be chosen.

        >>> Question(key="drugs", kind="multi", options=("a", "b"), unrelated=()).columns
        ('drugs=a', 'drugs=b')
        """
        return self.item_keys if self.is_several else (self.key,)

    @cached_property
    def patterns(self) -> int:
        """Number of different answers."""
        return 1 << self.n_items

    @cached_property
    def width(self) -> int:
        """Number of bits of an answer in a row, for a question without its own disguise."""
        return (self.patterns - 1).bit_length()

    @property
    def n_draws(self) -> int:
        """Number of draws for a decoy; for a number or place without a skip, words of its single draw."""
        return 1

    @cached_property
    def cumulative(self) -> tuple[int, ...]:
        """Running sums of the decoy shares; the last one is 10,000 for a choice."""
        return tuple(sum(self.unrelated[: end + 1]) for end in range(len(self.unrelated)))

    @property
    def parts(self) -> tuple[tuple[int, ...], ...]:
        """Its items, grouped into parts whose decoys are drawn independently."""
        return tuple((item,) for item in range(self.n_items))

    @property
    def least_likely(self) -> Value:
        """The least likely decoy answer; if several are equally unlikely, the one with most items."""
        return self.of_parts([int(2 * share <= SCALE) for share in self.unrelated])

    @classmethod
    def uniform_shares(cls, count: int) -> tuple[int, ...]:
        """Return item probabilities, in ten-thousandths, that make all answers (almost) equally likely."""
        return (SCALE // 2,) * count

    @property
    def even_shares(self) -> tuple[int, ...]:
        """Item probabilities, in ten-thousandths, that make all answers (almost) equally likely."""
        return self.uniform_shares(self.n_items)

    def tables(self, shares: Sequence[int]) -> list[list[int]]:
        """Return the shares of each part's answers: no and yes, or the options."""
        return [[SCALE - share, share] for share in shares]

    def of_tables(self, tables: Iterator[Whole]) -> list[int]:
        """Consume one table per part and return the shares of the items; the inverse of `tables`."""
        return [int(next(tables)[1]) for _part in self.parts]

    @property
    def answers(self) -> Sequence[Value]:
        """All possible answers."""
        return range(self.patterns)

    def read(self, value: object) -> Value:
        """Return `value` if it is an answer to the question, otherwise refuse it with code ``answer``."""
        name = f"answer to {self.key}"
        return validation.whole_number(value, name, low=0, high=self.patterns - 1, code="answer")

    def draw_decoy(self, coins: Coins) -> Value:
        """Draw a decoy answer."""
        raise NotImplementedError

    def unpack(self, bits: int) -> Value:
        """Decode the bits of a row into an answer; the caller checks that they encode one."""
        return bits

    def of_items(self, ticks: Sequence[int]) -> Value:
        """Return the answer whose items have these ticks (0 or 1 each)."""
        return self.of_parts(ticks)

    def of_parts(self, answers: Sequence[int]) -> Value:
        """Return the answer composed of these answers to its parts."""
        return answers[0]

    def ticks(self, value: Value | tuple[int | None, ...]) -> tuple[int | None, ...]:
        """Return a 0 or 1 for each item of an answer; None for items that may be either."""
        return value if isinstance(value, tuple) else (value,)

    def probabilities(self, shares: Sequence[int], value: Value | tuple[int | None, ...]) -> list[int]:
        """Return the probabilities of an answer's parts, in ten-thousandths.

        Parameters
        ----------
        shares : sequence of int, ten-thousandths
            One per item.
        value : int or tuple
            An answer; None in a tuple matches either value.
        """
        ticks = zip(self.ticks(value), shares, strict=True)
        return [share if tick else SCALE - share for tick, share in ticks if tick is not None]


class ScaleQuestion(Question):
    """A question whose answers have a disguise of their own, instead of the coin of their block."""

    is_binary = False
    is_exclusive = True
    route_refusal = "asked_if.number"

    def _check_options(self) -> None:
        disguise = self.disguise
        if not isinstance(disguise, ScaleDisguise) or type(disguise).__name__ != self.own_disguise:
            raise PrivacyError(
                "disguise.kind", disguise, kind=self.kind, key=self.key, wanted=self.own_disguise
            )
        n_items = disguise.n_declared
        if n_items != len(self.options) or n_items > MOST_OPTIONS:
            raise PrivacyError(
                "malformed.items",
                self.options,
                kind=self.kind,
                key=self.key,
                count=len(self.options),
                declared=n_items,
                most=MOST_OPTIONS,
            )
        validation.distinct(self.options, f"item of {self.key}")
        if self.options and disguise.retention_probability is None:
            raise PrivacyError("disguise.items", disguise.mechanism, key=self.key)

    def _check_shares(self) -> None:
        raise PrivacyError("unrelated_probability.own_disguise", self.unrelated, kind=self.kind, key=self.key)

    def part_scores(self, disguise: Any, target: Any) -> tuple[NDArray[Any], Array]:
        """Return flags of the answers that match a target, and the score of each output for it.

        Parameters
        ----------
        disguise : ScaleDisguise
            Disguise of one group.
        target
            First and last bin, or rectangles of cells. For "mean", a number returns its bins scaled to 0
            to 1 instead of flags.

        Raises
        ------
        PrivacyError
            ``spans``, ``regions``, ``no_score``, ``too_large``.
        """
        raise NotImplementedError(self.kind)

    @property
    def has_lighter(self) -> bool:
        """Whether its disguise has an adjustable epsilon."""
        return self.scale.amplification is not None

    def lighter(self, epsilon: float) -> Disguise:
        """Return a disguise of the same answers and items with a different bound.

        Parameters
        ----------
        epsilon : float, 0.01 to 20

        Raises
        ------
        PrivacyError
            ``epsilon``; ``light``: the disguise has no adjustable epsilon.

        Examples
        --------
        >>> from privacy.scales.window import NumberRange
        >>> from privacy.scales.numeric_mechanisms import square_wave
        >>> ages = NumberRange(low=0, high=99)
        >>> wave = square_wave(ages, 1.0)
        >>> age = Question(key="age", kind="number", options=(), unrelated=(), disguise=wave)
        >>> age.lighter(2.0) == square_wave(ages, 2.0)
        True
        """
        if not self.has_lighter:
            raise PrivacyError("light.mechanism", self.scale.mechanism)
        return self._at_epsilon(epsilon)

    def _at_epsilon(self, epsilon: float) -> Disguise:
        raise NotImplementedError(self.kind)

    @property
    def scale(self) -> Disguise:
        """The question's disguise."""
        return cast(Disguise, self.disguise)

    @cached_property
    def decoy_shares(self) -> tuple[Fraction, ...]:
        return () if self.scale.is_as_answered or not self.options else self.scale.decoy_shares

    @cached_property
    def patterns(self) -> int:
        return self.scale.inputs

    @property
    def n_draws(self) -> int:
        return words_below(self.scale.total)
