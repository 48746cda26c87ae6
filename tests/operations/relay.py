"""A connection that tests can cut, between a program and its database or broker, or browser and server."""

from __future__ import annotations

import contextlib
import selectors
import socket
import threading
from pathlib import Path
from types import TracebackType
from typing import TypeAlias

Place: TypeAlias = Path | tuple[str, int]


def _family(place: Place) -> socket.AddressFamily:
    return socket.AF_UNIX if isinstance(place, Path) else socket.AF_INET


def _address(place: Place) -> str | tuple[str, int]:
    return str(place) if isinstance(place, Path) else place


class Relay:
    """Forwards bytes between its own socket and a target, until it is cut.

    Parameters
    ----------
    place : Path or (host, port)
        Unix socket or address to listen on; port 0 means any free port.
    target : Path or (host, port)
        Socket or address to forward to.
    """

    def __init__(self, place: Place, target: Place) -> None:
        self.place, self.target = place, target
        self._whole = True
        self._lock = threading.Lock()
        self._links: set[socket.socket] = set()
        self._stopped = False
        self._listener = socket.socket(_family(place))
        self._listener.bind(_address(place))
        if isinstance(place, Path):
            place.chmod(0o777)
        self._listener.listen(100)
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def port(self) -> int:
        """The port, if it listens on an address."""
        return int(self._listener.getsockname()[1])

    def cut(self) -> None:
        """Break all connections, and refuse new ones."""
        with self._lock:
            self._whole = False
            for link in self._links:
                with contextlib.suppress(OSError):
                    link.shutdown(socket.SHUT_RDWR)

    def restore(self) -> None:
        """Accept new connections again."""
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
        if isinstance(self.place, Path):
            self.place.unlink()

    def _accept(self) -> None:
        while not self._stopped:
            try:
                near, _address = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._pass_on, args=(near,), daemon=True).start()

    def _pass_on(self, near: socket.socket) -> None:
        with near, socket.socket(_family(self.target)) as far:
            with self._lock:
                if not self._whole:
                    return
                self._links |= {near, far}
            try:
                far.connect(_address(self.target))
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
