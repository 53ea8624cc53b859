"""Run the commands of docs/public-server.md in an empty Debian: ``make deploy-check``, as root, with debootstrap.

    python tools/check_public_server.py --wheels FOLDER [--debian FOLDER]

The commands are run as they stand, in one shell, in a chroot with its own processes and network, so that no port is
taken from this machine. Only this differs: apt-get and pip run where there is a network, and pip finds the wheel in
FOLDER; the examples are copied from this clone; certbot is left out, for it needs a public name; and there is no
systemd, so two small programs stand for systemctl and journalctl and start what the units say.
"""

import argparse
import os
import re
import ssl
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = ROOT / "docs" / "public-server.md"
ONLINE: Final = re.compile(r"(apt-get|/opt/punct/bin/pip install|python3 -m venv)\b")
LEFT_OUT: Final = re.compile(r"certbot\b")
CLONE: Final = re.compile(r"git clone\b")
END: Final = "@@"
CERTIFICATES: Final = "certificates-for-pip.crt"
"""A copy of those that this machine trusts: it may reach the index through a proxy of its own."""
SYSTEMCTL: Final = r"""#!/bin/bash
set -euf
verb= units=()
for word; do
    case $word in --*) continue ;; esac
    if [ -z "$verb" ]; then verb=$word; else units+=("${word%.service}"); fi
done
setting() { sed -n "s/^$2=//p" "/etc/systemd/system/$1.service"; }
run() { # a command of a unit, with its user, its variables and its folders
    set -a; . "$(setting "$1" EnvironmentFile)"; eval "$(setting "$1" Environment)"; set +a
    for folder in $(setting "$1" StateDirectory); do
        install --directory --owner=punct --group=punct --mode=0700 "/var/lib/$folder"
    done
    eval exec setpriv --reuid=punct --regid=punct --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all \
        "$(setting "$1" "$2" | sed 's/%%/%/g')"
}
stop() { kill "$(cat /run/punct.pid)"; tail --pid="$(cat /run/punct.pid)" -f /dev/null; }
start() { (run punct ExecStart >>/var/log/punct.log 2>&1 </dev/null & echo $! >/run/punct.pid); }
for unit in ${units[@]+"${units[@]}"}; do
    case $unit:$verb in
    *.timer:* | nftables:*) ;;
    punct:enable | punct:start) start ;;
    punct:stop) stop ;;
    punct:restart) stop; start ;;
    punct:reload) kill -HUP "$(cat /run/punct.pid)" ;;
    punct:status) kill -0 "$(cat /run/punct.pid)" ;;
    punct-backup:start) (run punct-backup ExecStart) && (run punct-backup ExecStartPost) ;;
    *) service "$unit" "$verb" >/dev/null ;;
    esac
done
"""
JOURNALCTL: Final = """#!/bin/sh
case "$*" in *punct*) cat /var/log/punct.log ;; esac
"""


def commands(page: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each command of a page's consoles, with the lines that it is said to print."""
    for block in re.findall(r"^```console\n(.*?)^```", page, re.M | re.S):
        for entry in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, *rest = entry.rstrip("\n").split("\n")
            while command.endswith("\\"):
                command += "\n" + rest.pop(0)
            if "<<" in command:
                while not command.endswith("\nEND"):
                    command += "\n" + rest.pop(0)
            yield command, rest


class Shell:
    """A shell in the chroot, with processes and perhaps a network of its own."""

    def __init__(self, debian: Path, *, online: bool) -> None:
        """Start it; offline it has the loopback alone."""
        shared = [path for path in _pip_folders() if path.is_dir()]
        for path in shared:
            (debian / path.relative_to("/")).mkdir(parents=True, exist_ok=True)
        # Read-only: what is installed in there must not change this machine.
        mounts = "".join(
            f"mount --bind {path} {debian}{path} && mount -o remount,bind,ro {debian}{path}\n" for path in shared
        )
        prepare = (
            f"mount -t proc proc {debian}/proc && mount --rbind /dev {debian}/dev\n{mounts}"
            f"{'' if online else 'ip link set lo up'}\nexec chroot {debian} bash"
        )
        command = ["unshare", "--mount", "--pid", "--fork", "--kill-child", *([] if online else ["--net"])]
        self._process = subprocess.Popen(
            [*command, "sh", "-ec", prepare],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env={**{name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")},
                 "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8", "HOME": "/root",
                 "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                 "PIP_CERT": f"/{CERTIFICATES}",
                 "PIP_FIND_LINKS": f"/wheels {os.environ.get('PIP_FIND_LINKS', '')}"},
        )  # fmt: skip

    def run(self, command: str) -> tuple[int, str]:
        """Run a command; return its status, and what it prints."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(f"{{\n{command}\n}} </dev/null\nprintf '\\n{END}%s\\n' $?\n")
        self._process.stdin.flush()
        said: list[str] = []
        for line in self._process.stdout:
            if line.startswith(END):
                return int(line.removeprefix(END)), "".join(said)
            said.append(line)
        raise SystemExit(f"the shell has ended:\n{''.join(said)}")

    def close(self) -> None:
        """End it, and every process in it."""
        self._process.kill()
        self._process.wait()


def _pip_folders() -> Iterator[Path]:
    """Yield the folders of this machine where pip looks for packages."""
    listed = subprocess.run([sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=True)
    for line in listed.stdout.splitlines():
        if "index-url" in line or "find-links" in line:
            # The files of an index lie beside its pages.
            yield from {
                Path(found.removesuffix("/simple")) for found in re.findall(r"(?:file://|(?<=[' ]))(/[^ ']+)", line)
            }


def prepare(debian: Path, wheels: Path) -> None:
    """Make the Debian, unless it is there, and put this machine's settings and the stand-ins into it."""
    if not (debian / "etc").is_dir():
        mirror = os.environ.get("MIRROR", "http://deb.debian.org/debian")
        subprocess.run(["debootstrap", "--variant=minbase", "bookworm", debian, mirror], check=True)
    for source in ("/etc/resolv.conf", "/etc/pip.conf", *map(str, Path("/etc/apt/apt.conf.d").glob("99*"))):
        if Path(source).is_file():
            (debian / source[1:]).write_bytes(Path(source).read_bytes())
    for settings in (Path.home() / ".config/pip/pip.conf", Path.home() / ".pip/pip.conf"):
        if settings.is_file():
            copy = debian / "root" / settings.relative_to(Path.home())
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(settings.read_bytes())
    (debian / CERTIFICATES).write_bytes(Path(ssl.get_default_verify_paths().cafile or "/etc/ssl/cert.pem").read_bytes())
    for name, text in {
        "usr/sbin/policy-rc.d": "#!/bin/sh\nexit 101\n",  # nothing starts while it is installed
        "usr/local/sbin/systemctl": SYSTEMCTL,
        "usr/local/sbin/journalctl": JOURNALCTL,
    }.items():
        (debian / name).write_text(text)
        (debian / name).chmod(0o755)
    subprocess.run(["cp", "-r", "-T", wheels, debian / "wheels"], check=True)
    (debian / "usr/local/src/punct").mkdir(parents=True, exist_ok=True)
    subprocess.run(["cp", "-r", "-T", ROOT / "deploy", debian / "usr/local/src/punct/deploy"], check=True)


def main() -> None:
    """Run every command, and end with the first that fails or prints something else."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--wheels", type=Path, required=True)
    options.add_argument("--debian", type=Path, default=ROOT / "build" / "debian")
    given = options.parse_args()
    prepare(given.debian, given.wheels)
    online, offline = Shell(given.debian, online=True), Shell(given.debian, online=False)
    is_installed = False
    try:
        for command, expected in commands(PAGE.read_text(encoding="utf-8")):
            if LEFT_OUT.match(command) or CLONE.match(command):
                print(f"left out: {command}")
                continue
            if not ONLINE.match(command) and not is_installed and command.startswith("useradd"):
                is_installed = True
                for service in ("postgresql", "redis-server", "nginx"):  # as Debian starts them with their packages
                    offline.run(f"service {service} start")
            status, said = (online if ONLINE.match(command) else offline).run(command)
            if status or any(line not in said for line in expected):
                raise SystemExit(f"{command}\nended with {status}:\n{said[-4000:]}")
            print(f"ran: {command.splitlines()[0]}\n{said.strip()[-300:]}", flush=True)
    finally:
        offline.close()
        online.close()


if __name__ == "__main__":
    main()
