"""Refusals of what is computed from a snapshot: too few answers, wrong margins, runs that cost too much."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_noop as _

WORDS: Final = {
    "table_file.missing": (_("%(path)s cannot be read: %(error)s"), _("name a file")),
    "table_file.named": (_("%(path)s: %(message)s"), "%(remedy)s"),
    "table_file.large": (
        _("the file has %(value)s bytes, and may have %(most)s million"),
        _("leave out columns that nobody needs, or give it as Parquet"),
    ),
    "table_file.text": (
        _("the file is no text in UTF-8, UTF-16, GB 18030 or Windows-1252"),
        _("save it as CSV in UTF-8"),
    ),
    "table_file.damaged": (_("the file cannot be read as %(kind)s"), _("save it again, or as CSV")),
    "table_file.header": (_("the file is empty, or has no header"), _("name the columns in its first line")),
    "table_file.empty": (
        _("below its header the file has no record"),
        _("give a header and a line for each person"),
    ),
    "table_file.cells": (
        _("line %(row)s has %(value)s cells, and the header %(columns)s"),
        _("give each line as many cells as the header"),
    ),
    "table_file.quotes": (_("line %(value)s cannot be read: %(error)s"), _("check the quotes of that line")),
    "table_file.columns": (_("the table has %(value)s columns"), _("give at most %(most)s")),
    "table_file.wide": (
        _("the table has %(value)s records and %(columns)s columns, which is too much"),
        _("give at most %(most)s cells, as CSV if there are more"),
    ),
    "table_file.more": (
        _("the table has more than %(value)s records in %(columns)s columns, which is too much"),
        _("give at most %(most)s cells"),
    ),
    "upload.memory": (
        _("reading the file takes more than %(most)s MB of memory, or it is damaged"),
        _("save it again with less in it; a table may be larger as CSV"),
    ),
    "upload.seconds": (
        _("reading the file takes more than %(most)s seconds"),
        _("give one with less in it; a table may be larger as CSV"),
    ),
    "upload.waiting": (_("another file is being read"), _("try again in a minute")),
    "upload.failed": (
        _("the file cannot be read (%(value)s)"),
        _("save it again with the program that made it"),
    ),
    "too_few": (
        _("There are too few protected answers for a result."),
        _("Results are shown from %(least)s protected answers on."),
    ),
    "seconds": (
        _("The run took longer than %(seconds)s seconds."),
        _("Raise the support, shorten the longest itemset, or let an administrator raise SOTTO_RUN_SECONDS."),
    ),
    "megabytes": (
        _("The run took more than %(megabytes)s MB of memory."),
        _(
            "Raise the support, shorten the longest itemset, or let an administrator raise"
            " SOTTO_RUN_MEGABYTES."
        ),
    ),
    "too_few.patterns": (
        _("Too few protected answers were asked all of these."),
        _("Results are shown from %(least)s protected answers on."),
    ),
    "few_alike.patterns": (
        _(
            "Some combination of the open answers in it, and of the way of answering where there are two, is"
            " given by fewer than %(least)s people."
        ),
        _("Leave out open items, or name commoner ones."),
    ),
    "regression.cells": (
        _("The open questions have %(cells)s combinations of answers."),
        _("Choose fewer of them: at most %(most)s combinations."),
    ),
    "regression.few_events": (
        _("Too few people say yes, or no, for so many predictors, after what the disguise takes."),
        _("Choose fewer predictors, or wait for more answers: %(least)s events are wanted."),
    ),
    "regression.no_estimate": (
        _("The answers do not tell these predictors from each other."),
        _("Choose fewer predictors, or wait for more answers."),
    ),
    "regression.nothing": (_("Nothing predicts the answer."), _("Choose at least one predictor.")),
    "regression.open": (
        _("Nothing in this model is disguised."),
        _("Choose a protected item, as the answer or as the disguised predictor."),
    ),
    "regression.same": (
        _("A question cannot predict itself."),
        _("Choose another question as the predictor."),
    ),
    "regression.separation": (
        _("In some group nearly nobody, or nearly everybody, seems to say yes, so odds have no end."),
        _("Leave out the question that makes this group, or wait for more answers."),
    ),
    "arms": (
        _("This survey did not divide its people by %(value)s."),
        _("Choose one of the divisions that the page lists."),
    ),
    "arms.merged": (
        _("Answers sent as they are were disguised here as all others: no figure tells them apart."),
        _("Ask fewer protected parts, or disguise everybody, some lightly."),
    ),
    "arms.nothing": (
        _("No yes/no question, choice or number of this survey is disguised."),
        _("Compare open answers below."),
    ),
    "too_few.arm": (
        _("Too few people are in one of the groups."),
        _("Results by group are shown from %(least)s protected answers of each on."),
    ),
    "too_few.base": (
        _("Too few people were asked all of it."),
        _("Results are shown from %(least)s protected answers on."),
    ),
    "too_few.inside": (
        _("Fewer than %(least)s people seem to be in it."),
        _("Choose larger parts, or fewer of them."),
    ),
    "too_few.outside": (
        _("Fewer than %(least)s people seem to be outside of it."),
        _("Choose smaller parts."),
    ),
    "profile": (
        _(
            "Fewer than %(least)s people gave some of these open answers together, or gave them in one of two"
            " ways of answering."
        ),
        _("Choose fewer open items."),
    ),
    "profile.range": (
        _("Together with other open answers, a range of your own could single people out."),
        _(
            "Choose a range that the question declares, or compare this one with a disguised answer. "
            "At least %(least)s people must share each combination."
        ),
    ),
    "question": (_("This survey asks no question “%(question)s”."), _("Choose one of the views above.")),
    "opinion": (_("“%(opinion)s” is no verdict."), _("Choose reviewed, accepted or rejected.")),
    "note_length": (_("The note has %(length)s characters."), _("Use at most %(most)s.")),
    "reason": (
        _("A rejection without a reason helps nobody."),
        _("Say in the note why the rule is rejected."),
    ),
    "small_cell": (
        _("These margins cut out a part with fewer than %(least)s protected answers."),
        _("Take options together, as a%(join)sb, or weight by fewer questions."),
    ),
    "invited": (
        _("%(invited)s people invited are fewer than the answers."),
        _("Give the number of all who were invited, those who answered among them."),
    ),
    "not_finished": (_("Run %(run)s is not finished."), _("Choose a run that has a result.")),
    "too_few.file": (
        _("There are too few protected answers for a file."),
        _("Rows leave from %(least)s protected answers on."),
    ),
    "too_large.file": (
        _("The rows take %(size)s MB."),
        _("At most %(most)s MB fit into one file: ask the operator for the database’s batches."),
    ),
    "too_large.cells": (
        _("The rows have %(value)s cells."),
        _("A file for SPSS or Stata holds at most %(most)s: take the ZIP file, both read its rows.csv."),
    ),
    "damaged_batch": (
        _("the rows of batch %(value)s do not have the digest %(digest)s"),
        _("restore the database from a backup"),
    ),
    "drawing_key": (
        _("the key is lost under which undisguised answers are disguised"),
        _("restore the database from a backup: under another key the same answers would be disguised twice"),
    ),
    "no_answers.closed": (
        _("The survey is closed, and no answers to this design came."),
        _("There is nothing to mine and nothing to wait for: choose another design, or ask again."),
    ),
    "no_answers.undisguised": (
        _("Some people’s answers to protected questions came undisguised, and the survey is not over yet."),
        _("Such a survey is mined after it has closed, when its last batch is made: close it, or wait."),
    ),
    "no_answers.waiting": (
        _("No answers are ready to be mined."),
        _(
            "Answers are mixed in batches of 50, and the newest batch of an open survey stays out: wait "
            "for more."
        ),
    ),
    "snapshot": (
        _("The batches of this run changed: their digest is %(found)s."),
        _("Ask for a new run, and find out who changed the database."),
    ),
    "too_near": (
        _("Batch %(last)s leaves out fewer than %(least)s answers."),
        _("Name an earlier batch, or none to read all."),
    ),
    "no_batch": (
        _("Batch %(last)s came before the first one of this design."),
        _("Name a later batch, or none to read all."),
    ),
    "seconds.audit": (
        _("The run took longer than %(seconds)s seconds."),
        _("Let an administrator raise SOTTO_RUN_SECONDS. Other thresholds do not change the audit."),
    ),
    "megabytes.audit": (
        _("The run took more than %(megabytes)s MB of memory."),
        _("Let an administrator raise SOTTO_RUN_MEGABYTES. Other thresholds do not change the audit."),
    ),
    "too_few.one": (
        _("One disguised answer to %(question)s says nothing of how far off it is."),
        _("Results are shown from %(least)s protected answers on."),
    ),
    "too_few.question": (
        _("Too few people sent a disguised answer to %(question)s."),
        _("Results are shown from %(least)s protected answers on."),
    ),
    "kind.number": (_("“%(question)s” asks for no number."), _("Choose one of the views above.")),
    "kind.place": (_("“%(question)s” asks for no place."), _("Choose one of the views above.")),
    "margins_file.too_large": (_("the margins have more than %(most)s bytes"), _("give one line per option")),
    "margins_file.empty": (_("there is no margin"), _("write lines such as age,young,0.4")),
    "margins_file.cells": (
        _("line %(number)s, “%(line)s”: cells found: %(count)s, expected: 3"),
        _("write question, option and share: age,young,0.4"),
    ),
    "margins_file.json": (_("this is no JSON: %(error)s"), _('write {"age": {"young": 0.4, "old": 0.6}}')),
    "margins_file.options": (
        _("the shares of %(question)s are no object"),
        _('write {"age": {"young": 0.4, "old": 0.6}}'),
    ),
    "margins_file.twice": (
        _("%(where)s: %(question)s=%(option)s has two shares"),
        _("name each option once"),
    ),
    "margins_file.share": (_("%(where)s: “%(share)s” is no share"), _("write it as 0.4 or as 40 %")),
}
STATUS: Final = {"upload.waiting": 503}
