"""A progress bar for a terminal; silent without one."""

from __future__ import annotations

from typing import TextIO

__all__ = ["ProgressBar"]

_WIDTH = 30


class ProgressBar:
    """Draw the stage and its progress on one line of a terminal.

    Parameters
    ----------
    stream : TextIO
        Where to draw; usually standard error.
    shown : bool or None
        None draws only on a terminal.
    """

    def __init__(self, stream: TextIO, *, shown: bool | None = None) -> None:
        self._stream = stream
        self._shown = stream.isatty() if shown is None else shown
        self._last = ""

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Show that `done` of `total` of a stage are done."""
        filled = _WIDTH * min(done, total) // max(1, total)
        line = f"{stage:<10} [{'#' * filled}{'.' * (_WIDTH - filled)}]"
        if not self._shown or line == self._last:
            return
        self._stream.write(f"\r{line}" + ("\n" if stage == "done" else ""))
        self._stream.flush()
        self._last = line

    def close(self) -> None:
        """Leave the line."""
        if self._shown and self._last and not self._last.startswith("done"):
            self._stream.write("\n")
