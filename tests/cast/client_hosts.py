"""Hosts of other owners, which hand out the folder of `sottovoce client` and nothing else."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

from django.core.management import call_command

from benchmarks.proxies import ROOT, free_port
from tests.conftest import kill_group, start_group, wait_until

# Of a page's address on the host: the folder's own, and that of letters, which a host has to lead there.
BARE: Final = "/?s={slug}&l={language}"
LED: Final = "/{language}/s/{slug}/"


def client_folder(folder: Path, server: str) -> Path:
    """Write the client for a server, as its owner does."""
    call_command("client", out=folder, server=server, verbosity=0)
    return folder


@contextmanager
def bare_host(folder: Path) -> Iterator[str]:
    """Serve a folder with Python's own server; give the origin, of another site than localhost."""
    port = free_port()
    command = [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1"]
    with _running([*command, "--directory", str(folder)], folder.parent / "host.log", port) as origin:
        yield origin


@contextmanager
def led_host(folder: Path) -> Iterator[str]:
    """Serve a folder from Python with the headers and the addresses that deploy/proxy configures."""
    site = _site(folder)
    headers = re.findall(r'^ *add_header (\S+) "?(.*?)"? always;$', site, flags=re.MULTILINE)
    (letters,) = re.findall(r'location ~ "(.*)" {\n *try_files /index.html =404;', site)

    class Handler(SimpleHTTPRequestHandler):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given, directory=str(folder))

        def translate_path(self, path: str) -> str:
            return super().translate_path("/index.html" if re.search(letters, path) else path)

        def end_headers(self) -> None:
            for name, value in headers:
                self.send_header(name, value)
            super().end_headers()

        def log_message(self, *_given: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as host:
        thread = threading.Thread(target=host.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{host.server_port}"
        finally:
            host.shutdown()
            thread.join()


def _site(folder: Path) -> str:
    """Return the configuration of deploy/proxy, for this folder and the server that it names."""
    server = (folder / "config.json").read_text(encoding="utf-8").split('"')[3]
    site = (ROOT / "deploy" / "proxy" / "client.conf").read_text(encoding="utf-8")
    return site.replace("/srv/sottovoce-client", str(folder)).replace("https://survey.example.org", server)


@contextmanager
def nginx_host(folder: Path) -> Iterator[str]:
    """Serve a folder with nginx and the configuration of deploy/proxy, without its certificate."""
    nginx = shutil.which("nginx")
    assert nginx, "install nginx: apt-get install nginx"
    port, here = free_port(), folder.parent
    site = re.sub(r"^ *(listen \[::\]|ssl_).*\n", "", _site(folder), flags=re.MULTILINE)
    (here / "site.conf").write_text(site.replace("listen 443 ssl", f"listen 127.0.0.1:{port}"), "utf-8")
    (here / "nginx.conf").write_text(
        f"""user root; daemon off; pid {here}/nginx.pid; error_log /dev/null emerg;
events {{ worker_connections 64; }}
http {{
    include /etc/nginx/mime.types;
    client_body_temp_path {here}/body; proxy_temp_path {here}/proxy; fastcgi_temp_path {here}/fastcgi;
    uwsgi_temp_path {here}/uwsgi; scgi_temp_path {here}/scgi; access_log {here}/access.log;
    include {here}/site.conf;
}}
""",
        encoding="utf-8",
    )
    command = [nginx, "-p", str(here), "-c", str(here / "nginx.conf")]
    with _running(command, here / "host.log", port) as origin:
        yield origin
    # Nothing of a visit is written.
    assert not (here / "access.log").exists() or not (here / "access.log").read_bytes()


HOSTS: Final[dict[str, tuple[Callable[[Path], object], str]]] = {
    "bare": (bare_host, BARE),
    "led": (led_host, LED),
    "nginx": (nginx_host, LED),
}


@contextmanager
def _running(command: list[str], log: Path, port: int) -> Iterator[str]:
    origin = f"http://127.0.0.1:{port}"

    def answers() -> bool:
        try:
            with urllib.request.urlopen(f"{origin}/manifest.json", timeout=5):
                return True
        except (urllib.error.URLError, ConnectionError):
            return False

    with log.open("ab") as written:
        process: subprocess.Popen[bytes] = start_group(command, stdout=written, stderr=written)
    try:
        wait_until(answers, seconds=60, what="the host's first answer")
        yield origin
    finally:
        kill_group(process)
