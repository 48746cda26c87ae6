"""A scoring rule adds up the questions that it names, or a whole scale."""

import pytest

from surveys.imports.pasted_text import read_paste
from surveys.imports.scores.scored_questions import LEAST_ITEMS

TEXT = """Sleep
(0 = never, 1 = seldom, 2 = often)
1. I sleep badly
2. I wake early
3. I am tired
{}
"""


@pytest.mark.parametrize(
    ("rule", "lines"),
    [("Score: 0-2 low, 3-6 high", [3, 4, 5]), ("Sum of items 1 to 2: 0-1 low, 2-4 high", [3, 4])],
)
def test_a_rule_adds_up_the_items_that_it_names_or_all(rule: str, lines: list[int]) -> None:
    (score,) = read_paste(TEXT.format(rule)).scores
    assert score.questions == lines
    assert len(lines) >= LEAST_ITEMS
