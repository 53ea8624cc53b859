"""Lazy loading of a package's names: a command that prints a version does not load the rules."""

from collections.abc import Callable, Mapping, MutableMapping
from importlib import import_module


def loading(
    package: str, names: MutableMapping[str, object], homes: Mapping[str, str]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return a package's ``__getattr__`` and ``__dir__``.

    ``names`` are its globals; ``homes`` has by module the names it offers, separated by spaces: none if the module
    itself is what is asked for.
    """
    module_of = {name: home for home, offered in homes.items() for name in offered.split() or [home]}

    def load(name: str) -> object:
        home = module_of.get(name)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = import_module(f"{package}.{home}")
        value = names[name] = module if name == home else getattr(module, name)
        return value

    return load, lambda: sorted({*names, *module_of})
