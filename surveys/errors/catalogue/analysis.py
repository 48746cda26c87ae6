"""Errors of analyses: too few answers, wrong margins, runs beyond their limits."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_noop as _

WORDS: Final = {
    "table_file.missing": (_("%(path)s cannot be read: %(error)s"), _("choose a file that exists")),
    "table_file.named": (_("%(path)s: %(message)s"), "%(remedy)s"),
    "table_file.large": (
        _("the file has %(value)s bytes; the limit is %(most)s million"),
        _("remove columns that you do not need, or save it as Parquet"),
    ),
    "table_file.encoding": (
        _("the characters of the file can be read in several ways: %(examples)s"),
        _("save it as UTF-8, then choose it again"),
    ),
    "table_file.text": (
        _("the file is not text in UTF-8, UTF-16 or another known encoding"),
        _("save it as CSV in UTF-8"),
    ),
    "table_file.damaged": (_("the file cannot be read as %(kind)s"), _("save it again, or save it as CSV")),
    "table_file.sheets": (
        _("%(value)s sheets of the workbook contain cells: %(names)s"),
        _("name the sheet with the table, or save it as its own file"),
    ),
    "table_file.sheet": (
        _("the workbook has no sheet “%(value)s” that contains cells"),
        _("choose one of these sheets: %(names)s"),
    ),
    "table_file.header": (
        _("the file is empty, or has no header line"),
        _("put the names of the columns into its first line"),
    ),
    "table_file.empty": (
        _("the file has a header, but no records"),
        _("add one line for each person below the header"),
    ),
    "table_file.cells": (
        _("line %(row)s has %(value)s cells, but the header has %(columns)s"),
        _("give each line as many cells as the header"),
    ),
    "table_file.quotes": (
        _("line %(value)s cannot be read: %(error)s"),
        _("check the quotation marks in that line"),
    ),
    "table_file.columns": (_("the table has %(value)s columns"), _("use at most %(most)s")),
    "table_file.wide": (
        _("the table is too large: %(value)s records in %(columns)s columns"),
        _("use at most %(most)s cells; a CSV file may have more"),
    ),
    "table_file.more": (
        _("the table is too large: more than %(value)s records in %(columns)s columns"),
        _("use at most %(most)s cells"),
    ),
    "upload.memory": (
        _("the file is damaged, or reading it needs more than %(most)s MB of memory"),
        _("use a smaller file; tables can be larger as CSV"),
    ),
    "upload.seconds": (
        _("reading the file would need more than %(most)s seconds"),
        _("use a smaller file; tables can be larger as CSV"),
    ),
    "upload.waiting": (_("the server is reading another file"), _("try again in a minute")),
    "upload.failed": (
        _("the file cannot be read (%(value)s)"),
        _("save it again with the program that created it"),
    ),
    "too_few": (
        _("There are too few protected answers for a result."),
        _("Results appear once there are %(least)s protected answers."),
    ),
    "seconds": (
        _("The run did not finish within %(seconds)s seconds."),
        _(
            "Raise the minimum support, shorten the longest itemset, or ask an administrator to"
            " raise SOTTOVOCE_RUN_SECONDS."
        ),
    ),
    "megabytes": (
        _("The run needed more than %(megabytes)s MB of memory."),
        _(
            "Raise the minimum support, shorten the longest itemset, or ask an administrator to"
            " raise SOTTOVOCE_RUN_MEGABYTES."
        ),
    ),
    "too_few.patterns": (
        _("Too few respondents were asked all of these questions."),
        _("Results appear once there are %(least)s protected answers."),
    ),
    "few_alike.patterns": (
        _(
            "Fewer than %(least)s people share some combination of these unprotected answers, or of "
            "these and the two strengths."
        ),
        _("Remove open items, or use more common ones."),
    ),
    "regression.cells": (
        _("The unprotected questions have %(cells)s combinations of answers."),
        _("Choose fewer unprotected questions: at most %(most)s combinations."),
    ),
    "regression.few_rows": (
        _("Too few people answered for this many predictors after the loss to the disguise."),
        _("Choose fewer predictors, or wait for more answers."),
    ),
    "regression.no_estimate": (
        _("These answers cannot separate the effects of the predictors."),
        _("Choose fewer predictors, or wait for more answers."),
    ),
    "regression.nothing": (_("No predictor is chosen."), _("Choose at least one predictor.")),
    "regression.open": (
        _("No answer in this model is disguised."),
        _("Choose a protected item, either as the outcome or as the disguised predictor."),
    ),
    "regression.same": (
        _("A question cannot predict itself."),
        _("Choose another question as the predictor."),
    ),
    "regression.separation": (
        _(
            "In one group almost no one, or almost everyone, seems to answer “yes”, so the odds"
            " have no limit."
        ),
        _("Remove the question that defines this group, or wait for more answers."),
    ),
    "arms": (
        _("This survey did not assign people to arms by %(value)s."),
        _("Choose one of the assignments listed on the page."),
    ),
    "arms.merged": (
        _(
            "Undisguised answers were disguised here like all others, so no result can separate"
            " the two groups."
        ),
        _("Ask fewer protected parts, or disguise everyone’s answers, some of them lightly."),
    ),
    "arms.nothing": (
        _("This survey disguises no yes/no question, choice or number."),
        _("Compare the unprotected answers below."),
    ),
    "too_few.arm": (
        _("One of the groups has too few people."),
        _("Results by group appear once each group has %(least)s protected answers."),
    ),
    "too_few.base": (
        _("Too few people were asked all of these questions."),
        _("Results appear once there are %(least)s protected answers."),
    ),
    "too_few.inside": (
        _("This includes fewer than %(least)s people, as far as we can estimate."),
        _("Choose wider ranges or larger regions, or fewer of them."),
    ),
    "too_few.outside": (
        _("This excludes fewer than %(least)s people, as far as we can estimate."),
        _("Choose narrower ranges or smaller regions."),
    ),
    "profile": (
        _(
            "Fewer than %(least)s people share some of these unprotected answers, or share them with "
            "the same strength."
        ),
        _("Choose fewer open items."),
    ),
    "profile.range": (
        _("Together with other unprotected answers, your own range could identify individuals."),
        _(
            "Choose a range that the question declares, or compare this one with a disguised answer. "
            "At least %(least)s people must share each combination."
        ),
    ),
    "question.unknown": (
        _("This survey has no question “%(question)s”."),
        _("Choose one of the views above."),
    ),
    "opinion": (_("“%(opinion)s” is not a verdict."), _("Choose accepted, rejected or undecided.")),
    "note_length": (_("The note has %(length)s characters."), _("Use at most %(most)s.")),
    "reason": (
        _("A rejection needs a reason."),
        _("Write why you reject the rule."),
    ),
    "small_cell": (
        _("These margins create a group with fewer than %(least)s protected answers."),
        _("Merge options, as a%(join)sb, or weight by fewer questions."),
    ),
    "invited": (
        _("%(invited)s people were invited, which is fewer than the number of answers."),
        _("Enter the number of all people invited, including those who answered."),
    ),
    "not_finished": (_("Run %(run)s is not finished."), _("Choose a run with a result.")),
    "too_few.file": (
        _("There are too few protected answers for a file."),
        _("Answers can be exported once there are %(least)s protected answers."),
    ),
    "too_large.file": (
        _("The rows need %(size)s MB."),
        _("A file can hold at most %(most)s MB. Ask the operator for the batches in the database."),
    ),
    "too_large.cells": (
        _("The rows have %(value)s cells."),
        _(
            "A file for SPSS or Stata can hold at most %(most)s. Download the ZIP file instead:"
            " both programs can read its rows.csv."
        ),
    ),
    "damaged_batch": (
        _("the rows of batch %(value)s do not match the digest %(digest)s"),
        _("restore the database from a backup"),
    ),
    "drawing_key": (
        _("the key that disguises undisguised answers is lost"),
        _("restore the database from a backup: another key would disguise the same answers twice"),
    ),
    "no_answers.closed": (
        _("The survey is closed, and no answers were received for this design."),
        _("Choose another design, or run the survey again."),
    ),
    "no_answers.undisguised": (
        _(
            "Some respondents’ answers to protected questions arrived undisguised, and the "
            "survey is still open."
        ),
        _("Close the survey, then wait for its last batch. You can analyse it after that."),
    ),
    "no_answers.waiting": (
        _("There are no answers to analyse yet."),
        _(
            "Answers are mixed in batches of 50, and the newest batch of an open survey is held"
            " back. Wait for more answers."
        ),
    ),
    "snapshot": (
        _("The batches of this run have changed: their digest is now %(found)s."),
        _("Start a new run, and find out who changed the database."),
    ),
    "too_near": (
        _("Batch %(last)s leaves out fewer than %(least)s answers."),
        _("Name an earlier batch, or none to include all."),
    ),
    "no_batch": (
        _("Batch %(last)s is older than the first batch of this design."),
        _("Name a later batch, or none to include all."),
    ),
    "seconds.audit": (
        _("The run did not finish within %(seconds)s seconds."),
        _("Ask an administrator to raise SOTTOVOCE_RUN_SECONDS. Other thresholds do not change the audit."),
    ),
    "megabytes.audit": (
        _("The run needed more than %(megabytes)s MB of memory."),
        _("Ask an administrator to raise SOTTOVOCE_RUN_MEGABYTES. Other thresholds do not change the audit."),
    ),
    "too_few.one": (
        _("With a single disguised answer, no error can be computed."),
        _("Results appear once there are %(least)s protected answers."),
    ),
    "too_few.question": (
        _("Too few people sent a disguised answer to %(question)s."),
        _("Results appear once there are %(least)s protected answers."),
    ),
    "kind.number": (_("“%(question)s” is not a number question."), _("Choose one of the views above.")),
    "kind.place": (_("“%(question)s” is not a place question."), _("Choose one of the views above.")),
    "margins_file.too_large": (
        _("the margins have more than %(most)s bytes"),
        _("write one line per option"),
    ),
    "margins_file.empty": (_("there are no margins"), _("write lines such as age,young,0.4")),
    "margins_file.cells": (
        _("line %(number)s, “%(line)s”, has %(count)s cells instead of 3"),
        _("write question, option and share: age,young,0.4"),
    ),
    "margins_file.twice": (
        _("%(where)s: %(question)s=%(option)s has two shares"),
        _("name each option once"),
    ),
    "margins_file.share": (_("%(where)s: “%(share)s” is not a share"), _("write it as 0.4 or as 40%")),
}
STATUS: Final = {"upload.waiting": 503}
