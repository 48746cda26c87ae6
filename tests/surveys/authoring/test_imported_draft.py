"""A draft that is made again from a text has the questions of the last choices, and none of earlier ones."""

import itertools
from collections.abc import Iterator
from typing import Any

from surveys.authoring.import_answers import WAYS, apply_answers
from surveys.authoring.imported_draft import replaced_questions
from surveys.imports.drafts.imported_drafts import draft_of
from surveys.imports.pasted_text import read_paste
from surveys.questionnaire.definition import definition_without_texts

LISTED = """Work
A. Overtime
1. Did you work overtime?
( ) Yes
( ) No -> go to 3
2. If yes, was all of it recorded?
( ) Yes, all of it
( ) Some of it
( ) None of it
B. Conduct
3. Have you been bullied at work?
( ) Yes
( ) No
If yes, by whom?
[ ] A supervisor
[ ] A colleague
[ ] Somebody else
4. Do you steal at work?
( ) Yes
( ) No"""
SCORED = """Mood
Over the last two weeks, how often have you been bothered by the following?
(0 = Not at all, 1 = Several days, 2 = Nearly every day)
1. Feeling worthless
2. Feeling afraid
3. Wishing to hurt someone
Total 0-2 low, 3-6 high
4. Have you used drugs?
( ) Yes
( ) No"""
SHORT = """Drugs
1. Have you used drugs?
( ) Yes
( ) No"""


def drafts_of(text: str) -> Iterator[dict[str, Any]]:
    """Yield the drafts of a text, one for each way to settle all of its points."""
    points = [(number, note.asks) for number, note in enumerate(read_paste(text, ()).notes) if note.asks]
    ways = [[way for way in WAYS.get(asks, ("keep", "leave")) if way != "after"] for _number, asks in points]
    for chosen in itertools.product(*ways):
        reading = read_paste(text, ())
        answers = {f"how-{number}": way for (number, _asks), way in zip(points, chosen, strict=True)}
        if not apply_answers(reading, answers):
            yield draft_of(reading)


def test_every_pair_of_choices_gives_the_draft_of_the_second_ones_alone() -> None:
    drafts = [draft for text in (LISTED, SCORED, SHORT) for draft in drafts_of(text)]
    assert len(drafts) > 10
    for before, after in itertools.product(drafts, repeat=2):
        assert replaced_questions(before, after) == after
    for draft in drafts:
        assert definition_without_texts(draft | {"slug": "work"}) is not None
