"""The documentation's site, as Sphinx builds it: run ``make docs``, which calls ``tools/build_docs.py``."""

from __future__ import annotations

import os
import re
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Final

import astroid
from pygments.lexer import RegexLexer, bygroups
from pygments.token import Keyword, Name, Number, Operator, Punctuation, String, Text, Whitespace

if TYPE_CHECKING:
    from docutils.nodes import Element, TextElement
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

_MODULES: Final = (
    "analysis",
    "engine",
    "env",
    "geometry",
    "kernel",
    "match",
    "perft",
    "picture",
    "puzzles",
    "records",
    "ugi",
)
PUBLIC: Final = {"punct", *(f"punct.{module}" for module in _MODULES)}
"""The modules that people import, as the guides show them: the reference has these and no others."""
_INTERNAL: Final = ("bot/*", "cli/*", "server/*", "training/*", "__main__.py")

project = "PÜNCT"
author = copyright = "The PÜNCT contributors"  # without a year: the same sources make the same site
version = release = os.environ["PUNCT_VERSION"]
language = "en"
extensions = ["myst_parser", "autoapi.extension"]
nitpicky = True
suppress_warnings = ["autoapi.python_import_resolution"]  # of internal names; a test looks for every exported one
highlight_language = "none"  # a block without a language is no program
python_use_unqualified_type_names = True
toc_object_entries_show_parents = "hide"

myst_heading_anchors = 4  # links to headings work as on a code host
myst_enable_extensions = ["html_image"]  # <img> with a width

autoapi_dirs = [os.environ["PUNCT_SOURCE"]]
autoapi_ignore = [f"*/punct/{part}" for part in _INTERNAL]
autoapi_root = "reference"
autoapi_add_toctree_entry = False
autoapi_member_order = "groupwise"
autoapi_python_class_content = "both"
autoapi_options = ["members", "undoc-members", "imported-members", "show-inheritance"]

templates_path = ["site/templates"]
html_theme = "furo"
html_title = "PÜNCT"
html_favicon = html_logo = "icon.svg"
_SIDEBAR: Final = ("brand", "board", "search", "scroll-start", "navigation", "scroll-end")
html_sidebars = {"**": [f"sidebar/{part}.html" for part in _SIDEBAR]}
html_theme_options = {  # the page's own colours
    "light_css_variables": {
        "color-brand-primary": "#0c6b64",
        "color-brand-content": "#0c6b64",
        "color-background-primary": "#fdfcf9",
        "color-background-secondary": "#f1ede4",
        "color-api-name": "var(--color-foreground-primary)",
        "color-api-pre-name": "var(--color-foreground-secondary)",
    },
    "dark_css_variables": {
        "color-brand-primary": "#5cc4b8",
        "color-brand-content": "#5cc4b8",
    },
}
html_static_path = ["site/static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_use_index = html_domain_indices = False  # the search finds every name
pygments_style, pygments_dark_style = "tango", "monokai"


def _flatten_type_checking(module: astroid.nodes.Module) -> None:
    """Move the imports of ``if TYPE_CHECKING`` up: autoapi looks for what a package exports at its top level alone."""
    body: list[astroid.nodes.NodeNG] = []
    for node in module.body:
        if isinstance(node, astroid.nodes.If) and node.test.as_string() == "TYPE_CHECKING":
            for child in node.body:
                child.parent = module
            body += node.body
        else:
            body.append(node)
    module.body = body


def _skip_internal(app: Sphinx, what: str, name: str, obj: Any, skip: bool, options: list[str]) -> bool | None:
    """Leave modules out that nobody imports; take in the version, an exported name with underscores."""
    if what in ("module", "package"):
        return name not in PUBLIC
    return False if name == "punct.__version__" else None


def _find_public_name(app: Sphinx, env: BuildEnvironment, node: Element, content: TextElement) -> Element | None:
    """Resolve the name of a class where it is defined, as annotations have it, to the one by which it is exported.

    Other names of annotations, of other libraries and of this one's insides, stay plain text.
    """
    if node["refdomain"] != "py":
        return None
    name = _exported_names(env).get(node["reftarget"])
    if name is None:
        return content
    return env.domains.python_domain.resolve_xref(env, node["refdoc"], app.builder, "obj", name, node, content)


@cache
def _exported_names(env: BuildEnvironment) -> dict[str, str]:
    """Return the names by which things are exported, by those where they are defined."""
    return {
        thing.obj["original_path"]: name
        for name, thing in env.autoapi_all_objects.items()
        if "original_path" in thing.obj and name.rpartition(".")[0] in PUBLIC and thing.display
    }


def _remove_inherited_docstring(app: Sphinx, name: str, source: list[str]) -> None:
    """Remove the sentence that every class without an ``__init__`` of its own gets from ``object``."""
    source[0] = re.sub(r"^ *Initialize self\. +See help.*\n", "", source[0], flags=re.MULTILINE)


class ExampleLexer(RegexLexer):
    """Colours examples of the HTTP API: a request with its body, the status and the body of its response."""

    tokens: ClassVar = {
        "root": [
            (r"^(GET|HEAD|POST|PUT|PATCH|DELETE|WS)( )(.*\n)", bygroups(Keyword, Whitespace, Name.Namespace)),
            (r"^(\d{3})(.*\n)", bygroups(Number, Text)),
            (r"^([A-Za-z-]+)(:)(.*\n)", bygroups(Name.Attribute, Punctuation, Text)),
            (r"^[<>] ", Operator),
            (r'"(?:[^"\\]|\\.)*"(?=\s*:)', Name.Tag),
            (r'"(?:[^"\\]|\\.)*"', String),
            (r"[^\n\"]+?(?=\"|\n)|\n|.", Text),
        ]
    }


def setup(app: Sphinx) -> None:
    """Connect what this site adds to its extensions."""
    astroid.MANAGER.register_transform(astroid.nodes.Module, _flatten_type_checking, lambda module: module.package)
    app.add_lexer("http", ExampleLexer)
    app.connect("autoapi-skip-member", _skip_internal)
    app.connect("source-read", _remove_inherited_docstring)
    app.connect("missing-reference", _find_public_name)
