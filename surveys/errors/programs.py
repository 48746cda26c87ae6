"""Messages of errors for programs and operators, in English: submissions, API tokens and commands."""

from __future__ import annotations

from typing import Final

from surveys.extension import Refusal

_PROGRAM: Final = (
    "it has to be on PATH, at least as new as the server (Debian: postgresql-client), and let in"
)
_INTO_NOTHING: Final = "move away what is there, or name another SOTTOVOCE_HOME and DATABASE_URL"
_EXPORT: Final = (
    "nothing was changed. Export its surveys with the program that made it, and import them into a new "
    "database (docs/operators.md, Databases of other programs)"
)

WORDS: Final[dict[str, Refusal]] = {
    "method": ("%(method)s is not allowed here.", "Send a POST request.", 405),
    "full.submissions": (
        "This survey has reached its limit of %(cap)s answers.",
        "The operator can raise SOTTOVOCE_SUBMISSION_CAP. Then send the same bytes again.",
        429,
    ),
    "too_many": (
        "Too many answers to this survey are arriving at once.",
        "Send the same bytes again after the time in Retry-After.",
        429,
    ),
    "nested": ("The object contains a list or an object.", "Use text for all its members.", 400),
    "malformed.body": (
        "The bytes are not a JSON object of text members.",
        "Send an object with the text members %(keys)s.",
        400,
    ),
    "cross_site": (
        "The browser reports that another site sent this (Sec-Fetch-Site: %(site)s).",
        "Open the survey's own page and answer there.",
        403,
    ),
    "content_type.submission": ("The content type is wrong.", "Send Content-Type: %(content_type)s.", 415),
    "length": ("The request does not state its length.", "Send a Content-Length header, and no chunks.", 400),
    "too_large.body": ("The request has %(count)s bytes.", "Send at most %(most)s bytes.", 413),
    "keys": ("The object has the wrong members.", "Send exactly %(keys)s, or code instead of key.", 400),
    "survey.name": (
        "The survey’s name is not valid.",
        "Send the name from the survey’s address: lower-case letters, digits and hyphens.",
        400,
    ),
    "code.submission": (
        "The invitation code is not valid.",
        "Send its %(length)s capital letters and digits, without separators.",
        400,
    ),
    "cut_off": ("%(count)s of %(wanted)s announced bytes arrived.", "Send all the same bytes again.", 400),
    "impossible_body": (
        "A device that follows the design cannot send this body: %(message)s.",
        "%(remedy)s.",
    ),
    "not_utf8": ("The bytes are not UTF-8 from byte %(start)s on.", "Send UTF-8.", 400),
    "duplicate_key": ("A member occurs twice.", "Send each of %(keys)s once.", 400),
    "invitation_refused": (
        "The invitation has already been used, was withdrawn, or belongs to another survey.",
        "Ask the person who invited you.",
    ),
    "closed.submission": (
        "Survey %(survey)s is closed and no longer accepts answers.",
        "The answer is not counted. There is nothing you can do.",
        410,
    ),
    "other_body": (
        "Another body was received under this key. The first one counts.",
        "There is nothing more to do. This body is not stored.",
        409,
    ),
    "busy": (
        "The database is busy, full or unavailable. Nothing was stored.",
        "Send the same bytes again after the time in Retry-After.",
        503,
    ),
    "no_key": (
        "No mixer has confirmed that it can open new answers. Nothing was stored.",
        "Send the same bytes again after the time in Retry-After. Operators: start the sweeper.",
        503,
    ),
    "unknown_survey": ("There is no open survey %(survey)s.", "Use the address that you were given."),
    "unknown_design": (
        "The survey %(survey)s was never published with this design.",
        "Load the survey's page again.",
    ),
    "open_link.submission": (
        "Survey %(survey)s does not use invitations.",
        "Open its address without a code.",
    ),
    "invitation_needed": (
        "Survey %(survey)s only accepts invited respondents.",
        "Open the address in your invitation.",
    ),
    "hex": ('"%(name)s" has the wrong form.', "Send %(digits)s hexadecimal digits in lower case.", 400),
    "method.api": (
        "%(value)s is not allowed here.",
        "Send a GET request. A token cannot change anything.",
        405,
    ),
    "token.unknown": (
        "The token is not valid: it is mistyped, revoked or expired.",
        "Make a new token on your account page. Changing your password revokes all tokens.",
        401,
    ),
    "token.address": (
        "The address contains a token. Servers and browsers keep a record of addresses.",
        "Revoke this token, make a new one, and send it in the header “Authorization: Bearer TOKEN”.",
        400,
    ),
    "role": (
        "Your roles do not give access to this file.",
        "Ask an administrator for a role that does.",
        403,
    ),
    "second_factor.api": (
        "Administrators need a second factor on this server, and your account has none.",
        "Set one up on your account page, then make a new token.",
        403,
    ),
    "nothing.here": (
        "There is no such file, or you do not have access to it.",
        "The tokens page links to openapi.json, which lists the addresses of all files.",
        404,
    ),
    "not_over.run": (
        "The run is %(value)s.",
        "Ask again when its state is “finished”. If the server sends e-mail, the requester gets one.",
        409,
    ),
    "withheld.outdated": (
        "The results of this run are no longer shown: it read undisguised answers, or answers "
        "disguised in a different way from today.",
        "Start a new run on the survey’s page.",
        409,
    ),
    "withheld.earlier": (
        "An earlier version of the program made this run and withheld all its results, because some rows are "
        "not what a device sends.",
        "Start a new run on the survey’s page. It shows all results that do not use the question concerned.",
        409,
    ),
    "withheld.few": (
        "There are too few answers to show results.",
        "Start a new run once there are at least %(least)s.",
        409,
    ),
    "no_result.run": ("The run is %(value)s and has no results.", "Its page explains why.", 409),
    "no_audit.run": ("The audit of this run is not available.", "Try again later, or start a new run.", 409),
    "too_often.api": (
        "Too many requests with this token.",
        "Try again after the time given in Retry-After.",
        429,
    ),
    "administrator.name": ("%(name)r is not a valid login name", "use letters, digits and @ . + - _"),
    "administrator.mail": ("--mail %(mail)r is not an e-mail address", "use one such as you@example.org"),
    "option.account": ("there is no account %(name)r", ""),
    "delete_survey.really": ("nothing was deleted", "add --really to delete all of this"),
    "demo.state": ("the run %(state)s: %(message)s", ""),
    "demo.taken": (
        "another survey already uses the address %(value)s, and made-up answers must not be added to it",
        "change its address while it is a draft, or create the example on another installation",
    ),
    "demo.waited": (
        "the run is still %(state)s after %(seconds)g seconds",
        "check that a worker is running: sottovoce doctor",
    ),
    "dev.port": ("%(text)r is not a port", "choose a number from 1 to 65535"),
    "mine.nothing": ("name at least one item or question", ""),
    "mine.draft": ("survey %(slug)r is a draft", "publish it first"),
    "mine.design": ("%(found)s of %(slug)r begins with %(design)r", "its designs: %(known)s"),
    "mine.asks": ("%(message)s", "--list-all lists them all"),
    "mine.failed": ("run %(run)s failed: %(message)s", ""),
    "mine.cancelled": ("run %(run)s was cancelled", ""),
    "mine.waited": (
        "run %(run)s is still %(state)s after %(seconds)g seconds",
        "it continues without this command. Check that a worker is running: sottovoce doctor",
    ),
    "watch.address": (
        "“%(address)s” is not the address of a survey",
        "use an address as printed in a letter, such as https://survey.example.org/en/s/work/",
    ),
    "watch.code": (
        "the address contains an invitation code after the #, which is secret and must not reach any server",
        "remove the code; #d= and the survey’s digest may stay",
    ),
    "watch.digest": (
        "the text after #d= is not the code of a survey",
        "type the survey’s 20 letters and digits as printed in the invitation, or use the link in it",
    ),
    "watch.mail": ("could not send mail to %(address)s: %(reason)s", "check SOTTOVOCE_MAIL"),
    "watch.no_mail": ("--mail needs a mail server", "set one in SOTTOVOCE_MAIL (docs/operators.md)"),
    "watch.file": ("%(path)s cannot be read: %(reason)s", "name a %(kind)s that you can read"),
    "sweep.failed": ("failed: %(failed)s", "see the log above for the reason"),
    "sweep.host": (
        "SOTTOVOCE_MIXERS is “%(mixers)s”, and this host’s name is “%(host)s”",
        "Write this host’s name (see hostname) and that of the other mixer, the same on both hosts, or run "
        "sweepers only on those two.",
    ),
    "launch.running": (
        (
            "Sottovoce is already running %(where)s, with its data in %(home)s. Use that one, stop "
            "it, or set SOTTOVOCE_HOME to another directory and choose another --port."
        ),
        "",
    ),
    "launch.host": (
        "Sottovoce cannot listen on %(host)s (%(error)s)",
        "type --host 127.0.0.1 for this machine only, or 0.0.0.0 for all its addresses",
    ),
    "launch.port": (
        "port %(port)s on %(host)s cannot be used (%(error)s)",
        "use another port: %(start)s --port %(next)s",
    ),
    "dev.host": (
        "%(text)r is not an address of this machine",
        "type 127.0.0.1 for this machine only, or 0.0.0.0 for all its addresses",
    ),
    "demo.refused": ("respondent %(number)s was refused with %(status)s: %(message)s %(remedy)s", ""),
    "signature.none": (
        "%(file)s contains no signed statement (%(error)s)",
        "use the ZIP file of a run, unchanged",
    ),
    "signature.changed": (
        "the statement in %(file)s was changed after it was signed",
        "download the file from the server again, and find out who changed this copy",
    ),
    "signature.key": (
        "%(file)s was signed with another key, %(key)s",
        "compare the key with the one in the report",
    ),
    "signature.archive": (
        "%(file)s is not the archive that was signed, although its files are the same",
        "Download the file from the server again, and find out who changed this copy.",
    ),
    "signature.files": (
        "files in %(file)s differ from the signed ones: %(names)s",
        "download the file from the server again, and find out who changed this copy",
    ),
    "waiting.many": ("Too many requests are waiting. Try again in a few seconds.", "", 503),
    "waiting.large": ("Too many large requests. Try again in a minute.", "", 503),
    "waiting.broken": (
        "The server stopped working on this request. Check what was stored, and try again.",
        "",
        500,
    ),
    "slow": ("The request took too long to arrive. Send it again.", "", 408),
    "too_large.page": ("This request is too large. Send at most %(most)s bytes.", "", 413),
    "written_once": ("A %(name)s is written once and cannot be changed or deleted. Write a new one.", ""),
    "rate": ("per_second = %(per_second)s, burst = %(burst)s and cap = %(cap)s must be above 0.", ""),
    "broker": (
        "no broker: the embedded one has no program for this machine, and there is no redis-server on PATH",
        "install redis-server, or set REDIS_URL to a running one",
    ),
    "state.empty": (
        "the database is empty: %(count)s migrations are to be applied",
        "type: sottovoce migrate",
    ),
    "state.pending": (
        "the database has not been prepared for this release: %(names)s",
        "back it up, then type: sottovoce migrate. If you mean another database, set SOTTOVOCE_HOME or "
        "DATABASE_URL",
    ),
    "state.unfinished": (
        "the last migrate did not finish: the record of the schema is missing or does not match it",
        "type: sottovoce migrate",
    ),
    "state.newer": (
        "the database was written by a newer Sottovoce (%(program)s), which applied %(names)s",
        "put that release back in place, or restore a backup from before its migration (docs/operators.md)",
    ),
    "state.foreign.names": (
        "the database was made%(since)s by a Sottovoce that this release does not continue: it applied "
        "%(names)s",
        _EXPORT,
    ),
    "state.foreign.tables": (
        "the database was made%(since)s by a Sottovoce that this release does not continue, or was "
        "changed since: %(first)s",
        _EXPORT,
    ),
    "state.foreign.program": (
        "the database was prepared on %(day)s by a Sottovoce with other tables (%(program)s): %(first)s",
        _EXPORT,
    ),
    "state.changed": (
        "the database was changed after Sottovoce %(program)s prepared it on %(day)s: %(first)s",
        "undo the change, or restore a backup from before it; sottovoce doctor lists every difference",
    ),
    "state.unrecorded": (
        "the tables are those of this release, but the list of applied migrations (django_migrations) lacks "
        "%(names)s",
        "add it to the list, or restore a backup",
    ),
    "state.other_program": (
        "the database has tables of another program: %(tables)s",
        "name an empty database in DATABASE_URL",
    ),
    "state.earlier_name": (
        "%(path)s was made under the program’s earlier name, Sotto, and this release cannot read it; "
        "%(name)s has no surveys",
        "export its surveys with the program that made it. Then move that file elsewhere and start again",
    ),
    "state.unusable": (
        "the database %(name)s cannot be used: %(error)s",
        "name the right one in DATABASE_URL, or restore a backup into a new one",
    ),
    "state.unreachable": (
        "the database %(name)s does not answer: %(error)s",
        "check that it runs, that this account may open it, and that DATABASE_URL is right",
    ),
    "backup.inside": (
        "a backup in %(directory)s would be stored together with %(place)s",
        "choose a folder outside SOTTOVOCE_HOME and SOTTOVOCE_MIXER_KEYS, on another disk",
    ),
    "backup.failed": (
        "no backup was made in %(directory)s: %(error)s",
        "check the owner, the permissions and the space of this folder",
    ),
    "backup.there": (
        "%(directory)s is not empty",
        "choose a folder that does not exist yet; in a folder of backups, add --keep and their number",
    ),
    "backup.no_tables": ("the database has no tables: there is nothing to back up", ""),
    "backup.changed": (
        "the database was migrated in the meantime, so the files in %(directory)s are not a backup",
        "delete them and back up again",
    ),
    "backup.program": ("%(program)s: %(said)s", _PROGRAM),
    "backup.no_program": ("%(program)s is not on PATH", _PROGRAM),
    "backup.none": ("there is no backup in %(directory)s", "name the folder that contains manifest.json"),
    "backup.several": (
        "%(directory)s is not a backup, but a folder of %(count)s",
        "name one of them, or add --newest",
    ),
    "backup.half": (
        "%(directory)s has no manifest, so the backup is incomplete or missing",
        "restore another backup; this one was interrupted",
    ),
    "backup.unreadable": ("the manifest in %(directory)s cannot be read", "restore another backup"),
    "backup.format": (
        "%(directory)s was made by a newer Sottovoce (%(sottovoce)s)",
        "install that release, then restore",
    ),
    "backup.refused": (
        "the backup in %(directory)s was made by Sottovoce %(sottovoce)s: %(seen)s",
        "nothing was restored. Restore it with the program that made it, or restore another backup",
    ),
    "backup.newer": (
        "the backup was made by a newer Sottovoce (%(sottovoce)s): %(seen)s",
        "install that release, then restore",
    ),
    "backup.contents": (
        "the database in %(directory)s is not the one that its manifest describes: %(what)s differ",
        "restore another backup, and find out who changed this one",
    ),
    "backup.vendor": (
        "the backup is from %(theirs)s, but the database here is %(ours)s",
        "set DATABASE_URL to a database of the same kind",
    ),
    "backup.damaged": (
        "the file %(name)s in %(directory)s differs from the one that was backed up",
        "restore another backup, and check the disk",
    ),
    "backup.key": (
        "the backup was made with another SECRET_KEY, which it does not contain or which would "
        "not be used here",
        "set SECRET_KEY to the earlier one; if the backup contains it, unset SECRET_KEY",
    ),
    "backup.running": ("Sottovoce is running with its data in %(home)s", "stop it first"),
    "backup.tables": ("the database already has tables; a backup needs an empty database", _INTO_NOTHING),
    "backup.columns": (
        "%(columns)s has columns of another database; a backup needs an empty database",
        _INTO_NOTHING,
    ),
    "backup.keep": ("--keep %(keep)s would keep nothing", "use 1 or more"),
}
