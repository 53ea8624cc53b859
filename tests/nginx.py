"""A real nginx on loopback, with a site and a certificate of its own."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Final

from tests.databases import Service, free_port

NAME: Final = "punct.example.org"
SITE: Final = Path(__file__).resolve().parents[1] / "deploy"
_PROGRAM: Final = shutil.which("nginx") or "/usr/sbin/nginx"
_TEMPORARY: Final = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


class Nginx(Service):
    """Before a server, as deploy/nginx.conf has it: but for ports, certificate and folders, which are its own."""

    def __init__(self, folder: Path, upstream: int, location: str | None = None) -> None:
        """Put it before a port; ``location`` takes the place of the site's own way of passing requests on."""
        self._folder = folder
        plain, port = free_port(), free_port()
        self.address = f"https://{NAME}:{port}"
        self._certify()
        site = _read("nginx.conf") + _read("upstream.conf")
        replaced = {
            r"listen 80;": f"listen 127.0.0.1:{plain};",
            r"listen 443 ": f"listen 127.0.0.1:{port} ",
            rf"/etc/letsencrypt/live/{NAME}": str(folder),
            r"server 127\.0\.0\.1:8000;": f"server 127.0.0.1:{upstream};",
        }
        if location is not None:
            replaced[r"    location ~ \^/\(metrics.*?\n    }\n\n    location / \{.*?\n    }\n"] = location
        for pattern, text in replaced.items():
            site, count = re.subn(pattern, lambda _, text=text: text, site, flags=re.S)  # type: ignore[misc]
            assert count, f"the site has no {pattern}"
        temporary = "".join(f"{name}_temp_path {folder / name};\n" for name in _TEMPORARY)
        (folder / "nginx.conf").write_text(
            f"pid {folder / 'pid'};\nerror_log stderr;\nworker_processes 1;\nevents {{}}\n"
            f"http {{\naccess_log off;\n{temporary}{site}}}\n"
        )
        command = [_PROGRAM, "-p", str(folder), "-c", str(folder / "nginx.conf")]
        self._check = [*command, "-t"]
        super().__init__(port, [*command, "-g", "daemon off;"], stop=signal.SIGQUIT)

    def check(self) -> str:
        """Have nginx read the site; return what it says, which is an error if it does not like it."""
        found = subprocess.run(self._check, capture_output=True, text=True)
        assert found.returncode == 0, found.stderr
        return found.stderr

    @property
    def certificate(self) -> Path:
        """The certificate that clients trust."""
        return self._folder / "fullchain.pem"

    def _certify(self) -> None:
        words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
        named = ["-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"]
        files = ["-keyout", str(self._folder / "privkey.pem"), "-out", str(self._folder / "fullchain.pem")]
        subprocess.run(["openssl", *words.split(), *named, *files], check=True, capture_output=True)


def _read(name: str) -> str:
    return (SITE / name).read_text(encoding="utf-8")
