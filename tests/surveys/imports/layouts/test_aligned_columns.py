"""The longest row of a table in columns may have only two blanks in front of its cells."""

import pytest

from surveys.imports.drafts.questionnaire import labels_of
from surveys.imports.layouts.aligned_columns import widen_gaps
from surveys.imports.pasted_text import read_paste

ITEMS = ("I cook.", "I never sing when I am alone.", "I rest.", "I go out.")


@pytest.mark.parametrize("cells", ["0  1  2", "[0]      [1]      [2]", "( )    ( )    ( )"])
def test_the_longest_item_has_the_answers_of_the_others(cells: str) -> None:
    """Before, it was left out, or a question of its own."""
    width = max(map(len, ITEMS)) + 2
    rows = "\n".join(f"{number}. {item:{width}}{cells}" for number, item in enumerate(ITEMS, 1))
    survey = read_paste(f"Home\n\n0 = never   1 = seldom   2 = often\n\n{rows}\n", ("en",))
    assert [labels_of(each) for each in survey.questions] == [("never", "seldom", "often")] * 4


@pytest.mark.parametrize(
    "lines",
    [
        ["1. I cook.    0 1", "2. I sing too.  0 1"],
        ["1. I cook.      0 1", "2. I sing.      0 1", "3. I rest too.  ever since"],
        ["1. I cook.      0 1", "2. I sing.      0 1", "3. I rest.  0 1"],
    ],
)
def test_other_blanks_stay(lines: list[str]) -> None:
    assert widen_gaps(lines) == lines
