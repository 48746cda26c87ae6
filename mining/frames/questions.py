"""Blocks of questions as a person writes them in a notebook, turned into a design."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.library.response_design import Chance, exact, written
from privacy.scales.number_specification import stated_number
from privacy.survey.block import Block
from privacy.survey.condition import GroupPolicy
from privacy.survey.design import Design
from privacy.survey.question import Kind, Question

__all__ = ["AnswerKind", "Questions", "any_of", "design_of", "number", "one_of", "ten_thousandths"]


@dataclass(frozen=True, kw_only=True)
class AnswerKind:
    """What can be answered to a question: one of some options, any of them, or a number; else yes or no."""

    kind: Kind
    options: tuple[str, ...] = ()
    disguise: Any = None


YES_NO = AnswerKind(kind="yes_no")

Questions: TypeAlias = Iterable[str] | Mapping[str, AnswerKind | None] | AnswerKind
"""Keys of yes/no questions; or key -> kind, None for yes/no; or one number, which has the block's key."""


def one_of(*options: str) -> AnswerKind:
    """State a question with exactly one of some options as its answer.

    Parameters
    ----------
    *options : str
        Keys, each once.

    Examples
    --------
    >>> one_of("work", "home").options
    ('work', 'home')
    """
    return AnswerKind(kind="single", options=options)


def any_of(*options: str) -> AnswerKind:
    """State a question with any number of some options as its answer; a column per option, "key=option".

    Parameters
    ----------
    *options : str
        Keys, each once.
    """
    return AnswerKind(kind="multi", options=options)


def number(*, low: Any, high: Any, epsilon: float | None = None, bin: Any = 1, **stated: Any) -> AnswerKind:
    """State a question for a number; its column holds the number of what was sent.

    Parameters
    ----------
    low, high, bin : number
        Smallest and largest answer, and the width of a bin.
    epsilon : float, optional
        None for a number that is stored as answered, among the open questions; then the column holds the
        number of the bin.
    **stated : object
        ``mechanism`` ("hybrid" if left out, which is good for means), and what else
        `privacy.scales.number_specification.stated_number` takes.

    Examples
    --------
    >>> number(low=0, high=79, bin=10, epsilon=2).disguise.inputs
    8
    >>> number(low=0, high=24).disguise.mechanism
    'as_answered'
    """
    disguise = {} if epsilon is None else {"mechanism": "hybrid", "epsilon": epsilon}
    question = stated_number({**disguise, "low": low, "high": high, "bin": bin, **stated})
    return AnswerKind(kind="number", options=question.options, disguise=question.disguise)


def ten_thousandths(value: Chance, name: str) -> int:
    """Return a chance in ten-thousandths, the unit that devices draw in.

    Parameters
    ----------
    value : float, Fraction, Decimal or str
        A chance in [0, 1].
    name : str
        What it is called in a refusal.

    Raises
    ------
    PrivacyError
        ``ten_thousandths``: it is no whole number of them. ``chance``.

    Examples
    --------
    >>> ten_thousandths(.35, "p"), ten_thousandths("1/4", "p")
    (3500, 2500)
    """
    share = exact(value, name)
    below = math.floor(share * SCALE)
    if below != share * SCALE:
        ends = (below / SCALE, (below + 1) / SCALE)
        raise PrivacyError("ten_thousandths", written(share), name=name, below=ends[0], above=ends[1])
    return below


def design_of(
    blocks: Any,
    *,
    p: Chance | Mapping[str, Chance] | None,
    theta: Any,
    light: Chance | Mapping[str, Chance] | None,
    skip: Mapping[str, Chance],
    questions_per_person: Mapping[str, int],
    open: Questions,
    direct: bool,
) -> Design:
    """Return the design that `mining.frames.survey.Survey` was given.

    Parameters
    ----------
    blocks : mapping
        From a block's key to its questions.
    p, light : float, Fraction, Decimal, str, mapping or None
        Retention probability of the strong and of the light disguise: of all blocks, or by block.
    theta : float, Fraction, Decimal, str or mapping
        Chance of a decoy's "yes": of all questions, or by question.
    skip : mapping of str
        Chance that a decoy skips, by block.
    questions_per_person : mapping of str to int
        How many questions of a block one device draws.
    open : mapping
        Questions that are sent as they are.
    direct : bool
        Whether one group answers directly.

    Raises
    ------
    PrivacyError
        ``blocks``: no mapping from block to questions. ``ten_thousandths``, and what a design refuses.
    """
    if not isinstance(blocks, Mapping):
        listed = not isinstance(blocks, str) and isinstance(blocks, Iterable)
        keys = [str(key) for key in blocks] if listed else [str(blocks)]
        first = f'"{keys[0]}"' if keys else '"cheat"'
        raise PrivacyError("blocks.coins", blocks, together=", ".join(map(repr, keys)), first=first)
    for name, stated in (("skip", skip), ("questions_per_person", questions_per_person)):
        _check_names(stated, blocks, name)
    questions = {key: dict(_kinds(key, own)) for key, own in blocks.items()}
    for chances, name in ((p, "p"), (light, "light")):
        _check_names(chances, blocks, name)
    _check_names(theta, {key for own in questions.values() for key in own}, "theta")
    made = []
    for key, own in questions.items():
        is_scale = any(kind.kind == "number" for kind in own.values())
        decoys = {question: _decoys(question, kind, theta) for question, kind in own.items()}
        made.append(
            Block(
                key=key,
                protected=True,
                truth_probability=0 if is_scale else ten_thousandths(_of(p, key, "p"), f"p of block {key}"),
                refusal=ten_thousandths(skip[key], f"skip of block {key}") if key in skip else None,
                asked_if=None,
                questions=tuple(_question(name, kind, decoys[name]) for name, kind in own.items()),
                light=None if light is None else ten_thousandths(_of(light, key, "light"), f"light of {key}"),
                questions_per_person=questions_per_person.get(key),
            )
        )
    made[:0] = _open_blocks(dict(_kinds("open", open)))
    policy = GroupPolicy(policy="choice") if direct or light is not None else GroupPolicy()
    return Design(blocks=tuple(made), group=policy, use="live")


def _open_blocks(kinds: Mapping[str, AnswerKind]) -> list[Block]:
    """Return the blocks of the questions that are sent as they are: a number has one of its own."""
    together: dict[str, tuple[Question, ...]] = {}
    for name, kind in kinds.items():
        key = name if kind.kind == "number" else "open"
        together[key] = (*together.get(key, ()), _question(name, kind, ()))
    return [
        Block(key=key, protected=False, truth_probability=SCALE, refusal=None, asked_if=None, questions=own)
        for key, own in together.items()
    ]


def _check_names(stated: object, known: Iterable[str], name: str) -> None:
    names = list(known)
    for key in stated if isinstance(stated, Mapping) else ():
        if key not in names:
            raise PrivacyError("blocks.name", key, name=name, names=", ".join(names))


def _kinds(block: str, questions: Questions) -> Iterator[tuple[str, AnswerKind]]:
    """Yield the questions of a block, by key."""
    if isinstance(questions, AnswerKind):
        yield block, questions
        return
    if isinstance(questions, str) or not isinstance(questions, Iterable):
        raise PrivacyError("blocks.questions", questions, block=block)
    kinds = questions.items() if isinstance(questions, Mapping) else ((key, None) for key in questions)
    for key, kind in kinds:
        if kind is not None and not isinstance(kind, AnswerKind):
            raise PrivacyError("blocks.kind", kind, key=key)
        yield key, kind or YES_NO


def _of(stated: Any, key: str, name: str) -> Any:
    own = stated.get(key) if isinstance(stated, Mapping) else stated
    if own is None:
        raise PrivacyError("blocks.chance", None, key=key, name=name)
    return own


def _decoys(key: str, kind: AnswerKind, theta: Any) -> tuple[int, ...]:
    """Return the decoy chances of a question; of a single choice alike, as nearly as ten-thousandths are."""
    if kind.kind == "number":
        return ()
    own = _of(theta, key, "theta") if isinstance(theta, Mapping) and key in theta else theta
    if isinstance(own, Mapping) and own is not theta:
        _check_names(own, kind.options, f"theta of {key}")
        return tuple(
            ten_thousandths(_of(own, option, "theta"), f"theta of {option}") for option in kind.options
        )
    if kind.kind == "single":
        count = len(kind.options)
        return tuple(SCALE // count + (option < SCALE % count) for option in range(count))
    if isinstance(own, Mapping):
        raise PrivacyError("blocks.chance", None, key=key, name="theta")
    return (ten_thousandths(own, f"theta of {key}"),) * (len(kind.options) or 1)


def _question(key: str, kind: AnswerKind, decoys: tuple[int, ...]) -> Question:
    return Question(key=key, kind=kind.kind, options=kind.options, unrelated=decoys, disguise=kind.disguise)
