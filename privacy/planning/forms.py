"""Other forms of a design's questions that cost less of its protection: which can be proposed, by name.

Surveys apply them to documents, with texts; `privacy.planning.design_forms` applies them to designs.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from privacy.planning.each_form import EACH_FORM, forms_of
from privacy.planning.plan import movable_blocks
from privacy.planning.use import Goal, strong
from privacy.survey.block import Block
from privacy.survey.design import Design, Question

NUMBER_LEVELS: Final = 3
"""Levels of a number that is asked as a choice."""

_MOST_MOVED: Final = 4
"""Most questions between two protected ones that one change moves."""

Stems = Mapping[str, str]
"""By question, the key of the list of which it is a line; empty, or without a key, if it is in no list."""


@dataclass(frozen=True, kw_only=True)
class FormChange:
    """A change to the form of one question.

    Attributes
    ----------
    kind : {"levels", "merge", "one_option", "lines", "one_answer", "each_form", "leave_out", "after", \
"open_filter"}
        Ask a number as three levels; merge neighbouring answers of a choice; ask a choice as one yes/no
        question about one of its answers, or as a list with a yes/no question for each answer; send a
        list as one answer, *at least one of these*; send each form of such an answer as one answer; leave the
        question out; ask it after another one; store the filter of a composite question as answered (only on
        the plan page).
    key : str
        The question; of a list, its stem.
    options : tuple of str
        The answers to merge, or the answer to ask about. Of another order: the question after which this one
        is asked, followed by questions that move along.

    Examples
    --------
    >>> change = FormChange(kind="merge", key="age", options=("60", "70"))
    >>> change.code
    'merge,age,60,70'
    >>> FormChange.of_code("merge,age,60,70") == change
    True
    """

    kind: str
    key: str
    options: tuple[str, ...] = ()

    @property
    def code(self) -> str:
        """The change as text; keys contain no comma."""
        return ",".join((self.kind, self.key, *self.options))

    @classmethod
    def of_code(cls, text: str) -> FormChange:
        """Return the change from its text."""
        kind, key, *options = [*text.split(","), "", ""][: max(2, text.count(",") + 1)]
        return cls(kind=kind, key=key, options=tuple(options))


def merged_key(first: str) -> str:
    """Return the key of merged answers.

    Parameters
    ----------
    first : str
        Key of the first of them.
    """
    return f"{first[:63]}+"


def joined(forms: Sequence[FormChange]) -> tuple[FormChange, ...]:
    """Return the same changes, with those that merge answers which were merged before as one.

    Parameters
    ----------
    forms : sequence of FormChange

    Examples
    --------
    >>> codes = "merge,often,o6,o7", "leave_out,q", "merge,often,o5,o6+"
    >>> [form.code for form in joined([FormChange.of_code(code) for code in codes])]
    ['merge,often,o5,o6,o7', 'leave_out,q']

    Two pairs that are merged with each other:

    >>> codes = "merge,often,o1,o2", "merge,often,o3,o4", "merge,often,o1+,o3+"
    >>> [form.code for form in joined([FormChange.of_code(code) for code in codes])]
    ['merge,often,o1,o2,o3,o4']
    """
    result: list[FormChange] = []
    # By question and key of merged answers: the change in `result` that merges them.
    merges: dict[tuple[str, str], FormChange] = {}
    for form in forms:
        if form.kind != "merge":
            result.append(form)
            continue
        earlier = [merges.pop((form.key, option), None) for option in form.options]
        options = [
            each.options if each else (option,) for option, each in zip(form.options, earlier, strict=True)
        ]
        whole = replace(form, options=tuple(itertools.chain.from_iterable(options)))
        inside = [each for each in earlier if each]
        place = min((result.index(each) for each in inside), default=len(result))
        result.insert(place, whole)
        result = [each for each in result if each not in inside]
        merges[form.key, merged_key(form.options[0])] = whole
    return tuple(result)


def forms_of_design(
    design: Design,
    aim: Goal,
    *,
    stems: Stems,
    named: Collection[str] = (),
    complete: Collection[str] = (),
    apart: Collection[str] = (),
    opposed: Collection[frozenset[str]] = (),
) -> Iterator[FormChange]:
    """Yield the changes that can be proposed for the protected questions of a design.

    Parameters
    ----------
    design : Design
    aim : Goal
        A starred question is never left out, and a starred number stays a number.
    stems : mapping of str to str
        By question, the list of which it is a line; by component, the list or heading under which it was
        asked.
    named : collection of str, optional
        Questions whose answers something else names, so that they keep them.
    complete : collection of str, optional
        Lists of which one line is true of everyone, because they were a choice: *at least one* says nothing.
    apart : collection of str, optional
        Items ("question=option") that give no answer, such as *Don't know*: merged with an answer, they would
        leave a share of something that no one asked about.
    opposed : collection of frozenset of str, optional
        Pairs of items that say the opposite of each other, such as *Yes* and *No*; they are never merged.

    Notes
    -----
    Neighbouring answers are merged, because many lists are ordered: those with the smallest expected share
    together. Answers that give none are only merged with each other, and at least two others are left;
    otherwise the question would ask nothing. Changes of order come last. Each form of
    a union is only offered if the union has no star, or the only one: the link with *at least one form*
    cannot be planned.
    """
    stars = {key.partition("=")[0]: key for key in aim.wanted}
    questions = [
        question
        for block in design.blocks
        if block.protected and not block.is_anchor
        for question in block.questions
    ]
    lists = Counter(stems.get(question.key, "") for question in questions)
    starred_lists = {stems.get(key, "") for key in stars}
    yield from (
        FormChange(kind="one_answer", key=stem)
        for stem, count in lists.items()
        if stem and count > 1 and stem not in starred_lists and stem not in complete
    )
    for question in questions:
        key = question.key
        if question.computed is None:
            yield from _forms_of(
                question, aim, stars.get(key, ""), is_named=key in named, apart=apart, opposed=opposed
            )
        elif (key not in stars or len(stars) == 1) and forms_of(question.computed, stems):
            yield FormChange(kind=EACH_FORM, key=key)
        if key not in stars:
            yield FormChange(kind="leave_out", key=key)
    for key, others in possible_orders(design, aim, stems):
        yield FormChange(kind="after", key=key, options=others)


def _forms_of(
    question: Question,
    aim: Goal,
    star: str,
    *,
    is_named: bool,
    apart: Collection[str],
    opposed: Collection[frozenset[str]],
) -> Iterator[FormChange]:
    if not star and question.level_ends(NUMBER_LEVELS):
        yield FormChange(kind="levels", key=question.key)
    if not question.is_exhaustive or is_named or len(question.options) <= 2:
        return
    shares = dict(zip(question.options, aim.shares_of(question), strict=True))
    starred = star.partition("=")[2]
    gives_none = {option: f"{question.key}={option}" in apart for option in question.options}
    given = sum(not is_none for is_none in gives_none.values())
    pairs = [
        pair
        for pair in itertools.pairwise(question.options)
        # The key of the merged answers must be new (`joined`).
        if starred not in pair
        and merged_key(pair[0]) not in question.options
        and gives_none[pair[0]] == gives_none[pair[1]]
        and (gives_none[pair[0]] or given > 2)
        and frozenset(f"{question.key}={option}" for option in pair) not in opposed
    ]
    if pairs:
        # The last of equally rare pairs: the end of an ordered list.
        rarest = min(reversed(pairs), key=lambda pair: shares[pair[0]] + shares[pair[1]])
        yield FormChange(kind="merge", key=question.key, options=rarest)
    if starred:
        yield FormChange(kind="one_option", key=question.key, options=(starred,))
    else:
        yield FormChange(kind="lines", key=question.key)


Order = tuple[str, tuple[str, ...]]
"""The first question to move; and the question after which it is asked, then others that move along."""


def possible_orders(design: Design, aim: Goal, stems: Stems) -> Iterator[Order]:
    """Yield moves of questions that let protected questions, or the starred ones, share a part.

    Parameters
    ----------
    design : Design
    aim : Goal
        Its stars are moved next to each other, or to the end of the protected questions around them.
    stems : mapping of str to str
        By question, the list of which it is a line.

    Notes
    -----
    Lines of a list stay together, and questions that a condition depends on stay before it; the draft refuses
    other moves.
    """
    for moved, last in questions_between(design):
        yield moved[0], (last, *moved[1:])
    groups = _groups(strong(design))
    stars = {key.partition("=")[0] for key in aim.wanted}
    runs = [
        [question.key for block in blocks for question in block.questions]
        for is_between, blocks in groups
        if not is_between
    ]
    order = [key for keys in runs for key in keys]
    starred = [key for key in order if key in stars and not stems.get(key)]
    if len(starred) == len(stars) == 2:
        yield from _next_to_each_other(order, (starred[0], starred[1]), stems)
    if len(starred) == len(stars):
        for keys in runs:
            inside = [key for key in keys if key in starred]
            first = keys.index(inside[0]) if inside else 0
            if first and keys[-1] not in stars and keys[first : first + len(inside)] == inside:
                yield inside[0], (keys[-1], *inside[1:])


def questions_between(design: Design) -> Iterator[tuple[list[str], str]]:
    """Yield neighbouring questions between protected ones, which so cannot share a part.

    Parameters
    ----------
    design : Design

    Yields
    ------
    list of str, str
        The questions, and the last protected one after them; without questions that cannot move.
    """
    groups = _groups(strong(design))
    for (is_first_between, _first), (_is_between, moved), (_is_last_between, run) in zip(
        groups, groups[1:], groups[2:], strict=False
    ):
        if not is_first_between and _can_move(moved):
            yield [question.key for block in moved for question in block.questions], run[-1].questions[-1].key


def _groups(design: Design) -> list[tuple[bool, list[Block]]]:
    """Return the neighbouring blocks that are laid out, and those between them (true)."""
    movable = {block.key for block in movable_blocks(design)}
    return [
        (is_between, list(blocks))
        for is_between, blocks in itertools.groupby(design.blocks, key=lambda block: block.key not in movable)
    ]


def _can_move(blocks: Sequence[Block]) -> bool:
    count = sum(len(block.questions) for block in blocks)
    return count <= _MOST_MOVED and not any(
        block.asked_if or block.is_anchor or any(question.is_arm for question in block.questions)
        for block in blocks
    )


def _next_to_each_other(order: Sequence[str], pair: tuple[str, str], stems: Stems) -> Iterator[Order]:
    """Yield the later question right after the earlier one, and the earlier one right before the later."""
    first, second = (order.index(key) for key in pair)
    if second == first + 1:
        return
    yield pair[1], (pair[0],)
    before = order[second - 1]
    if not stems.get(before):
        yield pair[0], (before,)
