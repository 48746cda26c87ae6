"""Refusals of commands and of the server, for operators; in English, as all that these print."""

from __future__ import annotations

from typing import Final

_PROGRAM: Final = (
    "it has to be on PATH, at least as new as the server (Debian: postgresql-client), and let in"
)
_INTO_NOTHING: Final = "move away what is there, or name another SOTTO_HOME and DATABASE_URL"

WORDS: Final = {
    "administrator.name": ("%(name)r is no log-in name", "use letters, digits and @ . + - _"),
    "administrator.mail": ("--mail %(mail)r is no address", "give one such as you@example.org"),
    "audit.blocks_twice": ("--questions and --blocks say the same", "give one of them"),
    "audit.own_design": ("survey %(survey)r has a design of its own", "leave out --%(given)s, or the survey"),
    "audit.no_design": ("name a survey, or give the design's --p", ""),
    "audit.no_survey": ("--design names a design of a survey", "name the survey too"),
    "option.account": ("there is no account %(name)r", ""),
    "option.survey": ("there is no survey %(survey)r", ""),
    "delete_survey.really": ("nothing was deleted", "add --really to delete all of this"),
    "demo.state": ("the run %(state)s: %(message)s", ""),
    "demo.taken": (
        "somebody's survey has the address %(value)s, and made-up people must not answer it",
        "change its address while it is a draft, or make the example on another installation",
    ),
    "demo.waited": (
        "the run is still %(state)s after %(seconds)g seconds",
        "is a worker running? Start one with: python -m celery -A surveys worker",
    ),
    "dev.port": ("%(text)r is no port", "choose a number from 1 to 65535"),
    "option.known_survey": ("there is no survey %(slug)r", "surveys here: %(known)s"),
    "mine.nothing": ("name at least one item or question", ""),
    "mine.draft": ("survey %(slug)r is a draft", "publish it first"),
    "mine.design": ("%(found)s of %(slug)r begins with %(design)r", "its designs: %(known)s"),
    "mine.failed": ("run %(run)s failed: %(message)s", ""),
    "mine.cancelled": ("run %(run)s was cancelled", ""),
    "mine.waited": (
        "run %(run)s is still %(state)s after %(seconds)g seconds",
        (
            "it goes on without this command. Is a worker running? Start one with: python -m celery -A "
            "surveys "
            "worker"
        ),
    ),
    "watch.address": (
        "“%(address)s” is no address of a survey",
        "give one as a letter prints it, such as https://survey.example.org/en/s/work/",
    ),
    "watch.code": (
        "the address has an invitation's code behind the #, which is a secret, and which no server gets",
        "leave it off; #d= and the survey's digest may stay",
    ),
    "watch.mail": ("no mail was sent to %(address)s: %(reason)s", "look at SOTTO_MAIL"),
    "watch.no_mail": ("--mail needs a mail server", "name one in SOTTO_MAIL (docs/operators.md)"),
    "watch.file": ("%(path)s cannot be read: %(reason)s", "name a %(kind)s that you may read"),
    "argument.probability": ("%(text)s is not a probability", "use a number from 0 to 1"),
    "argument.decimals": ("%(text)s is no whole number of ten-thousandths", "give at most four decimals"),
    "argument.empty_block": ("%(text)s holds an empty block", "give each at least one question"),
    "argument.number": ("%(text)r is not a number", ""),
    "argument.whole_numbers": ("%(text)r is no list of whole numbers such as 3,3", ""),
    "sweep.failed": ("failed: %(failed)s", "the log above says why"),
    "launch.running": (
        (
            "Sotto already runs %(where)s, with its state in %(home)s. Use that one, stop it, or set "
            "SOTTO_HOME "
            "to another directory and choose another --port."
        ),
        "",
    ),
    "launch.port": (
        "port %(port)s on %(host)s cannot be used (%(error)s)",
        "choose another: ./run --port %(next)s",
    ),
    "demo.refused": ("respondent %(number)s was refused with %(status)s: %(message)s %(remedy)s", ""),
    "signature.none": (
        "%(file)s holds no signed statement (%(error)s)",
        "give the ZIP file of a run, as it came",
    ),
    "signature.changed": (
        "the statement in %(file)s is not as it was signed",
        "take the file anew from the server, and ask who changed this one",
    ),
    "signature.key": ("%(file)s was signed by another key, %(key)s", "compare the key with the report's"),
    "signature.archive": (
        "%(file)s is not the archive that was signed, although its files are the same",
        "Download the file from the server again, and ask who changed this copy.",
    ),
    "signature.files": (
        "files in %(file)s are not those that were signed: %(names)s",
        "take the file anew from the server, and ask who changed this one",
    ),
    "waiting.many": ("Too many wait. Try again in a few seconds.", ""),
    "waiting.large": ("Too many large requests. Try again in a minute.", ""),
    "waiting.broken": ("The work on this request broke off. Look what is stored, and try again.", ""),
    "slow": ("The request took too long to arrive. Send it again.", ""),
    "too_large.page": ("This is too large: send at most %(most)s bytes.", ""),
    "written_once": ("A %(name)s is written once and cannot be changed or deleted; write a new one.", ""),
    "rate": ("per_second = %(per_second)s, burst = %(burst)s and cap = %(cap)s must be above 0.", ""),
    "broker": (
        "no broker: the embedded one has no program for this machine, and no redis-server is on PATH",
        "install redis-server, or set REDIS_URL to the address of one",
    ),
    "backup.inside": (
        "a backup in %(directory)s would lie with %(place)s",
        "name a folder outside SOTTO_HOME and SOTTO_MIXER_KEYS, on another disk",
    ),
    "backup.there": ("%(directory)s is not empty", "name a folder that is not there yet"),
    "backup.no_tables": ("the database has no tables: there is nothing to back up", ""),
    "backup.changed": (
        "the database was migrated meanwhile, so what is in %(directory)s is no backup",
        "delete it and back up again",
    ),
    "backup.program": ("%(program)s: %(said)s", _PROGRAM),
    "backup.no_program": ("%(program)s: it is not on PATH", _PROGRAM),
    "backup.none": ("there is no backup in %(directory)s", "name the folder that holds manifest.json"),
    "backup.half": (
        "%(directory)s holds no manifest: it is half a backup, or none",
        "restore another one; this one broke off before it was finished",
    ),
    "backup.unreadable": ("the manifest in %(directory)s cannot be read", "restore another backup"),
    "backup.format": (
        "%(directory)s was made by a newer Sotto (%(sotto)s)",
        "put that release in place, then restore",
    ),
    "backup.newer": (
        "the backup was made by a newer Sotto (%(sotto)s), which applied %(unknown)s",
        "put that release in place, then restore",
    ),
    "backup.vendor": (
        "the backup is of %(theirs)s, and the database here is %(ours)s",
        "set DATABASE_URL to one of the same kind",
    ),
    "backup.damaged": (
        "the file %(name)s in %(directory)s is not what was backed up",
        "restore another backup, and look whether the disk is sound",
    ),
    "backup.key": (
        "the backup was made under another SECRET_KEY, which is not in it or would not be used here",
        "set SECRET_KEY to the one of then; where it is in the backup, unset SECRET_KEY",
    ),
    "backup.running": ("a ./run uses %(home)s", "stop it first"),
    "backup.tables": ("the database has tables: a backup is restored into nothing", _INTO_NOTHING),
    "backup.columns": (
        "%(columns)s has columns of another database: a backup is restored into nothing",
        _INTO_NOTHING,
    ),
    "backup.keep": ("--keep %(keep)s keeps nothing", "use 1 or more"),
}
STATUS: Final = {
    "waiting.many": 503,
    "waiting.large": 503,
    "waiting.broken": 500,
    "slow": 408,
    "too_large.page": 413,
}
