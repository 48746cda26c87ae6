"""Generate the golden vectors of arm questions, for Python and JavaScript.

`python -m tests.vectors` writes arms.json next to this file. Cases are as in rotation.json. The words under
"arming" come first, from a separate fill, and determine "arms", the option of each arm question. If an
invitation decides something, "code" is the invitation's code and "invited" its number in the survey
"experiment".
"""

from collections.abc import Iterator
from functools import partial
from itertools import accumulate, islice
from typing import Any

from privacy.coins import LIMIT, Coins
from privacy.survey.arms import draw_arms, invited_draw
from privacy.survey.design import Design
from privacy.survey.drawn_questions import draw_questions
from surveys.intake.codes import code_new, receipt_key
from tests.vectors import make_vectors
from tests.vectors.arm_designs import DESIGNS
from tests.vectors.make_rotation_vectors import LONG_ENOUGH, some_answers
from tests.vectors.make_vectors import with_sizes
from tests.vectors.words import stream, word_of

RANDOM_CASES_PER_DESIGN = 12
SURVEY = "experiment"


def case(name: str, design: Design, label: str, arming: list[int]) -> dict[str, Any]:
    """Return one case: the arms drawn from these words, and answers disguised with the label's words."""
    first, given = Coins(arming), invitation(design, label)
    arms = draw_arms(design, first, place=given.get("invited"))
    drawing, words = (list(islice(stream(f"{label}/{kind}"), LONG_ENOUGH)) for kind in ("drawing", "words"))
    turning = Coins(drawing)
    drawn = draw_questions(design, turning)
    told = {design.questions[number].key: arm for number, arm in zip(design.arms, arms, strict=True)}
    answers_of = partial(some_answers, drawn=drawn, told=told)
    made = make_vectors.case(
        name, design, label, words, answers_of, drawn=drawn, invited=given.get("invited")
    )
    return {
        "design": name,
        "arming": arming[: first.words_read],
        "arms": list(arms),
        **given,
        "drawing": drawing[: turning.words_read],
        "drawn": drawn,
    } | make_vectors.cut(made)


def invitation(design: Design, label: str) -> dict[str, Any]:
    """Return a code and its number, if invitations decide something."""
    if not design.invited:
        return {}
    code = code_new(partial(lambda words, below: next(words) % below, stream(f"{label}/code")))
    digest = receipt_key(code, survey=SURVEY)
    return {"code": code, "invited": invited_draw(digest, survey=SURVEY, decision=design.invited)}


def edge_cases(name: str, design: Design) -> Iterator[dict[str, Any]]:
    """Yield cases on and just below each running sum of the shares, and one with rejected words."""
    for place, number in enumerate(design.arms):
        edges = {0, *accumulate(design.questions[number].shares)}
        for value in sorted({value for edge in edges for value in (edge - 1, edge) if 0 <= value < 10_000}):
            label = f"{name}/arm/{place}/{value}"
            arming = [word_of(9999, f"{label}/{other}") for other in range(len(design.arms))]
            arming[place] = value
            yield case(name, design, label, arming)
    thrown = [LIMIT, 2**32 - 1] * len(design.arms)
    yield case(name, design, f"{name}/thrown", [*thrown, *range(len(design.arms))])


def random_cases(name: str, design: Design) -> Iterator[dict[str, Any]]:
    """Yield cases with arbitrary words."""
    for number in range(RANDOM_CASES_PER_DESIGN):
        label = f"{name}/random/{number}"
        yield case(name, design, label, list(islice(stream(f"{label}/arming"), LONG_ENOUGH)))


def arm_vectors() -> dict[str, Any]:
    """Return the content of arms.json."""
    cases = [
        entry
        for name, design in DESIGNS.items()
        for make in (edge_cases, random_cases)
        for entry in make(name, design)
    ]
    return with_sizes(DESIGNS, cases)


FILES = {"arms.json": arm_vectors}
