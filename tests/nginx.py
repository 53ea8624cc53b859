"""Real reverse proxies on loopback, each with a site and a certificate of its own."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
from pathlib import Path
from typing import Final

from tests.databases import Service, free_port

NAME: Final = "punct.example.org"
SITE: Final = Path(__file__).resolve().parents[1] / "deploy"
_PROGRAM: Final = os.environ.get("NGINX") or shutil.which("nginx") or "/usr/sbin/nginx"
_TEMPORARY: Final = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


class Proxy(Service):
    """A proxy with a certificate."""

    def __init__(self, folder: Path, port: int, command: list[str], stop: signal.Signals) -> None:
        """Make the certificate; ``command`` starts the proxy."""
        self._folder = folder
        self.address = f"https://{NAME}:{port}"
        certify(folder)
        super().__init__(port, command, stop=stop)

    @property
    def certificate(self) -> Path:
        """The certificate that clients trust."""
        return self._folder / "fullchain.pem"


class Nginx(Proxy):
    """Before a server, as deploy/nginx.conf has it: but for ports, certificate and folders, which are its own."""

    def __init__(self, folder: Path, upstream: int, location: str | None = None) -> None:
        """Put it before a port; ``location`` takes the place of the site's own way of passing requests on."""
        self.plain_port, port = free_port(), free_port()
        site = _read("nginx.conf") + _read("upstream.conf")
        replaced = {
            r"listen 80;": f"listen 127.0.0.1:{self.plain_port};",
            r"listen 443 ": f"listen 127.0.0.1:{port} ",
            r"listen \[::\]:80;": f"listen [::1]:{self.plain_port};" if _has_ipv6() else "",
            r"listen \[::\]:443 ssl;": f"listen [::1]:{port} ssl;" if _has_ipv6() else "",
            rf"/etc/letsencrypt/live/{NAME}": str(folder),
            r"root /var/www/html;": f"root {folder};",
            r"server 127\.0\.0\.1:8000;": f"server 127.0.0.1:{upstream};",
        }
        if location is not None:
            replaced[r"    location ~ \^/\(metrics.*?\n    }\n\n    location / \{.*?\n    }\n"] = location
        for pattern, text in replaced.items():
            site, count = re.subn(pattern, lambda _, text=text: text, site, flags=re.S)  # type: ignore[misc]
            assert count, f"the site has no {pattern}"
        temporary = "".join(f"{name}_temp_path {folder / name};\n" for name in _TEMPORARY)
        user = "user root;\n" if os.getuid() == 0 else ""  # its folders are the tests'
        (folder / "nginx.conf").write_text(
            f"{user}pid {folder / 'pid'};\nerror_log stderr;\nworker_processes 1;\nevents {{}}\n"
            f"http {{\naccess_log off;\n{temporary}{site}}}\n"
        )
        command = [_PROGRAM, "-p", str(folder), "-c", str(folder / "nginx.conf")]
        self._check = [*command, "-t"]
        super().__init__(folder, port, [*command, "-g", "daemon off;"], signal.SIGQUIT)

    def check(self) -> str:
        """Have nginx read the site; return what it says, which is an error if it does not like it."""
        found = subprocess.run(self._check, capture_output=True, text=True)
        assert found.returncode == 0, found.stderr
        return found.stderr


def certify(folder: Path) -> None:
    """Make a certificate and its key."""
    words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    named = ["-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"]
    files = ["-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")]
    subprocess.run(["openssl", *words.split(), *named, *files], check=True, capture_output=True)


def _has_ipv6() -> bool:
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET6) as probe:
        probe.bind(("::1", 0))
        return True
    return False


def _read(name: str) -> str:
    return (SITE / name).read_text(encoding="utf-8")
