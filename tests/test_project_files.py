"""The files by which people join the project agree with each other and with pyproject.toml."""

from __future__ import annotations

import itertools
import re
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

ROOT: Final = Path(__file__).resolve().parents[1]
PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
FORMS: Final = sorted(path for path in (ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml")
CHANGELOG: Final = (ROOT / "CHANGELOG.md").read_text("utf-8")
LABELLED: Final = {"textarea", "input", "dropdown", "checkboxes"}
"""The kinds of field in an issue form, besides ``markdown``."""


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text("utf-8"))


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_issue_forms_have_what_the_code_host_requires(path: Path) -> None:
    form = read(path)
    assert form.keys() <= {"name", "description", "title", "labels", "body"} and form["name"] and form["description"]
    fields = [field for field in form["body"] if field["type"] != "markdown"]
    assert fields and all(field["type"] in LABELLED for field in fields)
    assert len({field["id"] for field in fields}) == len(fields)
    for field in form["body"]:
        assert field.keys() <= {"type", "id", "attributes", "validations"}
        assert field["attributes"]["label" if field in fields else "value"]
        if field["type"] in {"dropdown", "checkboxes"}:
            options = [
                option["label"] if isinstance(option, dict) else option for option in field["attributes"]["options"]
            ]
            assert len({*options}) == len(options) > 0


def test_there_are_forms_for_bugs_rules_and_ideas() -> None:
    assert [path.stem for path in FORMS] == ["bug", "feature", "rule"]


def test_the_project_has_one_address() -> None:
    source = PROJECT["urls"]["Source"]
    files = [ROOT / name for name in ("SECURITY.md", "CODE_OF_CONDUCT.md", "CITATION.cff", "CHANGELOG.md")]
    routes = ROOT / "src/punct/server/documentation/routes.py"
    for path in [*files, routes, *(ROOT / ".github/ISSUE_TEMPLATE").iterdir()]:
        addresses = re.findall(r"https://github\.com/punct[^/\s]*/[\w.-]+", path.read_text("utf-8"))
        assert {*addresses} <= {source}, path.name
    assert PROJECT["urls"]["Documentation"] in routes.read_text("utf-8")


def test_the_citation_is_of_this_version() -> None:
    citation = read(ROOT / "CITATION.cff")
    assert (citation["version"], citation["license"]) == (PROJECT["version"], PROJECT["license"])
    assert citation["repository-code"] == PROJECT["urls"]["Source"]


def test_every_version_in_the_changelog_has_a_link_that_compares_it_with_the_one_before() -> None:
    versions = re.findall(r"^## \[?([\w.]+)\]?", CHANGELOG, re.M)
    links = dict(re.findall(r"^\[([\w.]+)\]: (\S+)$", CHANGELOG, re.M))
    assert versions[0] == "Unreleased" and versions[-1] == "0.1.0"
    assert list(links) == versions[:-1]  # the first version was never tagged
    for version, earlier in itertools.pairwise(versions):
        newer = "HEAD" if version == "Unreleased" else f"v{version}"
        tail = f"commits/{newer}" if earlier == "0.1.0" else f"compare/v{earlier}...{newer}"
        assert links[version] == f"{PROJECT['urls']['Source']}/{tail}"
