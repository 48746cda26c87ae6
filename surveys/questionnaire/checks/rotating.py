"""Warnings about parts that rotate: respondents singled out by their questions, and results they prevent."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final

from django.utils.translation import gettext as _

from privacy.planning.part_variance import SampledDesign
from privacy.policy import LEAST_COMPLETE_ROWS
from privacy.risk.budget import block_budget
from privacy.risk.open_answers import expected_own
from privacy.survey.design import Block, Design
from surveys.policy import MOST_OWN, UNIQUE_AMONG
from surveys.questionnaire.checks.ceilings import evenly_drawn
from surveys.questionnaire.checks.finding import Finding, Level

_SIZES: Final = (2, 3)
_NEAR: Final = 0.005
"""Difference in epsilon, which is shown with two digits."""

_MOST_COMPARED: Final = 60
"""Largest number of questions of a part whose precision is compared, as in the library."""


def check_rotating(design: Design, titles: Mapping[str, str], *, pairs: bool = True) -> Iterator[Finding]:
    """Yield warnings about a design that asks each person only some questions.

    Parameters
    ----------
    design : Design
    titles : mapping of str to str
    pairs : bool
        Whether any two questions may be wanted together; false if the aim states what is wanted.
    """
    if not design.rotates:
        return
    yield from _own(design)
    for number, block in enumerate(design.blocks):
        if block.is_rotating:
            title = titles.get(block.key) or block.key
            yield from _of_part(design, block, f"blocks[{number}]", title, pairs=pairs)
    for number, rotation in enumerate(design.rotations):
        yield from _of_rotation(design, rotation.blocks, f"rotations[{number}]", titles)


def _own(design: Design) -> Iterator[Finding]:
    share = expected_own(design, UNIQUE_AMONG)
    if share > MOST_OWN:
        yield _finding(
            "own_combination",
            "",
            _(
                "which questions somebody is asked is sent as it is: of %(n)s people about %(alone)s would "
                "have a combination of their own, of these questions and of open answers, and could be "
                "found by it"
            )
            % {"n": UNIQUE_AMONG, "alone": f"{share * UNIQUE_AMONG:.0f}"},
            _(
                "list fewer sets of questions, or ask fewer or coarser open questions: up to %(count)s "
                "combinations pass"
            )
            % {"count": _most_combinations()},
        )


def _most_combinations() -> int:
    """Return how many combinations leave few enough of `UNIQUE_AMONG` people alone: (1 - 1/C)^(n - 1) <=
    s."""
    return math.floor(1 / (1 - MOST_OWN ** (1 / (UNIQUE_AMONG - 1))))


def _of_part(design: Design, block: Block, path: str, title: str, *, pairs: bool) -> Iterator[Finding]:
    fields = {"part": title, "asked": block.most_asked, "count": len(block.questions)}
    yield from _unevenly_drawn(block, path, fields)
    yield from _no_gain(block, path, fields)
    yield from _unequal(block, path, fields)
    if pairs:
        yield from _together(design, block, path, fields)


def _unevenly_drawn(block: Block, path: str, named: Mapping[str, object]) -> Iterator[Finding]:
    epsilon, best = block_budget(block).epsilon, block_budget(evenly_drawn(block)).epsilon
    if epsilon > best + _NEAR:
        yield _finding(
            "rotating_decoys",
            path,
            _(
                "part “%(part)s” asks each person other questions, and does not draw all answers equally "
                "often: so it tells up to ε %(epsilon)s, and else ε %(best)s"
            )
            % {**named, "epsilon": f"{epsilon:.2f}", "best": f"{best:.2f}"},
            _("draw all of its answers equally often, or have a reason not to"),
        )


def _no_gain(block: Block, path: str, named: Mapping[str, object]) -> Iterator[Finding]:
    """Warn if asking each person all questions has the same epsilon and no larger errors."""
    count, per_person, epsilon = len(block.questions), block.most_asked, block_budget(block).epsilon
    plain = all(question.kind == "yes_no" for question in block.questions)
    if not plain or count > _MOST_COMPARED or not 0 < epsilon < math.inf:
        return
    sizes = range(1, min(2, per_person) + 1)
    some, whole = (
        SampledDesign(questions=count, asked=each, epsilon=epsilon).mean_variance(sizes)
        for each in (per_person, count)
    )
    if some >= whole:
        yield _finding(
            "rotating_no_gain",
            path,
            _(
                "part “%(part)s” asks each person %(asked)s of %(count)s questions: with the same ε "
                "%(epsilon)s figures are no less exact where everybody is asked all of them"
            )
            % {**named, "epsilon": f"{epsilon:.2f}"},
            _("ask everybody all of its questions, with a smaller p that keeps ε"),
        )


def _unequal(block: Block, path: str, named: Mapping[str, object]) -> Iterator[Finding]:
    every = Counter(itertools.chain.from_iterable(block.booklets or ()))
    # A question in every set is there on purpose.
    times = {position: count for position, count in every.items() if count < block.n_booklets}
    if len(set(times.values())) > 1:
        rarest, commonest = min(times, key=lambda at: times[at]), max(times, key=lambda at: times[at])
        yield _finding(
            "booklets_unbalanced",
            path,
            _(
                "the sets of part “%(part)s” do not ask all questions equally often: %(rarest)s stands in "
                "%(few)s of %(sets)s, %(commonest)s in %(many)s"
            )
            % {
                **named,
                "rarest": block.questions[rarest].key,
                "few": times[rarest],
                "sets": block.n_booklets,
                "commonest": block.questions[commonest].key,
                "many": times[commonest],
            },
            _("list sets in which each question stands equally often, or leave the list out"),
        )


def _together(design: Design, block: Block, path: str, named: Mapping[str, object]) -> Iterator[Finding]:
    """Return the shortest itemsets of a part that no device, or too few devices, ask together."""
    for size in _SIZES:
        if size > len(block.questions):
            return
        least, missing, total = _least_together(block, size)
        if missing:
            yield _never_together(size, missing, total, path, named)
            return
        first = design.first_questions[design.blocks.index(block)]
        # A rotation draws the part with the same probability whichever of its questions are asked.
        share = least * design.drawn_together([first]) / block.share_asked([0])
        if size == _SIZES[0] and share * UNIQUE_AMONG < LEAST_COMPLETE_ROWS:
            yield _finding(
                "few_together",
                path,
                _(
                    "of %(n)s people only about %(few)s are asked both of two questions of part “%(part)s”: "
                    "what is said of two together needs %(least)s such people"
                )
                % {
                    **named,
                    "n": UNIQUE_AMONG,
                    "few": f"{float(share * UNIQUE_AMONG):.0f}",
                    "least": LEAST_COMPLETE_ROWS,
                },
                _("ask each person more of these questions, or expect %(needed)s people or more")
                % {"needed": math.ceil(LEAST_COMPLETE_ROWS / share)},
            )
            return


def _least_together(block: Block, size: int) -> tuple[Fraction, int, int]:
    """Return the least share asked so many questions together; sets never asked, and all sets."""
    total = math.comb(len(block.questions), size)
    if block.booklets is None:
        share = block.share_asked(range(size))
        return share, 0 if share else total, total
    together = Counter(
        chosen for booklet in block.booklets for chosen in itertools.combinations(booklet, size)
    )
    missing = total - len(together)
    return Fraction(0 if missing else min(together.values()), block.n_booklets), missing, total


def _never_together(size: int, missing: int, total: int, path: str, named: Mapping[str, object]) -> Finding:
    message = (
        _(
            "nobody is asked both of %(missing)s of the %(total)s pairs of questions of part “%(part)s”: "
            "nothing can be learnt of whether these go together"
        )
        if size == 2
        else _(
            "nobody is asked all of %(missing)s of the %(total)s sets of three questions of part “%(part)s”: "
            "nothing can be learnt of all three"
        )
    )
    return _finding(
        "never_together",
        path,
        message % {**named, "missing": missing, "total": total},
        _("ask each person more of these questions, or list other sets of them"),
    )


def _of_rotation(
    design: Design, keys: tuple[str, ...], path: str, titles: Mapping[str, str]
) -> Iterator[Finding]:
    parts = {block.key: block for block in design.blocks}
    routed = [key for key in keys if parts[key].asked_if is not None]
    if routed:
        yield _finding(
            "rotation_routed",
            path,
            _(
                "of the parts that take turns, %(parts)s are asked of some people only: whoever draws one "
                "and is not asked it gets no other part instead"
            )
            % {"parts": ", ".join(f"“{titles.get(key) or key}”" for key in routed)},
            _("let only parts take turns that everybody can be asked, or expect fewer answers"),
        )


def _finding(code: str, path: str, message: str, remedy: str) -> Finding:
    return Finding(level=Level.WARN, code=code, path=path, message=message, remedy=remedy)
