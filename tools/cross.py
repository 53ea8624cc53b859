"""Compile the kernel for other systems and processors, run it where an emulator is installed, and compare the answers.

Run with ``make cross``. The compiler is PyPI's ``ziglang``; Debian's ``qemu-user`` runs programs for ARM, ``wine64``
those for Windows. A target without an emulator is only compiled and linked. The programs' answers must be those of this
machine's kernel to the last bit: legal moves, perfts, and searches by nodes.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from bench.kernel import SIGNATURE_POSITIONS
from bench.search import findings

from punct import kernel

ROOT: Final = Path(__file__).resolve().parents[1]
BUILD: Final = ROOT / "build" / "cross"
FLAGS: Final = ["-std=c++20", "-O2", "-ffp-contract=off", "-fconstexpr-steps=100000000", "-Wall", "-Wextra", "-Ikernel"]
EMULATORS: Final = {
    "x86_64-linux-musl": [],
    "aarch64-linux-musl": ["qemu-aarch64"],
    "x86_64-windows-gnu": ["wine64", "wine", "/usr/lib/wine/wine64"],
    "x86_64-macos": None,
    "aarch64-macos": None,
}
"""By target: the programs that may run it, one of which is enough; none are needed, or there are none."""


def compile_probe(target: str) -> Path:
    """Compile and link the probe in one translation unit, since the compiler computes the board's tables for each."""
    folder = BUILD / target
    folder.mkdir(parents=True, exist_ok=True)
    own = {"array_loops_avx2.cpp", "array_loops_baseline.cpp"}  # which share no code with the others
    sources = [path for part in ("core", "search", "view") for path in sorted((ROOT / "kernel" / part).glob("*.cpp"))]
    together = [path for path in sources if path.name not in own] + [ROOT / "kernel" / "tests" / "probe.cpp"]
    unit = folder / "all.cpp"
    unit.write_text("".join(f'#include "{path.relative_to(ROOT / "kernel").as_posix()}"\n' for path in together))
    twice = ["-DPUNCT_AVX2=1"] if target.startswith("x86_64") else []
    zig = [sys.executable, "-m", "ziglang", "c++", "-target", target, *FLAGS, *twice]
    objects = [folder / "all.o"]
    subprocess.run([*zig, "-c", str(unit), "-o", str(objects[0])], cwd=ROOT, check=True)
    for name in sorted(own):
        objects.append((folder / name).with_suffix(".o"))
        avx2 = ["-mavx2"] if twice and "avx2" in name else []
        subprocess.run([*zig, *avx2, "-c", f"kernel/search/{name}", "-o", str(objects[-1])], cwd=ROOT, check=True)
    program = folder / ("probe.exe" if "windows" in target else "probe")
    subprocess.run([*zig, *map(str, objects), "-o", str(program)], cwd=ROOT, check=True)
    return program


def emulator_of(target: str) -> list[str] | None:
    """Return the command that runs a target's programs here; None if there is none."""
    names = EMULATORS[target]
    if names is None:
        return None
    if not names:
        return [] if platform.system() == "Linux" and platform.machine() == "x86_64" else None
    found = next(filter(None, map(shutil.which, names)), None)
    return None if found is None else [found]


def expected() -> tuple[str, list[str]]:
    """Return requests to the probe, and this machine's answers."""
    requests, answers = [], []
    for text, found in zip(SIGNATURE_POSITIONS, findings(), strict=True):
        position = kernel.Position(text)
        requests += [f"moves {text}", f"perft 2 {text}", f"search 500 1 {text}"]
        answers += [" ".join(map(str, position.legal_moves)), str(position.perft(2)), found]
    requests.append(f"search 300 4 {SIGNATURE_POSITIONS[2]}")  # on threads, which have small stacks on some systems
    return "\n".join(requests) + "\n", answers


def check(target: str, requests: str, answers: list[str]) -> str:
    """Compile for a target and compare; return what was found out."""
    program, emulator = compile_probe(target), emulator_of(target)
    if emulator is None:
        return "compiled and linked; nothing here can run it"
    for instructions in ("", "baseline"):
        process = subprocess.run(
            [*emulator, str(program)],
            input=requests,
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | {"PUNCT_INSTRUCTIONS": instructions, "WINEDEBUG": "-all"},
        )
        found = [line.strip() for line in process.stdout.splitlines()]
        if process.returncode or found[: len(answers)] != answers or len(found) != len(answers) + 1:
            raise SystemExit(f"{target}: other answers than here\n{process.stderr[-2000:]}")
    return f"{len(found)} answers as here, with all instructions and without"


def main() -> None:
    """Check the targets that are named, or all."""
    requests, answers = expected()
    for target in sys.argv[1:] or EMULATORS:
        print(f"{target:20} {check(target, requests, answers)}", flush=True)


if __name__ == "__main__":
    main()
