"""Recognise another tool's export of answers, which holds no questionnaire.

Such a table has a row for each respondent. Known tools name their columns; of any other tool, a column of
times above at least three rows shows it.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from itertools import islice
from typing import Final

from django.utils.translation import gettext as _

from privacy.tables.text_file import separator_of
from surveys.questionnaire.document import Problem

_TOOLS: Final = {
    "Qualtrics": "startdate|enddate|status|ipaddress|progress|finished|recorddate|recordeddate|responseid"
    "|duration (in seconds)|recipientlastname|distributionchannel|userlanguage",
    "LimeSurvey": "submitdate|lastpage|startlanguage|seed|startdate|datestamp|refurl|token|response id"
    "|date submitted|last page|start language|date started|date last action",
    "SurveyMonkey": "respondent id|collector id|date created|date modified|ip address|email address"
    "|first name|last name|custom data 1|respondentid|collectorid",
    "Microsoft Forms": "id|start time|completion time|email|name|last modified time|开始时间|完成时间"
    "|电子邮件|名称|hora de inicio|hora de finalización|heure de début|heure de fin|startzeit"
    "|fertigstellungszeit",
    "KoboToolbox": "_id|_uuid|_submission_time|_validation_status|_submitted_by|_index|_notes|__version__"
    "|meta/instanceid|formhub/uuid|_tags|instanceid|submissiondate|submitterid|attachmentspresent",
    "REDCap": "record_id|redcap_event_name|redcap_repeat_instrument|redcap_repeat_instance"
    "|redcap_survey_identifier|redcap_data_access_group|record id|survey identifier|event name",
    "问卷星": "序号|提交答卷时间|所用时间|来源|来源详情|来自ip|总分",
    "Typeform": "#|network id|start date (utc)|submit date (utc)|response type|stage date (utc)|ending",
}
"""Names that tools give the columns of their own; three of them show the tool."""


def _words(names: str) -> frozenset[str]:
    """Return names that | separates."""
    return frozenset(names.split("|"))


_COLUMNS: Final = {tool: _words(names) for tool, names in _TOOLS.items()}
_LEAST_COLUMNS: Final = 3
_TIME_OF_GOOGLE: Final = _words(
    "timestamp|zeitstempel|horodateur|marca temporal|carimbo de data/hora|informazioni cronologiche"
    "|时间戳记|時間戳記|طابع زمني|टाइमस्टैम्प|muhuri wa muda"
)
"""Name of the first column in exports of Google Forms, by language."""
_TIME: Final = re.compile(
    r"\d{1,4}[-/.]\d{1,2}[-/.]\d{2,4}[T ,]{1,3}\d{1,2}:\d{2}(?::\d{2})?.{0,20}", re.IGNORECASE
)
_LEAST_ROWS: Final = 3
_MOST_ROWS, _MOST_LINES = 12, 200
"""Rows, and lines of a text, that are searched; a cell may have several lines."""


def tool_of_answers(rows: Sequence[Sequence[str]]) -> str:
    """Return the tool whose answers a table holds, in words; empty if it seems to hold none.

    Parameters
    ----------
    rows : sequence of sequence of str
        The first rows, with the header.

    Examples
    --------
    >>> tool_of_answers([["StartDate", "EndDate", "Status", "Q1"], ["Start Date", "End Date", "", "Sad?"]])
    'Qualtrics'
    >>> tool_of_answers([["type", "name", "label"], ["text", "why", "Why?"]])
    ''
    """
    if len(rows) < 2:
        return ""
    header = [" ".join(cell.split()).lower() for cell in rows[0]]
    best = max(_COLUMNS, key=lambda tool: len(_COLUMNS[tool].intersection(header)))
    if len(_COLUMNS[best].intersection(header)) >= _LEAST_COLUMNS:
        return best
    below = [row for row in rows[1:] if any(map(str.strip, row))]
    columns = [[row[place].strip() for row in below if place < len(row)] for place in range(len(header))]
    times = [
        bool(cells) and len(cells) == len(below) and all(map(_TIME.fullmatch, cells)) for cells in columns
    ]
    if times and times[0] and header[0] in _TIME_OF_GOOGLE and len(header) > 1:
        return "Google Forms"
    is_table = len(header) >= _LEAST_COLUMNS and len(below) >= _LEAST_ROWS
    return _("another tool") if is_table and any(times) else ""


def tool_in(text: str) -> str:
    """Return the tool whose answers a text with separated columns holds, as `tool_of_answers`.

    Examples
    --------
    >>> tool_in('"Timestamp","Do you smoke?"\\n"2026/03/01 9:12:44 AM GMT+1","Yes"')
    'Google Forms'
    >>> tool_in("Work\\n1. Do you smoke?\\n- Yes\\n- No")
    ''
    """
    lines = text.lstrip("\ufeff \r\n").splitlines()[:_MOST_LINES]
    try:
        rows = islice(csv.reader(lines, delimiter=separator_of(lines)), _MOST_ROWS)
        return tool_of_answers([*rows])
    except csv.Error:
        return ""


def no_questionnaire(tool: str) -> Problem:
    """Return what to say of a table with answers that people gave in a tool."""
    return Problem(
        path="",
        message=_("this table holds answers that people gave in %(tool)s, not a questionnaire")
        % {"tool": tool},
        remedy=_(
            "open or print the questionnaire itself there, copy all of its text, and paste it into the box"
        ),
    )
