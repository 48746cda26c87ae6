"""Published scorings as rules of composite questions: points, starts and gaps, without any item text.

Scoring rules are facts; the items of these instruments are not copied. Each entry has its source, the ranges
as published, and what it needs beyond one sum. Scorings that need item response models, norm tables or rates
are no such rules: `NOT_STATED`. Lists of acts differ between studies; their numbers here are examples.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from privacy.survey import composite_json
from privacy.survey.component import Component
from privacy.survey.composite import Composite
from privacy.survey.composite_parts import Gaps, Level, Step, Use
from tests.fixtures.random_composites import random_given
from tests.vectors.composite_designs import NONE_LEFT, levels, only_if, scored, yes

YN, NY = (0, 1), (1, 0)
"""Points of no and yes, and of reversed items."""


@dataclass(frozen=True)
class Scoring:
    """One scoring.

    Attributes
    ----------
    name, source : str
    needs : str
        What it needs beyond one sum with levels: "steps", "uses", "base", "filter" or "".
    ranges : str
        Levels as published, such as "0-7 8-15"; empty for scorings that have cases of their own.
    rule : Composite
    """

    name: str
    source: str
    ranges: str
    rule: Composite
    needs: str = ""


def item(key: str, points: tuple[int, ...]) -> Component:
    """Return a component with these points: yes or no for two, else one of several options."""
    return Component(key=key, kind="yes_no", points=points) if len(points) == 2 else scored(key, *points)


def summed(name: str, source: str, ranges: str, *items: tuple[int, ...]) -> Scoring:
    """Return a scoring by one sum, with a level for each range.

    A fifth of the items may be left out if all have the same most points; otherwise a filled sum could
    exceed the largest published one.
    """
    parts = [tuple(map(int, span.split("-"))) for span in ranges.split()]
    starts = [None, *(part[0] for part in parts[1:])]
    names = ranges.split()
    rule = Composite(
        components=tuple(item(f"i{number}", points) for number, points in enumerate(items, start=1)),
        missing=Gaps(at_most=len(items) // 5 if len(set(map(max, items))) == 1 else 0, fill="mean"),
        levels=levels(*zip(names, starts, strict=True)),
    )
    return Scoring(name, source, ranges, rule)


def counted(name: str, source: str, count: int, start: int) -> Scoring:
    """Return a scoring of yes/no items by their number, with one cut-off."""
    return summed(name, source, f"0-{start - 1} {start}-{count}", *[YN] * count)


def filtered(name: str, source: str, key: str, *followers: str) -> Scoring:
    """Return an indicator among people with a precondition: none of it, without, with at least one."""
    rule = Composite(
        components=(yes(key), *(yes(own, asked_if=only_if(key, "yes")) for own in followers)),
        missing=NONE_LEFT,
        levels=levels(("outside", None), ("without", 1), ("with", 2)),
        base="without",
    )
    return Scoring(name, source, "", rule, needs="base")


def highest(name: str, source: str, *groups: tuple[str, ...]) -> Scoring:
    """Return a ladder: the group of the gravest item that is true, of items with points 1, 10, 100."""
    parts = [yes(key, 10**rank) for rank, group in enumerate(groups) for key in group]
    starts = [("none", None), *((f"rank{rank + 1}", 10**rank) for rank in range(len(groups)))]
    rule = Composite(components=tuple(parts), missing=NONE_LEFT, levels=levels(*starts))
    return Scoring(name, source, "", rule)


def paired(name: str, source: str, first: tuple[str, ...], second: tuple[str, ...]) -> Scoring:
    """Return which of two lists has at least one yes: neither, the first, the second, both."""
    steps = tuple(
        Step(
            key=key,
            of=own,
            points=tuple((act, YN) for act in sorted(own)),
            levels=(Level(points=0), Level(start=1, points=points)),
        )
        for key, own, points in (("first", first, 1), ("second", second, 2))
    )
    rule = Composite(
        components=tuple(yes(key, 0) for key in (*first, *second)),
        missing=Gaps(at_most=(len(first) + len(second)) // 5, fill="no_points"),
        steps=steps,
        levels=levels(("neither", None), ("first", 1), ("second", 2), ("both", 3)),
    )
    return Scoring(name, source, "", rule, needs="steps")


FOUR, FIVE = (0, 1, 2, 3), (0, 1, 2, 3, 4)
FOUR_FROM_1 = (1, 2, 3, 4)
CES_D = [FOUR[::-1] if number in (4, 8, 12, 16) else FOUR for number in range(1, 21)]
DAST = [NY if number == 3 else YN for number in range(1, 11)]
EPDS = [FOUR if number in (1, 2, 4) else FOUR[::-1] for number in range(1, 11)]
GDS = [NY if number in (1, 5, 7, 11, 13) else YN for number in range(1, 16)]
UCLA = [
    FOUR_FROM_1[::-1] if number in (1, 5, 6, 9, 10, 15, 16, 19, 20) else FOUR_FROM_1
    for number in range(1, 21)
]
MARLOWE_FALSE = (3, 5, 6, 9, 10, 11, 12, 14, 15, 19, 22, 23, 28, 30, 32)
MARLOWE = [NY if number in MARLOWE_FALSE else YN for number in range(1, 34)]
COMPLAINT = (1, 1, 0, 0, 0)
"""More than once a week, out of five answers from "about every day" to "rarely or never"."""
EAT = [(0, 0, 0, 1, 2, 3) if number == 26 else (3, 2, 1, 0, 0, 0) for number in range(1, 27)]

_SDQ = {
    "emotional": (3, 8, 13, 16, 24),
    "conduct": (5, 7, 12, 18, 22),
    "hyperactivity": (2, 10, 15, 21, 25),
    "peers": (6, 11, 14, 19, 23),
}
_SDQ_REVERSED = (7, 11, 14, 21, 25)


def _sdq(*stated: tuple[str, int | None], uses: tuple[Use, ...] = ()) -> Composite:
    numbers = [number for own in _SDQ.values() for number in own]
    points = {number: (2, 1, 0) if number in _SDQ_REVERSED else (0, 1, 2) for number in numbers}
    return Composite(
        components=tuple(scored(f"i{number}", 0, 0, 0) for number in numbers),
        missing=Gaps(at_most=8, fill="no_points"),
        steps=tuple(
            Step(
                key=key,
                of=tuple(f"i{number}" for number in own),
                points=tuple(sorted((f"i{number}", points[number]) for number in own)),
                levels=tuple(Level(start=total or None, points=total) for total in range(11)),
                missing=Gaps(at_most=2, fill="mean"),
            )
            for key, own in _SDQ.items()
        ),
        uses=uses,
        levels=levels(*stated),
    )


def _phq9() -> Composite:
    symptoms = [scored(f"i{number}", 0, *((0, 1, 1) if number < 9 else (1, 1, 1))) for number in range(1, 10)]
    core = Step(key="core", of=("i1", "i2"), levels=(Level(points=0), Level(start=1, points=10)))
    return Composite(
        components=tuple(symptoms),
        missing=NONE_LEFT,
        steps=(core,),
        levels=levels(("none", None), ("other", 12), ("major", 15)),
    )


def _phq4() -> Composite:
    steps = (("anxiety", ("i1", "i2"), 1), ("depression", ("i3", "i4"), 2))
    return Composite(
        components=tuple(scored(f"i{number}", 0, 0, 0, 0) for number in range(1, 5)),
        missing=NONE_LEFT,
        steps=tuple(
            Step(
                key=key,
                of=own,
                points=tuple((part, FOUR) for part in own),
                levels=(Level(points=0), Level(start=3, points=given)),
            )
            for key, own, given in steps
        ),
        levels=levels(("neither", None), ("anxiety", 1), ("depression", 2), ("both", 3)),
    )


def _mdq() -> Composite:
    symptoms = tuple(f"i{number}" for number in range(1, 14))
    step = Step(
        key="symptoms",
        of=symptoms,
        points=tuple((key, YN) for key in sorted(symptoms)),
        levels=(Level(points=0), Level(start=7, points=1)),
    )
    return Composite(
        components=(*(yes(key, 0) for key in symptoms), yes("together"), scored("problem", 0, 0, 1, 1)),
        missing=NONE_LEFT,
        steps=(step,),
        levels=levels(("negative", None), ("positive", 3)),
    )


def _ptsd() -> Composite:
    return Composite(
        components=(
            yes("exposed", 0),
            *(yes(f"i{number}", asked_if=only_if("exposed", "yes")) for number in range(1, 6)),
        ),
        missing=NONE_LEFT,
        levels=levels(("0-2", None), ("3-5", 3)),
    )


SCORINGS: tuple[Scoring, ...] = (
    summed("AUDIT", "Babor et al. 2001", "0-7 8-15 16-19 20-40", *[FIVE] * 8, (0, 2, 4), (0, 2, 4)),
    summed("DAST-10", "Skinner 1982", "0-0 1-2 3-5 6-8 9-10", *DAST),
    summed("PHQ-2", "Kroenke et al. 2003", "0-2 3-6", FOUR, FOUR),
    summed("PHQ-4", "Kroenke et al. 2009", "0-2 3-5 6-8 9-12", *[FOUR] * 4),
    summed("PHQ-9 severity", "Kroenke et al. 2001", "0-4 5-9 10-14 15-19 20-27", *[FOUR] * 9),
    summed("PHQ-15", "Kroenke et al. 2002", "0-4 5-9 10-14 15-30", *[(0, 1, 2)] * 15),
    summed("GAD-2", "Kroenke et al. 2007", "0-2 3-6", FOUR, FOUR),
    summed("GAD-7", "Spitzer et al. 2006", "0-4 5-9 10-14 15-21", *[FOUR] * 7),
    summed("CES-D", "Radloff 1977", "0-15 16-60", *CES_D),
    summed("EPDS", "Cox et al. 1987", "0-12 13-30", *EPDS),
    summed("GDS-15", "Sheikh and Yesavage 1986", "0-4 5-8 9-11 12-15", *GDS),
    summed("WHO-5", "Topp et al. 2015", "0-12 13-25", *[(0, 1, 2, 3, 4, 5)] * 5),
    summed("GHQ-12, 0-0-1-1", "Goldberg et al. 1997", "0-2 3-12", *[(0, 0, 1, 1)] * 12),
    summed("GHQ-12, 0-1-2-3", "Goldberg et al. 1997", "0-11 12-36", *[FOUR] * 12),
    summed("K6", "Kessler et al. 2003", "0-12 13-24", *[FIVE] * 6),
    summed("K10", "Andrews and Slade 2001", "10-15 16-21 22-29 30-50", *[(1, 2, 3, 4, 5)] * 10),
    summed("ISI", "Bastien et al. 2001", "0-7 8-14 15-21 22-28", *[FIVE] * 7),
    summed("UCLA-3", "Hughes et al. 2004", "3-5 6-9", *[(1, 2, 3)] * 3),
    summed("UCLA-20", "Russell 1996", "20-34 35-49 50-64 65-80", *UCLA),
    summed("Marlowe-Crowne", "Crowne and Marlowe 1960", "0-8 9-19 20-33", *MARLOWE),
    summed("Olweus, bullied", "Solberg and Olweus 2003", "0-1 2-4", FIVE),
    summed("HBSC complaints", "Health Behaviour in School-aged Children", "0-1 2-8", *[COMPLAINT] * 8),
    summed("SEQ", "Fitzgerald et al. 1995", "0-0 1-19", *[(0, 1, 1, 1, 1)] * 19),
    summed("delinquency variety", "Sweeten 2012", "0-0 1-2 3-14", *[YN] * 14),
    summed(
        "SBQ-R", "Osman et al. 2001", "3-6 7-18",
        (1, 2, 3, 3, 4, 4), (1, 2, 3, 4, 5), (1, 2, 2, 3, 3), (0, 1, 2, 3, 4, 5, 6),
    ),
    summed("HITS", "Sherin et al. 1998", "4-10 11-20", *[(1, 2, 3, 4, 5)] * 4),
    summed("SDS, cannabis", "Swift et al. 1998", "0-2 3-15", *[FOUR] * 5),
    summed("CAST, full", "Legleye et al. 2011", "0-2 3-6 7-24", *[FIVE] * 6),
    summed("PGSI", "Ferris and Wynne 2001", "0-0 1-2 3-7 8-27", *[FOUR] * 9),
    summed("EAT-26", "Garner et al. 1982", "0-19 20-78", *EAT),
    summed("FTND", "Heatherton et al. 1991", "0-2 3-4 5-5 6-7 8-10", FOUR[::-1], YN, YN, FOUR, YN, YN),
    summed("ASRS screener", "Kessler et al. 2005", "0-3 4-6", *[(0, 0, 1, 1, 1)] * 3, *[(0, 0, 0, 1, 1)] * 3),
    counted("CAGE", "Ewing 1984", 4, 2),
    counted("CRAFFT", "Knight et al. 2002", 6, 2),
    counted("SCOFF", "Morgan et al. 1999", 5, 2),
    counted("ACE, four or more", "Felitti et al. 1998", 10, 4),
    counted("HARK", "Sohal et al. 2007", 4, 1),
    counted("ICAST", "Zolotor et al. 2009", 10, 1),
    counted("doping, any means", "de Hon et al. 2015", 8, 1),
    counted("tax evasion, any form", "Elffers et al. 1987", 6, 1),
    counted("TICS, two items", "Brown et al. 2001", 2, 1),
    summed("STOP-Bang", "Chung et al. 2016", "0-2 3-4 5-8", *[YN] * 8),
    Scoring("PC-PTSD-5", "Prins et al. 2016", "", _ptsd(), needs="filter"),
    highest("C-SSRS triage", "Posner et al. 2011", ("i1", "i2"), ("i3", "ever"), ("i4", "i5", "recent")),
    highest("suicide ladder", "Youth Risk Behavior Survey", ("considered",), ("planned",), ("attempted",)),
    highest("violence, ever and in 12 months", "Demographic and Health Surveys", ("ever",), ("recent",)),
    highest("CTS2S", "Straus and Douglas 2004", ("minor1", "minor2"), ("severe1", "severe2")),
    Scoring("PHQ-9 algorithm", "Spitzer et al. 1999", "", _phq9(), needs="steps"),
    Scoring("PHQ-4 as a pair", "Kroenke et al. 2009", "", _phq4(), needs="steps"),
    Scoring("MDQ", "Hirschfeld et al. 2000", "", _mdq(), needs="steps"),
    Scoring(
        "SDQ total, parents", "Goodman 1997", "",
        _sdq(("0-13", None), ("14-16", 14), ("17-40", 17)), needs="steps",
    ),
    paired("CTS2 mutuality", "Straus 2015", ("own1", "own2", "own3"), ("other1", "other2", "other3")),
    paired("partner, other or both", "EU-GBV survey", ("p1", "p2", "p3"), ("o1", "o2", "o3")),
    paired("bully and victim", "Solberg and Olweus 2003", ("bullied",), ("bullies",)),
    Scoring(
        "AUDIT-C", "Bush et al. 1998; Bradley et al. 2003", "",
        Composite(
            components=tuple(scored(f"i{number}", *FIVE) for number in range(1, 4)),
            uses=(Use(question="sex", points=(("woman", 1),)),),
            missing=NONE_LEFT,
            levels=levels(("no", None), ("yes", 4)),
        ),
        needs="uses",
    ),
    Scoring(
        "AUDIT by sex", "Babor et al. 2001", "",
        Composite(
            components=tuple(
                scored(f"i{number}", *(FIVE if number <= 8 else (0, 2, 4))) for number in range(1, 11)
            ),
            uses=(Use(question="sex", points=(("woman", 1),)),),
            missing=NONE_LEFT,
            levels=levels(("no", None), ("yes", 8)),
        ),
        needs="uses",
    ),
    Scoring(
        "SDQ by age", "Goodman 1997; sdqinfo.org", "",
        _sdq(
            ("average", None), ("raised", 14), ("high", 17), ("very-high", 20),
            uses=(Use(question="age", points=(("2-4", 1),)),),
        ),
        needs="uses",
    ),
    filtered("SDG 16.5.1", "United Nations", "contact", "asked", "paid"),
    filtered("SDG 5.2.1", "United Nations", "partnered", "physical", "sexual", "psychological"),
    filtered("SDG 16.3.1", "United Nations", "victim", "reported"),
    filtered("help-seeking", "Demographic and Health Surveys", "violence", "sought"),
    filtered("condom use", "Youth Risk Behavior Survey; HBSC", "active", "condom"),
)  # fmt: skip


OPEN = {"sex": ("woman", "man"), "age": ("2-4", "4-17")}
"""Options of the open questions that move a cut-off."""
NOT_STATED = ("item response scores and norm T-scores", "bribes per payer", "incidence rates")
"""What no rule of points, steps, levels and gaps states."""
CASES_PER_SCORING = 12
SEED = 84


def with_sum(scoring: Scoring, total: int) -> dict[str, int]:
    """Return answers with this sum to a scoring by one sum, without gaps."""
    reached: dict[int, dict[str, int]] = {0: {}}
    for component in scoring.rule.components:
        following: dict[int, dict[str, int]] = {}
        for before, answers in reached.items():
            for position, points in enumerate(component.points):
                following.setdefault(before + points, answers | {component.key: position})
        reached = following
    return reached[total]


def scoring_cases() -> Iterator[dict[str, Any]]:
    """Yield answers with what devices compute: both ends of each published range, and random patterns."""
    for scoring in SCORINGS:
        dice = Random(f"{SEED}/{scoring.name}")
        ends = [int(end) for span in scoring.ranges.split() for end in span.split("-")]
        patterns: list[dict[str, Any]] = [with_sum(scoring, end) for end in ends]
        for _case in range(CASES_PER_SCORING):
            patterns.append({each.key: random_given(each, dice) for each in scoring.rule.components})
        for answers in patterns:
            chosen = {key: dice.choice(OPEN[key]) for key in scoring.rule.open_questions}
            yield {
                "scoring": scoring.name,
                "answers": answers,
                "open": chosen,
                "sum": scoring.rule.total(answers, chosen),
                "answer": scoring.rule.evaluate(answers, chosen),
            }


def scoring_vectors() -> dict[str, Any]:
    """Return the content of scorings.json: under "scorings" the rules by name, and cases as elsewhere."""
    rules = {
        each.name: {"source": each.source, "needs": each.needs, "rule": composite_json.write(each.rule)}
        for each in SCORINGS
    }
    return {"scorings": rules, "cases": list(scoring_cases())}


FILES = {"scorings.json": scoring_vectors}
