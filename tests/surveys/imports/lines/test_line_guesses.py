"""Questions and answers are guessed from the shapes of lines, in any language."""

import pytest

from surveys.imports.lines.line_guesses import facts_of_texts, fitted_weights, guesses_of

NUMBERED = ["Work", "", "1. Do you steal?", "- yes", "- no", "", "2. How often?", "- seldom", "- often"]


@pytest.mark.parametrize(
    ("texts", "asked"),
    [
        (NUMBERED, [3, 7]),
        (
            ["工作", "", "1、您偷过东西吗？", "A、偷过", "B、没有", "2、多久一次？", "A、很少", "B、经常"],
            [3, 6],
        ),
        (["Sleep", "", "Do you dream?", "○ Never", "○ Often", "", "Since when?", "○ May", "○ June"], [3, 7]),
    ],
)
def test_questions_are_guessed_by_their_shapes(texts: list[str], asked: list[int]) -> None:
    guesses = guesses_of(texts)
    assert [number for number, guess in guesses.items() if guess.question > 0] == asked
    answers = [guesses[number + 1].answer for number in asked]
    assert min(answers) > max(guesses[number].answer for number in (1, *asked))


def test_each_fact_has_a_weight_and_each_weight_a_fact() -> None:
    for facts in facts_of_texts(NUMBERED).values():
        assert facts.keys() == fitted_weights().keys()


def test_words_do_not_matter() -> None:
    other = [text.replace("steal", "swim").replace("seldom", "always") for text in NUMBERED]
    assert guesses_of(NUMBERED) == guesses_of(other)


def test_blank_lines_and_other_weights() -> None:
    assert guesses_of(["", " ", "\t"]) == {}
    weights = dict.fromkeys(fitted_weights(), (0.0, 0.0)) | {"": (2.0, -99.0)}
    assert {(guess.question, guess.answer) for guess in guesses_of(NUMBERED, weights).values()} == {
        (2.0, -6.0)
    }
