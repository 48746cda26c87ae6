"""Run nginx and Caddy with the configuration in deploy/proxy, on local ports.

Only the settings that must differ here are changed: ports, certificate, and the location of state.
"""

from __future__ import annotations

import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAME = "survey.example.org"


def free_port() -> int:
    """Return an unused port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def documented(kind: str) -> str:
    """Return the configuration of ``nginx`` or ``caddy`` that operators copy."""
    name = {"nginx": "nginx.conf", "caddy": "Caddyfile"}[kind]
    return (ROOT / "deploy" / "proxy" / name).read_text(encoding="utf-8")


def nginx_command(directory: Path, *, port: int, backend: int) -> list[str]:
    """Write nginx's files to a directory, reusing a certificate that is there, and return its command."""
    key, certificate = directory / "privkey.pem", directory / "fullchain.pem"
    if not certificate.exists():
        subprocess.run(
            [
                *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
                *("-subj", f"/CN={NAME}", "-keyout", str(key), "-out", str(certificate)),
            ],
            check=True,
            capture_output=True,
        )
    site = documented("nginx")
    site = re.sub(r"^ *listen \[::\].*\n", "", site, flags=re.MULTILINE)
    site = site.replace("listen 80;", f"listen 127.0.0.1:{free_port()};").replace(
        "listen 443", f"listen 127.0.0.1:{port}"
    )
    site = site.replace("/etc/ssl/sottovoce/", f"{directory}/").replace(
        "127.0.0.1:8000", f"127.0.0.1:{backend}"
    )
    (directory / "sottovoce.conf").write_text(site, encoding="utf-8")
    # These numbers are those of Debian's nginx.conf.
    (directory / "nginx.conf").write_text(
        f"""user root; worker_processes auto; daemon off; pid {directory}/nginx.pid;
error_log /dev/null emerg;
events {{ worker_connections 768; }}
http {{
    client_body_temp_path {directory}/body; proxy_temp_path {directory}/proxy;
    fastcgi_temp_path {directory}/fastcgi; uwsgi_temp_path {directory}/uwsgi; scgi_temp_path {directory}/scgi;
    access_log {directory}/access.log;
    include {directory}/sottovoce.conf;
}}
""",
        encoding="utf-8",
    )
    return [str(shutil.which("nginx")), "-p", str(directory), "-c", str(directory / "nginx.conf")]


def caddy_command(directory: Path, *, port: int, backend: int) -> list[str]:
    """Write Caddy's files to a directory and return its command."""
    here = f"""{{
    local_certs
    skip_install_trust
    admin off
    auto_https disable_redirects
    default_sni {NAME}
    storage file_system {directory}/state
"""
    site = documented("caddy")
    assert site.startswith("{\n")
    site = (here + site[2:]).replace(f"\n{NAME} {{", f"\nhttps://{NAME}:{port} {{")
    (directory / "Caddyfile").write_text(
        site.replace("127.0.0.1:8000", f"127.0.0.1:{backend}"), encoding="utf-8"
    )
    return [
        str(shutil.which("caddy")),
        "run",
        "--config",
        str(directory / "Caddyfile"),
        "--adapter",
        "caddyfile",
    ]


COMMANDS: dict[str, Callable[..., list[str]]] = {"nginx": nginx_command, "caddy": caddy_command}


def trusting() -> ssl.SSLContext:
    """Return a TLS context that accepts an untrusted certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def connected(port: int, *, https: bool, source: str = "127.0.0.1", timeout: float = 60.0) -> socket.socket:
    """Return a connection to the local server on `port`, from one of this machine's addresses."""
    link = socket.create_connection(("127.0.0.1", port), timeout=timeout, source_address=(source, 0))
    return trusting().wrap_socket(link, server_hostname=NAME) if https else link


def wait_for(port: int, *, https: bool, seconds: float = 60.0) -> None:
    """Wait until a server answers on `port`."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            with connected(port, https=https, timeout=5) as link:
                link.sendall(
                    f"GET /static/none HTTP/1.1\r\nHost: {NAME}\r\nConnection: close\r\n\r\n".encode()
                )
                if link.recv(12).startswith(b"HTTP/1.1 404"):
                    return
        except OSError:
            pass
        if time.monotonic() > deadline:
            raise TimeoutError(f"nothing answers on port {port}")
        time.sleep(0.1)
