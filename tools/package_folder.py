"""Print the folder of an installed Python package: ``package_folder.py NAME``."""

import importlib.util
import sys


def package_folder(name: str) -> str:
    """Return where a package is installed; ModuleNotFoundError if it is not."""
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"the package {name} is not installed")
    return spec.submodule_search_locations[0]


if __name__ == "__main__":
    print(package_folder(sys.argv[1]))
