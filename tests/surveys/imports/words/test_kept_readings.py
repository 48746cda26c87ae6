"""Readings of short lines are cached; those of long lines would need much memory."""

import pytest

from surveys.imports.words.kept_readings import LONGEST, forget_readings, kept


@pytest.mark.parametrize(("length", "n_read"), [(1, 1), (LONGEST, 1), (LONGEST + 1, 2)])
def test_only_lines_up_to_a_length_are_kept(length: int, n_read: int) -> None:
    lines: list[str] = []

    @kept
    def first_of(line: str) -> str:
        lines.append(line)
        return line[0]

    assert [first_of("a" * length), first_of("a" * length)] == ["a", "a"]
    assert len(lines) == n_read
    forget_readings()
    first_of("a" * length)
    assert len(lines) == n_read + 1
