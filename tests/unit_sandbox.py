"""The restrictions of a systemd unit, imposed on a program without systemd.

As ``python -m tests.unit_sandbox UNIT COMMAND…`` it runs a command as the unit would: bubblewrap makes the
file system (read-only but for the folders, with a /tmp and a /dev of its own) and takes the capabilities, and a filter
made of the unit's own lines refuses system calls. ProtectHome, ProtectProc, ProcSubset and User are not imposed: the
interpreter may be in a home folder that nobody else can read, and bubblewrap mounts a whole /proc or none.
"""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
_ALLOW: Final = 0x7FFF0000
_ERRNO: Final = 0x00050000
_EQUAL, _MASKED_EQUAL = 4, 7
_PROT_WRITE, _PROT_EXEC, _SHM_EXEC = 0x2, 0x4, 0o100000
_SET_ID_BITS: Final = 0o6000
_NAMESPACES: Final = 0x7E020080
"""CLONE_NEW… of all kinds."""
_FAMILIES: Final = {"AF_UNIX": 1, "AF_INET": 2, "AF_INET6": 10, "AF_NETLINK": 16}
_NOT_REALTIME: Final = (0, 3, 5)
"""SCHED_OTHER, SCHED_BATCH, SCHED_IDLE."""


class _Comparison(ctypes.Structure):
    """How an argument of a system call is compared: scmp_arg_cmp of libseccomp."""

    _fields_ = (
        ("argument", ctypes.c_uint),
        ("operator", ctypes.c_int),
        ("first", ctypes.c_uint64),
        ("second", ctypes.c_uint64),
    )


def read_unit(unit: Path) -> dict[str, list[str]]:
    """Return the settings of a unit's service, each with all its lines."""
    service = unit.read_text(encoding="utf-8").partition("[Service]")[2].partition("\n[")[0]
    settings: dict[str, list[str]] = {}
    for line in service.splitlines():
        if line and not line.startswith("#"):
            name, _, value = line.partition("=")
            settings.setdefault(name, []).append(value)
    return settings


def allowed_calls(lines: list[str]) -> set[str]:
    """Return the names of the system calls that SystemCallFilter allows: first what is allowed, then what is not."""
    allowed: set[str] = set()
    for line in lines:
        named = set(_expand(line.removeprefix("~").split()))
        allowed = allowed - named if line.startswith("~") else allowed | named
    return allowed


def _expand(names: list[str]) -> Iterator[str]:
    for name in names:
        if name.startswith("@"):
            listed = subprocess.run(
                ["systemd-analyze", "syscall-filter", "--no-pager", name], capture_output=True, text=True, check=True
            )
            lines = map(str.strip, listed.stdout.splitlines()[1:])
            yield from _expand([line for line in lines if line and not line.startswith("#")])
        else:
            yield name


def refuse_calls(settings: dict[str, list[str]]) -> None:
    """Have the kernel refuse, from now on and for every child, what a unit does not allow."""
    for name in ("MemoryDenyWriteExecute", "RestrictNamespaces", "RestrictRealtime", "RestrictSUIDSGID"):
        assert settings[name] == ["yes"], name
    assert settings["LockPersonality"] == ["yes"] and settings["SystemCallErrorNumber"] == ["EPERM"]
    families = [_FAMILIES[name] for name in settings["RestrictAddressFamilies"][0].split()]
    comparisons: dict[str, list[tuple[int, int, int, int]]] = {
        "mmap": [(2, _MASKED_EQUAL, _PROT_EXEC, 0), (2, _MASKED_EQUAL, _PROT_WRITE, 0)],
        "mprotect": [(2, _MASKED_EQUAL, _PROT_EXEC, 0)],
        "pkey_mprotect": [(2, _MASKED_EQUAL, _PROT_EXEC, 0)],
        "shmat": [(2, _MASKED_EQUAL, _SHM_EXEC, 0)],
        "socket": [(0, _EQUAL, family, 0) for family in families],
        "clone": [(0, _MASKED_EQUAL, _NAMESPACES, 0)],
        "sched_setscheduler": [(1, _EQUAL, policy, 0) for policy in _NOT_REALTIME],
        "personality": [(0, _EQUAL, 0, 0), (0, _EQUAL, 0xFFFFFFFF, 0)],
        "chmod": [(1, _MASKED_EQUAL, _SET_ID_BITS, 0)],
        "fchmod": [(1, _MASKED_EQUAL, _SET_ID_BITS, 0)],
        "fchmodat": [(2, _MASKED_EQUAL, _SET_ID_BITS, 0)],
        "mkdir": [(1, _MASKED_EQUAL, _SET_ID_BITS, 0)],
        "mkdirat": [(2, _MASKED_EQUAL, _SET_ID_BITS, 0)],
    }
    library = ctypes.CDLL("libseccomp.so.2")
    library.seccomp_init.restype = ctypes.c_void_p
    filter_ = ctypes.c_void_p(library.seccomp_init(_ERRNO | errno.EPERM))

    def add(action: int, name: str, comparison: tuple[int, int, int, int] | None = None) -> None:
        number = library.seccomp_syscall_resolve_name(name.encode())
        if number < 0:  # a call of another architecture
            return
        array = (_Comparison * 1)(_Comparison(*comparison)) if comparison else None
        done = library.seccomp_rule_add_array(filter_, ctypes.c_uint32(action), number, 1 if comparison else 0, array)
        assert done == 0, (name, os.strerror(-done))

    for name in sorted(allowed_calls(settings["SystemCallFilter"]) - {"clone3", "setns", "unshare"}):
        for comparison in comparisons.get(name, [None]):
            add(_ALLOW, name, comparison)
    add(_ERRNO | errno.ENOSYS, "clone3")  # its flags cannot be read: glibc then takes clone
    assert library.seccomp_load(filter_) == 0


def sandboxed(unit: Path, folders: list[Path], command: list[str]) -> list[str]:
    """Return the command that runs a command with the restrictions of a unit; it may write to these folders."""
    writable = [part for folder in folders for part in ("--bind", str(folder), str(folder))]
    return [
        shutil.which("bwrap") or "bwrap", "--die-with-parent", "--cap-drop", "ALL",
        "--ro-bind", "/", "/", "--tmpfs", "/tmp", "--ro-bind", str(ROOT), str(ROOT), "--dev", "/dev", "--proc", "/proc",
        *writable, "--setenv", "PYTHONPATH", str(ROOT),
        sys.executable, "-m", "tests.unit_sandbox", str(unit), *command,
    ]  # fmt: skip


def main() -> None:
    """Take the rights away and become the command."""
    unit, *command = sys.argv[1:]
    settings = read_unit(Path(unit))
    os.umask(int(settings["UMask"][0], 8))
    refuse_calls(settings)
    os.execvp(command[0], command)


if __name__ == "__main__":
    main()
