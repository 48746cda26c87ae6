"""Generate the golden vectors of composite questions, for Python and JavaScript.

`python -m tests.vectors` writes two files next to this one.

composites.json: under "designs" whole designs, under "ids" their digests. Each case has its design, the key
of the composite question, the answers to the components ("answers": 0 or 1, the position of an option, a 0 or
1 per option, or a number; null or absent for a gap), the options chosen in open questions ("open": keys of
options, null for an empty answer), and what the device computes: "asked", the keys of the components that it
shows; "sum", null for a skip; "value", the answer that is disguised (as in disguise.json: 0 or 1, the
position of an option, the number of a bin), null for a skip. Each entry of "people" has a design with several
composite questions in one block, the answers to components and open questions by block ("answers", as a page
holds them: a shared filter once), the positions of the drawn questions by block ("drawn"), and the answers
that are disguised ("computed"). "filter_odds" has, by design, the odds of a shared filter that its promise
states, as a fraction.

random-composites.json: under "rules" 500 arbitrary members `computed`, by number; in its cases "answer" is
the key of the level's option, null for a skip.
"""

import itertools
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from privacy.risk.filter_odds import filter_odds
from privacy.survey import composite_json
from privacy.survey.component import Component, Given
from privacy.survey.composite import Composite
from privacy.survey.computed_answers import with_computed
from privacy.survey.design import Design, Question
from tests.fixtures.random_composites import random_answers, random_chosen, random_composite, random_given
from tests.vectors.composite_designs import DESIGNS, TOGETHER

SEED = 84
RULES = 500
CASES_PER_RULE = 3
RANDOM_CASES_PER_DESIGN = 40
PEOPLE_PER_DESIGN = 60


def composite_of(design: Design) -> tuple[Question, Composite]:
    """Return the only composite question of a design."""
    return next(
        (question, question.computed) for question in design.questions if question.computed is not None
    )


def case(name: str, answers: Mapping[str, Given], chosen: Mapping[str, str | None]) -> dict[str, Any]:
    """Return one case with what the device computes."""
    question, rule = composite_of(DESIGNS[name])
    answer = rule.evaluate(answers, chosen)
    return {
        "design": name,
        "question": question.key,
        "answers": dict(answers),
        "open": {key: chosen.get(key) for key in rule.open_questions},
        "asked": rule.asked(answers, chosen),
        "sum": rule.total(answers, chosen),
        "value": None if answer is None else question.computed_value(answer),
    }


def values_of(component: Component) -> list[Given]:
    """Return the answers to a component that are tried alone: all of them, or the ends of bands and range."""
    if component.kind == "several":
        return list(itertools.product((0, 1), repeat=len(component.options)))
    if component.kind == "number":
        ends = {component.low, component.high}
        for band in component.bands:
            ends |= {band.low - 1, band.low, band.high, band.high + 1}
        return sorted(end for end in ends if (component.low or 0) <= (end or 0) <= (component.high or 0))
    return list(range(len(component.choices)))


def edge_cases(name: str) -> Iterator[dict[str, Any]]:
    """Yield cases in which all components have the same kind of answer, and one of them each other answer."""
    design = DESIGNS[name]
    _question, rule = composite_of(design)
    chosen_options: dict[str, list[str | None]] = {
        key: [None, *(design.questions[design.question_number(key)].options or ("no", "yes"))]
        for key in rule.open_questions
    }
    for combination in itertools.product(*chosen_options.values()):
        chosen = dict(zip(chosen_options, combination, strict=True))
        for place in (0, -1):
            base = {component.key: values_of(component)[place] for component in rule.components}
            base |= {
                component.key: component.choices.index(component.instructed)
                for component in rule.components
                if component.instructed
            }
            yield case(name, base, chosen)
            for component in rule.components:
                for value in (*values_of(component), None):
                    if value != base[component.key]:
                        yield case(name, base | {component.key: value}, chosen)
    yield case(name, {}, {})


def worked_cases() -> Iterator[dict[str, Any]]:
    """Yield the cases that docs/definition.md works out."""
    yield case("AUDIT", {f"item{number}": int(number < 10) for number in range(1, 11)}, {})
    for sex in ("woman", "man"):
        yield case("AUDIT-C", {"drink1": 2, "drink2": 1, "drink3": 0}, {"sex": sex})
    yield case("five items, one gap", {"feel1": 2, "feel2": 1, "feel3": 1, "feel4": 1}, {})
    for answers in (
        {"contact": 0},
        {"contact": 1, "asked": 0, "paid": 0},
        {"contact": 1, "asked": 1, "paid": 1},
    ):
        yield case("bribe", answers, {})


def random_cases(name: str) -> Iterator[dict[str, Any]]:
    """Yield cases with arbitrary answers and gaps."""
    design, dice = DESIGNS[name], Random(f"{SEED}/{name}")
    _question, rule = composite_of(design)
    for _number in range(RANDOM_CASES_PER_DESIGN):
        chosen = {
            key: dice.choice(
                (None, *(design.questions[design.question_number(key)].options or ("no", "yes")))
            )
            for key in rule.open_questions
        }
        yield case(name, {each.key: random_given(each, dice) for each in rule.components}, chosen)


def people(name: str) -> Iterator[dict[str, Any]]:
    """Yield arbitrary respondents to a design with several composite questions in one block."""
    design, dice = TOGETHER[name], Random(f"{SEED}/{name}")
    for _number in range(PEOPLE_PER_DESIGN):
        held: dict[str, Any] = {}
        given: dict[str, Any] = {}
        drawn = []
        for block in design.blocks:
            size = block.questions_per_person or len(block.questions)
            drawn.append(sorted(dice.sample(range(len(block.questions)), size)))
            if not block.protected:
                open_answers = {each.key: dice.randrange(len(each.options)) for each in block.questions}
                held[block.key] = given[block.key] = open_answers
                continue
            asked = [block.questions[position] for position in drawn[-1]]
            parts = {each.key: each for question in asked for each in rule_of(question).components}
            own = {key: random_given(each, dice) for key, each in parts.items()}
            if block.refusal is None:
                own = {key: 0 if value is None else value for key, value in own.items()}
            held[block.key] = {key: value for key, value in own.items() if value is not None}
            given[block.key] = {
                question.key: {each.key: own[each.key] for each in rule_of(question).components}
                for question in asked
            }
        computed = with_computed(design, given)
        yield {"design": name, "answers": held, "drawn": drawn, "computed": computed}


def rule_of(question: Question) -> Composite:
    """Return the rule of a composite question."""
    if question.computed is None:
        raise TypeError(question.key)
    return question.computed


def composite_vectors() -> dict[str, Any]:
    """Return the content of composites.json."""
    cases = [*worked_cases()]
    cases += [entry for name in DESIGNS for make in (edge_cases, random_cases) for entry in make(name)]
    designs = DESIGNS | TOGETHER
    return {
        "designs": {name: design.to_json() for name, design in designs.items()},
        "ids": {name: design.design_id for name, design in designs.items()},
        "cases": cases,
        "people": [person for name in TOGETHER for person in people(name)],
        "filter_odds": {
            name: f"{odds.numerator}/{odds.denominator}"
            for name, design in TOGETHER.items()
            if (odds := filter_odds(design.blocks[-1])) is not None
        },
    }


def random_vectors() -> dict[str, Any]:
    """Return the content of random-composites.json."""
    dice = Random(SEED)
    rules, cases = [], []
    for number in range(RULES):
        rule = random_composite(dice)
        rules.append(composite_json.write(rule))
        for turn in range(CASES_PER_RULE):
            answers, chosen = random_answers(rule, dice), random_chosen(dice)
            if number % 10 == turn == 0:
                answers = dict.fromkeys(answers)
            cases.append(
                {
                    "rule": number,
                    "answers": answers,
                    "open": {key: chosen[key] for key in rule.open_questions},
                    "asked": rule.asked(answers, chosen),
                    "sum": rule.total(answers, chosen),
                    "answer": rule.evaluate(answers, chosen),
                }
            )
    return {"rules": rules, "cases": cases}


FILES = {"composites.json": composite_vectors, "random-composites.json": random_vectors}
