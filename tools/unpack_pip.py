"""Unpack the pip that comes with Python into this environment.

Python brings pip along as a wheel. Unpacking that takes a second; having pip install itself, as venv does, takes seven.
"""

import ensurepip
import sysconfig
import zipfile
from pathlib import Path


def main() -> None:
    """Unpack the newest wheel into site-packages; fails where a distribution ships Python without one."""
    packaged = sysconfig.get_config_var("WHEEL_PKG_DIR") or "/usr/share/python-wheels"  # Debian does not name its own
    folders = Path(ensurepip.__path__[0], "_bundled"), Path(packaged)
    wheel = max(wheel for folder in folders for wheel in folder.glob("pip-*.whl"))
    zipfile.ZipFile(wheel).extractall(sysconfig.get_path("purelib"))


if __name__ == "__main__":
    main()
