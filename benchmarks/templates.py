"""What asking each person some of the questions does to the templates: epsilon and errors, before and after.

Run ``python -m benchmarks.templates``; the table stands in ``docs/rotation.md``. Before, everybody was asked
all questions of a template, in three parts with a coin each: `BEFORE`. Errors are those of the planner: root
mean square errors of supports of one and of two items, both sizes alike, at uniform truth.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from privacy.coins import SCALE
from privacy.planning.part_variance import AskedPart, AskedQuestion, mean_variance
from privacy.planning.parts_in_turn import asked_part, mean_variance_of
from privacy.risk.budget import budget
from privacy.survey.balanced_booklets import balanced_booklets
from privacy.survey.block import Block
from privacy.survey.design import Design

__all__ = ["BEFORE", "SIZES", "TemplateLine", "least_designs", "lines", "table"]

N: Final = 1_000
SIZES: Final = (1, 2)

_CHOICE: Final = AskedQuestion(items=3, exclusive=True)
_YES_NO: Final = AskedQuestion()


def _part(truth: float, *kinds: AskedQuestion) -> AskedPart:
    return AskedPart(questions=len(kinds), truth=truth, kinds=kinds)


_THREE: Final = _part(0.44, _YES_NO, _YES_NO, _YES_NO)
_TICKS: Final = _part(0.44, AskedQuestion(items=3))
_LONE: Final = _part(0.55, _CHOICE)
_PAIR: Final = _part(0.5, _YES_NO, _YES_NO)

BEFORE: Final[dict[str, tuple[AskedPart, ...]]] = {
    "workplace": (_TICKS, _THREE, _PAIR),
    "integrity": (_THREE, _TICKS, _LONE),
    "health": (_THREE, _THREE, _LONE),
    "drugs": (_part(0.35, _CHOICE, _YES_NO, _YES_NO), _TICKS, _PAIR),
    "doping": (_THREE, _THREE, _LONE),
}
"""Parts of each template as they were; every one could be skipped, as likely as one pattern of answers."""


@dataclass(frozen=True, kw_only=True)
class TemplateLine:
    """One template before and after; `epsilons` of all protected parts, `errors` in [0, 1]."""

    name: str
    asked: int
    questions: int
    truth: float
    epsilons: tuple[float, float]
    variances: tuple[float, float]

    @property
    def errors(self) -> tuple[float, float]:
        """Root mean square errors for `N` people."""
        before, after = (math.sqrt(variance / N) for variance in self.variances)
        return before, after


def lines() -> list[TemplateLine]:
    """Return every template."""
    return [_line(name, _design(name)) for name in BEFORE]


def least_designs(name: str, design: Design) -> Iterator[Design]:
    """Give the rotating designs of a template's questions that are as precise as it was, with the least p.

    One for every number of questions a person, with the template's own list of sets, a balanced one, or all
    sets. Those are left out of which the checks have something to say, such as that too many people have a
    combination of their own, or that three questions are never asked together.
    """
    from surveys.questionnaire.checks.rotating import check_rotating

    *_, part = design.blocks
    before = mean_variance(BEFORE[name], SIZES)
    count = len(part.questions)
    for asked in range(max(SIZES), count):
        balanced = (balanced_booklets(count, asked, together=size) for size in (3, 2))
        listed = part.booklets if asked == part.most_asked else next(filter(None, balanced), None)
        block = replace(part, questions_per_person=asked, booklets=listed)
        # A skip as likely as one pattern of the answers that have most of them.
        block = replace(block, refusal=-(-SCALE // (asked_part(block).patterns + 1)))

        def with_truth(truth: int, block: Block = block) -> Design:
            return replace(design, blocks=(*design.blocks[:-1], replace(block, truth_probability=truth)))

        # More truth is never less precise: the least that is precise enough is found by halving.
        low, high = 0, SCALE - 1
        while high - low > 1:
            middle = (low + high) // 2
            precise = mean_variance_of(with_truth(middle), SIZES) <= before
            low, high = (low, middle) if precise else (middle, high)
        found = with_truth(high)
        if mean_variance_of(found, SIZES) <= before and not any(check_rotating(found, {})):
            yield found


def table() -> str:
    """Return the table of the documentation."""
    rows = [
        "| template | each person is asked | p | ε before | ε now | error before | error now | people |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for line in lines():
        before, after = line.errors
        rows.append(
            f"| {line.name} | {line.asked} of {line.questions} | {line.truth:.2%} | {line.epsilons[0]:.2f} | "
            f"{line.epsilons[1]:.2f} | {100 * before:.2f} | {100 * after:.2f} | {N:,} |"
        )
    return "\n".join(rows)


def _line(name: str, design: Design) -> TemplateLine:
    *_, part = design.blocks
    return TemplateLine(
        name=name,
        asked=part.most_asked,
        questions=len(part.questions),
        truth=float(part.truth),
        epsilons=(math.fsum(map(_epsilon, BEFORE[name])), budget(design).epsilon),
        variances=(mean_variance(BEFORE[name], SIZES), mean_variance_of(design, SIZES)),
    )


def _epsilon(part: AskedPart) -> float:
    """Return the epsilon of a part that can be skipped: with r = 1/(N + 1) all decoys are equally likely."""
    return math.log1p(part.truth / (1 - part.truth) * (part.patterns + 1))


def _design(name: str) -> Design:
    from surveys.questionnaire.catalogue import template_document
    from surveys.questionnaire.definition import definition_parse

    return definition_parse(template_document(name)).design


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "surveys.settings")
    django.setup()
    print(table())
