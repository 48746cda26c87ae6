"""A line between a program and its database or broker that can be cut."""

from __future__ import annotations

import contextlib
import selectors
import socket
import threading
from pathlib import Path
from types import TracebackType


class Relay:
    """Pass bytes between a Unix socket of its own and another one, until it is cut.

    Parameters
    ----------
    place : Path
        The socket to listen on.
    target : Path
        The socket that answers.
    """

    def __init__(self, place: Path, target: Path) -> None:
        self.place, self.target = place, target
        self._whole = True
        self._lock = threading.Lock()
        self._links: set[socket.socket] = set()
        self._stopped = False
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(place))
        place.chmod(0o777)
        self._listener.listen(100)
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Break all links in mid-word, and every new one at once."""
        with self._lock:
            self._whole = False
            for link in self._links:
                with contextlib.suppress(OSError):
                    link.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        """Let new links through again."""
        with self._lock:
            self._whole = True

    def __enter__(self) -> Relay:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cut()
        self._stopped = True
        self._listener.close()
        self.place.unlink()

    def _accept(self) -> None:
        while not self._stopped:
            try:
                near, _address = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._pass_on, args=(near,), daemon=True).start()

    def _pass_on(self, near: socket.socket) -> None:
        with near, socket.socket(socket.AF_UNIX) as far:
            with self._lock:
                if not self._whole:
                    return
                self._links |= {near, far}
            try:
                far.connect(str(self.target))
                with selectors.DefaultSelector() as selector:
                    selector.register(near, selectors.EVENT_READ, far)
                    selector.register(far, selectors.EVENT_READ, near)
                    while True:
                        for key, _events in selector.select():
                            data = key.fileobj.recv(65_536)  # type: ignore[union-attr] - sockets were registered
                            if not data:
                                return
                            key.data.sendall(data)
            except OSError:
                return
            finally:
                with self._lock:
                    self._links -= {near, far}
