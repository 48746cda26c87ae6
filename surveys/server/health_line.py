"""One line about the health of this installation, for administrators: all is well, or the one thing to do.

It says in words what `surveys.server.health.installation_facts` found, so `/ready` and `/metrics` agree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.errors.typed_commands import as_typed
from surveys.run_lock import running_in
from surveys.server.backup_problems import MADE, backup_note
from surveys.server.disk_space import free_share
from surveys.server.health import Facts

WRONG: Final[Mapping[str, tuple[Promise, str]]] = {
    "database": (
        gettext_lazy("The database does not answer: no answer is stored."),
        "systemctl status postgresql",
    ),
    "migrations": (
        gettext_lazy("The database belongs to another version of the program."),
        "sottovoce doctor",
    ),
    "writes": (gettext_lazy("The database refuses to write: answers are not stored."), "df -h"),
    "clock": (gettext_lazy("The clocks of the machines differ."), "timedatectl set-ntp true"),
    "sweeper": (
        gettext_lazy("The sweeper has stopped, or its clock is wrong: answers are not mixed."),
        "systemctl restart sottovoce-sweeper",
    ),
    "mixer": (
        gettext_lazy("The mixer has no key: answers are refused."),
        "systemctl restart sottovoce-sweeper",
    ),
    "broker": (gettext_lazy("The broker does not answer: results wait."), "systemctl restart redis-server"),
    "worker": (gettext_lazy("No worker runs: results wait."), "systemctl restart sottovoce-worker"),
    "spare": (
        gettext_lazy("The spare mixer is not ready: if the mixer's machine fails, waiting answers are lost."),
        "sottovoce doctor",
    ),
    "mixing": (
        gettext_lazy("Answers wait although they could be mixed: no result counts them."),
        "journalctl -u sottovoce-sweeper",
    ),
    "disk": (
        gettext_lazy("The disk is almost full. Delete files that are not Sottovoce's, or enlarge the disk."),
        "df -h",
    ),
    "certificate": (
        gettext_lazy(
            "The certificate expires soon or has expired, and browsers then refuse the survey. Put a new one "
            "into its place. For Caddy, restart Caddy instead."
        ),
        "systemctl reload nginx",
    ),
    "backup": (gettext_lazy("The last backup is late, or failed."), "systemctl start sottovoce-backup"),
    "checks": (
        gettext_lazy("The last check of pages, settings and files found an error."),
        "sottovoce doctor",
    ),
}
"""For each part or chore that is not "ok", worst first: what is wrong, and the command for the server."""

_START: Final = "sottovoce dev"
_RESTARTED: Final = ("database", "migrations", "sweeper", "mixer", "broker", "worker")
"""What `sottovoce dev` starts or applies. It has no units that `systemctl` could restart."""
_BY_PROGRAM: Final = {
    "mixing": "sottovoce doctor",
    "backup": "sottovoce backup ~/sottovoce-backups",
}


def _command_for_run(name: str, command: str) -> str:
    """Return what to type for a part or a chore where `sottovoce dev` has started everything."""
    return _START if name in _RESTARTED else _BY_PROGRAM.get(name, command)


@dataclass(frozen=True, kw_only=True)
class HealthLine:
    """What an administrator reads first.

    Attributes
    ----------
    sentence : str
    command : str
        What to type on the server; empty if all is well.
    others : int
        How many further problems there are.
    """

    sentence: str
    command: str = ""
    others: int = 0

    @property
    def is_restart(self) -> bool:
        """Whether to stop everything and to start it again."""
        return self.command == as_typed(_START)

    @property
    def is_well(self) -> bool:
        """Whether nothing is to do."""
        return not self.command


def health_line(facts: Facts) -> HealthLine:
    """Return the line for the facts of this installation, with a command that exists there."""
    wrong = [name for name in WRONG if {**facts.parts, **facts.chores}.get(name, "ok") != "ok"]
    if wrong:
        sentence, command = WRONG[wrong[0]]
        if running_in(Path(settings.SOTTOVOCE_HOME)) is not None:
            command = _command_for_run(wrong[0], command)
        return HealthLine(sentence=str(sentence), command=as_typed(command), others=len(wrong) - 1)
    free = {"percent": f"{100 * free_share():.0f}"}
    last = backup_note(MADE)
    if last is None:
        return HealthLine(
            sentence=_(
                "All is well: answers arrive, results run, no backup is due yet, disk %(percent)s%% free."
            )
            % free
        )
    backup = {"backup": f"{last.at:%Y-%m-%d %H:%M} UTC"}
    return HealthLine(
        sentence=_(
            "All is well: answers arrive, results run, last backup %(backup)s, disk %(percent)s%% free."
        )
        % (free | backup)
    )
