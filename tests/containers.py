"""A Dockerfile, read as far as ours goes: what a stage copies, and what it runs, in a folder instead of an image."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

FINAL: Final = "final"
"""The stage without a name."""
_SILENT: Final = {"ARG", "ENV", "EXPOSE", "HEALTHCHECK", "LABEL", "STOPSIGNAL", "USER", "VOLUME"}
"""What changes nothing that a folder could show."""
_OWN_FOLDERS: Final = re.compile(r"(?<=[\s(\"])/(?=(?:data|opt/(?:build|punct)|wheels)\b)")
"""The root, before the folders of an image that commands name."""

_REFUSED: Final = {
    name: f'echo "{name} would change this machine: say what a stage has in its place" >&2; exit 1'
    for name in ("pip", "apt-get", "useradd", "adduser", "groupadd", "chown", "install")
}


@dataclass
class Stage:
    """One stage of a Dockerfile."""

    name: str
    steps: list[tuple[str, str]] = field(default_factory=list)
    """Instruction and arguments, in order."""

    def copied(self) -> list[str]:
        """Return what it copies out of the context."""
        copies = (shlex.split(words) for instruction, words in self.steps if instruction == "COPY")
        return [source for words in copies if not words[0].startswith("--from=") for source in words[:-1]]


def stages(dockerfile: Path) -> list[Stage]:
    """Return a Dockerfile's stages."""
    text = re.sub(r"^\s*#.*\n", "", dockerfile.read_text(encoding="utf-8"), flags=re.M).replace("\\\n", " ")
    found: list[Stage] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        instruction, words = line.split(maxsplit=1)
        if not found and instruction == "ARG":  # for the names of images
            continue
        if instruction == "FROM":
            found.append(Stage(words.partition(" AS ")[2] or FINAL))
        else:
            found[-1].steps.append((instruction, words))
    return found


class Context:
    """The files that a builder is sent: a folder without what its .dockerignore names."""

    def __init__(self, root: Path) -> None:
        lines = (line.strip() for line in (root / ".dockerignore").read_text(encoding="utf-8").splitlines())
        self._rules = [
            (not line.startswith("!"), _pattern(line.removeprefix("!").strip("/")))
            for line in lines
            if line and not line.startswith("#")
        ]
        self.root = root
        self.files = sorted(self._walk(Path()))

    def below(self, path: str) -> list[Path]:
        """Return the files that a path names: itself, or all in a folder."""
        wanted = Path(os.path.normpath(path))
        return [file for file in self.files if file == wanted or wanted in file.parents or wanted == Path()]

    def _walk(self, folder: Path) -> Iterator[Path]:
        """Yield all files but those ignored; no line of ours lets in anything below a folder that is ignored."""
        for entry in os.scandir(self.root / folder):
            path = folder / entry.name
            if self._is_ignored(path):
                continue
            if entry.is_dir(follow_symlinks=False):
                yield from self._walk(path)
            else:
                yield path

    def _is_ignored(self, path: Path) -> bool:
        """Tell whether the last line that fits a path, or a folder that it is in, ignores it."""
        names = [path.as_posix(), *(parent.as_posix() for parent in path.parents if parent.name)]
        ignored = False
        for ignores, pattern in self._rules:
            if any(pattern.fullmatch(name) for name in names):
                ignored = ignores
        return ignored


def _pattern(line: str) -> re.Pattern[str]:
    """Return what a line of .dockerignore fits, as Docker says: ``**`` any number of folders, ``*`` within a name."""
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", line)
    meaning = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(meaning.get(part, re.escape(part)) for part in parts))


@dataclass
class Build:
    """Stages built in folders: each folder is the root of a stage's image, with nothing in it but what was copied."""

    context: Context
    folder: Path
    programs: Mapping[str, Mapping[str, str]]
    """For each stage the programs that its image has, or that a machine must be spared, as shell commands."""
    entrypoint: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)

    def run(self, stage: Stage) -> None:
        """Do what a stage says."""
        root = self.folder / stage.name
        where = root
        for instruction, words in stage.steps:
            if instruction == "WORKDIR":
                where = root / words.lstrip("/")
                where.mkdir(parents=True)
            elif instruction == "COPY":
                root.mkdir(exist_ok=True)
                self._copy(root, where, shlex.split(words))
            elif instruction == "RUN":
                self._execute(stage.name, root, where, words)
            elif instruction == "ENTRYPOINT":
                self.entrypoint = json.loads(words)
            elif instruction == "CMD":
                self.command = json.loads(words)
            else:
                assert instruction in _SILENT, f"a stage does something that is not understood here: {instruction}"

    def _copy(self, root: Path, where: Path, words: list[str]) -> None:
        *sources, target = words
        into = root / target.lstrip("/") if target.startswith("/") else where / target
        if sources[0].startswith("--from="):
            other = self.folder / sources.pop(0).removeprefix("--from=")
            for source in sources:
                found = other / source.lstrip("/")
                if found.is_dir():
                    shutil.copytree(found, into, dirs_exist_ok=True)
                else:
                    _put(found, into / found.name if target.endswith("/") else into)
            return
        for source in sources:
            found_files = self.context.below(source)
            assert found_files, f"{source} is copied, but not there or ignored"
            for file in found_files:
                inside = file.relative_to(source) if (self.context.root / source).is_dir() else Path(file.name)
                _put(self.context.root / file, into / inside)

    def _execute(self, name: str, root: Path, where: Path, command: str) -> None:
        programs = root / ".programs"
        programs.mkdir(parents=True, exist_ok=True)
        for program, does in {**_REFUSED, **self.programs.get(name, {})}.items():
            (programs / program).write_text(f"#!/bin/sh\n{does}\n")
            (programs / program).chmod(0o755)
        command = _OWN_FOLDERS.sub(f"{root}/", command)
        assert ":" not in str(programs), "it could not be in PATH"
        environment = {
            **os.environ,
            "PATH": f"{programs}:{os.environ['PATH']}",
            "PIP_REQUIRE_VIRTUALENV": "1",  # whatever a stage installs, it never lands in the machine's own Python
        }
        done = subprocess.run(["sh", "-ec", command], cwd=where, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, f"{name}: {command}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"


def _put(file: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(file, target)
