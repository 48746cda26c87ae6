"""The design of a survey in a notebook, from its blocks and lines."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from mining.frames.answer_kinds import YES_NO, AnswerKind, Questions, option_names
from privacy import validation
from privacy.channels import Retention
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.library.designs import ResponseDesign, grouping, truthful
from privacy.library.probabilities import Probability, ten_thousandths
from privacy.survey.block import Block
from privacy.survey.design import Design
from privacy.survey.group_policy import GroupPolicy
from privacy.survey.question import KINDS, Question


def design_of(
    blocks: Any,
    *,
    p: Probability | Mapping[str, Probability] | None,
    theta: Any,
    light: Probability | Mapping[str, Probability] | None,
    skip: Mapping[str, Probability],
    questions_per_person: Mapping[str, int],
    open: Questions,
    direct: bool,
) -> tuple[Design, dict[str, str]]:
    """Return the design of a `mining.frames.survey.Survey`, and the names that differ from their keys.

    Parameters
    ----------
    blocks : mapping
        Block key -> questions.
    p, light : float, Fraction, Decimal, str, mapping or None
        Retention probability of the strong and of the light disguise, for all blocks or by block.
    theta : float, Fraction, Decimal, str or mapping
        Probability of a decoy's "yes", for all questions or by question.
    skip : mapping of str
        Probability that a decoy skips, by block.
    questions_per_person : mapping of str to int
        Number of questions that one device draws, by block.
    open : mapping
        Questions that are sent undisguised.
    direct : bool
        Whether one group answers directly.

    Raises
    ------
    PrivacyError
        ``blocks``: not a mapping from block to questions. ``ten_thousandths``, and the errors of a design.
    """
    if not isinstance(blocks, Mapping):
        is_list = not isinstance(blocks, str) and isinstance(blocks, Iterable)
        keys = [str(key) for key in blocks] if is_list else [str(blocks)]
        first = f'"{keys[0]}"' if keys else '"cheat"'
        raise PrivacyError("blocks.coins", blocks, together=", ".join(map(repr, keys)), first=first)
    for name, setting in (("skip", skip), ("questions_per_person", questions_per_person)):
        if not isinstance(setting, Mapping):
            raise PrivacyError("blocks.mapping", setting, name=name)
        _check_names(setting, blocks, name)
    given = {key: dict(_kinds(key, question_kinds)) for key, question_kinds in blocks.items()}
    theta = _theta_of_lines(theta, given)
    questions = {key: dict(_with_lines(question_kinds)) for key, question_kinds in given.items()}
    validation.visibly_distinct(blocks, "block")
    validation.visibly_distinct((key for own in given.values() for key in own), "question key")
    for probabilities, name in ((p, "p"), (light, "light")):
        _check_names(probabilities, blocks, name)
    _check_names(theta, {key for question_kinds in questions.values() for key in question_kinds}, "theta")
    result, names = (
        [],
        _Names([*questions, *(name for question_kinds in questions.values() for name in question_kinds)]),
    )
    for key, question_kinds in questions.items():
        is_scale = any(kind.disguise is not None for kind in question_kinds.values())
        decoys = {question: _decoys(question, kind, theta) for question, kind in question_kinds.items()}
        result.append(
            Block(
                key=names.key("b", key),
                protected=True,
                truth_probability=0 if is_scale else ten_thousandths(_of(p, key, "p"), f"p of block {key}"),
                refusal=ten_thousandths(skip[key], f"skip of block {key}") if key in skip else None,
                questions=tuple(
                    names.question(name, kind, decoys[name]) for name, kind in question_kinds.items()
                ),
                light=None if light is None else ten_thousandths(_of(light, key, "light"), f"light of {key}"),
                questions_per_person=questions_per_person.get(key),
            )
        )
    result[:0] = _open_blocks(dict(_with_lines(dict(_kinds("open", open)))), names)
    policy = GroupPolicy(policy="choice") if direct or light is not None else GroupPolicy()
    return Design(blocks=tuple(result), group=policy, use="live"), names.names


class _Names:
    """Keys for names that are invalid as keys because of blanks, other scripts, or length."""

    def __init__(self, initial: Iterable[str]) -> None:
        self.names: dict[str, str] = {}
        self._names = {name for name in initial if isinstance(name, str)}

    def key(self, letter: str, name: str) -> str:
        """Return a name that is a valid key, or a new key from this letter and a number."""
        try:
            return validation.key(name, "name", code="blocks")
        except PrivacyError:
            if not isinstance(name, str) or not name.strip():
                raise
        for key, full_name in self.names.items():
            if full_name == name:
                return key
        plain = name.replace("=", "_")
        candidates = itertools.chain([plain], (f"{letter}{number}" for number in itertools.count(1)))
        key = next(each for each in candidates if _is_key(each) and each not in self._names)
        self._names.add(key)
        self.names[key] = name
        return key

    def question(self, name: str, kind: AnswerKind, decoys: tuple[int, ...]) -> Question:
        """Return a question, with keys for its options too."""
        key, option_names = self.key("q", name), _Names(kind.options)
        self.names |= {part: line_name(form, part) for form, own in kind.forms for part in own}
        plain = kind.disguise is not None or kind.computed is not None
        options = tuple(option if plain else option_names.key("o", option) for option in kind.options)
        for new, option in zip(options, kind.options, strict=True):
            if not plain and (key, new) != (name, option):
                self.names[f"{key}={new}"] = f"{name}={option}"
        return Question(
            key=key,
            kind=kind.kind,
            options=options,
            unrelated=decoys,
            disguise=kind.disguise,
            computed=kind.computed,
        )


def _is_key(name: str) -> bool:
    try:
        validation.key(name, "name")
    except PrivacyError:
        return False
    return True


def _with_lines(kinds: Mapping[str, AnswerKind]) -> Iterator[tuple[str, AnswerKind]]:
    """Yield questions by name; a question with any number of options is a yes/no question for each."""
    for name, kind in kinds.items():
        if not KINDS[kind.kind].is_several:
            yield name, kind
            continue
        if not kind.options:
            raise PrivacyError("too_few_options", kind.options, key=name, count=0)
        validation.distinct(kind.options, f"option of {name}")
        yield from ((line_name(name, option), YES_NO) for option in kind.options)


def line_name(name: str, option: str) -> str:
    """Return the name of the column and the item of an option of `any_of`.

    Parameters
    ----------
    name : str
        Name of the question.
    option : str
        One of its options.

    Examples
    --------
    >>> line_name("perks", "car")
    'perks=car'
    """
    return f"{name}={option}"


def _theta_of_lines(theta: Any, given: Mapping[str, Mapping[str, AnswerKind]]) -> Any:
    """Return the probabilities of decoys by question, with those of each option of `any_of` by line."""
    if not isinstance(theta, Mapping):
        return theta
    result = dict(theta)
    for own in given.values():
        for name, kind in own.items():
            if KINDS[kind.kind].is_several and name in theta:
                value = result.pop(name)
                if isinstance(value, Mapping):
                    _check_names(value, kind.options, f"theta of {name}")
                result |= {
                    line_name(name, option): _of(value, option, "theta")
                    if isinstance(value, Mapping)
                    else value
                    for option in kind.options
                }
    return result


def _open_blocks(kinds: Mapping[str, AnswerKind], names: _Names) -> list[Block]:
    """Return the blocks of the undisguised questions; each number has a block of its own."""
    together: dict[str, tuple[Question, ...]] = {}
    for name, kind in kinds.items():
        key = "open" if kind.disguise is None else names.key("q", name)
        together[key] = (*together.get(key, ()), names.question(name, kind, ()))
    return [
        Block(key=key, protected=False, truth_probability=SCALE, questions=questions)
        for key, questions in together.items()
    ]


def _check_names(values: object, choices: Iterable[str], name: str) -> None:
    names = list(choices)
    for key in values if isinstance(values, Mapping) else ():
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


def _of(values: Any, key: str, name: str) -> Any:
    value = values.get(key) if isinstance(values, Mapping) else values
    if value is None:
        raise PrivacyError("blocks.chance", None, key=key, name=name)
    return value


def _decoys(key: str, kind: AnswerKind, theta: Any) -> tuple[int, ...]:
    """Return a question's decoy probabilities; by default, a single choice has them as equal as possible."""
    if kind.disguise is not None:
        return ()
    decoy_theta = _of(theta, key, "theta") if isinstance(theta, Mapping) and key in theta else theta
    if isinstance(decoy_theta, Mapping) and decoy_theta is not theta:
        _check_names(decoy_theta, kind.options, f"theta of {key}")
        return tuple(_decoy(_of(decoy_theta, option, "theta"), option) for option in kind.options)
    if KINDS[kind.kind].is_exhaustive and kind.options:
        return KINDS[kind.kind].uniform_shares(len(kind.options))
    if isinstance(decoy_theta, Mapping):
        raise PrivacyError("blocks.chance", None, key=key, name="theta")
    return (_decoy(decoy_theta, key),) * (len(kind.options) or 1)


def _decoy(theta: Any, key: str) -> int:
    """Return the probability of a random "yes" in ten-thousandths; refuse 0 and 1."""
    probability = ten_thousandths(theta, f"theta of {key}")
    if not 0 < probability < SCALE:
        raise PrivacyError("blocks.decoy", theta, key=key)
    return probability


def column_designs(design: Design, names: Mapping[str, str]) -> dict[Hashable, ResponseDesign]:
    """Return the design of each yes/no question and single choice, in the form that `privacy.crosstab` needs.

    Parameters
    ----------
    design : Design
    names : mapping of str to str
        Key -> name, if they differ.

    Raises
    ------
    PrivacyError
        ``designs.survey``: a block may be skipped, questions are drawn, or some people answer directly.
    """
    if (
        design.rotates
        or design.in_group(direct=True) is not None
        or any(block.refusal is not None for block in design.blocks)
    ):
        raise PrivacyError("designs.survey", design.design_id)
    return {
        names.get(question.key, question.key): _column_design(block, question, names)
        for block in design.blocks
        for question in block.questions
        if not block.protected or question.is_categorical
    }


def _column_design(block: Block, question: Question, names: Mapping[str, str]) -> ResponseDesign:
    if not block.protected:
        return truthful()
    shares = tuple(Fraction(share, SCALE) for share in question.unrelated)
    if question.is_binary:
        return grouping(block.truth, shares[0], block=block.key)
    answers = tuple(option_names(question, names))
    return ResponseDesign(
        name="one_of",
        parameters=(("p", block.truth),),
        retention=Retention(retention_probability=block.truth, unrelated=shares),
        values=answers,
        reports=answers,
        shared_coin=True,
        block=block.key,
    )
