"""A question, and the distribution of its unrelated counterpart or its disguise."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast

from privacy import validation
from privacy.channels.channel import ScaleDisguise
from privacy.coins import SCALE, words_below
from privacy.errors import PrivacyError
from privacy.policy import LEAST_ARM, MOST_ARMS
from privacy.scales.skipping import Disguise, Skipping

if TYPE_CHECKING:
    from privacy.scales.skipping import Disguise

__all__ = [
    "ANCHORS",
    "ANCHOR_TEXTS",
    "ANCHOR_TITLE",
    "KINDS",
    "SCALE_KINDS",
    "Anchor",
    "Kind",
    "Light",
    "Question",
    "Value",
    "anchor_chances",
    "anchor_key",
    "anchor_of",
    "checked_light",
]


Kind: TypeAlias = Literal["yes_no", "single", "multi", "number", "place"]
KINDS: Final = ("yes_no", "single", "multi", "number", "place")

SCALE_KINDS: Final = ("number", "place")
"""Kinds that bring a disguise of their own and stand alone in their block."""

Value: TypeAlias = int | tuple[int, ...]
"""One answer: 0 or 1 (yes/no), the position of an option (single), a 0 or 1 per option (multi), the number of
a bin (number) or of a cell (place)."""

Anchor: TypeAlias = Literal["", "nobody", "everybody"]
ANCHORS: Final = ("", "nobody", "everybody")
"""Of whom a question is true where everybody knows it; "" for all other questions."""

MOST_OPTIONS: Final = 200


@dataclass(frozen=True, kw_only=True)
class Question:
    """One question and the distribution of its unrelated counterpart.

    Parameters
    ----------
    key : str
        Name of the question, unique in its design.
    kind : {"yes_no", "single", "multi", "number", "place"}
        Yes or no; exactly one of the options; any number of the options; a number of a range; a place on a
        map.
    options : tuple of str
        Keys of the options, at least two and at most 200; empty for yes/no. For a number or a place: keys of
        its declared items, one per span or region of its disguise; may be empty.
    unrelated : tuple of int, ten-thousandths, each 1 to 9999
        Probabilities of the decoy answer: one of "yes" (yes/no), one per option that sum to 10,000
        (single), one of "ticked" per option (multi). Empty for a question of an open block, and for a
        number or a place.
    disguise : WindowChannel (number) or PlanarWindowChannel (place), optional
        Disguise of the answer; `privacy.scales.numeric_mechanisms.as_answered` for a number of an open block.
        None for the other kinds.
    shares : tuple of int, ten-thousandths, optional
        For a *question of arms*: a single choice of 2 to 6 options that a device draws for its respondent,
        each with at least 1,000; they sum to 10,000. Empty for a question that respondents answer.
    anchor : {"", "nobody", "everybody"}
        For whom it is true, if that is publicly known: an *anchor*, alone in a protected block, shows how
        people answer. Bounds on a respondent's secrets leave it out.

    Raises
    ------
    PrivacyError
        With codes ``bad_key``, ``kind``, ``too_few_options``, ``too_large``, ``duplicate_key``,
        ``unrelated_probability``, ``shares_sum``, ``disguise``, ``arms``, ``anchor``, ``malformed``.

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

    def __post_init__(self) -> None:
        validation.key(self.key, "question key")
        validation.one_of(self.kind, f"kind of {self.key}", allowed=KINDS, code="kind")
        options = tuple(
            validation.key(option, f"option of {self.key}")
            for option in validation.listed(self.options, f"options of {self.key}")
        )
        object.__setattr__(self, "options", options)
        if self.is_scale:
            self._check_disguise()
        else:
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
            for share in validation.listed(self.unrelated, f"unrelated probabilities of {self.key}")
        )
        object.__setattr__(self, "unrelated", shares)
        if shares:
            self._check_shares()
        object.__setattr__(self, "shares", validation.listed(self.shares, f"shares of {self.key}"))
        if self.shares:
            self._check_arms()
        validation.one_of(self.anchor, f"anchor of {self.key}", allowed=ANCHORS, code="anchor")

    def _check_disguise(self) -> None:
        if not isinstance(self.disguise, ScaleDisguise) or self.disguise.kind != self.kind:
            wanted = "WindowChannel" if self.kind == "number" else "PlanarWindowChannel"
            raise PrivacyError("disguise.kind", self.disguise, kind=self.kind, key=self.key, wanted=wanted)
        declared = self.disguise.n_declared
        if declared != len(self.options) or declared > MOST_OPTIONS:
            raise PrivacyError(
                "malformed.items",
                self.options,
                kind=self.kind,
                key=self.key,
                count=len(self.options),
                declared=declared,
                most=MOST_OPTIONS,
            )
        validation.distinct(self.options, f"item of {self.key}")
        if self.options and self.disguise.retention_probability is None:
            raise PrivacyError("disguise.items", self.disguise.mechanism, key=self.key)

    def _check_options(self) -> None:
        count = len(self.options)
        if self.disguise is not None:
            raise PrivacyError("disguise.own", self.disguise, key=self.key)
        if self.kind == "yes_no":
            if count:
                raise PrivacyError("malformed.yes_no", self.options, key=self.key)
            return
        if count < 2:
            raise PrivacyError("too_few_options", self.options, key=self.key, count=count)
        if count > MOST_OPTIONS:
            raise PrivacyError("too_large.options", count, key=self.key, most=MOST_OPTIONS)
        validation.distinct(self.options, f"option of {self.key}")

    def _check_shares(self) -> None:
        if self.is_scale:
            raise PrivacyError(
                "unrelated_probability.own_disguise", self.unrelated, kind=self.kind, key=self.key
            )
        if len(self.unrelated) != self.n_items:
            raise PrivacyError(
                "unrelated_probability.number",
                self.unrelated,
                key=self.key,
                count=len(self.unrelated),
                n_items=self.n_items,
            )
        if self.kind == "single" and sum(self.unrelated) != SCALE:
            raise PrivacyError(
                "shares_sum.decoys", self.unrelated, key=self.key, total=sum(self.unrelated), scale=SCALE
            )

    def _check_arms(self) -> None:
        if self.kind != "single" or self.unrelated:
            raise PrivacyError("arms.kind", self.kind, key=self.key)
        if len(self.options) > MOST_ARMS:
            raise PrivacyError("arms.options", len(self.options), key=self.key, most=MOST_ARMS)
        if len(self.shares) != len(self.options):
            raise PrivacyError("arms.number", len(self.shares), key=self.key, count=len(self.options))
        for share in self.shares:
            validation.whole_number(
                share, f"share of an arm of {self.key}", low=LEAST_ARM, high=SCALE - LEAST_ARM, code="arms"
            )
        if sum(self.shares) != SCALE:
            raise PrivacyError("arms.sum", sum(self.shares), key=self.key, scale=SCALE)

    @property
    def is_arm(self) -> bool:
        """Whether a device draws its answer: the arm of an experiment that its person is in."""
        return bool(self.shares)

    @property
    def is_scale(self) -> bool:
        """Whether it is a number or a place, which have a disguise and are alone in their block."""
        return self.kind in SCALE_KINDS

    @property
    def is_exclusive(self) -> bool:
        """Whether no two of its items can be true together."""
        return self.kind == "single" or self.is_scale

    @property
    def is_exhaustive(self) -> bool:
        """Whether every answer has one of its items at least."""
        return self.kind == "single"

    @property
    def n_items(self) -> int:
        """Number of items: 1 for yes/no, one per option else; numbers and places may have none."""
        return len(self.options) if self.is_scale else len(self.options) or 1

    @cached_property
    def decoy_shares(self) -> tuple[Fraction, ...]:
        """Probability of each item in a decoy; empty for a question of an open block."""
        if self.disguise is not None:
            has_decoys = self.options and not self.disguise.is_as_answered
            return self.disguise.decoy_shares if has_decoys else ()
        return tuple(Fraction(share, SCALE) for share in self.unrelated)

    @property
    def rarest_decoy(self) -> Fraction:
        """Probability of the least likely decoy answer of a protected question without its own disguise."""
        shares = self.decoy_shares
        if self.kind == "single":
            return min(shares)
        return math.prod((min(share, 1 - share) for share in shares), start=Fraction(1))

    @property
    def item_keys(self) -> tuple[str, ...]:
        """Keys of its items: the question's key, or ``question=option`` per option."""
        keys = tuple(f"{self.key}={option}" for option in self.options)
        return keys if self.is_scale else keys or (self.key,)

    @property
    def patterns(self) -> int:
        """Number of different answers."""
        if self.disguise is not None:
            return self.disguise.inputs
        return len(self.options) if self.kind == "single" else 1 << self.n_items

    @property
    def n_draws(self) -> int:
        """Number of draws of a decoy answer; words of the one draw of a number or a place without a skip."""
        if self.disguise is not None:
            return words_below(self.disguise.total)
        return len(self.options) if self.kind == "multi" else 1

    @cached_property
    def cumulative(self) -> tuple[int, ...]:
        """Running sums of the decoy shares of a single choice; the last one is 10,000."""
        return tuple(sum(self.unrelated[: end + 1]) for end in range(len(self.unrelated)))


ANCHOR_TEXTS: Final[Mapping[Anchor, Mapping[str, str]]] = {
    "nobody": {"en": "I was born on 30 February.", "zh-hans": "我出生在2月30日。"},
    "everybody": {"en": "I was born before today.", "zh-hans": "我出生在今天之前。"},
}
ANCHOR_TITLE: Final[Mapping[str, str]] = {
    "en": "A question that everybody knows the answer to",
    "zh-hans": "一个人人都知道答案的问题",
}


def anchor_key(true_of: Anchor) -> str:
    """Return the key of an anchor's question, and of its part.

    Parameters
    ----------
    true_of : {"nobody", "everybody"}

    Examples
    --------
    >>> anchor_key("nobody")
    'anchor-nobody'
    """
    return f"anchor-{true_of}"


def anchor_of(block: Mapping[str, Any]) -> Anchor:
    """Return of whom a part of a definition is true where everyone knows it; "" for any other part.

    Parameters
    ----------
    block : mapping
        As a definition file has it.

    Notes
    -----
    The question must have the key and the wording of a predefined anchor, in every language it is written in,
    and be alone in its block. With any other wording, title, help text or other texts, it is an ordinary
    question, whatever its key.

    Examples
    --------
    >>> question = {"key": "anchor-nobody", "kind": "yes_no", "text": {"en": "I was born on 30 February."}}
    >>> part = {"protected": True, "title": {"en": "A question that everybody knows the answer to"}}
    >>> anchor_of(part | {"questions": [question]})
    'nobody'
    >>> anchor_of(part | {"questions": [question | {"text": {"en": "Have you copied?"}}]})
    ''
    """
    match block:
        case {
            "protected": True,
            "title": title,
            "questions": [{"kind": "yes_no", "key": key, "text": text} as asked],
        }:
            if (
                block.get("help")
                or asked.get("help")
                or asked.get("wordings")
                or not _said(title, ANCHOR_TITLE)
            ):
                return ""
            fixed = ANCHOR_TEXTS.items()
            return next((own for own, said in fixed if key == anchor_key(own) and _said(text, said)), "")
    return ""


def anchor_chances(blocks: Sequence[Mapping[str, Any]], number: int) -> dict[str, Any] | None:
    """Return the probabilities of the part that an anchor checks, which are to be its own.

    Parameters
    ----------
    blocks : sequence of mapping
        Blocks of a definition file.
    number : int
        Number of the anchor.

    Returns
    -------
    dict or None
        ``truth_probability``, ``light`` and ``refusal``, each None if not stated, and ``unrelated`` if the
        block asks a question of the anchor's kind. They come from the nearest block before the anchor that
        has a coin and is not an anchor itself; None if there is no such block.

    Examples
    --------
    >>> part = {"protected": True, "truth_probability": 6000,
    ...         "questions": [{"kind": "yes_no", "unrelated": [4000]}]}
    >>> anchor_chances([part, {}], 1)
    {'truth_probability': 6000, 'light': None, 'refusal': None, 'unrelated': [4000]}
    """
    for block in reversed(blocks[:number]):
        has_coin = block["protected"] and "truth_probability" in block and "radius" not in block
        if has_coin and not anchor_of(block):
            alike = [question for question in block["questions"] if question["kind"] == "yes_no"]
            chances = {name: block.get(name) for name in ("truth_probability", "light", "refusal")}
            return chances | ({"unrelated": alike[0]["unrelated"]} if alike else {})
    return None


def _said(stated: object, text: Mapping[str, str]) -> bool:
    """Return whether a text equals a predefined one in each of its languages."""
    return isinstance(stated, dict) and bool(stated) and stated.items() <= text.items()


Light: TypeAlias = "int | Disguise"
"""A light strength: a truth probability in ten-thousandths, or another disguise of a number or a place."""


def checked_light(
    light: object,
    *,
    block: str,
    truth_probability: int,
    decoy_skip_probability: int | None,
    question: Question,
) -> Light:
    """Return the light strength of a protected block, normalised.

    Parameters
    ----------
    light : int or WindowChannel or PlanarWindowChannel
        What is stated.
    block : str
        Key of the block.
    truth_probability, decoy_skip_probability
        Of the block, ten-thousandths; None where it cannot be skipped.
    question : Question
        Its first one, which is the only one if it is a number or a place.

    Returns
    -------
    int or WindowChannel or PlanarWindowChannel

    Raises
    ------
    PrivacyError
        ``light``: the truth probability is not between the strong one and 10,000, or the disguise is not of
        the same kind, range or map and items, has no bound, or hides as much as the strong one.
        ``refusal_low``: "skipped" would reveal more than an answer does.

    Notes
    -----
    Decoys, items and the probability of "skipped" among decoys are the same for both strengths: a record that
    is a decoy looks alike in both groups, and z = ([match] - (1 - p_g) q) / p_g has one q.
    """
    strong = question.disguise
    if strong is None:
        return validation.whole_number(
            light,
            f"light truth probability of block {block}",
            low=truth_probability + 1,
            high=SCALE - 1,
            code="light",
        )
    if not isinstance(light, ScaleDisguise) or (light.kind, light.domain) != (strong.kind, strong.domain):
        raise PrivacyError("light.disguise", light, key=block)
    light = cast(Disguise, light)
    if light.amplification is None or strong.amplification is None:
        unbounded = light if light.amplification is None else strong
        raise PrivacyError("light.unbounded", unbounded.mechanism, key=block)
    if light.amplification <= strong.amplification:
        raise PrivacyError("light.weak", light.mechanism, key=block)
    if question.options and (
        light.retention_probability is None or light.decoy_shares != strong.decoy_shares
    ):
        raise PrivacyError("light.items", light.mechanism, key=block)
    if decoy_skip_probability is not None:
        Skipping(disguise=light, refusal=decoy_skip_probability)
    return light
