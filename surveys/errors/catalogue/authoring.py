"""Refusals of authoring: accounts, drafts, publishing, closing, invitations, rows from a file."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_noop as _

WORDS: Final = {
    "taken.account": (_("there is an account %(name)s already"), _("choose another log-in name")),
    "own": (_("this is your own account"), _("change your password on your account’s page")),
    "own.second_factor": (_("this is your own account"), _("take it off on your account’s page")),
    "provider.none": (_("no provider of log-ins is set on this server"), _("name one in its settings first")),
    "provider.subject": (
        _("“%(value)s” is nothing that a provider calls somebody"),
        _("give 1 to %(longest)s plain letters, digits and signs, as the refused log-in showed them"),
    ),
    "provider.bound": (
        _("the account %(value)s takes log-ins of somebody else at a provider"),
        _("let an administrator end that on the page of the account first"),
    ),
    "provider.taken": (
        _("another account takes log-ins of “%(value)s”"),
        _("log in to that one, or let an administrator end it there first"),
    ),
    "kept_out": (_("Too many codes were wrong. Try again at %(until)s UTC, or ask an administrator."), ""),
    "app_sealed": (
        _("the codes of %(value)s cannot be checked: the server’s secret key has changed"),
        _("take the second factor off and set it up again"),
    ),
    "off": (_("%(name)s has no second factor"), _("nothing has to be done")),
    "reason.second_factor": (_("the reason is missing"), _("write why: it stands in the log")),
    "stopped": (_("the account is stopped"), _("let it log in again first")),
    "no_builder": (_("%(name)s builds no surveys"), _("make them a researcher first")),
    "last_administrator": (
        _("%(name)s is the last administrator who can log in"),
        _("make somebody else an administrator first, and let them set a password"),
    ),
    "roles": (_("without a role an account can do nothing"), _("choose one at least")),
    "content_type.builder": (_("%(type)s is not read here"), _("send application/json")),
    "too_large.request": (_("the draft has more than %(most)s bytes"), _("make it smaller")),
    "shape.members": (_("the request is not an object of %(names)s"), _("send one")),
    "shape.type": (_("%(name)s is %(value)s"), _("send the type that the builder's page sends")),
    "draft.close": (_("the survey %(slug)s was never open"), _("publish it first")),
    "not_due.close": (_("the survey %(slug)s closes later"), _("close it by hand")),
    "not_due.delete": (_("the survey %(slug)s is deleted on another day"), _("leave it to its day")),
    "retention.day": (_("%(value)s is no day"), _("write it as 2027-03-01")),
    "retention.past": (_("%(day)s has begun: nothing can be deleted then"), _("state a later day")),
    "retention.later": (
        _("respondents read that all answers are deleted on %(told)s"),
        _("keep that day, or state an earlier one"),
    ),
    "retention.early": (
        _("%(value)s begins before %(time)s, until when answers are accepted"),
        _("state a later day, or close the survey earlier"),
    ),
    "draft.retention": (_("the survey %(slug)s is a draft"), _("state the day in the draft and publish it")),
    "not_over": (
        _("Survey %(survey)s is not closed for good: answers may still come."),
        _("Close it, wait until sealed answers are not accepted any more, then delete it."),
    ),
    "unfinished": (_("A run of survey %(survey)s is under way."), _("Cancel it, or wait for its end.")),
    "taken.survey": (_("there is a survey %(slug)s already"), _("choose another address")),
    "revision": (
        _("%(who)s saved revision %(newest)s meanwhile, and this is made from revision %(revision)s"),
        _("look at what was saved, then take it or save yours over it"),
    ),
    "gone.revision": (
        _("revision %(revision)s of the draft %(slug)s is not kept"),
        _("go back to one of those that are listed"),
    ),
    "closed.draft": (
        _("the survey %(slug)s is closed"),
        _("duplicate it: a closed survey never opens again"),
    ),
    "too_large.draft": (_("the draft has %(size)s bytes"), _("use at most %(most)s")),
    "slug": (
        _("%(slug)s cannot stand in an address"),
        _("use at most 50 small letters, digits and hyphens, a letter or digit first and last"),
    ),
    "closed.import": (
        _("the survey %(slug)s is closed"),
        _("import it under another slug: a closed survey never opens again"),
    ),
    "practice.import": (
        _("the survey %(slug)s was published with practice = %(practice)s"),
        _("import it under another slug: practice answers never become real ones, nor the reverse"),
    ),
    "closed.publish": (
        _("the survey %(slug)s is closed"),
        _("import it under another slug and publish that"),
    ),
    "unchanged": (
        _("version %(number)s of %(slug)s is exactly this definition"),
        _("change the draft first"),
    ),
    "past": (_("the survey would close at %(time)s, which is over"), _("state a later time, or none")),
    "opened": (_("the survey %(slug)s is open already"), _("leave its opening time out, or close it")),
    "not_planned": (_("the survey %(slug)s does not wait to be opened"), _("publish it")),
    "not_due.open": (_("the survey %(slug)s opens later"), _("publish it with another opening time")),
    "survey.exists": (_("the survey %(slug)s exists already"), _("give the definition another slug")),
    "frame.hosts": (
        _("no page may show the frame"),
        _("name the origin of the survey tool, such as https://survey.uni.example"),
    ),
    "frame.host": (
        _("%(host)s is no origin"),
        _("write scheme and host in small letters, without a path, such as https://survey.uni.example"),
    ),
    "frame.site": (
        _("%(site)s is no domain that one owner holds"),
        _("name the domain that the survey tool and the frame share, such as uni.example, or leave it out"),
    ),
    "frame.part": (
        _("a frame asks one protected part, and this definition has %(count)s parts or an open one"),
        _("make a definition of one protected part; open questions are the survey tool's own"),
    ),
    "frame.group": (
        _("a frame disguises everybody's answers alike"),
        _('give "protected" as the group\'s policy'),
    ),
    "frame.place": (
        _("a frame shows no map"),
        _("ask for a choice of regions, or ask for places in a survey of Sotto's own"),
    ),
    "frame.bound": (
        _("the part disguises too little for a promise"),
        _("choose a stronger disguise"),
    ),
    "client.server": (
        _("“%(server)s” is no origin of a server"),
        _("name it as browsers do, without a path, such as https://survey.example.org"),
    ),
    "frame.folder": (
        _("%(folder)s is there already and holds something"),
        _("name a folder that is new or empty"),
    ),
    "host_file.definition": (
        _("only one file is named"),
        _("name the definitions first, and the tool's file last"),
    ),
    "host_file.none": (
        _("%(file)s holds no string of a frame"),
        _("export the question that stores the frame's line, which begins with sotto1"),
    ),
    "host_file.unknown": (
        _("%(file)s, column %(column)s: no definition here has the digest of its lines, %(versions)s"),
        _("Choose the definition from which the frame was made, with every word unchanged."),
    ),
    "host_file.scattered": (
        _("%(file)s: only %(strings)s of %(filled)s cells of column %(column)s hold a line of a frame"),
        _("Export the question that stores the frame's line, or name its column."),
    ),
    "host_file.strings": (
        _("%(file)s, column %(name)s holds no line of a frame"),
        _("Name one of these columns: %(known)s."),
    ),
    "host_file.wrong": (
        _("%(count)s lines of the file cannot be read: %(lines)s"),
        _("Correct them in the tool's file, or leave them out: every report will state their number."),
    ),
    "host_file.nobody": (
        _("%(file)s has no line with an answer to every part"),
        _("look whether this is the export that you mean"),
    ),
    "host_file.column": (
        _("%(name)s can be no open question"),
        _("name a column of 2 to %(most)s different values: %(known)s"),
    ),
    "answer_string": (
        _("%(text)s is no string of a frame"),
        _("take the column as the survey tool exports it, and change nothing in it"),
    ),
    "published": (
        _("the survey %(slug)s is published, and that settled who can answer"),
        _("duplicate it and choose there before publishing"),
    ),
    "number.codes": (_("%(number)s codes cannot be made at once"), _("ask for 1 to %(most)s")),
    "full.tokens": (_("you have %(value)s tokens"), _("end one that no program needs any more")),
    "full.codes": (
        _("the survey %(slug)s would have more codes than the server takes answers"),
        _("make fewer, or have SOTTO_SUBMISSION_CAP raised"),
    ),
    "open_link.codes": (
        _("the survey %(slug)s is open to whoever has its address"),
        _("choose invitations before publishing"),
    ),
    "open_link.arms": (
        _("invitations decide which group of the experiment somebody is in, and nobody is invited"),
        _("choose “who was invited”, or let devices draw the group"),
    ),
    "draft.codes": (
        _("the survey %(slug)s is a draft, and its address may still change"),
        _("publish it first; it may open later"),
    ),
    "closed.codes": (_("the survey %(slug)s is closed"), _("there is nothing left to do with its codes")),
    "code.text": (_("%(text)s is no code"), _("write one a line, 20 letters and digits each")),
    "closed.for_good": (_("the survey %(slug)s is closed already"), _("there is nothing left to close")),
    "closed.with_grace": (
        _("the survey %(slug)s is closed already"),
        _("wait, or accept no more answers that were sealed before: on its page, or with --now"),
    ),
    "published.rename": (
        _("the survey %(slug)s was published"),
        _("its address stays, since respondents may know it"),
    ),
    "published.delete": (
        _("the survey %(slug)s was published"),
        _("close it instead: what was published is kept"),
    ),
    "unknown": (_("there is no survey %(slug)s"), _("import a definition first")),
    "unknown.known": (_("there is no survey %(slug)s"), _("choose one of %(known)s")),
    "other": (_("This is not its name: nothing was deleted."), ""),
    "taken.address": (_("This address is taken; choose another one."), ""),
    "too_large.upload": (_("The file has %(size)s bytes; use one of at most %(most)s."), ""),
    "aim.expected": (
        _("Your expectations were recorded when the survey was published."),
        _("Leave them unchanged. An expectation that is changed later proves nothing."),
    ),
    "aim.meanwhile": (
        _("The plan was changed in another tab, or by someone else."),
        _("Reload this page to see that plan, or save here to replace it."),
    ),
    "aim.stars": (_("Star at most two answers. Remove a star first."), ""),
    "no_page": ("a reading with problems has no page", "show its problems"),
}
STATUS: Final = {
    "slug": 400,
    "published.rename": 409,
    "published.delete": 409,
    "revision": 409,
    "aim.meanwhile": 409,
    "gone.revision": 409,
    "closed.draft": 409,
    "taken.survey": 409,
    "too_large.draft": 413,
    "content_type.builder": 415,
    "too_large.request": 413,
    "shape.members": 400,
    "shape.type": 400,
}
