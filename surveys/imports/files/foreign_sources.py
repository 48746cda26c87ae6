"""Sources that are no questionnaire here: other programs' files and documents, each named with what to do.

The content decides, never a file's name. The same table serves files and pasted texts.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from itertools import islice
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from privacy.tables.file_signs import file_sign, is_whole
from privacy.tables.text_file import separator_of
from surveys.imports.files.answer_exports import no_questionnaire, tool_in
from surveys.questionnaire.document import Problem

_HEAD: Final = 200_000
"""Characters at the beginning of a text that are searched."""

_PRINT: Final = gettext_lazy(
    "open or print the questionnaire itself there, copy all of its text, and paste it into the box"
)
_COPY: Final = gettext_lazy("open it, copy all of its text, and paste it into the box")
_UNPACK: Final = gettext_lazy("unpack it, and choose the file with the questionnaire")
_WRITE: Final = gettext_lazy("write its questions into the box")
_AS_QUESTIONS: Final = gettext_lazy("paste the questions as people read them, each with its answers below")
_CLOSED: Final = gettext_lazy("make a closed survey of it: “New survey”, “From another tool’s file”")
_AS_FILE: Final = gettext_lazy(
    "if Sottovoce exported it, save it as a file, and choose the file; otherwise paste the questions as "
    "people read them"
)
_WORKBOOK: Final = gettext_lazy("save it as .xlsx, and choose that file")


def _has(pattern: str) -> Callable[[str], bool]:
    compiled = re.compile(pattern, re.IGNORECASE | re.MULTILINE)
    return lambda text: compiled.search(text) is not None


def _begins(pattern: str) -> Callable[[str], bool]:
    compiled = re.compile(pattern, re.IGNORECASE)
    return lambda text: compiled.match(text) is not None


def _fills(pattern: str) -> Callable[[str], bool]:
    """Return whether a pattern begins at least two lines, and half of those that are not blank."""
    compiled = re.compile(pattern, re.IGNORECASE)

    def fits(text: str) -> bool:
        lines = [line.replace('"', "") for line in text.splitlines() if line.strip()]
        found = sum(map(bool, map(compiled.match, lines)))
        return found > 1 and 2 * found >= len(lines)

    return fits


def _repeats(pattern: str) -> Callable[[str], bool]:
    """Return whether at least two lines begin with a pattern."""
    compiled = re.compile(rf"^\s{{0,9}}{pattern}", re.IGNORECASE | re.MULTILINE)
    return lambda text: len(compiled.findall(text)) > 1


def _either(*fits: Callable[[str], bool]) -> Callable[[str], bool]:
    return lambda text: any(each(text) for each in fits)


_LIMESURVEY: Final = r"[\s\S]{0,999}<LimeSurveyDocType>"
_TAGS: Final = r"<\?xml|<[a-z][^<>]{0,500}>(?=[\s\S]*</)"
_PAGE: Final = re.compile(r"(<\?xml[^>]{0,200}>\s*)?<(!doctype\s+html|html|head|body)\b", re.IGNORECASE)
_TAGGED: Final = re.compile(
    r"\s{0,99}</?(p|div|ul|ol|li|table|t[rdh]|h[1-6]|br|span|strong|em|form|label|input|section|b|i)\b[^<>]{0,500}>",
    re.IGNORECASE,
)


def _is_web_page(text: str) -> bool:
    """Whether a text is a page, or most of its lines begin with a tag."""
    lines = [line for line in text.splitlines() if line.strip()]
    return _PAGE.match(text) is not None or 2 * sum(map(bool, map(_TAGGED.match, lines))) > len(lines)


def _is_numbers(text: str) -> bool:
    """Whether nearly all of at least twenty lines hold numbers and no words."""
    lines = [line for line in text.splitlines() if line.strip()]
    bare = sum(not any(map(str.isalpha, line)) and any(map(str.isdecimal, line)) for line in lines)
    return len(lines) >= _LEAST_NUMBERS and bare > _NEARLY_ALL * len(lines)


def _is_dictionary(text: str) -> bool:
    """Whether the fourth cell of most rows is a type of REDCap's; cells may have several lines."""
    lines = text.splitlines(keepends=True)
    rows = csv.reader(lines, delimiter=separator_of(lines), skipinitialspace=True)
    try:
        filled = [row for row in islice(rows, _MOST_ROWS) if any(map(str.strip, row))]
    except csv.Error:
        return False
    found = sum(len(row) > _TYPE + 1 and row[_TYPE].strip().lower() in _TYPES for row in filled)
    return found > 1 and 2 * found >= len(filled)


def _is_settings(text: str) -> bool:
    """Whether nearly all lines are names in brackets, of which there are several, or *name=value*."""
    lines = [line for line in text.splitlines() if line.strip()]
    heads = sum(map(bool, map(_HEAD_OF_SETTINGS, lines)))
    return heads > 1 and heads + sum(map(bool, map(_SETTING, lines))) > _NEARLY_ALL * len(lines)


_HEAD_OF_SETTINGS: Final = re.compile(r"\s{0,9}\[\w{1,40}\]\s{0,9}").fullmatch
_SETTING: Final = re.compile(r"\s{0,9}[^\W\d]\w{0,40}=").match
_TYPE: Final = 3
_WITH_CHOICES: Final = frozenset(["radio", "checkbox", "dropdown", "yesno", "truefalse", "slider"])
_TYPES: Final = _WITH_CHOICES | {"text", "notes", "calc", "descriptive", "file", "sql"}
_MOST_ROWS: Final = 200


def _is_list(text: str) -> bool:
    """Whether a text is a list in JSON; a line such as *[1] Do you smoke?* is none."""
    try:
        return isinstance(json.loads(text), list)
    except (ValueError, RecursionError):
        return False


_JSON: Final = re.compile(r"\[?\s{0,9}\{(?:[\s\"]|\}\s?$)")
_LEAST_NUMBERS: Final = 20
_NEARLY_ALL: Final = 0.9
_TEXTS: Final = (
    (_has(r"\bsotto1\.[\w-]{12}\.[\w-]{12}\.[\w-]"), gettext_lazy("a file of disguised answers"), _CLOSED),
    (_begins(r'\{\s*"SurveyEntry"'), gettext_lazy("a survey of Qualtrics (QSF)"), _PRINT),
    (_begins(r'\{[^{}]{0,999}"formId"\s*:'), gettext_lazy("a form of Google Forms"), _PRINT),
    (_is_numbers, gettext_lazy("a table of numbers"), gettext_lazy("paste the questions that were answered")),
    (_begins(_LIMESURVEY + r"\s*Survey"), gettext_lazy("a survey of LimeSurvey (LSS)"), _PRINT),
    (_begins(_LIMESURVEY + r"\s*Question"), gettext_lazy("a question of LimeSurvey (LSQ)"), _PRINT),
    (_begins(_LIMESURVEY), gettext_lazy("a part of a LimeSurvey survey"), _PRINT),
    (_has(r"^.{0,30}\btype/scale\tname\t|^(?:\d{1,9}\t\d{0,9}\t)?Q\t[\w!:;*|'~^.]\t\w{1,99}\t"),
     gettext_lazy("a survey of LimeSurvey (TXT)"), _PRINT),
    (_has(r"\[\[(?:AdvancedFormat|Block|Question|Choices|Answers|PageBreak|SingleAnswer|MultipleAnswer)\b"),
     gettext_lazy("a survey of Qualtrics (TXT)"), _PRINT),
    (_has(r"(?:^|[\t,;|])[> \"]*select_(?:one|multiple)\s[\w.-]{1,99}[ \w]{0,20}\"?\s?[\t,;|]"
          r"|^[|> \"]*list[_ ]name\"?\s?[\t,;|]\s?\"?(?:name|value)\"?\s?[\t,;|]"),
     gettext_lazy("a sheet of an XLSForm"),
     gettext_lazy("choose the XLSForm itself (.xlsx), which holds the questions and their answers")),
    (_either(
        _has(r'^.{0,9}"?Variable / Field Name"?\s?[,;\t]|^"?field_name"?[,;\t]"?form_name"?[,;\t]'),
        _is_dictionary),
     gettext_lazy("a data dictionary of REDCap"), _PRINT),
    (_has(r"^\s{0,9}(?:add )?(?:variable|var|value|val) labels?\b[^.]{0,999}['\"]|^\s{0,9}proc format\b"
          r"|^\s{0,9}la(?:bel|b)? (?:var(?:iable)?|def(?:ine)?|val(?:ues)?) \w{1,99} [\w\"`]"
          r"|^\s{0,9}label \w{1,99}\s?=\s?['\"]"
          r"|\battr\([^()]{1,99}['\"]labels?['\"]\)\s?<-"
          r"|\b(?:va[rl]_labels?|labelled|factor) ?\(.{1,200}(?:<-|=\s?c\()"),
     gettext_lazy("a program for a statistics package"), _AS_QUESTIONS),
    (_either(
        _has(r"^\s{0,99}(?:unique values:\s|tabulation:\s)|^Location:\s?\d{1,9}\s+Width:"
             r"|^Range of valid data values|\bUnweighted Frequency\b|^Sysmiss\b|^\s?'data\.frame':"
             r"|^\s{0,99}storage\s{1,9}display\b|^\s{0,9}variable name\s{2,9}type\b"
             r"|\bFreq\.\s{1,9}Percent\b|^Pos\. ?= ?\d{1,9}\s+Name\b|List of Variables and Attributes"),
        _fills(r"\w{1,99}\t[^\t\d]{1,40}\t\d{1,5}\t\d{1,2}\t[^\t]{0,999}\t(?:\{|[^\W\d]{1,20}\t)"),
        _repeats(r"(?:field|variable|var)(?: name)?\s?:\s?\w{1,99}$")),
     gettext_lazy("a codebook of a data set"), _AS_QUESTIONS),
    (_has(r"^\s?Answered:\s?[\d,.]{1,9}\s{1,9}Skipped:\s?[\d,.]{1,9}\s?$"),
     gettext_lazy("a summary of answers that people gave in SurveyMonkey"), _PRINT),
    (_begins(r"<[\s\S]{0,2000}xmlns(:\w+)?=[\"']http://www\.w3\.org/2002/xforms"), gettext_lazy("an XForm"),
     gettext_lazy("choose the XLSForm from which it was made")),
    (_begins(r"<[\s\S]{0,2000}\bddi:"), gettext_lazy("documentation of a data set (DDI)"), _PRINT),
    (_is_web_page, gettext_lazy("the source of a web page (HTML)"), _COPY),
    (_begins(r"<[\s\S]{0,999}urn:schemas-microsoft-com:office:spreadsheet"),
     gettext_lazy("a spreadsheet in another format"), _WORKBOOK),
    (_begins(_TAGS), gettext_lazy("a file of another program (XML)"), _PRINT),
    (_is_settings, gettext_lazy("a file of another program"), _PRINT),
    (_begins(r"\{\\rtf"), gettext_lazy("a document in RTF"), _COPY),
    (_begins(r"%PDF-\d"), gettext_lazy("a PDF file"), _COPY),
)  # fmt: skip
"""For text: what shows the kind, its name, and the remedy; the first that fits counts."""

_FILES: Final = {
    "pdf": (gettext_lazy("a PDF file"), _COPY),
    "rtf": (gettext_lazy("a document in RTF"), _COPY),
    **dict.fromkeys(
        ("png", "jpg", "jpeg", "gif", "bmp", "tif", "tiff", "webp", "heic", "avif"),
        (gettext_lazy("a picture"), _WRITE),
    ),
    **dict.fromkeys(("doc", "docx", "docm", "dot", "dotx"), (gettext_lazy("a document of Word"), _COPY)),
    **dict.fromkeys(("odt", "ott"), (gettext_lazy("a document of LibreOffice"), _COPY)),
    "pages": (gettext_lazy("a Pages document"), _COPY),
    **dict.fromkeys(("wps", "hwp", "hwpx", "wpd"), (gettext_lazy("a word-processor document"), _COPY)),
    **dict.fromkeys(("epub", "mobi", "azw3"), (gettext_lazy("an e-book"), _COPY)),
    **dict.fromkeys(("pptx", "ppt", "pptm", "odp", "key"), (gettext_lazy("a presentation"), _COPY)),
    "ods": (gettext_lazy("a spreadsheet of LibreOffice"), _WORKBOOK),
    "numbers": (gettext_lazy("a Numbers spreadsheet"), _WORKBOOK),
    **dict.fromkeys(("xlsb", "et"), (gettext_lazy("a spreadsheet in another format"), _WORKBOOK)),
    "lsa": (gettext_lazy("a survey of LimeSurvey (LSA)"), _PRINT),
    **dict.fromkeys(("eml", "msg"), (gettext_lazy("an email"), _COPY)),
    "zip": (gettext_lazy("a ZIP file"), _UNPACK),
    **dict.fromkeys(("rar", "7z", "gz", "tar"), (gettext_lazy("an archive or compressed file"), _UNPACK)),
}
"""The name of a kind of file and its remedy, by the sign in its bytes or else the ending of its name."""
_DATA: Final = frozenset(["sav", "zsav", "dta", "parquet", "sas7bdat", "xpt", "rds", "rdata"])
"""Signs of files of SPSS, Stata and Parquet, and endings of those of SAS and R."""
_UNKNOWN: Final = frozenset(["", "zip", "office"])
"""Signs that many kinds of files share: the ending of the name distinguishes them."""


def foreign_bytes(raw: bytes, name: str = "") -> Problem | None:
    """Return what a file is, if it is no text and no workbook; None if it may be one of these.

    Parameters
    ----------
    raw : bytes
        Content of a file that is not a text, if its sign is unknown.
    name : str
        Name of the file. Its ending counts if the bytes show no kind: the file may be damaged.

    Examples
    --------
    >>> foreign_bytes(b"%PDF-1.7\\n%").message, foreign_bytes(b"1. Do you smoke?")
    ('this is a PDF file, which cannot be read here', None)
    >>> foreign_bytes(b"\\0", "Work.DOCX").remedy
    'open it, copy all of its text, and paste it into the box'
    """
    sign, ending = file_sign(raw), name.lower().rpartition(".")[2]
    # A damaged file of a statistics program is one, too; a damaged archive may be anything.
    sign = sign if sign in _DATA or is_whole(raw, sign) else ""
    kind = ending if sign in _UNKNOWN and ending in _DATA | _FILES.keys() else sign
    if kind in _DATA:
        return no_questionnaire(_("a statistics program"))
    if kind in _FILES:
        said, remedy = _FILES[kind]
        return _foreign(str(said), remedy)
    return None


def foreign_text(text: str, *, is_pasted: bool = False) -> Problem | None:
    """Return what a text is, if it is no questionnaire that people read; None if it may be one.

    Parameters
    ----------
    text : str
    is_pasted : bool
        Whether it was pasted; a definition can only be chosen as a file.

    Examples
    --------
    >>> foreign_text('{"SurveyEntry": {"SurveyName": "x"}}').message
    'this is a survey of Qualtrics (QSF), which cannot be read here'
    >>> foreign_text("Work\\n1. Do you smoke?") is None
    True
    """
    head = text[:_HEAD].lstrip("\ufeff \r\n\t")
    for fits, name, remedy in _TEXTS:
        if fits(head):
            return _foreign(str(name), remedy)
    if tool := tool_in(head):
        return no_questionnaire(tool)
    if is_pasted and (_JSON.match(head) or _is_list(text)):
        return _foreign(_("a definition file or other JSON"), _AS_FILE)
    return None


def foreign_json() -> Problem:
    """Return what to say of JSON that is no definition of a survey."""
    return _foreign(_("a file of another program (JSON)"), _PRINT)


def _foreign(name: str, remedy: object) -> Problem:
    message = _("this is %(name)s, which cannot be read here") % {"name": name}
    return Problem(path="", message=message, remedy=str(remedy))
