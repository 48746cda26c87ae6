"""Kinds of answers: their words, the rules of computed questions, and refusals."""

import itertools
from typing import Any

import pytest

from mining.frames.answer_kinds import (
    YES_NO,
    any_of,
    at_least,
    computed_words,
    flat_names,
    number,
    one_of,
    option_names,
    score,
)
from mining.frames.survey import Survey
from privacy.errors import PrivacyError
from privacy.library.designs import forced_levels, generalised_rr, truthful

MOST = 10_000_000


def test_kinds_are_shown_in_words() -> None:
    assert repr(YES_NO) == "<yes_no question>"
    assert repr(one_of("work", ["home", "both"])) == "<single question of work, home, both>"
    assert repr(any_of("car")) == "<multi question of car>"
    assert repr(at_least(1, "hit", "kicked")) == (
        "<yes_no question, computed from 2 components that are never sent: yes from 1; no gaps>"
    )


@pytest.mark.parametrize(
    ("gaps", "fill", "words"),
    [
        (0, "mean", "no gaps"),
        (1, "mean", "one gap may count as the mean of the others"),
        (2, "mean", "up to 2 gaps count as the mean of the others"),
        (2, "no_points", "up to 2 gaps have no points"),
        (1, "no_points", "one gap may have no points"),
    ],
)
def test_a_rule_says_how_gaps_count(gaps: int, fill: str, words: str) -> None:
    kind = score(dict.fromkeys("abc", (0, 1, 2)), {"low": None, "high": 3}, gaps=gaps, fill=fill)  # type: ignore[arg-type]
    assert kind.computed is not None
    assert computed_words(kind.computed).endswith(f"never sent: high from 3; {words}")


@pytest.mark.parametrize("count", [1, 2, 3])
def test_at_least_some_of_three_are_counted(count: int) -> None:
    rule = at_least(count, "a", ["b", "c"]).computed
    assert rule is not None
    for answers in itertools.product((0, 1), repeat=3):
        expected = "yes" if sum(answers) >= count else "no"
        assert rule.evaluate(dict(zip("abc", answers, strict=True))) == expected


def test_a_fifth_of_the_components_may_be_left_out_by_default() -> None:
    for components, gaps in ((4, 0), (5, 1), (9, 1), (10, 2)):
        rule = score({f"c{at}": (0, 1) for at in range(components)}, 1).computed
        assert rule is not None
        assert rule.missing.at_most == gaps
        assert [part.kind for part in rule.components] == ["yes_no"] * components
    three = score({"a": (0, 1, 2)}, 2).computed
    assert three is not None
    assert (three.components[0].kind, three.components[0].options) == ("single", ("o0", "o1", "o2"))


@pytest.mark.parametrize("levels", [MOST + 1, -MOST - 1, {"no": None, "yes": MOST + 1}])
def test_cut_offs_beyond_every_sum_are_refused(levels: object) -> None:
    with pytest.raises(PrivacyError) as refused:
        score({"a": (0, 1)}, levels)  # type: ignore[arg-type]
    assert (refused.value.case, abs(refused.value.value)) == ("whole.range", MOST + 1)  # type: ignore[arg-type]
    # A cut-off at the edge is refused only because no answers lead to it.
    with pytest.raises(PrivacyError, match="no answers lead to"):
        score({"a": (0, 1)}, {"no": None, "yes": MOST})


def test_impossible_rules_are_refused_by_name() -> None:
    for levels in ({"low": 0, "high": 3}, {"low": 1}):
        with pytest.raises(PrivacyError) as refused:
            score({"a": (0, 1)}, levels)
        assert (refused.value.case, refused.value.fields["option"]) == ("computed.first_none", "low")
    for count in (0, 3):
        with pytest.raises(PrivacyError) as refused:
            at_least(count, "a", "b")
        assert refused.value.value == count
    for gaps in (-1, 2):
        with pytest.raises(PrivacyError) as refused:
            at_least(1, "a", "b", gaps=gaps)
        assert refused.value.value == gaps
    assert at_least(2, "a", "b", gaps=1).computed is not None


def test_an_open_number_is_stored_as_answered() -> None:
    disguised, plain = number(low=0, high=79, bin=10, epsilon=2), number(low=0, high=79, bin=10)
    assert (disguised.disguise.mechanism, disguised.disguise.inputs) == ("hybrid", 8)
    assert (plain.disguise.mechanism, plain.disguise.inputs) == ("as_answered", 8)


def test_names_of_options_are_those_that_were_given() -> None:
    survey = Survey(blocks={"b": {"Your job": one_of("at home", "office")}}, p=0.5)
    (question,) = survey.design.questions
    assert option_names(question, survey.names) == ["at home", "office"]
    short = Survey(blocks={"b": {"job": one_of("home", "office")}}, p=0.5)
    assert option_names(short.design.questions[0], short.names) == ["home", "office"]
    assert flat_names(["a", ("b", "c"), 3]) == ("a", "b", "c", 3)


def test_at_least_counts_different_components_up_to_their_number() -> None:
    assert computed_words(at_least(2, "a", "b", gaps=1).computed).endswith("one gap may have no points")  # type: ignore[arg-type]
    for count, keys, code in (
        (1, ("a", "a"), "duplicate_key"),
        (0, ("a", "b"), "computed"),
        (3, ("a", "b"), "computed"),
    ):
        with pytest.raises(PrivacyError) as caught:
            at_least(count, *keys)
        assert caught.value.code == code


@pytest.mark.parametrize("forms", [{"": ["a"]}, {" ": ["a"]}, {1: ["a"]}, {"hit": [], "kicked": ["a"]}])
def test_forms_without_a_name_or_a_component_are_refused(forms: Any) -> None:
    with pytest.raises(PrivacyError, match="give each form a text as its name") as caught:
        at_least(1, forms)
    assert caught.value.code == "computed"


@pytest.mark.parametrize(
    ("options", "said"), [(("a", "a "), "only in blanks"), (("a", "b\0"), "control character")]
)
@pytest.mark.parametrize(
    "made",
    [
        any_of,
        one_of,
        lambda *options: score({"u": (0, 1), "v": (0, 1)}, {options[0]: None, options[1]: 1}),
        lambda *names: Survey({"work": dict.fromkeys(names)}, p=0.5),
        lambda *names: Survey({name: [f"q{number}"] for number, name in enumerate(names)}, p=0.5),
        truthful,
        lambda *levels: generalised_rr(levels, 0.5),
        lambda *levels: forced_levels(dict.fromkeys(levels, 0.1)),
    ],
    ids=["any_of", "one_of", "score", "questions", "blocks", "truthful", "generalised_rr", "forced_levels"],
)
def test_names_that_look_the_same_are_refused(made: Any, options: tuple[str, str], said: str) -> None:
    with pytest.raises(PrivacyError, match=said):
        made(*options)
