"""Refusals of documents that are no definition."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_noop as _

WORDS: Final = {
    "refusal": (_("%(value)s is not a skip probability"), _("use true, or a number of ten-thousandths")),
    "document.too_large": (_("%(name)s has more than %(most)s bytes"), _("shorten it")),
    "document.encoding": (_("%(name)s is not UTF-8: byte %(place)s is invalid"), _("save it as UTF-8")),
    "document.syntax": (
        _("%(name)s is not JSON: line %(line)s, column %(column)s: %(reason)s"),
        _("correct it there"),
    ),
    "document.long_number": (
        _("%(name)s contains a number that is too long"),
        _("use ten-thousandths, 0 to 10000"),
    ),
    "document.number": (_("%(value)s is not a number"), _("write a number")),
    "document.control": (_("%(text)s contains control characters"), _("remove them")),
    "document.deep": (_("the document is nested too deeply"), _("follow the structure of the example")),
    "document.twice": (_("%(name)s occurs twice in one object"), _("keep one of the two")),
    "document.constant": (_("%(name)s is not JSON"), _("write a number")),
    "document.object": (_("%(value)s is not an object"), _("send the definition")),
    "document.definition": (
        _("%(value)s is not a definition of a survey"),
        _("choose a file exported by Sottovoce, or see docs/definition.md"),
    ),
    "document.file": (_("%(path)s cannot be read: %(reason)s"), _("choose a file that you can read")),
    "workbook.too_large": (_("the file has more than %(most)s bytes"), _("shorten it")),
    "workbook.sheets": (_("the workbook has %(count)s sheets"), _("use at most %(most)s")),
    "workbook.unpacked": (
        _("the file unpacks to %(count)s files with %(size)s bytes in total"),
        _("use a workbook of at most %(most)s parts and %(largest)s bytes"),
    ),
    "workbook.none": (_("the file is not a workbook"), _("choose a file saved as .xlsx")),
    "workbook.macros": (_("the workbook contains macros"), _("save it as .xlsx, without macros")),
    "workbook.part": (
        _("%(name)s declares a document type, or is not UTF-8"),
        _("save the workbook again with a spreadsheet program"),
    ),
    "workbook.sheet": (
        _("the sheet has more than %(rows)s rows or %(columns)s columns"),
        _("shorten it"),
    ),
    "workbook.xlsform": (
        _("the file is not an XLSForm that other programs accept: %(said)s"),
        _("correct this place in the file, then choose it again"),
    ),
    "import.lost": (
        _("the report on this page is incomplete, so nothing was imported"),
        _("choose the file or paste the text again"),
    ),
    "import.nothing": (
        _("nothing is left to ask"),
        _("keep at least one question, or start with another file"),
    ),
    "workbook.twice": (_("this column occurs twice"), _("keep one of the two")),
}
