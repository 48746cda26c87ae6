"""A mail server of a test's own: real SMTP, on a port of this machine, in a thread."""

from __future__ import annotations

import asyncio
import email
import threading
from email.message import Message
from types import TracebackType


class MailServer:
    """Takes every mail, or refuses every one while `refuses` is set.

    RFC 5321 as far as a client needs it that sends one mail: EHLO, MAIL, RCPT, DATA, RSET, QUIT.
    """

    def __init__(self) -> None:
        self.refuses = False
        self.mails: list[tuple[str, list[str], Message]] = []
        self.port = 0
        self._loop = asyncio.new_event_loop()
        self._began = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> MailServer:
        self._thread.start()
        assert self._began.wait(60)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._talk, "127.0.0.1", 0))
        self.port = server.sockets[0].getsockname()[1]
        self._began.set()
        self._loop.run_forever()
        server.close()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        def say(line: str) -> None:
            writer.write(f"{line}\r\n".encode("ascii"))

        say("220 test")
        sender, recipients = "", list[str]()
        while line := (await reader.readline()).decode("ascii").strip():
            word, _blank, rest = line.partition(" ")
            match word.upper():
                case "EHLO" | "HELO" | "RSET":
                    say("250 test")
                case "MAIL" if self.refuses:
                    say("451 come again")
                case "MAIL":
                    sender, recipients = rest.split("<")[1].split(">")[0], []
                    say("250 go on")
                case "RCPT":
                    recipients.append(rest.split("<")[1].split(">")[0])
                    say("250 go on")
                case "DATA":
                    say("354 send it")
                    await writer.drain()
                    raw = await reader.readuntil(b"\r\n.\r\n")
                    content = raw.removesuffix(b".\r\n").replace(b"\r\n..", b"\r\n.")
                    self.mails.append((sender, recipients, email.message_from_bytes(content)))
                    say("250 taken")
                case "QUIT":
                    say("221 bye")
                    break
                case _:
                    say("502 what?")
            await writer.drain()
        writer.close()
