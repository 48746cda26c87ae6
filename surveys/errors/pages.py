"""Messages of errors that pages show: about definitions, drafts, accounts, files and analyses."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_noop as _

from surveys.extension import Refusal

WORDS: Final[dict[str, Refusal]] = {
    "stored_format": (
        _("this program does not know format %(value)s of %(what)s"),
        _("a newer release stored it: install that release again"),
        409,
    ),
    # Definitions, drafts, publishing, invitations and accounts.
    "taken.account": (_("there is already an account %(name)s"), _("choose another login name")),
    "own": (_("this is your own account"), _("change your password on your account page")),
    "own.second_factor": (_("this is your own account"), _("remove it on your account page")),
    "provider.none": (_("this server has no login provider"), _("set one in the server’s settings first")),
    "provider.subject": (
        _("“%(value)s” cannot be an identifier from a login provider"),
        _("copy the identifier shown when the login was refused: 1 to %(longest)s ASCII characters"),
    ),
    "provider.bound": (
        _("account %(value)s is already linked to another identity at a provider"),
        _("ask an administrator to remove that link on the account’s page first"),
    ),
    "provider.taken": (
        _("another account is linked to “%(value)s”"),
        _("log in to that account, or ask an administrator to remove the link first"),
    ),
    "kept_out": (_("Too many wrong codes. Try again after %(until)s UTC, or ask an administrator."), ""),
    "app_sealed": (
        _("the codes of %(value)s cannot be checked, because the server’s secret key has changed"),
        _("remove the second factor and set it up again"),
    ),
    "off": (_("%(name)s has no second factor"), _("there is nothing to do")),
    "reason.second_factor": (_("enter a reason"), _("the log keeps the reason")),
    "stopped": (_("the account is disabled"), _("enable it first")),
    "no_builder": (_("%(name)s cannot create surveys"), _("give them the role researcher first")),
    "last_administrator": (
        _("no administrator except %(name)s can log in"),
        _("make someone else an administrator first, and let them set a password"),
    ),
    "roles": (_("an account needs at least one role"), _("choose a role")),
    "content_type.builder": (_("%(type)s is not accepted here"), _("send application/json"), 415),
    "too_large.request": (_("the draft has more than %(most)s bytes"), _("shorten it"), 413),
    "shape.members": (
        _("the request is not an object with the fields %(names)s"),
        _("send such an object"),
        400,
    ),
    "shape.type": (_("%(name)s is %(value)s"), _("use the content type that the builder sends"), 400),
    "draft.close": (_("survey %(slug)s was never published"), _("publish it first")),
    "not_due.close": (_("survey %(slug)s closes later"), _("close it now by hand")),
    "not_due.delete": (_("survey %(slug)s is to be deleted on another day"), _("wait for that day")),
    "retention.day": (_("%(value)s is not a date"), _("write it like 2027-03-01")),
    "retention.past": (
        _("%(day)s has begun, so nothing can be deleted on that day"),
        _("choose a later day"),
    ),
    "retention.later": (
        _("respondents read that all answers are deleted on %(told)s"),
        _("keep that day, or choose an earlier one"),
    ),
    "retention.early": (
        _("%(value)s begins before %(time)s, and answers are accepted until then"),
        _("choose a later day, or close the survey earlier"),
    ),
    "draft.retention": (_("survey %(slug)s is a draft"), _("set the day in the draft, then publish it")),
    "not_over": (
        _("Survey %(survey)s is not closed for good: late answers may still arrive."),
        _("Close the survey, wait until late answers are no longer accepted, then delete it."),
    ),
    "unfinished": (
        _("A run of survey %(survey)s is in progress."),
        _("Cancel it, or wait until it has finished."),
    ),
    "taken.survey": (_("there is already a survey %(slug)s"), _("choose another address"), 409),
    "revision": (
        _("%(who)s saved revision %(newest)s in the meantime; yours is based on revision %(revision)s"),
        _("compare the two, then keep the saved one or replace it with yours"),
        409,
    ),
    "gone.revision": (
        _("revision %(revision)s of the draft %(slug)s was not kept"),
        _("choose one of the revisions in the list"),
        409,
    ),
    "closed.draft": (
        _("survey %(slug)s is closed"),
        _("duplicate it on the page “New survey”: it stays closed"),
        409,
    ),
    "closed.import": (_("survey %(slug)s is closed"), _("write another slug into the file"), 409),
    "too_large.draft": (_("the draft has %(size)s bytes"), _("use at most %(most)s"), 413),
    "slug": (
        _("%(slug)s cannot be part of an address"),
        _("use at most 50 lower-case letters, digits and hyphens; start and end with a letter or digit"),
        400,
    ),
    "practice.import": (
        _("survey %(slug)s was published with practice = %(practice)s"),
        _(
            "import it under another slug: practice answers can never become real ones, or the "
            "other way round"
        ),
    ),
    "unchanged": (
        _("version %(number)s of %(slug)s has exactly this definition"),
        _("change the draft first"),
    ),
    "chapters.published": (
        _("the end of a chapter was published and is now missing: %(value)s"),
        _("keep the published times; you can add later ones"),
    ),
    "chapters.past": (_("a chapter would end in the past: %(value)s"), _("choose a later time")),
    "chapters.settled": (
        _("survey %(slug)s has closed, so it cannot be cut into chapters"),
        _("remove the new times"),
    ),
    "chapters.unknown": (
        _("This survey has no closed chapter %(number)s."),
        _("Choose a chapter that has ended, or all answers."),
    ),
    "past": (
        _("the survey would close at %(time)s, which is in the past"),
        _("choose a later time, or leave it empty"),
    ),
    "opened": (_("survey %(slug)s is already open"), _("remove its opening time, or close the survey")),
    "not_planned": (_("survey %(slug)s is not waiting to open"), _("publish it")),
    "not_due.open": (_("survey %(slug)s opens later"), _("publish it with another opening time")),
    "survey.exists": (_("there is already a survey %(slug)s"), _("use another slug in the definition")),
    "frame.hosts": (
        _("no website is allowed to show the frame"),
        _("enter the origin of the survey tool, such as https://survey.uni.example"),
    ),
    "frame.host": (
        _("%(host)s is not an origin"),
        _("use scheme and host in lower case, without a path, such as https://survey.uni.example"),
    ),
    "frame.site": (
        _("%(site)s is not a domain that belongs to a single owner"),
        _(
            "enter the domain that the survey tool and the frame share, such as uni.example, or"
            " leave it empty"
        ),
    ),
    "frame.part": (
        _("a frame shows one protected part, but this definition has %(count)s parts or an open one"),
        _("use a definition with one protected part; ask unprotected questions in the survey tool itself"),
    ),
    "frame.group": (_("a frame protects everyone equally"), _('set the group policy to "protected"')),
    "frame.place": (
        _("a frame cannot show a map"),
        _("use a choice of regions instead, or ask for places in a survey on this server"),
    ),
    "frame.turns": (_("a frame cannot omit its part by chance"), _("use each_wave: rotate, or no rotations")),
    "frame.bound": (
        _("the protection of this part is too weak to promise anything"),
        _("choose stronger protection"),
    ),
    "frame.waves": (
        _("the series %(series)s does not say how many surveys it will have"),
        _("state the number of waves, at least 2: respondents read what all of them reveal together"),
    ),
    "client.server": (
        _("“%(server)s” is not the origin of a server"),
        _("write it without a path, such as https://survey.example.org"),
    ),
    "frame.folder": (_("%(folder)s already exists and is not empty"), _("choose a new or empty folder")),
    "frame.multi": (
        _("%(definition)s has tick-all questions of an earlier version, which new frames do not ask"),
        _("import the file as a survey, which makes lists of them, and export it again"),
    ),
    "host_file.definition": (
        _("only one file is given"),
        _("name the definitions first and the tool’s file last"),
    ),
    "host_file.none": (
        _("%(file)s contains no lines from a frame"),
        _("export the question that stores the frame’s line, which starts with sotto1"),
    ),
    "host_file.unknown": (
        _("%(file)s, column %(column)s: no definition matches the digest of its lines, %(versions)s"),
        _("Choose the definition that the frame was made from, without any change."),
    ),
    "host_file.scattered": (
        _("%(file)s: only %(strings)s of %(filled)s cells in column %(column)s contain a line from a frame"),
        _("Export the question that stores the frame’s line, or choose its column."),
    ),
    "host_file.strings": (
        _("%(file)s: column %(name)s contains no lines from a frame"),
        _("Choose one of these columns: %(known)s."),
    ),
    "host_file.wrong": (
        _("%(count)s lines of the file cannot be read: %(lines)s"),
        _("Correct them in the tool’s file, or leave them out. Every report states how many were left out."),
    ),
    "host_file.nobody": (
        _("%(file)s has no line that answers every part"),
        _("check that this is the right export"),
    ),
    "host_file.turns": (
        _("the parts in %(one)s and %(other)s take turns in the same series, %(series)s"),
        _("read each column by itself, with the answers of the other left out"),
    ),
    "host_file.column": (
        _("%(name)s cannot be used as an unprotected question"),
        _("choose a column with 2 to %(most)s different values: %(known)s"),
    ),
    "answer_string": (
        _("%(text)s is not a line from a frame"),
        _("use the column as the survey tool exports it, without changes"),
    ),
    "published": (
        _("survey %(slug)s is published, so you can no longer change who may answer"),
        _("duplicate it, and choose before you publish the copy"),
    ),
    "number.codes": (_("cannot make %(number)s codes at once"), _("use a number from 1 to %(most)s")),
    "full.tokens": (_("you have %(value)s tokens"), _("revoke one that you no longer need")),
    "full.codes": (
        _("survey %(slug)s would have more codes than the number of answers that the server accepts"),
        _("make fewer codes, or ask the operator to raise SOTTOVOCE_SUBMISSION_CAP"),
    ),
    "turns.none": (_("no parts of survey %(slug)s take turns over a series"), _("create new codes instead")),
    "turns.many": (
        _("too many codes to replace at once, for parts that can take turns in so many ways"),
        _("replace at most %(most)s at once"),
    ),
    "turns.rare": (
        _("a lost code cannot be replaced, because the parts can take turns in too many ways"),
        _("give the person no new code: it would ask some parts twice"),
    ),
    "open_link.codes": (
        _("survey %(slug)s is open to anyone with its address"),
        _("choose invitations before publishing"),
    ),
    "open_link.arms": (
        _("invitations decide who is in which group, but this survey has no invitations"),
        _("choose “invited people only”, or let phones draw the group"),
    ),
    "draft.codes": (
        _("survey %(slug)s is a draft, so its address may still change"),
        _("publish it first; it can open later"),
    ),
    "closed.codes": (_("survey %(slug)s is closed"), _("its codes can no longer be used")),
    "code.text": (
        _("%(text)s is not an invitation code"),
        _("write one code per line, 20 letters and digits each"),
    ),
    "closed.for_good": (_("survey %(slug)s is already closed"), _("there is nothing left to close")),
    "closed.with_grace": (
        _("survey %(slug)s is already closed"),
        _("wait, or stop accepting late answers: on the survey’s page, or with --now"),
    ),
    "published.rename": (
        _("survey %(slug)s is published"),
        _("you cannot change its address, because respondents may know it"),
        409,
    ),
    "published.delete": (
        _("survey %(slug)s is published"),
        _("close it instead: a published survey is kept"),
        409,
    ),
    "unknown": (_("unknown survey: %(slug)s"), _("import a definition first")),
    "unknown.known": (_("unknown survey: %(slug)s"), _("choose one of %(known)s")),
    "other": (_("This is not the survey’s name. Nothing was deleted."), ""),
    "taken.address": (_("This address is already in use. Choose another one."), ""),
    "too_large.upload": (_("The file has %(size)s bytes. Use a file of at most %(most)s."), ""),
    "aim.expected": (
        _("Your expectations were recorded when the survey was published."),
        _("Leave them unchanged. An expectation that is changed later proves nothing."),
    ),
    "aim.meanwhile": (
        _("The plan was changed in another tab, or by someone else."),
        _("Reload this page to see that plan, or save here to replace it."),
        409,
    ),
    "aim.stars": (_("Star at most two answers. Remove a star first."), ""),
    "refusal": (_("%(value)s is not a skip probability"), _("use true, or a number of ten-thousandths")),
    "document.too_large": (_("%(name)s has more than %(most)s bytes"), _("shorten it")),
    "document.encoding": (_("%(name)s is not UTF-8: byte %(place)s is invalid"), _("save it as UTF-8")),
    "document.workbook": (_("%(name)s is a spreadsheet"), _("choose it under “New survey”")),
    "document.syntax": (
        _("%(name)s is not JSON: line %(line)s, column %(column)s: %(reason)s"),
        _("correct it there, or paste the questions of another tool under “New survey”"),
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
        _("choose a file that Sottovoce exported, or paste the questions into the box below"),
    ),
    "document.file": (_("%(path)s cannot be read: %(reason)s"), _("choose a file that you can read")),
    "workbook.too_large": (_("the file has more than %(most)s bytes"), _("shorten it")),
    "workbook.unpacked": (
        _("the file unpacks to %(count)s files with %(size)s bytes in total"),
        _("use a workbook of at most %(most)s parts and %(largest)s bytes"),
    ),
    "workbook.none": (
        _("this workbook cannot be opened here: it may be damaged or incomplete"),
        _("open it in a spreadsheet program, save it as .xlsx, and choose that file"),
    ),
    "workbook.failed": (
        _("the form's rows could not be read because of a fault in Sottovoce (%(name)s)"),
        _("paste its questions under “New survey”, and report the fault with the form"),
    ),
    "workbook.macros": (_("the workbook contains macros"), _("save it as .xlsx, without macros")),
    "workbook.lists": (
        _(
            "the survey would have %(size)s MB with its lists written out for each question; at most "
            "%(most)s MB are imported. The list %(name)s needs most: %(count)s answers in %(uses)s questions"
        ),
        _("shorten this list, or split the form into several surveys"),
    ),
    "workbook.long": (
        _("the survey would have %(size)s MB; at most %(most)s MB are imported"),
        _("leave out rows, or split the form into several surveys"),
    ),
    "workbook.xlsform": (
        _("the file is not a valid XLSForm: %(said)s"),
        _("correct this place in the file, then choose it again"),
    ),
    "workbook.sheet": (
        _("this workbook is not an XLSForm: no sheet has columns with the names type, name and label"),
        _("copy the cells with the questions and their answers, and paste them into the box"),
    ),
    "workbook.headers": (
        _("no sheet of this XLSForm has columns with the names type, name and label"),
        _("write these names, in English, above the columns of the questions, then choose it again"),
    ),
    "workbook.faults": (
        _("the form has more than %(most)s kinds of faults; the next one is: %(said)s"),
        _("correct the form in the program in which you wrote it, which checks it, then choose it again"),
    ),
    "import.lost": (
        _("the report on this page is incomplete, so nothing was imported"),
        _("choose the file or paste the text again"),
    ),
    "readable.unseen": (
        _("%(questions)s: stored as answered, although it is not plain background"),
        _("protect it, or confirm that you have seen what is readable"),
        409,
    ),
    "readable.gone": (_("the draft no longer stores this question as answered"), _("reload the page"), 409),
    "import.line": (
        _("line %(line)s of the text does not exist or is empty"),
        _("write a number from the list “Every line and its role”, or empty the field"),
    ),
    "import.nothing": (
        _("nothing is left to ask"),
        _("keep at least one question, or start with another file"),
    ),
    # Analyses: too few answers, wrong margins, exceeded limits.
    "table_file.named": (_("%(path)s: %(message)s"), "%(remedy)s"),
    "table_file.large": (
        _("the file has %(value)s bytes; the limit is %(most)s million"),
        _("remove columns that you do not need"),
    ),
    "upload.memory": (
        _("the file is damaged, or reading it needs more than %(most)s MB of memory"),
        _("use a smaller file; tables can be larger as CSV"),
    ),
    "upload.seconds": (
        _("reading the file would need more than %(most)s seconds"),
        _("use a smaller file; tables can be larger as CSV"),
    ),
    "upload.answer": (
        _("the file contains %(size)s MB of values; at most %(most)s MB can be read from one file"),
        _("leave out columns with long texts, or split the file"),
    ),
    "upload.busy": (
        _("the server is busy and could not read the file within %(most)s seconds"),
        _("try again in a minute"),
        503,
    ),
    "upload.waiting": (_("the server is reading another file"), _("try again in a minute"), 503),
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
    "too_few.answer": (
        _("This answer has no figure: too few people were asked about it, or too few gave it."),
        _("More answers may show it."),
    ),
    "few_alike.patterns": (
        _(
            "Fewer than %(least)s people share some combination of these unprotected answers, or of "
            "these and the two strengths."
        ),
        _("Remove open items, or use more common ones."),
    ),
    "waits": (
        _("Figures that combine unprotected answers wait until no more answers can arrive."),
        _(
            "Until then, two analyses could differ by fewer than %(least)s people. Analyse again once the"
            " survey has closed and its last answers have arrived."
        ),
    ),
    "waits.answer": (
        _("This answer has no figure until no more answers can arrive."),
        _(
            "Until then, two analyses could differ by fewer than %(least)s people. Analyse again once the"
            " survey has closed and its last answers have arrived."
        ),
    ),
    "waits.map": (
        _("Sottovoce is still deciding which cells of this map have enough people."),
        _("Reload the page in a minute."),
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
    "change.interim": (
        _("Answers to “%(survey)s” can still arrive, so its figures are an interim look."),
        _("Compare after the survey has settled, 48 hours after it closes, and analyse all its answers."),
    ),
    "change.absent": (
        _("“%(survey)s” does not ask “%(question)s”."),
        _("Choose an answer to a question that both surveys ask with the same key."),
    ),
    "change.answers": (
        _("“%(survey)s” offers other answers to “%(question)s”, so the shares do not mean the same."),
        _("Choose a question with the same answers in both. Copy a survey to keep its questions."),
    ),
    "change.wording": (
        _("“%(survey)s” asks “%(question)s” in other words, so the shares do not mean the same."),
        _("Choose a question with the same wording in both. Copy a survey to keep its questions."),
    ),
    "change.languages": (
        _("“%(survey)s” asks “%(question)s” in other languages, so no one can check that it means the same."),
        _("Choose a survey with a common language."),
    ),
    "change.asked": (
        _("“%(survey)s” asks “%(question)s” only of other people: its condition differs."),
        _("Choose a question with the same condition in both."),
    ),
    "change.refused": (
        _("“%(survey)s” does not show this figure: %(problem)s"),
        _("Choose another answer or another survey."),
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
            "Fewer than %(least)s people share some combination of these unprotected answers, overall "
            "or within one strength."
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
    "profile.bars": (
        _("This range contains only part of a bar, so it could describe fewer than %(least)s people."),
        _("Choose a range that begins and ends with a bar. Bars begin at %(starts)s."),
    ),
    "question.unknown": (
        _("This survey has no question “%(question)s”."),
        _("Choose one of the views above."),
    ),
    "opinion": (_("“%(opinion)s” is not a verdict."), _("Choose accepted, rejected or undecided.")),
    "note_length": (_("The note has %(length)s characters."), _("Use at most %(most)s.")),
    "reason": (_("A rejection needs a reason."), _("Write why you reject the rule.")),
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
    "too_few.open": (_("Too few people answered this."), _("Results appear with %(least)s answers.")),
    "too_few.question": (
        _("Too few people sent a disguised answer to %(question)s."),
        _("Results appear once there are %(least)s protected answers."),
    ),
    "kind.number": (_("“%(question)s” is not a number question."), _("Choose one of the views above.")),
    "kind.place": (_("“%(question)s” is not a place question."), _("Choose one of the views above.")),
    "parameters": (_("the address lacks parameters, or has wrong ones: %(problems)s"), _("correct them")),
    "parameters.margins": (
        _("the address has no margins"),
        _("add the shares of your population, such as ?margins=age:young=0.4,old=0.6"),
    ),
    "margins_file.too_large": (
        _("the margins have more than %(most)s bytes"),
        _("write one line per option"),
    ),
    "margins_file.empty": (_("there are no margins"), _("write lines such as age,young,0.4")),
    "margins_file.cells": (
        _("line %(number)s, “%(line)s”, must have 3 cells, not %(count)s"),
        _("write question, option and share: age,young,0.4"),
    ),
    "margins_file.twice": (
        _("%(where)s: %(question)s=%(option)s has two shares"),
        _("name each option once"),
    ),
    "margins_file.share": (_("%(where)s: “%(share)s” is not a share"), _("write it as 0.4 or as 40%")),
}
