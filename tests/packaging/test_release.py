"""What a tag does: the workflows, the notes taken from the changelog, and the description for the index."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

import punct

ROOT: Final = Path(__file__).resolve().parents[2]
WORKFLOWS: Final = {
    file.stem: yaml.safe_load(file.read_text("utf-8")) for file in (ROOT / ".github/workflows").iterdir()
}


def steps(workflow: str) -> list[dict[str, Any]]:
    return [step for job in WORKFLOWS[workflow]["jobs"].values() for step in job["steps"]]


@pytest.mark.parametrize("workflow", WORKFLOWS)
def test_actions_are_pinned_and_may_write_only_where_they_must(workflow: str) -> None:
    assert WORKFLOWS[workflow]["permissions"] == {"contents": "read"}
    for step in steps(workflow):
        if "uses" in step:
            assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", step["uses"]), "a tag can be moved: name the commit"
    allowed = {"publish": {"id-token": "write"}, "release": {"contents": "write"}}
    for name, job in WORKFLOWS[workflow]["jobs"].items():
        assert job.get("permissions", {}) == allowed.get(name, {})


def test_an_action_is_the_same_version_everywhere_and_the_version_is_told() -> None:
    """Dependabot raises a hash together with the version in the comment behind it."""
    used: dict[str, set[str]] = {}
    for file in (ROOT / ".github/workflows").iterdir():
        for action, pin in re.findall(r"uses: ([^@\s]+)@(.+)", file.read_text("utf-8")):
            assert re.fullmatch(r"[0-9a-f]{40} # v\d+\.\d+\.\d+", pin), f"{action} in {file.name}"
            used.setdefault(action, set()).add(pin)
    assert "actions/checkout" in used and all(len(pins) == 1 for pins in used.values())
    dependabot = yaml.safe_load((ROOT / ".github/dependabot.yml").read_text("utf-8"))
    assert [update["package-ecosystem"] for update in dependabot["updates"]] == ["github-actions"]


@pytest.mark.parametrize("workflow", WORKFLOWS)
def test_what_the_steps_run_is_there(workflow: str) -> None:
    commands = "\n".join(step.get("run", "") for step in steps(workflow))
    named = re.findall(r"\b(?:tools|tests)/[\w/.*-]+", commands)
    assert named
    for path in named:
        assert list(ROOT.glob(path)), f"{path} is named in {workflow}.yml"
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in re.findall(r"\bmake (\w[\w-]*)", commands):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)


def test_everything_is_tested_with_pytorch() -> None:
    """Or no fit of a network would be tested anywhere."""
    (test,) = (step["run"] for step in WORKFLOWS["ci"]["jobs"]["test"]["steps"] if "run" in step)
    assert test == ".ci/run" and {"make torch", "exec make test"} <= set((ROOT / test).read_text("utf-8").splitlines())


def test_whatever_a_release_is_made_with_is_locked() -> None:
    for command in (step["run"] for step in steps("release") if "pip install" in step.get("run", "")):
        assert re.findall(r"pip install (.*)", command) == ["--require-hashes --requirement requirements/release.txt"]


def test_other_systems_have_what_the_tests_there_import() -> None:
    """`make release-check` runs the whole job; this is what it lacked."""
    (install,) = (
        step["run"] for step in WORKFLOWS["ci"]["jobs"]["kernel"]["steps"] if "pip install" in step.get("run", "")
    )
    assert {"ziglang", "cmake", "ninja"} <= set(install.split())
    for folder in ("tests/kernel", "tests/engine"):
        for file in (ROOT / folder).glob("*.py"):
            assert not re.search(r"^(import|from) (fcntl|resource|pty|pwd)\b", file.read_text("utf-8"), re.M), file


def notes(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "tools" / "release_notes.py"), *words]
    return subprocess.run(command, capture_output=True, text=True)


def test_a_tag_that_is_not_the_version_is_refused() -> None:
    refused = notes("v0.0.1")
    assert refused.returncode == 1 and f"expected v{punct.__version__}" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_the_notes_are_one_section_of_the_changelog(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "tools")
    from release_notes import NotesError, release_notes

    changelog = (
        "# Changelog\n\n## Unreleased\n\n- new\n\n## 1.2.0 – 2026-01-01\n\n- a\n\n### Fixed\n\n- b\n\n## 1.1.0\n\n- c\n"
    )
    assert release_notes("v1.2.0", "1.2.0", changelog) == "- a\n\n### Fixed\n\n- b\n"
    assert release_notes("v1.1.0", "1.1.0", changelog) == "- c\n"
    assert release_notes(None, "1.2.0", changelog) == "- new\n"
    for tag, version in (("v1.3.0", "1.3.0"), ("v1.2.0", "1.1.0"), ("v1.2", "1.2")):
        with pytest.raises(NotesError):
            release_notes(tag, version, changelog)


def test_links_of_the_readme_become_absolute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "tools")
    from index_readme import absolute_readme

    text = '[a](docs/a.md#b) [c](https://c) [d](#d) <img src="p.png"> <source srcset="q.png"> <img src="https://r">'
    assert absolute_readme(text, "https://h/x", "1.0.0") == (
        "[a](https://h/x/blob/v1.0.0/docs/a.md#b) [c](https://c) [d](#d) "
        '<img src="https://h/x/raw/v1.0.0/p.png"> <source srcset="https://h/x/raw/v1.0.0/q.png"> <img src="https://r">'
    )
