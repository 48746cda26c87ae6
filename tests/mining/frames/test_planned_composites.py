"""A plan, a survey and a question of the library say what is computed, what slips add, and what is lost."""

import pytest

import sottovoce
from mining.frames.answer_kinds import AnswerKind
from privacy.planning.careless_components import careless_share
from tests.fixtures.refusals import refused

ACTS = [f"act{number}" for number in range(10)]
ITEMS = {f"item{number}": (0, 1, 2, 3) for number in range(1, 10)}


def survey_of(**questions: AnswerKind) -> sottovoce.Survey:
    return sottovoce.Survey(blocks={"part": questions}, p=0.5, skip={"part": 0.2})


def test_a_plan_names_the_bias_by_slips_and_what_a_higher_cut_off_costs() -> None:
    plan = survey_of(any=sottovoce.at_least(1, ACTS)).plan(300)
    # 1 - .99^10, and without exactly one: .0956 - 10 * .01 * .99^9.
    assert plan.slips == {"any": pytest.approx(0.0956, abs=1e-4)}
    summary = plan.summary()
    assert (
        "any: if people answer 1 in 100 components carelessly, 9.6 of 100 people without any points are "
        "counted, or 0.4 with the cut-off 2." in summary
    )
    assert "another cut-off" in summary
    assert "- any: computed from 10 components that are never sent: yes from 1;" in plan.preregistration()


def test_a_plan_of_a_scale_states_levels_and_no_bias() -> None:
    levels = {"low": None, "middle": 10, "high": 15}
    plan = survey_of(mood=sottovoce.score(ITEMS, levels)).plan(300)
    assert plan.slips == {}
    assert "middle from 10; high from 15; one gap may count as the mean of the others." in plan.summary()
    assert "carelessly" not in plan.summary()


def test_a_plan_without_composites_says_nothing_about_them() -> None:
    plan = sottovoce.Survey(blocks={"part": ["a"]}, p=0.5).plan(300)
    assert "components" not in plan.summary() + plan.preregistration()
    assert "components" not in sottovoce.Survey(blocks={"part": ["a"]}, p=0.5).to_frame().columns


def test_the_highest_possible_cut_off_has_no_higher_one() -> None:
    question = sottovoce.at_least(10, ACTS)
    summary = survey_of(all=question).plan(300).summary()
    assert "with the cut-off" not in summary
    assert question.computed is not None
    assert careless_share(question.computed) == pytest.approx(1e-20)


def test_surveys_and_questions_show_the_rule_in_a_notebook() -> None:
    question = sottovoce.at_least(2, "hit", "kicked", "pushed", gaps=1)
    assert repr(question) == (
        "<yes_no question, computed from 3 components that are never sent: yes from 2; "
        "one gap may have no points>"
    )
    survey = survey_of(violence=question)
    assert repr(survey) == "<survey of part: violence from 3 components (p = 0.5)>"
    assert survey.to_frame().components.tolist() == [3]
    assert repr(sottovoce.one_of("a", "b")) == "<single question of a, b>"


def test_names_in_any_script_are_shown() -> None:
    survey = survey_of(**{"暴力 任何": sottovoce.at_least(1, "a", "b")})
    assert repr(survey) == "<survey of part: 暴力 任何 from 2 components (p = 0.5)>"
    assert list(survey.plan(300).slips) == ["暴力 任何"]


def test_components_have_no_figure_and_no_guess() -> None:
    survey = survey_of(any=sottovoce.at_least(1, ACTS))
    with refused("unknown_item", "'act1' is a component of any"):
        survey.plan(300, guesses={"act1": 0.1})
    with refused("unknown_item", "never send it"):
        survey.plan(300, wanted="act1")


@pytest.mark.parametrize(
    ("levels", "words"),
    [
        ({"low": 0, "high": 5}, "level 'low' is the first and starts at 0"),
        ({"low": None, "high": None}, "the level of the question that gives 'high' has no start"),
        ("5", "cut-off = '5' is not a whole number"),
        (5.5, "cut-off = 5.5 is not a whole number"),
        ({"low": None, "high": 99}, "no answers lead to the level that starts at 99"),
    ],
)
def test_levels_are_refused_in_the_words_of_the_library(levels: object, words: str) -> None:
    with refused("computed", words):
        sottovoce.score(ITEMS, levels)  # type: ignore[arg-type]


@pytest.mark.parametrize("gaps", [-1, 9, 99])
def test_gaps_must_leave_an_answer(gaps: int) -> None:
    with refused("computed", f"gaps = {gaps} is outside 0..8"):
        sottovoce.score(ITEMS, 5, gaps=gaps)
    with refused("computed", "fill = 'zero'"):
        sottovoce.score(ITEMS, 5, fill="zero")  # type: ignore[arg-type]
