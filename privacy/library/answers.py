"""Read answers: a column of reports, or counts of them, as positions in the list of possible reports."""

from __future__ import annotations

import contextlib
from collections.abc import Hashable, Mapping, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from privacy.arrays import Whole
from privacy.errors import PrivacyError, plain, shown_list
from privacy.library.designs import YES_NO
from privacy.library.frames import Codes, refuse_missing
from privacy.tables.frames import read_frame
from privacy.validation import MOST_ROWS

if TYPE_CHECKING:
    from privacy.library.frames import Answers, Series

_COUNTS_NAME: Final = "the answers"


def answer_counts(answers: Answers, reports: Sequence[Hashable]) -> tuple[str, Whole]:
    """Count the reports in a column, or check counts that were passed in.

    Parameters
    ----------
    answers : Series, or mapping of report to count
        The output of ``value_counts()`` is read as counts too.
    reports : sequence
        The possible reports.

    Returns
    -------
    (str, int array, shape (len(reports),))
        The name of the column, and the counts in the order of `reports`.

    Raises
    ------
    PrivacyError
        ``answers``: no answers; missing or unknown ones; a column of identical answers (allowed in counts);
        counts that are not whole numbers from 0 to 10**12, or that leave out a report or name it twice.

    Examples
    --------
    >>> answer_counts({"yes": 3, "no": 1}, ("no", "yes"))
    ('the answers', array([1, 3]))
    """
    if has_counts(answers, reports):
        return _COUNTS_NAME, _check_counts(answers, reports)
    name, codes = answer_codes(answers, reports)
    return name, np.bincount(codes, minlength=len(reports))


def has_counts(answers: Any, reports: Sequence[Hashable]) -> bool:
    """Return whether these are counts: a mapping, or a Series whose labels are reports.

    Parameters
    ----------
    answers : object
    reports : sequence
        The possible reports.

    Notes
    -----
    Labels that are numbers may be row labels. Then a Series has counts only if its labels are not a range,
    and a value is not a report or its name is "count", as in the output of ``value_counts()``.
    """
    if not hasattr(answers, "iloc") or answers.index.nlevels > 1:
        return isinstance(answers, Mapping)
    labels = answers.index.tolist()
    if not 0 < len(labels) <= len(reports) or any(report_index(label, reports) is None for label in labels):
        return False
    if all(isinstance(label, Real) and not isinstance(label, bool) for label in labels):
        # The rows of a new frame are numbered from 0, which never means counts.
        is_sure = answers.name == "count" or any(report_index(value, reports) is None for value in answers)
        return is_sure and not hasattr(answers.index, "step")
    return True


def _check_counts(counts: Mapping[Hashable, int], reports: Sequence[Hashable]) -> Whole:
    allowed = shown_list(reports)
    found: dict[int, int] = {}
    for answer, count in counts.items():
        report = report_index(answer, reports)
        whole = isinstance(count, int | np.integer) and not isinstance(count, bool)
        if report is None or not whole or not 0 <= count <= MOST_ROWS:
            raise PrivacyError("answers.counts", count, answer=answer, allowed=allowed, most=MOST_ROWS)
        if report in found:
            raise PrivacyError("answers.counts_twice", answer, report=reports[report])
        found[report] = int(count)
    for position, missing in enumerate(reports):
        if position not in found:
            raise PrivacyError("answers.counts", None, answer=missing, allowed=allowed, most=MOST_ROWS)
    codes = np.array([found[position] for position in range(len(reports))], dtype=np.int64)
    if not codes.sum():
        raise PrivacyError("answers.empty", 0, column=_COUNTS_NAME)
    return codes


def answer_codes(answers: Series, reports: Sequence[Hashable]) -> tuple[str, Codes]:
    """Read a column of reports as positions in `reports`.

    With two reports that are texts, 0 and False also mean the first, 1 and True the second.

    Parameters
    ----------
    answers : Series
        One report for each respondent, none missing.
    reports : sequence
        The possible reports, each once.

    Examples
    --------
    >>> import pandas
    >>> answer_codes(pandas.Series([True, False, True], name="affair"), ("no", "yes"))
    ('column affair', array([1, 0, 1]))
    """
    answers = read_answers(answers)
    name = "the column" if answers.name is None else f"column {answers.name}"
    if not len(answers):
        raise PrivacyError("answers.empty", 0, column=name)
    refuse_missing(answers, name, of_answers=True)
    codes = _code_column(answers, name, reports)
    if (codes == codes[0]).all():
        first = plain(answers.iloc[0])
        raise PrivacyError("answers.one_value", first, column=name, count=len(answers))
    return name, codes


def read_answers(answers: Any) -> Series:
    """Return a column of answers as a pandas Series.

    Parameters
    ----------
    answers : Series

    Raises
    ------
    PrivacyError
        ``answers``: not a column.
    """
    with contextlib.suppress(PrivacyError):
        answers = read_frame(answers)
    if getattr(answers, "ndim", 0) != 1 or not hasattr(answers, "iloc"):
        raise PrivacyError("answers.kind", type(answers).__name__)
    return answers


def report_codes(column: Series, reports: Sequence[Hashable], *, as_texts: bool = False) -> Codes:
    """Read a column of reports as positions in `reports`; -1 for an empty cell.

    Parameters
    ----------
    column : Series
    reports : sequence
    as_texts : bool
        Whether to compare values as text, with 1 and 1.0 both read as "1".

    Raises
    ------
    PrivacyError
        ``answers``: a value that is not a report.

    Examples
    --------
    >>> import pandas
    >>> report_codes(pandas.Series([1, None, 2]), ("1", "2"), as_texts=True)
    array([ 0, -1,  1])
    """
    return _code_column(column, f"column {column.name}", reports, as_texts=as_texts)


def _code_column(column: Series, name: str, reports: Sequence[Hashable], *, as_texts: bool = False) -> Codes:
    codes, labels = column.factorize()
    distinct = [plain(value) for value in labels]
    positions = [
        _text_index(value, reports) if as_texts else report_index(value, reports) for value in distinct
    ]
    for number, position in enumerate(positions):
        if position is None:
            row = plain(column.index[int(np.argmax(codes == number))])
            allowed = shown_list(reports)
            raise PrivacyError("answers.value", distinct[number], column=name, row=row, allowed=allowed)
    # factorize codes missing values as -1, which indexes the last entry.
    places: Codes = np.array([*positions, -1], dtype=np.intp)[codes]
    return places


def column_answers(column: Series) -> tuple[Any, ...] | None:
    """Return the distinct answers in a column, categories in their order; None if they are yes and no.

    Parameters
    ----------
    column : Series
    """
    column_values = (
        column.dtype.categories
        if column.dtype.name == "category"
        else sorted(column.dropna().unique(), key=str)
    )
    answers = tuple(plain(value) for value in column_values)
    return None if all(report_index(value, YES_NO) is not None for value in answers) else answers


def answer_position(value: object, values: Sequence[Hashable], design: str) -> int:
    """Return the position of a true answer.

    Parameters
    ----------
    value : object
    values : sequence
        The true answers of the design.
    design : str
        The design in words.

    Raises
    ------
    PrivacyError
        ``designs``: not an answer.
    """
    position = report_index(value, values)
    if position is None:
        raise PrivacyError("designs.value", value, design=design, allowed=shown_list(values))
    return position


_TEXTS: Final = {"1": 1, "1.0": 1, "true": 1, "0": 0, "0.0": 0, "false": 0}


def report_index(value: Any, reports: Sequence[Hashable]) -> int | None:
    """Return the position of the report that a value means; None if it means none.

    Parameters
    ----------
    value : object
    reports : sequence
        The possible reports, each once.

    Examples
    --------
    Capitals and blanks around a text do not matter. With two reports that are texts, 0, False and their
    texts mean the first; 1, True and theirs the second. Among reports that are numbers, 0 and 1 only mean
    themselves.

    >>> [report_index(value, ("no", "yes")) for value in (" Yes", True, 0.0, "1", "FALSE", 2, "perhaps")]
    [1, 1, 0, 1, 0, None, None]
    >>> report_index(1, (1, 2)), report_index(0, (1, 2))
    (0, None)
    """
    value = plain(value)
    for position, report in enumerate(reports):
        is_comparable = type(value) is type(report) or (isinstance(value, Real) and isinstance(report, Real))
        if is_comparable and value == report:
            return position
    if not all(isinstance(report, str) for report in reports):
        return None
    if isinstance(value, str):
        text, texts = value.strip().casefold(), [str(report).casefold() for report in reports]
        if texts.count(text) == 1:
            return texts.index(text)
        value = _TEXTS.get(text)
    if len(reports) != 2 or not isinstance(value, Real) or value not in (0, 1):
        return None
    return int(value == 1)


def _text_index(value: Any, reports: Sequence[Hashable]) -> int | None:
    whole = isinstance(value, float) and value.is_integer()
    text = str(int(value) if whole else value)
    return reports.index(text) if text in reports else None
