"""Rules of published scorings give the published results, over all sums or all patterns."""

import itertools
import json
from collections.abc import Callable, Mapping

import pytest

from privacy.survey import composite_json
from tests.vectors.make_vectors import HERE
from tests.vectors.scorings import NOT_STATED, SCORINGS, Scoring, with_sum

BY_NAME = {scoring.name: scoring for scoring in SCORINGS}
SUMS = [scoring for scoring in SCORINGS if scoring.ranges]
Answers = Mapping[str, int]


def named(scorings: list[Scoring]) -> list[object]:
    return [pytest.param(scoring, id=scoring.name) for scoring in scorings]


# 48 scorings of known instruments and indicators, by what they need; the rule states all but three.
LISTED = {
    "one sum": (
        "AUDIT", "DAST-10", "PHQ-2", "PHQ-9 severity", "GAD-7", "CES-D", "GHQ-12, 0-0-1-1",
        "GHQ-12, 0-1-2-3", "K6", "K10", "UCLA-3", "UCLA-20", "SBQ-R", "PC-PTSD-5", "ACE, four or more",
        "HARK", "HITS", "SDS, cannabis",
        "Marlowe-Crowne", "CAST, full", "Olweus, bullied", "HBSC complaints", "suicide ladder", "ICAST",
        "delinquency variety", "doping, any means", "tax evasion, any form", "SEQ", "CTS2S",
        "violence, ever and in 12 months", "C-SSRS triage",
    ),
    "steps": (
        "PHQ-9 algorithm", "SDQ total, parents", "CTS2 mutuality", "bully and victim",
        "partner, other or both", "PHQ-4 as a pair",
    ),
    "uses": ("AUDIT-C", "AUDIT by sex", "SDQ by age"),
    "base": ("SDG 16.5.1", "SDG 16.3.1", "SDG 5.2.1", "help-seeking", "condom use"),
}  # fmt: skip


def test_45_of_48_listed_scorings_are_stated() -> None:
    assert {need: len(names) for need, names in LISTED.items()} == {
        "one sum": 31,
        "steps": 6,
        "uses": 3,
        "base": 5,
    }
    assert len(NOT_STATED) == 3
    assert len(SCORINGS) == len(BY_NAME), "each name once"
    for need, names in LISTED.items():
        found = {BY_NAME[name].needs for name in names}
        # A screening for exposure is a filter, and then one sum.
        assert found <= ({"", "filter"} if need == "one sum" else {need}), names


@pytest.mark.parametrize("scoring", named(SUMS))
def test_each_sum_is_in_its_published_range(scoring: Scoring) -> None:
    spans = [tuple(map(int, span.split("-"))) for span in scoring.ranges.split()]
    covered = [total for low, high in spans for total in range(low, high + 1)]
    assert list(scoring.rule.reach.sums) == covered, "the ranges cover all sums, each once"
    for (low, high), name in zip(spans, scoring.ranges.split(), strict=True):
        for total in range(low, high + 1):
            assert scoring.rule.evaluate(with_sum(scoring, total)) == name


def ladder(*groups: tuple[str, ...]) -> Callable[[Answers], str]:
    """Return the published rule of a ladder: the gravest group with a yes."""

    def gravest(answers: Answers) -> str:
        ranks = [rank for rank, group in enumerate(groups, start=1) if any(answers[key] for key in group)]
        return f"rank{max(ranks)}" if ranks else "none"

    return gravest


def pair(first: tuple[str, ...], second: tuple[str, ...]) -> Callable[[Answers], str]:
    names = {(False, False): "neither", (True, False): "first", (False, True): "second", (True, True): "both"}
    return lambda answers: names[any(answers[key] for key in first), any(answers[key] for key in second)]


def among(key: str, *acts: str) -> Callable[[Answers], str]:
    def found(answers: Answers) -> str:
        if not answers[key]:
            return "outside"
        return "with" if any(answers[act] for act in acts) else "without"

    return found


def phq4(answers: Answers) -> str:
    anxious, depressed = answers["i1"] + answers["i2"] >= 3, answers["i3"] + answers["i4"] >= 3
    return {(0, 0): "neither", (1, 0): "anxiety", (0, 1): "depression", (1, 1): "both"}[anxious, depressed]


def mdq(answers: Answers) -> str:
    symptoms = sum(answers[f"i{number}"] for number in range(1, 14))
    return "positive" if symptoms >= 7 and answers["together"] and answers["problem"] >= 2 else "negative"


def ptsd(answers: Answers) -> str:
    symptoms = sum(answers[f"i{number}"] for number in range(1, 6))
    return "3-5" if answers["exposed"] and symptoms >= 3 else "0-2"


RULES: dict[str, Callable[[Answers], str]] = {
    "C-SSRS triage": ladder(("i1", "i2"), ("i3", "ever"), ("i4", "i5", "recent")),
    "suicide ladder": ladder(("considered",), ("planned",), ("attempted",)),
    "violence, ever and in 12 months": ladder(("ever",), ("recent",)),
    "CTS2S": ladder(("minor1", "minor2"), ("severe1", "severe2")),
    "CTS2 mutuality": pair(("own1", "own2", "own3"), ("other1", "other2", "other3")),
    "partner, other or both": pair(("p1", "p2", "p3"), ("o1", "o2", "o3")),
    "bully and victim": pair(("bullied",), ("bullies",)),
    "SDG 16.5.1": among("contact", "asked", "paid"),
    "SDG 5.2.1": among("partnered", "physical", "sexual", "psychological"),
    "SDG 16.3.1": among("victim", "reported"),
    "help-seeking": among("violence", "sought"),
    "condom use": among("active", "condom"),
    "PHQ-4 as a pair": phq4,
    "PC-PTSD-5": ptsd,
    "MDQ": mdq,
}


@pytest.mark.parametrize("name", RULES)
@pytest.mark.few("PHQ-4 as a pair", "SDG 16.5.1", why="a rule that is no sum, and the fewest components")
def test_all_patterns_equal_the_published_rule(name: str) -> None:
    rule = BY_NAME[name].rule
    values = [range(len(component.choices)) for component in rule.components]
    seen = set()
    for given in itertools.product(*values):
        answers = {component.key: value for component, value in zip(rule.components, given, strict=True)}
        answer = rule.evaluate(answers)
        assert answer == RULES[name](answers), answers
        seen.add(answer)
    assert seen == {level.option for level in rule.levels}


@pytest.mark.parametrize(("sex", "cut"), [("woman", 3), ("man", 4)])
def test_the_cut_off_for_drinking_depends_on_the_sex(sex: str, cut: int) -> None:
    rule = BY_NAME["AUDIT-C"].rule
    for given in itertools.product(range(5), repeat=3):
        answers = {f"i{number}": value for number, value in enumerate(given, start=1)}
        assert rule.evaluate(answers, {"sex": sex}) == ("yes" if sum(given) >= cut else "no")


@pytest.mark.parametrize(("sex", "cut"), [("woman", 7), ("man", 8)])
def test_the_cut_off_of_the_audit_depends_on_the_sex(sex: str, cut: int) -> None:
    rule = BY_NAME["AUDIT by sex"].rule
    for total in range(41):
        # From the end, because the last two items have even points only.
        answers, rest = {}, total
        for component in reversed(rule.components):
            position = max(at for at, points in enumerate(component.points) if points <= rest)
            answers[component.key] = position
            rest -= component.points[position]
        assert rest == 0
        assert rule.evaluate(answers, {"sex": sex}) == ("yes" if total >= cut else "no")


@pytest.mark.parametrize(
    ("age", "starts"), [("2-4", (13, 16, 19)), ("4-17", (14, 17, 20))], ids=["2 to 4", "4 to 17"]
)
def test_young_children_have_lower_cut_offs(age: str, starts: tuple[int, ...]) -> None:
    rule = BY_NAME["SDQ by age"].rule
    names = [level.option for level in rule.levels]
    reversed_items = ("i7", "i11", "i14", "i21", "i25")
    for total in range(41):
        answers, rest = {}, total
        for component in rule.components:
            points = min(2, rest)
            answers[component.key] = 2 - points if component.key in reversed_items else points
            rest -= points
        assert rule.evaluate(answers, {"age": age}) == names[sum(total >= start for start in starts)]


def test_scales_of_a_total_have_their_own_gaps() -> None:
    rule = BY_NAME["SDQ total, parents"].rule
    middle = {component.key: 1 for component in rule.components}
    assert rule.total(middle) == 20
    assert rule.evaluate(middle) == "17-40"
    # Three of five items of a scale with the sum 2: 2 * 5 / 3 = 3.3.
    emotional = {"i3": 2, "i8": 0, "i13": 0}
    others = {key: 0 if key not in ("i7", "i11", "i14", "i21", "i25") else 2 for key in middle}
    others = {key: value for key, value in others.items() if key not in ("i16", "i24")}
    assert rule.total(others | emotional) == 3
    assert rule.total({key: value for key, value in (others | emotional).items() if key != "i13"}) is None


def test_the_committed_file_holds_every_rule_and_python_reproduces_it() -> None:
    vectors = json.loads((HERE / "scorings.json").read_text("ascii"))
    rules = {name: composite_json.read(own["rule"]) for name, own in vectors["scorings"].items()}
    assert rules == {scoring.name: scoring.rule for scoring in SCORINGS}
    for entry in vectors["cases"]:
        rule = rules[entry["scoring"]]
        assert rule.evaluate(entry["answers"], entry["open"]) == entry["answer"]
        assert rule.total(entry["answers"], entry["open"]) == entry["sum"]
