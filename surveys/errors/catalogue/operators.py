"""Refusals of commands and of the server, for operators; in English, as all that these print."""

from __future__ import annotations

from typing import Final

_PROGRAM: Final = (
    "it has to be on PATH, at least as new as the server (Debian: postgresql-client), and let in"
)
_INTO_NOTHING: Final = "move away what is there, or name another SOTTOVOCE_HOME and DATABASE_URL"

WORDS: Final = {
    "administrator.name": ("%(name)r is not a valid login name", "use letters, digits and @ . + - _"),
    "administrator.mail": ("--mail %(mail)r is not an e-mail address", "use one such as you@example.org"),
    "audit.blocks_twice": ("--questions and --blocks contradict each other", "use one of them only"),
    "audit.own_design": (
        "survey %(survey)r has its own design",
        "leave out --%(given)s, or leave out the survey",
    ),
    "audit.no_design": ("name a survey, or set the design’s --p", ""),
    "audit.no_survey": ("--design selects a design of a survey", "name the survey too"),
    "option.account": ("there is no account %(name)r", ""),
    "option.survey": ("there is no survey %(survey)r", ""),
    "delete_survey.really": ("nothing was deleted", "add --really to delete all of this"),
    "demo.state": ("the run %(state)s: %(message)s", ""),
    "demo.taken": (
        "another survey already uses the address %(value)s, and made-up answers must not be added to it",
        "change its address while it is a draft, or create the example on another installation",
    ),
    "demo.waited": (
        "the run is still %(state)s after %(seconds)g seconds",
        "check that a worker is running. Start one with: python -m celery -A surveys worker",
    ),
    "dev.port": ("%(text)r is not a port", "choose a number from 1 to 65535"),
    "option.known_survey": ("there is no survey %(slug)r", "surveys on this server: %(known)s"),
    "mine.nothing": ("name at least one item or question", ""),
    "mine.draft": ("survey %(slug)r is a draft", "publish it first"),
    "mine.design": ("%(found)s of %(slug)r begins with %(design)r", "its designs: %(known)s"),
    "mine.failed": ("run %(run)s failed: %(message)s", ""),
    "mine.cancelled": ("run %(run)s was cancelled", ""),
    "mine.waited": (
        "run %(run)s is still %(state)s after %(seconds)g seconds",
        (
            "it continues without this command. Check that a worker is running. Start one with:"
            " python -m celery -A surveys worker"
        ),
    ),
    "watch.address": (
        "“%(address)s” is not the address of a survey",
        "use an address as printed in a letter, such as https://survey.example.org/en/s/work/",
    ),
    "watch.code": (
        "the address contains an invitation code after the #, which is secret and must not reach any server",
        "remove the code; #d= and the survey’s digest may stay",
    ),
    "watch.mail": ("could not send mail to %(address)s: %(reason)s", "check SOTTOVOCE_MAIL"),
    "watch.no_mail": ("--mail needs a mail server", "set one in SOTTOVOCE_MAIL (docs/operators.md)"),
    "watch.file": ("%(path)s cannot be read: %(reason)s", "name a %(kind)s that you can read"),
    "argument.probability": ("%(text)s is not a probability", "use a number from 0 to 1"),
    "argument.decimals": ("%(text)s is not a whole number of ten-thousandths", "use at most four decimals"),
    "argument.empty_block": ("%(text)s contains an empty block", "give each block at least one question"),
    "argument.number": ("%(text)r is not a number", ""),
    "argument.whole_numbers": ("%(text)r is not a list of whole numbers such as 3,3", ""),
    "sweep.failed": ("failed: %(failed)s", "see the log above for the reason"),
    "launch.running": (
        (
            "Sottovoce is already running %(where)s, with its data in %(home)s. Use that one, stop "
            "it, or set SOTTOVOCE_HOME to another directory and choose another --port."
        ),
        "",
    ),
    "launch.port": (
        "port %(port)s on %(host)s cannot be used (%(error)s)",
        "choose another port: ./run --port %(next)s",
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
    "waiting.many": ("Too many requests are waiting. Try again in a few seconds.", ""),
    "waiting.large": ("Too many large requests. Try again in a minute.", ""),
    "waiting.broken": (
        "The server stopped working on this request. Check what was stored, and try again.",
        "",
    ),
    "slow": ("The request took too long to arrive. Send it again.", ""),
    "too_large.page": ("This request is too large. Send at most %(most)s bytes.", ""),
    "written_once": ("A %(name)s is written once and cannot be changed or deleted. Write a new one.", ""),
    "rate": ("per_second = %(per_second)s, burst = %(burst)s and cap = %(cap)s must be above 0.", ""),
    "broker": (
        "no broker: the embedded one has no program for this machine, and there is no redis-server on PATH",
        "install redis-server, or set REDIS_URL to a running one",
    ),
    "backup.inside": (
        "a backup in %(directory)s would be stored together with %(place)s",
        "choose a folder outside SOTTOVOCE_HOME and SOTTOVOCE_MIXER_KEYS, on another disk",
    ),
    "backup.there": ("%(directory)s is not empty", "choose a folder that does not exist yet"),
    "backup.no_tables": ("the database has no tables: there is nothing to back up", ""),
    "backup.changed": (
        "the database was migrated in the meantime, so the files in %(directory)s are not a backup",
        "delete them and back up again",
    ),
    "backup.program": ("%(program)s: %(said)s", _PROGRAM),
    "backup.no_program": ("%(program)s is not on PATH", _PROGRAM),
    "backup.none": ("there is no backup in %(directory)s", "name the folder that contains manifest.json"),
    "backup.half": (
        "%(directory)s has no manifest, so the backup is incomplete or missing",
        "restore another backup; this one was interrupted",
    ),
    "backup.unreadable": ("the manifest in %(directory)s cannot be read", "restore another backup"),
    "backup.format": (
        "%(directory)s was made by a newer Sottovoce (%(sottovoce)s)",
        "install that release, then restore",
    ),
    "backup.newer": (
        "the backup was made by a newer Sottovoce (%(sottovoce)s), which applied %(unknown)s",
        "install that release, then restore",
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
    "backup.running": ("a running ./run uses %(home)s", "stop it first"),
    "backup.tables": ("the database already has tables; a backup needs an empty database", _INTO_NOTHING),
    "backup.columns": (
        "%(columns)s has columns of another database; a backup needs an empty database",
        _INTO_NOTHING,
    ),
    "backup.keep": ("--keep %(keep)s would keep nothing", "use 1 or more"),
}
STATUS: Final = {
    "waiting.many": 503,
    "waiting.large": 503,
    "waiting.broken": 500,
    "slow": 408,
    "too_large.page": 413,
}
