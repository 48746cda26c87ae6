"""Estimate from the table of a study, with columns and chances as named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from surveys.elsewhere.methods import MOST_DRAWS, MOST_ITEMS, Method, Settings, chance_read
from surveys.elsewhere.results import Result
from surveys.elsewhere.study_table import study_columns
from surveys.errors.error import SurveyError
from surveys.tables.table import ReadTable


def study_estimate(
    method: Method,
    table: ReadTable,
    *,
    columns: Mapping[str, str],
    chances: Mapping[str, str],
    number: int | None = None,
    lines: str = "",
    missing: Sequence[str] | None = None,
) -> Result:
    """Estimate by a method.

    Parameters
    ----------
    method : Method
    table : ReadTable
    columns : mapping of str to str
        Role -> name of its column; ``count``, where each row stands for several respondents.
    chances : mapping of str to str
        As they are written: "0.7", "70 %", "1/6".
    number : int, optional
        Draws or items; 1 where the method asks for it and nothing is given.
    lines : str
        A table of chances, a line each.
    missing : sequence of str or None
        As of `study_columns`.

    Raises
    ------
    SurveyError
        ``study_file``: a chance that is none or missing, wrong columns or cells.
    PrivacyError
        What the model refuses: equal chances, counts that contradict.
    """
    read = {}
    for name, label in method.chances:
        chance = chance_read(chances.get(name, ""))
        if chance is None:
            raise SurveyError("study_file.chance", name=label, given=chances.get(name, "")[:40] or "–")
        read[name] = chance
    unknown = set(chances) - set(read)
    if unknown:
        known = ", ".join(read) or "–"
        raise SurveyError("study_file.no_chance", name=min(unknown), known=known)
    most = MOST_ITEMS if method.key == "list" else MOST_DRAWS
    whole = 1 if number is None else number
    if not 1 <= whole <= most:
        raise SurveyError("study_file.count", given=whole, most=most)
    names = [columns.get(role, "") for role in method.roles]
    data = study_columns(table, names, columns.get("count", ""), missing)
    study = method.run(data, Settings(chances=read, number=whole, table=lines))
    samples = data.samples(1) if "group" in method.roles else None
    return Result(method=method, study=study, samples=samples, left_out=data.left_out, missing=data.missing)
