"""Packages whose names are loaded when first asked for: a command that prints a version does not wait for the rules."""

from collections.abc import Callable, Mapping, MutableMapping
from importlib import import_module


def loading(
    package: str, names: MutableMapping[str, object], homes: Mapping[str, str]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return a package's ``__getattr__`` and ``__dir__``.

    ``names`` are its globals; ``homes`` says by module which names it offers, divided by spaces: none if the module
    itself is what is asked for.
    """
    home_of = {name: home for home, offered in homes.items() for name in offered.split() or [home]}

    def load(name: str) -> object:
        home = home_of.get(name)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = import_module(f"{package}.{home}")
        found = names[name] = module if name == home else getattr(module, name)
        return found

    return load, lambda: sorted({*names, *home_of})
