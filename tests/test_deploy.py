"""The examples for those who run a server: they can be read, and every option in them exists."""

from __future__ import annotations

import configparser
import re
import shlex
from pathlib import Path
from typing import Any

import click
import pytest
import typer
import yaml

import punct
from punct.cli.app import app

ROOT = Path(__file__).resolve().parents[1]
DEPLOY = ROOT / "deploy"
PAGES = tuple(ROOT / "docs" / name for name in ("hosting.md", "server.md", "public-server.md"))


def check(words: list[str]) -> None:
    """Have the command line read what it is told, without doing it."""
    group: Any = typer.main.get_command(app)
    context = click.Context(group, info_name="punct")
    while isinstance(group, click.Group) or hasattr(group, "resolve_command"):
        _, group, words = group.resolve_command(context, words)
        context = click.Context(group, parent=context, resilient_parsing=False)
    group.make_parser(context).parse_args(args=list(words))  # an unknown option is an error


def commands_on(page: Path) -> list[str]:
    text = page.read_text(encoding="utf-8").replace("\\\n", " ")
    return [
        line
        for line in re.findall(r"^ *(?:\$ )?(?:[^#\n`]* -- )?(?:/opt/punct/bin/)?(punct (?!is )[^#\n`]*)", text, re.M)
        if "GAME" not in line or "admin" in line
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_on_the_pages_exist(page: Path) -> None:
    found = commands_on(page)
    assert found
    for line in found:
        check(shlex.split(line)[1:])


def test_an_option_that_does_not_exist_would_be_noticed() -> None:
    with pytest.raises(Exception, match="no-such"):
        check(["serve", "--no-such"])


@pytest.mark.parametrize("unit", sorted(DEPLOY.glob("*.service")), ids=lambda unit: unit.name)
def test_units_start_what_exists(unit: Path) -> None:
    read = configparser.ConfigParser(strict=False, interpolation=None)
    read.optionxform = str  # type: ignore[assignment,method-assign]
    read.read(unit, encoding="utf-8")
    timer = unit.with_suffix(".timer")
    assert {"Unit", "Service"} <= set(read.sections())
    assert ("Install" in read.sections()) != timer.exists(), "what starts it, at boot or at night?"
    (words,) = re.findall(r"/opt/punct/bin/punct ([^'\n]*)", read["Service"]["ExecStart"])
    check(shlex.split(words))


def test_the_composition_can_be_read_and_starts_what_exists() -> None:
    composed = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    services = composed["services"]
    assert {"server", "worker", "database", "broker", "proxy"} == set(services)
    for name in ("server", "worker"):
        check(services[name]["command"])
        build = services[name]["build"]
        assert (DEPLOY / build["context"] / build["dockerfile"]).is_file()
        assert build["args"] == {"VERSION": punct.__version__}  # the image's label
    for service in services.values():
        assert set(service.get("depends_on", ())) <= set(services)
        for volume in service.get("volumes", ()):
            source = volume.partition(":")[0]
            if source.startswith("./"):
                assert (DEPLOY / source).is_file()
            elif not source.startswith("/"):
                assert source in composed["volumes"]
    # The proxy looks for the server where it is: under a service's name, at the port on which that listens.
    (upstream,) = (volume.partition(":")[0] for volume in services["proxy"]["volumes"] if "upstream" in volume)
    (name, port) = re.findall(r"^\s*server (\S+):(\d+);", (DEPLOY / upstream).read_text(encoding="utf-8"), re.M)[0]
    command = services[name]["command"]
    assert command[command.index("--port") + 1] == port and command[command.index("--host") + 1] == "0.0.0.0"


def test_containers_have_few_rights_and_see_only_whom_they_need() -> None:
    composed = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    services = composed["services"]
    for name, service in services.items():
        assert service["read_only"] is True and service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"] and service["restart"] == "unless-stopped", name
        assert "healthcheck" in service, name
        assert not re.search(r"PASSWORD|SECRET|\$\{", str(service.get("command"))), "others can read command lines"
        assert ("ports" in service) == (name == "proxy")
    seen = {name: set(service["networks"]) for name, service in services.items()}
    assert composed["networks"]["back"]["internal"] is True
    for name in ("database", "broker"):
        assert seen[name] == {"back"} and not seen[name] & seen["proxy"]
        assert services[name]["user"] != "root"


def test_the_proxy_has_one_upstream_wherever_it_is() -> None:
    site = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    assert "proxy_pass http://punct;" in site and "upstream punct {" not in site
    for file in ("upstream.conf", "upstream-compose.conf"):
        assert (DEPLOY / file).read_text(encoding="utf-8").count("upstream punct {") == 1


def test_the_proxy_says_whom_it_brings_and_keeps_figures_to_itself() -> None:
    text = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    assert text.count("{") == text.count("}")
    for needed in ("X-Forwarded-For", "X-Forwarded-Proto", "X-Request-Id", "Upgrade $http_upgrade", "metrics"):
        assert needed in text
    settings = (line.split("#")[0].strip() for line in text.splitlines())
    assert all(line.endswith((";", "{", "}")) for line in settings if line)


def test_the_page_shows_what_the_example_passes_on() -> None:
    def settings(text: str) -> list[str]:
        return [line for line in map(str.strip, text.splitlines()) if line and not line.startswith("#")]

    (shown,) = re.findall(
        r"^```nginx\n(.*?)^```", (ROOT / "docs" / "server.md").read_text(encoding="utf-8"), re.M | re.S
    )
    site = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    assert settings(shown) == settings(site[site.index("    location ~") : site.rindex("}")])


def test_variables_named_to_those_who_run_it_are_read() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    for page in (*DEPLOY.iterdir(), *(page for page in PAGES if page.name != "server.md")):
        for name in re.findall(r"\bPUNCT_[A-Z_]+\b", page.read_text(encoding="utf-8")):
            assert f'"{name}"' in source or name == "PUNCT_DATABASE_PASSWORD", name
