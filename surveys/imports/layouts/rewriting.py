"""Rewrite layouts of print, word processors and chats as lines that the later steps can read.

Each step looks for one layout and leaves other lines alone. A line that a step moves into another one becomes
empty, so each line keeps its number.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final

from surveys.imports.layouts.abbreviations import write_out
from surveys.imports.layouts.aligned_columns import widen_gaps
from surveys.imports.layouts.answer_column import move_answers, unfold_answers, unstack_cells
from surveys.imports.layouts.answer_grids import write_answer_grids
from surveys.imports.layouts.cell_tables import write_tabs
from surveys.imports.layouts.circled_signs import (
    box_letters,
    draw_boxes,
    draw_circles,
    draw_squares,
    number_circles,
)
from surveys.imports.layouts.coded_answers import write_coded_answers
from surveys.imports.layouts.codes_beside import bare_points, front_codes, round_brackets, write_codes
from surveys.imports.layouts.item_codes import without_item_codes
from surveys.imports.layouts.item_tables import write_items
from surveys.imports.layouts.labelled_lists import write_labelled_lists
from surveys.imports.layouts.legend_lists import join_legends
from surveys.imports.layouts.letter_lists import write_letter_lists
from surveys.imports.layouts.letter_points import write_letter_points
from surveys.imports.layouts.lettered_columns import list_columns
from surveys.imports.layouts.marks_alone import join_marks
from surveys.imports.layouts.opposites import write_opposites
from surveys.imports.layouts.point_tables import write_points
from surveys.imports.layouts.points_rows import write_points_rows
from surveys.imports.layouts.prefixes import without_prefixes
from surveys.imports.layouts.questions_on_line import separate_questions
from surveys.imports.layouts.range_columns import join_ends
from surveys.imports.layouts.recurring_ends import write_recurring_ends
from surveys.imports.layouts.separators import write_separators
from surveys.imports.layouts.signed_numbers import move_signs
from surveys.imports.layouts.stated_answers import write_stated_answers
from surveys.imports.layouts.stem_answers import write_stem_answers
from surveys.imports.layouts.table_lists import write_lists
from surveys.imports.layouts.tool_rows import (
    without_frames,
    without_kind_cells,
    without_quotes,
    without_statistics,
)
from surveys.imports.layouts.unusual_marks import read_letters, write_letters, write_marks
from surveys.imports.layouts.wrapped_lines import join_wrapped
from surveys.imports.layouts.wrapped_rows import join_headers, join_items
from surveys.imports.lines.text_lines import NumberedLine

_STEPS: Final[tuple[Callable[[Sequence[str]], list[str]], ...]] = (
    widen_gaps,
    read_letters,
    without_quotes,
    write_tabs,
    write_answer_grids,
    write_coded_answers,
    write_letter_points,
    write_points_rows,
    without_frames,
    write_marks,
    draw_boxes,
    write_letters,
    write_separators,
    write_recurring_ends,
    write_labelled_lists,
    join_marks,
    write_letter_lists,
    list_columns,
    without_kind_cells,
    without_statistics,
    without_item_codes,
    move_signs,
    write_points,
    write_opposites,
    write_stem_answers,
    write_stated_answers,
    round_brackets,
    bare_points,
    join_legends,
    write_out,
    unstack_cells,
    write_lists,
    write_items,
    join_ends,
    front_codes,
    number_circles,
    draw_circles,
    draw_squares,
    write_codes,
    join_headers,
    join_items,
    separate_questions,
    box_letters,
    move_answers,
    unfold_answers,
    without_prefixes,
)


def rewrite_layouts(pairs: Sequence[NumberedLine], chosen: Collection[int] = ()) -> list[NumberedLine]:
    """Rewrite the layouts in the lines of one language.

    Parameters
    ----------
    pairs : sequence of (int, str)
        Lines with their numbers.
    chosen : collection of int, optional
        Numbers of the lines whose role a person chose; they continue no other line.

    Examples
    --------
    >>> rewrite_layouts([(3, "Tired?   T  F"), (5, "Ill?   T  F")])
    [(3, 'Tired?    ○ T   ○ F'), (5, 'Ill?    ○ T   ○ F')]
    """
    texts = join_wrapped(
        [text for _number, text in pairs],
        [place for place, (number, _text) in enumerate(pairs) if number in chosen],
    )
    for step in _STEPS:
        texts = step(texts)
    return [(number, text) for (number, _text), text in zip(pairs, texts, strict=True)]
