"""Connections that clients open and never close; a server must be able to hold them without harm."""

import socket
import ssl
from collections.abc import Callable

__all__ = ["Held", "half_body"]


def half_body(host: str, *, path: str, content_type: str) -> bytes:
    """Return a request that announces a body, followed by only one byte of it.

    >>> half_body("localhost", path="api", content_type="a/b")[-24:]
    b'Content-Length: 300\\r\\n\\r\\n{'
    """
    head = [f"POST /{path} HTTP/1.1", f"Host: {host}", f"Content-Type: {content_type}", "Content-Length: 300"]
    return "\r\n".join([*head, "", "{"]).encode("ascii")


class Held:
    """Connections that have sent some bytes and wait.

    Parameters
    ----------
    connect : callable
        Returns a new connection.
    first : bytes
        Bytes that each connection sends.
    count : int
    """

    def __init__(self, connect: Callable[[], socket.socket], first: bytes, *, count: int) -> None:
        self._connect, self._first, self._count = connect, first, count
        self._links: list[socket.socket] = []

    def refill(self) -> None:
        """Reopen the connections that the server closed, as far as it accepts new ones."""
        self.held()
        while len(self._links) < self._count:
            link = self._connect()
            link.sendall(self._first)
            link.setblocking(False)
            self._links.append(link)

    def held(self) -> int:
        """Return how many connections the server holds."""
        for link in self._links[:]:
            try:
                # A TLS socket cannot peek, so it counts as held.
                closed = not isinstance(link, ssl.SSLSocket) and not link.recv(1, socket.MSG_PEEK)
            except BlockingIOError:
                closed = False
            except OSError:
                closed = True
            if closed:
                link.close()
                self._links.remove(link)
        return len(self._links)

    def close(self) -> None:
        """Close all connections."""
        for link in self._links:
            link.close()
        self._links.clear()
