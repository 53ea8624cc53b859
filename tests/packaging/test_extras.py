"""What needs which extra: programs need NumPy alone, and what lacks a library says how to install it."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Final

import pytest

from punct.cli.app import COMMANDS
from punct.extras import EXTRAS, MissingExtraError, explain_missing, missing_extra

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[1]
PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
CLI: Final = (
    "numpy,typer,rich,platformdirs,shellingham,markdown_it,mdurl,pygments,typing_extensions,annotated_doc,click"
)
"""The libraries of the base and of the extra ``cli``, with what these bring along."""


def run(libraries: str, *words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, HERE / "blocked_imports.py", libraries, *words]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PUNCT_TOKEN": "token"})


def test_programs_need_numpy_alone() -> None:
    done = run("numpy", HERE / "light_program.py")
    assert done.returncode == 0, done.stderr
    loaded = {name for name in done.stdout.split() if not name.startswith("_")}  # those are an editable install's
    assert loaded == {"numpy", "punct"}


def test_the_command_line_needs_its_extra_alone() -> None:
    done = run(CLI, "-m", "punct", "legal", "--count")
    assert (done.returncode, done.stdout) == (0, "4986\n")
    helped = run(CLI, "-m", "punct", "--help")
    assert helped.returncode == 0, helped.stderr
    assert all(name in helped.stdout for name in COMMANDS)


@pytest.mark.parametrize(
    ("libraries", "words", "sentence"),
    [
        ("numpy", "legal", "punct needs the command line: pip install 'punct[cli]'"),
        (CLI, "serve --no-open", "punct serve needs the server: pip install 'punct[server]'"),
        (
            CLI,
            "worker --broker-url redis://h",
            "punct worker needs what several processes share: pip install 'punct[hosting]'",
        ),
        (CLI, "backup FOLDER", "punct backup needs the server: pip install 'punct[server]'"),
        (CLI, "admin players", "punct admin needs the server: pip install 'punct[server]'"),
        (CLI, "bot --server http://h --engine 1", "punct bot needs websockets: pip install 'punct[bot]'"),
        (CLI, "show --output x.png", "a picture as PNG needs resvg_py: pip install 'punct[pictures]'"),
        (CLI, "learn run FOLDER", "training needs pyarrow: pip install 'punct[training]'"),
    ],
)
def test_a_command_without_its_extra_says_how_to_install_it(
    libraries: str, words: str, sentence: str, tmp_path: Path
) -> None:
    done = run(libraries, "-m", "punct", *words.replace("FOLDER", str(tmp_path / "new")).split())
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"punct: {sentence}\n")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("libraries", "code", "sentence"),
    [
        (
            "numpy",
            "punct.picture.png(punct.Position())",
            "a picture as PNG needs resvg_py: pip install 'punct[pictures]'",
        ),
        (
            "numpy,resvg_py",
            "punct.picture.animate(punct.Position(), ['Ed5ne'])",
            "an animated picture needs PIL: pip install 'punct[pictures]'",
        ),
        ("numpy", "punct.env.PunctEnv", "punct.env.PunctEnv needs gymnasium: pip install 'punct[env]'"),
        ("numpy", "punct.env.openspiel_game", "punct.env.openspiel_game needs pyspiel: pip install 'punct[openspiel]'"),
        ("numpy", "ray_jobs.connect(None, 'ray').__enter__()", "this needs ray: pip install 'punct[ray]'"),
    ],
)
def test_a_program_without_an_extra_is_told_how_to_install_it(
    libraries: str, code: str, sentence: str, tmp_path: Path
) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import punct\nfrom punct import ray_jobs\n"
        f"try: {code}\nexcept (punct.PunctError, ImportError) as error: print(error)\n"
    )
    done = run(libraries, program)
    assert (done.stdout, done.stderr) == (f"{sentence}\n", "")


SERVER: Final = ("psycopg", "redis", "saq")


@pytest.mark.parametrize(
    ("module", "what"),
    [("punct.server.broker.redis", "a broker"), ("punct.server.db.postgresql", "a database in PostgreSQL")],
)
def test_several_processes_need_their_extra(module: str, what: str) -> None:
    hidden = f"import sys; sys.modules.update(dict.fromkeys({SERVER}))"
    done = subprocess.run([sys.executable, "-c", f"{hidden}; import {module}"], capture_output=True, text=True)
    assert done.stderr.splitlines()[-1].endswith(
        f"{what} needs what several processes share: pip install 'punct[hosting]'"
    )


def test_an_error_that_no_extra_mends_stays_what_it_is() -> None:
    with pytest.raises(ModuleNotFoundError, match="nothing_such"), explain_missing("this"):
        import nothing_such  # type: ignore[import-not-found]  # noqa: F401
    error = missing_extra("this", "ray", "training")
    assert isinstance(error, MissingExtraError) and isinstance(error, ImportError)
    assert (str(error), error.name) == ("this needs ray: pip install 'punct[training]'", "ray")


def _requirement_names(extra: str) -> set[str]:
    """Return the distributions of an extra, with those of the extras it includes."""
    found = set()
    for requirement in PROJECT["optional-dependencies"][extra]:
        own = re.fullmatch(r"punct\[([\w,]+)\]", requirement)
        if own:
            found |= set().union(*map(_requirement_names, own[1].split(",")))
        else:
            found.add(_canonical(re.split(r"[\[<>=; ]", requirement)[0]))
    return found


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


BROUGHT_ALONG: Final = {"pydantic": "fastapi", "redis": "saq", "torch": "torch"}
"""Libraries that come with another one, or are not installed for every test."""


def test_every_library_is_installed_by_the_extra_that_is_named() -> None:
    distributions = packages_distributions()
    for library, extra in EXTRAS.items():
        names = {BROUGHT_ALONG[library]} if library in BROUGHT_ALONG else set(distributions.get(library, [library]))
        assert {_canonical(name) for name in names} & _requirement_names(extra), f"{library} is not in {extra}"


def test_every_library_that_is_imported_has_its_extra() -> None:
    imported = set()
    for file in (ROOT / "src" / "punct").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                imported.add(node.module.partition(".")[0])
    assert imported - sys.stdlib_module_names - {"punct", "numpy"} <= EXTRAS.keys()


def test_a_library_without_its_own_part_is_explained_too(tmp_path: Path) -> None:
    """As psycopg where the system has no libpq: that is no ModuleNotFoundError."""
    (tmp_path / "psycopg.py").write_text("raise ImportError('no pq wrapper available.\\nAttempts made: ...')")
    done = subprocess.run(
        [sys.executable, "-c", "import punct.server.db.postgresql"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert "a database in PostgreSQL needs what several processes share: pip install 'punct[hosting]'" in done.stderr
    with pytest.raises(ImportError, match="of another kind"), explain_missing("a thing"):
        raise ImportError("of another kind")
